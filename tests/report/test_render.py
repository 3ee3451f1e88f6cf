"""The report without a browser: what is embedded, what is said."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import struct
import zlib
from importlib.resources import files
from pathlib import Path

import pytest

from tertium.report import render, write_report
from tertium.report.embedding import MOST_VALUES
from tertium.report.page import SCRIPTS
from tests.report.example import Shown, small_comparison


def block(page: str, identity: str) -> str:
    found = re.search(rf'<script type="[^"]+" id="{identity}">([^<]*)</script>', page)
    assert found, identity
    return found.group(1)


def unpacked(page: str, identity: str) -> bytes:
    return zlib.decompress(base64.b64decode(block(page, identity)))


def summary_of(page: str) -> list[str]:
    found = re.search(r'<ul class="summary">(.*?)</ul>', page, re.DOTALL)
    assert found
    return re.findall(r'<li dir="auto">(.*?)</li>', found.group(1))


def test_the_data_comes_back(comparison: Shown) -> None:
    page = render(*comparison)
    small = json.loads(block(page, "comparison"))
    data, segments = comparison
    assert small["significance"] == data["significance"]
    assert small["buckets"] == data["buckets"]
    assert small["preferences"] == data["preferences"]
    texts = json.loads(unpacked(page, "texts-0"))
    assert texts["sources"] == segments["sources"]
    assert texts["references"] == segments["references"]
    assert texts["hypotheses"] == [segments["hypotheses"][system] for system in data["systems"]]
    for s, system in enumerate(data["systems"]):
        for m, metric in enumerate(data["metrics"]):
            values = segments["scores"][system][metric["metric"]]
            assert struct.unpack(f"<{len(values)}d", unpacked(page, f"score-{s}-{m}")) == tuple(values)
    facets = small["segments"]["facets"]
    assert [facet["name"] for facet in facets] == ["reference length (13a tokens)", "document", "topic"]
    n = len(segments["sources"])
    codes = struct.unpack(f"<{n}i", unpacked(page, "facet-1"))
    assert [facets[1]["values"][code] for code in codes] == segments["documents"]


def test_the_same_input_gives_the_same_page(comparison: Shown, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_report(path, *comparison)
    again = json.loads(json.dumps(comparison))
    assert path.read_text(encoding="utf-8") == render(*comparison) == render(*again)
    assert "<li>2026-03-01 12:00</li>" in render(*comparison, "2026-03-01 12:00")


def test_a_page_that_cannot_be_made_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_report(path, *small_comparison(seed=float("nan")))
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_missing_parts_have_no_section() -> None:
    page = render(*small_comparison())
    assert re.findall(r'<section id="(\w+)"', page) == ["summary", "scores", "segments"]
    assert re.findall(r'<a href="#(\w+)"', page) == ["summary", "scores", "segments"]


def test_nothing_comes_from_elsewhere(comparison: Shown) -> None:
    page = render(*comparison)
    assert not re.findall(r"""(?:src|href|url|import)\s*[=(]\s*["']?(?:https?:|//)""", page)
    addresses = set(re.findall(r"https?://[^\s\"'<]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert len(page) < 1_000_000


def test_the_policy_allows_our_script_and_style_only(comparison: Shown) -> None:
    page = render(*comparison)
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', page)
    assert policy
    assert policy.group(1).startswith("default-src 'none';")
    assert "unsafe" not in policy.group(1)
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        inside = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert inside
        digest = base64.b64encode(hashlib.sha256(inside.group(1).encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy.group(1)


@pytest.mark.parametrize("name", [*SCRIPTS, "page.css", "page.html"])
def test_our_own_files_are_small_and_set_no_markup(name: str) -> None:
    text = files("tertium.report").joinpath(name).read_text(encoding="utf-8")
    assert len(text.splitlines()) < 400
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text)
    if name != "page.html":
        assert not re.search(r"</script|</style|<!--", text, re.IGNORECASE)


def test_data_cannot_end_its_block() -> None:
    nasty = "</script><!-- <script>"
    comparison = small_comparison(name=nasty, words=[nasty])
    comparison.texts["hypotheses"]["A"][0] = nasty
    page = render(*comparison)
    assert nasty not in page
    assert page.count("<!--") == 0
    assert json.loads(block(page, "comparison"))["words"] == [nasty]
    assert json.loads(unpacked(page, "texts-0"))["hypotheses"][0][0] == nasty


def test_half_a_surrogate_pair_can_be_written(tmp_path: Path) -> None:
    comparison = small_comparison(name="a \ud800 b", words=["\udfff"])
    comparison.texts["hypotheses"]["A"][0] = "x \ud800"
    write_report(tmp_path / "report.html", *comparison)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<title>a � b</title>" in page
    assert json.loads(unpacked(page, "texts-0"))["hypotheses"][0][0] == "x \ud800"


def test_a_column_with_too_many_values_is_no_filter() -> None:
    n = MOST_VALUES + 1
    texts = {
        "references": [],
        "scores": {},
        "hypotheses": {"A": ["x"] * n, "B": ["y"] * n},
        "metadata": {"many": list(range(n)), "few": [None, "z"] * (n // 2) + ["z"]},
    }
    page = render(*small_comparison(texts=texts))
    about = json.loads(block(page, "comparison"))["segments"]
    assert [facet["name"] for facet in about["facets"]] == ["few"]
    assert about["count"] == n
    assert json.loads(unpacked(page, "texts-2"))["metadata"][0] == [n - 1]
    assert struct.unpack(f"<{n}i", unpacked(page, "facet-0"))[:3] == (-1, 0, -1)


def test_the_summary_is_what_the_comparison_says(comparison: Shown) -> None:
    said = comparison.data["words"]
    assert said[0] == "strong has the best score by every metric (BLEU, chrF2, TER and MacroF1)."
    assert [html.unescape(line) for line in summary_of(render(*comparison))] == said

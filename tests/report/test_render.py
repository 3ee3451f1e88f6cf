"""The report without a browser: what is refused, what is embedded, what is said."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
import zlib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tertium.errors import InputError
from tertium.report import render, write_report
from tertium.report.embedding import MOST_VALUES
from tertium.report.page import SCRIPTS
from tests.report.example import small_comparison

Comparison = dict[str, Any]


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


def test_the_data_comes_back(comparison: Comparison) -> None:
    page = render(comparison)
    small = json.loads(block(page, "comparison"))
    assert small["scores"] == comparison["scores"]
    assert small["pairs"] == comparison["pairs"]
    assert small["preferences"] == comparison["preferences"]
    segments = comparison["segments"]
    texts = json.loads(unpacked(page, "texts-0"))
    assert texts["sources"] == segments["sources"]
    assert texts["references"] == segments["references"]
    assert texts["hypotheses"] == [segments["hypotheses"][system] for system in comparison["systems"]]
    for s, system in enumerate(comparison["systems"]):
        for m, metric in enumerate(comparison["metrics"]):
            values = segments["scores"][system][metric["label"]]
            assert struct.unpack(f"<{len(values)}d", unpacked(page, f"score-{s}-{m}")) == tuple(values)
    facets = small["segments"]["facets"]
    assert [facet["name"] for facet in facets] == ["source length", "document", "topic"]
    n = len(segments["sources"])
    codes = struct.unpack(f"<{n}i", unpacked(page, "facet-1"))
    assert [facets[1]["values"][code] for code in codes] == segments["documents"]


def test_the_same_input_gives_the_same_page(comparison: Comparison, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_report(path, comparison)
    assert (
        path.read_text(encoding="utf-8") == render(comparison) == render(json.loads(json.dumps(comparison)))
    )


def test_a_refused_comparison_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(InputError):
        write_report(path, small_comparison(systems=[]))
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_missing_parts_have_no_section() -> None:
    page = render(small_comparison())
    assert re.findall(r'<section id="(\w+)"', page) == ["summary", "scores", "segments"]
    assert re.findall(r'<a href="#(\w+)"', page) == ["summary", "scores", "segments"]


def test_nothing_comes_from_elsewhere(comparison: Comparison) -> None:
    page = render(comparison)
    assert not re.findall(r"""(?:src|href|url|import)\s*[=(]\s*["']?(?:https?:|//)""", page)
    addresses = set(re.findall(r"https?://[^\s\"'<]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert len(page) < 1_000_000


def test_the_policy_allows_our_script_and_style_only(comparison: Comparison) -> None:
    page = render(comparison)
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
    comparison = small_comparison(title=nasty, reversals=[nasty])
    comparison["segments"]["hypotheses"]["A"][0] = nasty
    page = render(comparison)
    assert nasty not in page
    assert page.count("<!--") == 0
    assert json.loads(block(page, "comparison"))["reversals"] == [nasty]
    assert json.loads(unpacked(page, "texts-0"))["hypotheses"][0][0] == nasty


def test_half_a_surrogate_pair_can_be_written(tmp_path: Path) -> None:
    comparison = small_comparison(title="a \ud800 b", summary=["\udfff"])
    comparison["segments"]["hypotheses"]["A"][0] = "x \ud800"
    write_report(tmp_path / "report.html", comparison)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<title>a � b</title>" in page
    assert json.loads(unpacked(page, "texts-0"))["hypotheses"][0][0] == "x \ud800"


def test_a_column_with_too_many_values_is_no_filter() -> None:
    n = MOST_VALUES + 1
    segments = {
        "hypotheses": {"A": ["x"] * n, "B": ["y"] * n},
        "metadata": {"many": list(range(n)), "few": [None, "z"] * (n // 2) + ["z"]},
    }
    page = render(small_comparison(segments=segments))
    about = json.loads(block(page, "comparison"))["segments"]
    assert [facet["name"] for facet in about["facets"]] == ["few"]
    assert about["count"] == n
    assert json.loads(unpacked(page, "texts-2"))["metadata"][0] == [n - 1]
    assert struct.unpack(f"<{n}i", unpacked(page, "facet-0"))[:3] == (-1, 0, -1)


PAIR = {"a": "A", "b": "B", "metric": "BLEU"}


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"systems": "AB"}, r'comparison\["systems"\] must be a list, not a string'),
        ({"systems": []}, r'comparison\["systems"\] is empty'),
        ({"systems": ["A", "A"]}, r"has 'A' twice"),
        ({"systems": ["A", " "]}, r"must not be empty"),
        ({"metrics": [{"spec": "bleu"}]}, r'comparison\["metrics"\]\[0\] has no \'label\''),
        ({"metrics": [{"label": "BLEU", "higher_is_better": 1}]}, r"must be true or false, not a number"),
        ({"baseline": "C"}, r"unknown system 'C'.*known: A, B"),
        ({"scores": {"A": {"BLEU": {"value": 1}}}}, r"has no system 'B'"),
        ({"scores": {"A": {}, "B": {}}}, r"has no metric 'BLEU'"),
        (
            {"scores": {"A": {"BLEU": {"value": float("nan")}}, "B": {"BLEU": {"value": 1}}}},
            r'\["A"\]\["BLEU"\]\["value"\] is nan: write None',
        ),
        ({"scores": {"A": {"BLEU": {"value": "1"}}}}, r"must be a number, not a string"),
        ({"scores": None}, r"must be a mapping, not None"),
        ({"pairs": [{**PAIR, "b": "A"}]}, r"compares 'A' with itself"),
        ({"pairs": [{**PAIR, "better": "C"}]}, r"is 'C', which is not in this pair"),
        ({"pairs": [{**PAIR, "metric": "BLUE"}]}, r"unknown metric 'BLUE'; did you mean 'BLEU'"),
        ({"pairs": [{**PAIR, "p": 1.5}]}, r"a share is between 0 and 1"),
        ({"pairs": [{"a": "A"}]}, r'comparison\["pairs"\]\[0\] has no \'b\''),
        ({"clusters": {"BLEU": [["C"]]}}, r"unknown system 'C'"),
        ({"seed": 1.5}, r"must be a whole number"),
        ({"sumary": []}, r"unknown key 'sumary'; did you mean 'summary'"),
        (
            {"buckets": [{"by": "x", "buckets": [], "membership": [0]}]},
            r"has 1 values, but there are 3 segments",
        ),
        ({"buckets": [{"by": "x", "buckets": [], "membership": [0, 0, 0]}]}, r"a number outside"),
        ({"types": {"ranks": [1, 2], "curves": {"A": [1]}}}, r"has 1 values for 2 ranks"),
        ({"types": {"ranks": [0], "curves": {}}}, r"the first rank is 1"),
        (
            {"favouritism": [{**PAIR, "rows": [{"segment": 3, "value": 1}]}]},
            r"has segment 3, outside 0 to 2",
        ),
        ({"preferences": [{**PAIR, "a_share": 0.5, "b_share": 0.5}]}, r"has no 'tied_share'"),
        ({"components": {"BLEU": {"C": {}}}}, r"unknown system 'C'"),
        ({"doctor": [{"severity": "note"}]}, r"has no 'what'"),
        ({"segments": {}}, r"has no 'hypotheses'"),
        ({"segments": {"hypotheses": {"A": [], "B": []}}}, r"there is nothing to show"),
        ({"segments": {"hypotheses": {"A": ["x"]}}}, r"has no system 'B'"),
        (
            {"segments": {"hypotheses": {"A": ["x"], "B": ["x", "y"]}}},
            r"has 2 values, but 'A' has 1 segments",
        ),
        ({"segments": {"hypotheses": {"A": ["x", 7], "B": ["x", "y"]}}}, r'\["A"\]\[1\] must be a string'),
        (
            {"segments": {"hypotheses": {"A": ["x"], "B": ["y"]}, "scores": {"A": {"BLEU": [float("inf")]}}}},
            r'\["BLEU"\]\[0\] is inf',
        ),
        (
            {"segments": {"hypotheses": {"A": ["x"], "B": ["y"]}, "scores": {"A": {"BLEU": [True]}}}},
            r"must be a number, not true or false",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(parts: Comparison, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        render(small_comparison(**parts))
    assert "\n" not in str(caught.value)


def test_words_about_the_sample(comparison: Comparison) -> None:
    lines = summary_of(render(comparison))
    assert lines[0] == "strong has the best score by every metric (BLEU, chrF2, TER and MacroF1)."
    assert lines[1] == (
        "The metrics disagree about smooth and literal: smooth is better by TER (6.15 lower), "
        "literal by chrF2 (+8.04). No clear difference by BLEU (+4.18) and MacroF1 (−4.53)."
    )
    assert lines[2].startswith(
        "strong is better than literal by BLEU (+47.64), chrF2 (+25.77), TER (34.17 lower)"
    )
    assert lines[2].endswith("chance alone would hardly produce such a difference (p &lt; 0.001).")


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (
            {},
            [
                "A has the best score (BLEU).",
                "No significance test was run: small differences may be due to chance.",
            ],
        ),
        ({"summary": ["Own words."]}, ["Own words."]),
        (
            {"pairs": [{**PAIR, "difference": 2.125, "p": 0.2, "smallest_detectable": 3.5}]},
            [
                "A has the best score (BLEU).",
                "A and B cannot be told apart: the difference may be due to chance by BLEU (+2.12). "
                "This test set can show differences from about 3.50 BLEU upwards.",
            ],
        ),
        (
            {
                "baseline": "A",
                "pairs": [{**PAIR, "difference": 2.125, "p": 0.01, "p_holm": 0.02, "better": "A"}],
            },
            [
                "A has the best score (BLEU).",
                "A is better than B by BLEU (+2.12); chance alone would hardly produce such a difference (p = 0.020).",
            ],
        ),
        (
            {
                "scores": {
                    "A": {"BLEU": {"value": None, "reason": "there are no words"}},
                    "B": {"BLEU": {"value": 2}},
                },
                "pairs": [{**PAIR, "difference": None, "reason": "A has no score"}],
            },
            [
                "B has the best score (BLEU).",
                "B and A cannot be compared by BLEU, because A has no score.",
                "BLEU of A is undefined, because there are no words.",
            ],
        ),
    ],
)
def test_words(parts: Comparison, expected: list[str]) -> None:
    assert summary_of(render(small_comparison(**parts))) == expected


def test_many_pairs_do_not_make_many_sentences() -> None:
    names = [f"S{i}" for i in range(16)]
    comparison = small_comparison(
        systems=names,
        scores={name: {"BLEU": {"value": float(i)}} for i, name in enumerate(names)},
        pairs=[
            {"a": a, "b": b, "metric": "BLEU", "difference": float(i - j), "p": 0.0001, "better": b}
            for i, a in enumerate(names)
            for j, b in enumerate(names)
            if i < j
        ],
        segments={"hypotheses": {name: ["x"] for name in names}},
    )
    lines = summary_of(render(comparison))
    assert len(lines) == 8
    assert lines[1].startswith("S15 is better than S0 by BLEU (+15.00)")
    assert lines[-1] == "114 more pairs are in the table of pairs."

"""The report in a real browser: what it shows is what was given, and it can be used."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.io.tables import p_text
from tests.report.conftest import Open
from tests.report.example import Shown, made_tests, small_comparison


def shown_segments(page: Any) -> list[int]:
    """Numbers of the segments in the list, from the top, counted from 1."""
    rows = page.evaluate(
        "[...document.querySelectorAll('.row')].sort((a, b) => a.ariaPosInSet - b.ariaPosInSet)"
        ".map(row => row.querySelector('.which b').textContent)"
    )
    return [int(row.replace(",", "")) for row in rows]


def shows(page: Any, numbers: list[int]) -> None:
    """Waits until the list shows these segments: it is drawn anew a little after it was asked for."""
    for _ in range(100):
        if shown_segments(page) == numbers:
            return
        page.wait_for_timeout(50)
    assert shown_segments(page) == numbers


def choose(page: Any, label: str, value: str, where: str = "#segments") -> None:
    page.locator(f"{where} label.choice:has(> span:text-is({label!r})) select").select_option(label=value)


def until(page: Any, condition: str) -> None:
    """Waits until it is true. (Playwright's own way needs eval in the page, which the page forbids.)"""
    for _ in range(400):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never true: {condition}")


def status(page: Any, text: str) -> None:
    page.locator(".status", has_text=text).wait_for()


def test_every_part_has_its_section(open_report: Open, comparison: Shown) -> None:
    page = open_report(comparison)
    found = page.evaluate("[...document.querySelectorAll('main section')].map(section => section.id)")
    parts = [
        "scores",
        "pairs",
        "buckets",
        "types",
        "preferences",
        "favouritism",
        "components",
        "errors",
        "unseen",
        "noise",
        "doctor",
        "segments",
    ]
    assert found == ["summary", *parts]
    empty = page.evaluate(
        "[...document.querySelectorAll('.body')].filter(body => !body.children.length).length"
    )
    assert empty == 0
    assert page.title() == comparison.data["name"]


def test_scores_are_those_given(open_report: Open, comparison: Shown) -> None:
    page = open_report(comparison, segments=False)
    metrics = comparison.data["metrics"]
    for c, metric in enumerate(metrics):
        given = comparison.data["significance"][metric["metric"]]["systems"]
        assert [one["name"] for one in given] == comparison.data["systems"]
        order = page.locator("table.scores tbody td:first-child bdi").all_inner_texts()
        assert order == ["strong", "smooth", "literal"]  # best first by the first metric
        for one in given:
            cells = page.locator(f"table.scores tbody tr:nth-child({order.index(one['name']) + 1}) td")
            cell = cells.nth(c + 1)
            assert float(cell.get_attribute("data-value")) == one["value"]
            text = cell.inner_text()
            assert f"{one['value']:.2f}" in text
            if one["low"] is not None:
                assert f"{one['low']:.2f} to {one['high']:.2f}" in text
    best = page.locator("table.scores td.best").all_inner_texts()
    assert len(best) == len(metrics)
    assert all("best" in text for text in best)


def test_pairs_are_those_given_from_both_sides(open_report: Open, comparison: Shown) -> None:
    page = open_report(comparison, segments=False)
    systems = page.locator("table.matrix tbody td:first-child bdi").all_inner_texts()
    assert sorted(systems) == comparison.data["systems"]
    kinds = set()
    for label, metric in (("TER", "ter"), ("BLEU", "bleu")):
        choose(page, "Metric", label, "#pairs")
        for pair in comparison.data["significance"][metric]["pairs"]:
            first, second = systems.index(pair["first"]), systems.index(pair["second"])
            for row, column, sign in ((second, first, 1), (first, second, -1)):
                cell = page.locator(f"table.matrix tbody tr:nth-child({row + 1}) td:nth-child({column + 2})")
                assert float(cell.get_attribute("data-value")) == sign * pair["difference"]
                better = pair["better"] if pair["significant"] else None
                kind = "even" if better is None else "win" if better == systems[row] else "lose"
                kinds.add(kind)
                assert kind in cell.get_attribute("class")
                assert f"{abs(pair['difference']):.2f}" in cell.inner_text()
    assert kinds == {"even", "win", "lose"}
    choose(page, "p-values", "of each pair alone", "#pairs")
    p = comparison.data["significance"]["bleu"]["pairs"][0]["p"]
    assert f"p = {p_text(p)}" in page.locator("table.matrix").inner_text()
    values = (0.0366, 0.00299, 0.04999, 0.0500001, 1.0, 1e-6)
    numbers = Path(tt.__file__).with_name("report") / "numbers.js"
    source = re.search(r"function pValue.*?\n}\n", numbers.read_text("utf-8"), re.S)
    assert source is not None
    written = [page.evaluate(f"(() => {{ {source.group()} return pValue({value}); }})()") for value in values]
    shown = [text.removeprefix("p ").removeprefix("= ") for text in written]
    assert shown == [p_text(value) for value in values]


def test_plots_have_words_and_data(open_report: Open, comparison: Shown) -> None:
    page = open_report(comparison, segments=False)
    pictures = page.locator("figure .canvas svg")
    until(page, "document.querySelectorAll('figure .canvas svg').length == 4")
    for i in range(4):
        assert pictures.nth(i).get_attribute("role") == "img"
        assert len(pictures.nth(i).get_attribute("aria-label")) > 40
    choose(page, "Metric", "TER", "#buckets")
    with page.expect_download() as download:
        page.locator("#buckets a.data").first.click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    division = comparison.data["buckets"][0]
    given = division["buckets"]
    assert [row[division["by"]] for row in rows] == [bucket["name"] for bucket in given]
    for row, bucket in zip(rows, given, strict=True):
        for system in comparison.data["systems"]:
            assert float(row[system]) == bucket["scores"]["ter"][system]
        assert row["better"] == (bucket["clearly_best"]["ter"] or "")
    page.locator("#types summary", has_text="The numbers").click()
    ranks = len(comparison.data["types"]["ranks"])
    until(page, f"document.querySelectorAll('#types figure tbody tr').length == {ranks}")


def test_no_name_is_a_formula_in_a_spreadsheet(open_report: Open) -> None:
    names = {"=1+1": ["a"], "-B": ["b"]}
    page = open_report(
        small_comparison(
            systems=list(names),
            significance={"bleu": made_tests({"=1+1": -3.5, "-B": 28.125})},
            texts={"hypotheses": names, "references": [], "scores": {}},
        ),
        segments=False,
    )
    with page.expect_download() as download:
        page.locator("#scores a.data").click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8"))))
    assert [(row["system"], row["score"]) for row in rows] == [("'=1+1", "-3.5"), ("'-B", "28.125")]


def test_a_system_can_be_taken_out_of_the_plots(open_report: Open, comparison: Shown) -> None:
    page = open_report(comparison, segments=False)
    lines = page.locator("#types figure path.line")
    lines.nth(2).wait_for(state="attached")
    assert lines.count() == 3
    page.locator("#types .key", has_text="smooth").click()
    until(page, "document.querySelectorAll('#types figure path.line').length == 2")
    assert page.locator("#buckets .key", has_text="smooth").get_attribute("aria-pressed") == "false"


def test_preferences_and_components(open_report: Open, comparison: Shown) -> None:
    page = open_report(comparison, segments=False)
    pair = comparison.data["preferences"][0]
    one = pair["metrics"]["bleu"]
    text = page.locator("#preferences .contest").first.inner_text()
    assert pair["systems"] == ["literal", "smooth"]
    assert one["words"].startswith("people prefer literal in ")
    assert one["words"] in text
    for side in ("first", "second"):
        assert f"{100 * one['plain'][side]:.1f} %" in text
        assert f"{100 * one['weighted'][side]:.1f} %" in text
    row = page.locator("#components tr", has_text="brevity penalty").inner_text().split("\t")
    given = comparison.data["components"]["metrics"]["bleu"]["components"]["brevity penalty"]
    assert [float(cell) for cell in row[1:]] == [round(given[name], 4) for name in comparison.data["systems"]]


def test_favouritism_leads_to_its_segment(open_report: Open, comparison: Shown) -> None:
    page = open_report(comparison, segments=False)
    given = comparison.data["favouritism"][0]["metrics"][0]["segments"]
    rows = page.locator("#favouritism .favour").first.locator("tbody tr")
    assert rows.count() == len(given)
    values = [float(cell.get_attribute("data-value")) for cell in rows.locator("td[data-value]").all()]
    assert values == [row["favouritism"] for row in given]
    page.locator("#favouritism ins").first.wait_for()
    tags = page.locator("#favouritism .favour").first.locator(".tags [dir]").all_inner_texts()
    assert tags == ["synonym", "omission*"]
    page.locator("#favouritism button.link").first.click()
    page.locator(".detail h3", has_text=f"Segment {given[0]['segment']}").wait_for()
    assert given[0]["source"] in page.locator(".detail").inner_text()


def test_segments_sort_by_score_and_difference(open_report: Open, comparison: Shown) -> None:
    page = open_report(comparison)
    scores = comparison.texts["scores"]
    n = comparison.data["segments"]
    status(page, f"{n} segments")
    assert shown_segments(page)[:3] == [1, 2, 3]
    choose(page, "First", "strong")
    choose(page, "Second", "literal")
    choose(page, "Metric", "chrF2")
    keys = {
        "score of the first system": scores["strong"]["chrf"],
        "score of the second system": scores["literal"]["chrf"],
        "difference, first less second": [
            a - b for a, b in zip(scores["strong"]["chrf"], scores["literal"]["chrf"], strict=True)
        ],
        "size of the difference": [
            abs(a - b) for a, b in zip(scores["strong"]["chrf"], scores["literal"]["chrf"], strict=True)
        ],
    }
    for label, values in keys.items():
        choose(page, "Sort by", label)
        for sign in (-1, 1):
            expected = sorted(range(n), key=lambda i, v=values, s=sign: (s * v[i], i))
            until(page, f"document.querySelector('#row-0 b').textContent == '{expected[0] + 1}'")
            found = shown_segments(page)
            assert len(found) >= 8
            assert found == [i + 1 for i in expected[: len(found)]]
            page.locator(".direction").click()
    top = page.locator("#row-0 .numbers [data-value]")
    first = shown_segments(page)[0] - 1
    given = [scores["strong"]["chrf"][first], scores["literal"]["chrf"][first]]
    assert [float(value.get_attribute("data-value")) for value in top.all()] == [*given, given[0] - given[1]]


def test_undefined_scores_come_last(open_report: Open) -> None:
    page = open_report(small_comparison())
    choose(page, "Sort by", "score of the first system")
    until(page, "document.querySelector('#row-0 b').textContent == '1'")
    shows(page, [1, 2, 3])
    page.locator(".direction").click()
    until(page, "document.querySelector('#row-0 b').textContent == '2'")
    shows(page, [2, 1, 3])
    assert "undefined" in page.locator("#row-2 .numbers").inner_text()


def test_segments_filter_by_document_bucket_metadata_and_text(open_report: Open, comparison: Shown) -> None:
    page = open_report(comparison)
    segments = comparison.texts
    n = comparison.data["segments"]
    documents = segments["documents"]
    wanted = [i for i in range(n) if documents[i] == "manual-kettle"]
    choose(page, "document", "manual-kettle")
    status(page, f"{len(wanted)} of {n} segments")
    shows(page, [i + 1 for i in wanted])
    members = segments["buckets"][0]
    both = [i for i in wanted if members[i] == 1]
    choose(page, "reference length (13a tokens)", "8-24")
    status(page, f"{len(both)} of {n} segments")
    shows(page, [i + 1 for i in both])
    choose(page, "document", "all")
    choose(page, "reference length (13a tokens)", "all")
    choose(page, "topic", "news")
    status(page, f"{segments['metadata']['topic'].count('news')} of {n}")
    choose(page, "topic", "all")
    page.locator("input[type=search]").fill("KALTENBR")
    texts = [
        " ".join([segments["sources"][i], *(r[i] for r in segments["references"])])
        + " ".join(output[i] for output in segments["hypotheses"].values())
        for i in range(n)
    ]
    hits = [i for i in range(n) if "kaltenbr" in texts[i].lower()]
    assert hits
    status(page, f"{len(hits)} of {n} segments")
    shows(page, [i + 1 for i in hits])
    assert page.locator(".row mark").first.inner_text().lower() == "kaltenbr"
    page.locator("input[type=search]").fill("no text has this")
    status(page, f"0 of {n} segments")
    assert "No segment matches" in page.locator(".detail").inner_text()


def test_keyboard(open_report: Open, comparison: Shown) -> None:
    page = open_report(comparison)
    n = comparison.data["segments"]

    def chosen() -> int:
        return int(page.locator(".row[aria-selected=true] .which b").inner_text())

    page.evaluate("window.scrollTo(0, 0)")
    page.keyboard.press("/")
    until(page, "document.activeElement.type == 'search'")
    page.keyboard.type("/")
    assert page.locator("input[type=search]").input_value() == "/"
    page.locator("input[type=search]").fill("")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.className") == "list"
    style = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert style == "solid"
    status(page, f"{n} segments")
    until(page, "document.querySelectorAll('.row').length > 5")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert chosen() == 3
    page.locator(".detail h3", has_text="Segment 3").wait_for()
    page.keyboard.press("ArrowUp")
    assert chosen() == 2
    page.keyboard.press("PageDown")
    assert chosen() > 5
    page.keyboard.press("End")
    assert chosen() == n
    page.locator(".detail h3", has_text=f"Segment {n}").wait_for()
    active = page.locator(".list").get_attribute("aria-activedescendant")
    assert page.locator(f"#{active}").get_attribute("aria-posinset") == str(n)
    page.keyboard.press("Home")
    assert chosen() == 1
    page.get_by_label("Next segment").click()
    page.locator(".detail h3", has_text="Segment 2").wait_for()


def test_differences_are_marked_and_the_text_stays_whole(open_report: Open) -> None:
    comparison = small_comparison()
    text = "The quick  fox, it jumps over a dog."
    other = "The quick brown fox jumped over the dog!"
    for texts in comparison.texts["hypotheses"].values():
        texts[0] = text
    comparison.texts["references"][0][0] = other
    comparison.texts["hypotheses"]["B"][0] = "数据很好"
    page = open_report(comparison)
    first = page.locator(".detail .piece .text").nth(1)
    assert first.locator("ins").all_inner_texts() == [", it jumps", "a", "."]
    assert first.locator("del").all_inner_texts() == ["brown", "jumped", "the", "!"]
    without = (
        "copy => { copy.querySelectorAll('del').forEach(part => part.remove()); return copy.textContent }"
    )
    assert first.evaluate(f"node => ({without})(node.cloneNode(true))").split() == text.split()
    style = first.locator("ins").first.evaluate(
        "n => [getComputedStyle(n).textDecorationLine, getComputedStyle(n).fontWeight]"
    )
    assert style == ["underline", "650"]
    assert (
        first.locator("del").first.evaluate("n => getComputedStyle(n).textDecorationLine") == "line-through"
    )
    page.get_by_label("with words that are missing").uncheck()
    until(page, "!document.querySelector('.piece del')")
    assert page.locator(".detail .piece .text").nth(1).inner_text() == text.replace("  ", "  ")
    choose(page, "Mark differences from", "nothing")
    until(page, "!document.querySelector('.piece ins')")


NASTY = [
    "</script><script>window.hacked = 1</script>",
    '<img src="x" onerror="window.hacked = 2">',
    "a\u2028b\u2029c \\u003c &lt;b&gt; <!-- ' \" ` ${window.hacked = 3} {{script}}",
    "]]> <![CDATA[ </style></textarea><svg onload=alert(1)>",
    "\ud800 half a pair, \x00 and \x1b",
    "שלום (world) עולם",
]


def test_texts_are_never_markup(open_report: Open) -> None:
    n = len(NASTY)
    bad = NASTY[1]
    metric = NASTY[3]
    comparison = small_comparison(
        name=NASTY[0],
        systems=[bad, "B"],
        metrics=[{"metric": metric, "label": metric, "higher_is_better": True, "signature": NASTY[0]}],
        significance={metric: made_tests({bad: None, "B": None}, undefined_because=NASTY[0])},
        words=[NASTY[0], NASTY[4]],
        findings=[{"severity": bad, "message": NASTY[0], "where": bad, "advice": NASTY[2]}],
        types={"label": bad, "ranks": [1, 10], "curves": {bad: [1, 2]}, "turns": []},
        type_differences=[
            {
                "systems": [bad, "B"],
                "types": {bad: [{"type": NASTY[0], "reference": 1, "matched": 1}], "B": []},
            }
        ],
        buckets=[
            {
                "by": NASTY[0],
                "reversals": [NASTY[0]],
                "buckets": [
                    {
                        "name": bad,
                        "segments": n,
                        "share_of_words": 1,
                        "scores": {metric: {bad: 1.5, "B": None}},
                        "clearly_best": {metric: bad},
                        "undefined": {metric: NASTY[0]},
                    }
                ],
            }
        ],
        texts={
            "documents": NASTY,
            "sources": NASTY,
            "references": [NASTY[::-1]],
            "hypotheses": {bad: NASTY, "B": NASTY[::-1]},
            "scores": {},
            "metadata": {NASTY[2]: NASTY},
            "buckets": [[0] * n],
        },
    )
    page = open_report(comparison)
    page.evaluate("document.querySelectorAll('details').forEach(box => box.open = true)")
    page.locator(".list").focus()
    for i, text in enumerate(NASTY):
        page.locator(".detail h3", has_text=f"Segment {i + 1}").wait_for()
        source = page.locator(".detail .piece .text").first
        shown = source.evaluate("node => node.textContent")
        assert shown == text.replace("\ud800", "�") or shown == text
        assert source.get_attribute("dir") == "auto"
        page.keyboard.press("ArrowDown")
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main script, main style").count() == 0
    assert page.locator("h1").inner_text() == NASTY[0]
    assert page.locator("script:not([type])").count() == 1


def test_light_and_dark(open_report: Open, comparison: Shown) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    page = open_report(comparison, segments=False)
    light = page.evaluate(paper)
    page.locator("#theme").click()
    dark = page.evaluate(paper)
    assert light == "rgb(255, 255, 255)"
    assert dark != light
    page.reload()
    assert page.evaluate(paper) == dark
    page.locator("#theme").click()
    assert page.evaluate(paper) == light
    page.evaluate("localStorage.clear()")
    other = open_report(comparison, segments=False, dark=True)
    assert other.evaluate(paper) == dark
    other.emulate_media(media="print", color_scheme="dark")
    assert other.evaluate(paper) == light
    assert not other.locator("nav").is_visible()


def test_the_folder_of_all_systems_is_not_shown(open_report: Open) -> None:
    names = ["runs/wmt/long/path/a.txt", "runs/wmt/long/path/b.txt", "runs/wmt/long/other/a.txt"]
    comparison = small_comparison(
        systems=names,
        significance={"bleu": made_tests(dict.fromkeys(names, 0.5))},
        texts={"hypotheses": {name: ["one"] for name in names}, "references": [], "scores": {}},
    )
    page = open_report(comparison)
    shown = page.locator("table.scores .system bdi")
    assert shown.all_inner_texts() == ["path/a", "path/b", "other/a"]
    assert [one.get_attribute("title") for one in shown.all()] == names


def test_narrow_screens_do_not_scroll_sideways(open_report: Open, comparison: Shown) -> None:
    page = open_report(comparison)
    page.set_viewport_size({"width": 390, "height": 844})
    until(page, "document.querySelector('#types svg').clientWidth < 390")
    until(page, "document.documentElement.scrollWidth <= 390")


EMPTY_PAIR = {
    "first": "A",
    "second": "B",
    "better": None,
    "significant": False,
    "identical": False,
    **dict.fromkeys(("difference", "p", "p_holm", "p_bh", "smallest_detectable")),
}
EMPTY_BUCKET = {
    "name": "",
    "segments": 0,
    "share_of_words": None,
    "scores": {},
    "clearly_best": {},
    "undefined": {"bleu": "there are no words"},
}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"significance": {"bleu": made_tests({"A": None, "B": None}, EMPTY_PAIR)}},
        {
            "buckets": [{"by": "x", "reversals": [], "buckets": [EMPTY_BUCKET]}],
            "texts": {"buckets": [[-1] * 3]},
        },
        {"types": {"label": "F", "ranks": [1], "curves": {"A": [None]}, "turns": []}},
        {
            "favouritism": [
                {"systems": ["A", "B"], "metrics": [{"metric": "bleu", "label": "BLEU", "segments": []}]}
            ]
        },
        {"components": {"metrics": {"bleu": {"components": {"x": {"A": None}, "y": {"A": 1, "B": 2.5}}}}}},
    ],
)
def test_little_data_is_enough(open_report: Open, change: dict[str, Any]) -> None:
    open_report(small_comparison(**change))


def test_nothing_has_a_score(open_report: Open) -> None:
    empty = tt.TestSet.of([["", ""]], {"A": ["", ""], "B": ["", ""]})
    found = tt.compare(empty, ["macrof1"], resamples=50)
    page = open_report(Shown(found.data(), found.texts()))
    assert page.locator("#preferences").count() == 0
    assert "undefined: no type at all" in page.locator("table.scores").inner_text()


def test_one_system_without_segment_scores_or_references(open_report: Open) -> None:
    comparison = small_comparison(
        systems=["only"],
        significance={"bleu": made_tests({"only": 0.5})},
        texts={"hypotheses": {"only": ["one", "two"]}, "references": [], "scores": {}},
    )
    page = open_report(comparison)
    shows(page, [1, 2])
    assert page.locator("table.scores .value").inner_text() == "0.5000"


def test_a_hundred_thousand_segments(open_report: Open, comparison: Shown) -> None:
    n = 100_000
    given = comparison.texts
    size = len(given["sources"])

    def longer(column: list[Any]) -> list[Any]:
        return [column[i % size] for i in range(n)]

    hypotheses = {name: longer(texts) for name, texts in given["hypotheses"].items()}
    hypotheses["literal"][n - 1] = "the very last output"
    texts = {
        "sources": [f"{text} ({i})" for i, text in enumerate(longer(given["sources"]))],
        "references": [longer(given["references"][0])],
        "hypotheses": hypotheses,
        "scores": {
            name: {"bleu": [(i * 7919 + s) % n / 1000 for i in range(n)]}
            for s, name in enumerate(comparison.data["systems"])
        },
        "documents": [f"d{i // 1000}" for i in range(n)],
        "metadata": {},
        "buckets": [],
    }
    large = Shown({**comparison.data, "segments": n, "buckets": [], "favouritism": []}, texts)
    page = open_report(large)
    rows = page.locator(".row")
    status(page, "100,000 segments")
    most = rows.count()
    assert 5 < most < 40
    for part in (0.1, 0.333, 0.5, 0.9):
        page.evaluate(f"(l => l.scrollTop = l.scrollHeight * {part})(document.querySelector('.list'))")
        until(page, f"Math.abs(Number(document.querySelector('.row').ariaPosInSet) - {part * n}) < {n / 100}")
        assert rows.count() < 40
    page.evaluate("(l => l.scrollTop = l.scrollHeight)(document.querySelector('.list'))")
    last = page.locator(f"#row-{n - 1}")
    last.wait_for()
    page.locator(f"#row-{n - 1} p", has_text="the very last output").wait_for()
    inside = "(r => r.bottom <= document.querySelector('.list').getBoundingClientRect().bottom + 2)"
    assert page.evaluate(f"{inside}(document.getElementById('row-{n - 1}').getBoundingClientRect())")
    assert page.evaluate("document.querySelectorAll('*').length") < 5000
    page.locator(".list").focus()
    page.keyboard.press("End")
    page.locator(".detail h3", has_text="Segment 100,000").wait_for()
    page.keyboard.press("ArrowUp")
    page.locator(".detail h3", has_text="Segment 99,999").wait_for()
    choose(page, "Sort by", "score of the first system")
    best = max(range(n), key=lambda i: (i * 7919) % n)
    until(page, f"document.querySelector('#row-0 b').textContent == '{best + 1:,}'")
    page.locator("input[type=search]").fill("the very last")
    status(page, "1 of 100,000 segments")
    until(page, "document.querySelectorAll('.row').length == 1")

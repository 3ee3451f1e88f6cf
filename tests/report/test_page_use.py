"""The report by mouse and keyboard, on wide, middling and narrow screens."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

import tertium as tt
from tests.app.test_axe import faults
from tests.hands import HANDS, WIDTHS, pick, press
from tests.report.conftest import Open
from tests.report.example import METRICS, Shown, made_tests, small_comparison, trained, whole
from tests.report.test_browser import until

TOP = "Math.round(document.getElementById('segments').getBoundingClientRect().top)"
AWAY = "parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop)"


def segment_shown(page: Any, number: int) -> None:
    page.locator(".detail h3", has_text=f"Segment {number}").first.wait_for()


@pytest.fixture(scope="module")
def two() -> Shown:
    sample = tt.TestSet.sample()
    systems = {name: sample.systems[name] for name in ("literal", "smooth")}
    found = tt.compare(replace(sample, systems=systems), METRICS, resamples=200, **trained(sample))
    return whole(found)


@pytest.fixture(scope="module")
def many() -> Shown:
    """Twenty systems, each the mixture of two."""
    sample = tt.TestSet.sample()
    outputs = list(sample.systems.values())
    systems = {
        f"runs/2026/submission-{i:02}.en": [outputs[(k * (i + 3)) % 7 % 3][k] for k in range(len(sample))]
        for i in range(20)
    }
    found = tt.compare(
        replace(sample, systems=tt.TestSet.of(sample.references, systems).systems),
        ["bleu", "chrf"],
        resamples=50,
    ).with_details("error-classes")
    return Shown(found.data(), found.texts())


@WIDTHS
@HANDS
def test_the_first_jump_to_the_segments_lands_there(
    open_report: Open, comparison: Shown, width: int, hand: str
) -> None:
    page = open_report(comparison, segments=False, width=width)
    press(page.locator("nav a[href='#segments']"), hand)
    page.locator(".detail h3").wait_for()
    page.wait_for_timeout(700)
    assert abs(page.evaluate(f"{TOP} - {AWAY}")) <= 2
    page.mouse.wheel(0, -600)  # and it lets go when somebody scrolls
    until(page, f"{TOP} > 300")
    page.wait_for_timeout(300)
    assert page.evaluate(TOP) > 300


@WIDTHS
@HANDS
def test_favouritism_shows_one_pair_and_metric(
    open_report: Open, comparison: Shown, width: int, hand: str
) -> None:
    given = comparison.data["favouritism"]
    page = open_report(comparison, segments=False, width=width)
    tables = page.locator("#favouritism table")
    assert tables.count() == 1
    assert page.locator("#favouritism").bounding_box()["height"] < 9000

    def values() -> list[float]:
        return [float(cell.get_attribute("data-value")) for cell in tables.locator("td[data-value]").all()]

    assert values() == [row["favouritism"] for row in given[0]["metrics"][0]["segments"]]
    for label, wanted in (("Pair", "literal and strong"), ("Metric", "TER")):
        select = page.locator(f"#favouritism label.choice:has(> span:text-is({label!r})) select")
        pick(select, wanted, hand)
    assert given[1]["systems"] == ["literal", "strong"]
    assert values() == [row["favouritism"] for row in given[1]["metrics"][2]["segments"]]
    page.locator("#favouritism ins").first.wait_for()
    box, outer = tables.bounding_box(), page.locator("#favouritism .body").bounding_box()
    assert box["width"] > 0.95 * outer["width"]


@WIDTHS
@HANDS
def test_more_of_favouritism_is_folded(open_report: Open, two: Shown, width: int, hand: str) -> None:
    page = open_report(two, segments=False, width=width)
    rows = page.locator("#favouritism tbody tr")
    assert len(two.data["favouritism"][0]["metrics"][0]["segments"]) == 10
    assert rows.count() == 6
    press(page.locator(".unfold"), hand)
    assert rows.count() == 10
    assert page.evaluate("document.activeElement.closest('tr').rowIndex") == 7
    assert page.locator(".unfold").count() == 0


@WIDTHS
@HANDS
def test_a_finding_opens_its_lines(open_report: Open, comparison: Shown, width: int, hand: str) -> None:
    finding = {
        "check": "empty lines",
        "severity": "serious",
        "where": "smooth",
        "message": "7 lines are empty",
        "advice": "look there",
        "count": 7,
        "lines": [3, 47],
    }
    data = {**comparison.data, "findings": [finding, *({**finding, "where": f"text {i}"} for i in range(11))]}
    page = open_report(Shown(data, comparison.texts), segments=False, width=width)
    first = page.locator("#doctor .finding").first
    assert "smooth: 7 lines are empty" in first.inner_text()
    assert "lines 3, 47 and 5 more" in first.inner_text()
    assert page.locator("#doctor .finding").count() == 8
    press(page.locator("#doctor summary", has_text="4 more"), hand)
    until(page, "document.querySelectorAll('#doctor .finding').length == 12")
    press(first.locator("button", has_text="47"), hand)
    segment_shown(page, 47)
    page.wait_for_timeout(400)
    assert abs(page.evaluate(f"{TOP} - {AWAY}")) <= 2
    assert page.evaluate("location.hash") == "#segment-47"


@WIDTHS
@HANDS
def test_a_segment_has_an_address(open_report: Open, comparison: Shown, width: int, hand: str) -> None:
    page = open_report(comparison, segments=False, width=width, fragment="#segment-12")
    segment_shown(page, 12)
    page.wait_for_timeout(400)
    assert abs(page.evaluate(f"{TOP} - {AWAY}")) <= 2
    press(page.locator(".detail button[aria-label='Next segment']"), hand)
    segment_shown(page, 13)
    assert page.evaluate("location.hash") == "#segment-13"
    press(page.locator(".address"), hand)
    page.locator(".address", has_text="Cop").wait_for()
    assert page.locator(".address").get_attribute("href") == "#segment-13"
    page.evaluate("location.hash = '#segment-20'")  # as when somebody pastes another link
    segment_shown(page, 20)
    page.evaluate("location.hash = '#segment-99999'")
    segment_shown(page, 69)


@WIDTHS
@HANDS
def test_buckets_have_intervals(open_report: Open, comparison: Shown, width: int, hand: str) -> None:
    page = open_report(comparison, segments=False, width=width)
    given = comparison.data["buckets"][0]["buckets"]
    ends = sum(len(bucket["intervals"].get("bleu", {})) for bucket in given)
    assert ends >= 3  # of the two other buckets there are too few segments
    picture = page.locator("#buckets figure").first
    picture.locator("svg").wait_for()
    assert picture.locator("path.whisker").count() == ends
    low, high = given[1]["intervals"]["bleu"]["smooth"]
    titles = [title.text_content() for title in picture.locator(".mark title").all()]
    assert (
        f"{given[1]['name']}: smooth {given[1]['scores']['bleu']['smooth']:.2f} ({low:.2f} to {high:.2f})"
        in titles
    )
    press(page.locator("#buckets .key", has_text="smooth").first, hand)
    fewer = sum("smooth" not in name for bucket in given for name in bucket["intervals"].get("bleu", {}))
    until(
        page, f"document.querySelector('#buckets figure').querySelectorAll('path.whisker').length == {fewer}"
    )


@WIDTHS
@HANDS
def test_ngrams_that_one_matches_more_often(
    open_report: Open, comparison: Shown, width: int, hand: str
) -> None:
    page = open_report(comparison, segments=False, width=width)

    def select(label: str) -> Any:
        return page.locator(f"#types label.choice:has(> span:text-is({label!r})) select")

    def rows(title: str) -> list[list[str]]:
        found = page.locator(".records > div", has=page.locator(f"h3:text-is({title!r})")).locator("tbody tr")
        return [row.inner_text().split("\t") for row in found.all()]

    title = "n-grams that one matches more often"
    for place, pair in enumerate(comparison.data["matched_ngrams"]):
        if place:
            pick(select("Pair"), " and ".join(pair["systems"]), hand)
        expected = [
            [name, one["text"], *map(str, one["matched"])]
            for name in pair["systems"]
            for one in pair["ngrams"][name][:7]
        ]
        assert rows(title) == expected
    pick(select("System"), "strong", hand)
    given = comparison.data["ngrams"]["strong"]["over_by_count"]
    assert [row[1] for row in rows("strong: produced too often")][: min(10, len(given))] == [
        one["text"] for one in given[:10]
    ]


def numbers(page: Any, section: str) -> list[float]:
    cells = page.locator(f"#{section} table.rates td[data-value]")
    return [float(value) for value in cells.evaluate_all("all => all.map(cell => cell.dataset.value)")]


def test_rates_are_those_given(open_report: Open, comparison: Shown) -> None:
    """Kinds of errors and unseen words: rates, intervals, and a sign where the test says so."""
    comparison = deepcopy(comparison)  # of whose eight documents no rate differs significantly
    for part in ("error_classes", "unseen"):
        rates = next(iter(comparison.data[part]["rates"].values()))
        next(own for own in rates.values() if own["p"] is not None)["p"] = 0.01
    page = open_report(comparison, segments=False)
    order = page.locator("#scores table.scores tbody td:first-child bdi").all_inner_texts()
    for section, part in (("errors", "error_classes"), ("unseen", "unseen")):
        found = comparison.data[part]
        given = [own[system] for system in order for own in found["rates"].values()]
        assert numbers(page, section) == [one["rate"] for one in given]
        texts = page.locator(f"#{section} table.rates td[data-value]").all_inner_texts()
        signs = ["†" in text for text in texts]
        assert signs == [one["p"] is not None and one["p"] < found["alpha"] for one in given]
        if given[0]["low"] is not None:
            assert f"{given[0]['low']:.2f} to {given[0]['high']:.2f}" in texts[0]
        page.locator(f"#{section} summary", has_text="The numbers").click()
        page.locator(
            f"#{section} .below tbody tr"
        ).first.wait_for()  # the table is made a little after it is opened
        assert page.locator(f"#{section} .below tbody tr").count() == len(given)
        assert any(signs)


@WIDTHS
@HANDS
def test_noise_by_metric(open_report: Open, comparison: Shown, width: int, hand: str) -> None:
    page = open_report(comparison, segments=False, width=width)
    found = comparison.data["robustness"]
    assert page.locator("#noise li").all_inner_texts() == found["words"]
    assert "Under typos" in found["words"][0]

    def shown(label: str) -> list[float]:
        own = [one for one in found["drops"] if one["metric"] == label]
        keys = ("clean", "drop", "consistency")
        return [value for one in own for value in (*(one[key] for key in keys), 100 * one["same"])]

    assert numbers(page, "noise") == shown("BLEU")[: 8 * 4]  # the others are folded
    press(page.locator("#noise button.unfold"), hand)
    assert numbers(page, "noise") == shown("BLEU")
    pick(page.locator("#noise select"), "chrF2", hand)
    press(page.locator("#noise button.unfold"), hand)
    assert numbers(page, "noise") == shown("chrF2")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@HANDS
def test_many_rows_of_rates_are_folded(open_report: Open, many: Shown, hand: str) -> None:
    page = open_report(many, segments=False)
    rows = page.locator("#errors tbody tr")
    assert rows.count() == 8
    press(page.locator("#errors button.unfold"), hand)
    assert rows.count() == 20


def pages(page: Any) -> int:
    pdf: bytes = page.pdf(format="A4")
    return pdf.count(b"/Type /Page") - pdf.count(b"/Type /Pages")


def test_two_systems_print_on_ten_pages(open_report: Open, two: Shown, many: Shown) -> None:
    page = open_report(two, segments=False)
    page.locator("#types figure svg").wait_for()
    assert 3 <= pages(page) <= 10
    page = open_report(many)
    assert pages(page) <= 14


def test_what_all_names_share_is_cut_everywhere(open_report: Open, many: Shown) -> None:
    assert "runs/2026/submission-03.en" in many.data["systems"]
    page = open_report(many)
    assert page.title() == "20 systems on sample"
    for where in (
        "#summary",
        "table.scores",
        ".legend",
        "select",
        "h1",
        "h2",
        "h3",
        "figcaption",
        ".clusters",
        ".list",
    ):
        for text in page.locator(where).all_inner_texts():
            assert "submission" not in text, where
    assert page.locator("#segments select option", has_text="03").count() >= 2
    assert page.locator(".detail .system bdi").first.get_attribute("title").startswith("runs/2026/")


@WIDTHS
def test_twenty_systems_fit(open_report: Open, many: Shown, width: int) -> None:
    page = open_report(many, width=width)
    page.locator("#buckets figure svg").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.documentElement.scrollHeight") < (23_000 if width == 400 else 18_000)
    assert page.locator(".summary li").count() <= 5


def test_the_title_says_which_systems(open_report: Open) -> None:
    page = open_report(small_comparison(name="newstest"))
    assert page.title() == "A and B on newstest"
    three = small_comparison(
        systems=["A", "B", "C"],
        significance={"bleu": made_tests({"A": 1.0, "B": 2.0, "C": None})},
        texts={"hypotheses": {name: ["one"] for name in "ABC"}, "references": [], "scores": {}},
    )
    page = open_report(three)
    assert page.title() == "3 systems"
    assert page.locator("table.scores tbody td:first-child bdi").all_inner_texts() == ["B", "A", "C"]


@pytest.mark.parametrize(
    ("width", "dark", "systems"),
    [(1400, False, "comparison"), (1024, False, "many"), (400, True, "comparison")],
)
def test_axe_finds_nothing(
    open_report: Open, request: pytest.FixtureRequest, width: int, dark: bool, systems: str
) -> None:
    page = open_report(request.getfixturevalue(systems), width=width, dark=dark)
    for summary in page.locator("#types summary, #pairs summary").all():
        summary.click()
    assert faults(page) == []

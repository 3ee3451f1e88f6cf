"""Agreement of raters, against worked examples from the literature and against slow definitions."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from tertium.stats.agreement import cohen_kappa, fleiss_kappa, kappa, krippendorff_alpha, raw_agreement

Rows = list[list[float | None]]


def rows(*columns: str) -> Rows:
    """A row for each thing, from one line of digits per rater; a dot is a missing answer."""
    return [[None if c == "." else float(c) for c in answers] for answers in zip(*columns, strict=True)]


def test_krippendorff_with_missing_answers_as_published() -> None:
    # Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section C: four observers, twelve units.
    observers = rows("123321412...", "1233224125.3", ".33323422" + "51.", "1233244125" + "1.")
    assert krippendorff_alpha(observers) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(observers, level="ordinal") == pytest.approx(0.815, abs=5e-4)
    assert krippendorff_alpha(observers, level="interval") == pytest.approx(0.849, abs=5e-4)


def test_krippendorff_three_coders_fifteen_units() -> None:
    coders = rows(".....34121133.3", "1.213343.......", "..21344.21133.4")
    assert krippendorff_alpha(coders) == pytest.approx(0.691, abs=5e-4)
    assert krippendorff_alpha(coders, level="interval") == pytest.approx(0.811, abs=5e-4)


def test_krippendorff_nominal_letters() -> None:
    # Krippendorff (2011), section B: two observers, twelve units, five categories: .692
    first, second = "aabbdcccedda", "babbbcccedd" + "d"
    ratings = [[float(ord(a)), float(ord(b))] for a, b in zip(first, second, strict=True)]
    assert krippendorff_alpha(ratings) == pytest.approx(0.692, abs=5e-4)


def slow_alpha(ratings: Rows, level: str) -> float:
    """The definition: a matrix of coincidences, and a difference for every pair of values."""
    units = [[value for value in row if value is not None] for row in ratings]
    units = [unit for unit in units if len(unit) > 1]
    values = sorted({value for unit in units for value in unit})
    coincidences = dict.fromkeys(itertools.product(values, values), 0.0)
    for unit in units:
        for a, b in itertools.permutations(range(len(unit)), 2):
            coincidences[unit[a], unit[b]] += 1 / (len(unit) - 1)
    sums = {value: sum(coincidences[value, other] for other in values) for value in values}

    def difference(a: float, b: float) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return (a - b) ** 2
        low, high = min(a, b), max(a, b)
        between = sum(sums[value] for value in values if low <= value <= high)
        return 0.0 if a == b else (between - (sums[a] + sums[b]) / 2) ** 2

    total = sum(sums.values())
    observed = sum(count * difference(a, b) for (a, b), count in coincidences.items())
    expected = sum(sums[a] * sums[b] * difference(a, b) for a in values for b in values) / (total - 1)
    return 1 - observed / expected


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_krippendorff_equals_its_definition(level: str) -> None:
    draw = random.Random(3)
    for _ in range(30):
        ratings = [
            [draw.choice([None, 1.0, 2.0, 3.0, 7.0]) for _ in range(draw.choice([3]))] for _ in range(25)
        ]
        assert krippendorff_alpha(ratings, level=level) == pytest.approx(
            slow_alpha(ratings, level), abs=1e-12
        )


def test_krippendorff_is_undefined_without_variation_or_pairs() -> None:
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None
    assert krippendorff_alpha([[0.1, 0.1], [0.1, 0.1]], level="interval") is None
    assert krippendorff_alpha([[1, None], [None, 2]]) is None
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([[1, 1], [2, 2]]) == 1
    with pytest.raises(ValueError, match="nominal, ordinal or interval"):
        krippendorff_alpha([[1, 2]], level="ratio")  # type: ignore[arg-type]


def paired(table: list[list[int]]) -> tuple[list[float], list[float]]:
    """Answers of two raters with this table of counts."""
    cells = [(a, b) for a, row in enumerate(table) for b, n in enumerate(row) for _ in range(n)]
    return [a for a, _ in cells], [b for _, b in cells]


def test_cohen_two_readers() -> None:
    # 50 grant proposals: both yes 20, both no 15, 5 and 10 apart. Observed .7, by chance .5 * .6 + .5 * .4 = .5.
    assert cohen_kappa(*paired([[20, 5], [10, 15]])) == pytest.approx(0.4)
    # The same observed agreement (60 of 100) with other frequencies: (.6 - .54) / .46 and (.6 - .46) / .54.
    assert cohen_kappa(*paired([[45, 15], [25, 15]])) == pytest.approx(0.06 / 0.46)
    assert cohen_kappa(*paired([[25, 35], [5, 35]])) == pytest.approx(0.14 / 0.54)


def test_cohen_weighted_by_hand() -> None:
    first, second = paired([[2, 1, 0], [0, 2, 1], [1, 0, 3]])
    # rows 3, 3, 4; columns 3, 3, 4. linear: observed 1 + 1 + 2 = 4; expected (9 + 9 + 2 * 12 + 2 * 12 + 12 + 12) / 10
    assert cohen_kappa(first, second, weights="linear") == pytest.approx(1 - 4 / 9)
    # quadratic: observed 1 + 1 + 4 = 6; expected (9 + 9 + 4 * 12 + 4 * 12 + 12 + 12) / 10 = 13.8
    assert cohen_kappa(first, second, weights="quadratic") == pytest.approx(1 - 6 / 13.8)
    # A category that nobody used moves the others apart: one pair off by 2 (not 1); by chance, of 1 1 3 4 against
    # 1 3 3 4, (0 + 2 + 2 + 3) twice, (2 + 0 + 0 + 1) and (3 + 1 + 1 + 0), over 4.
    apart = cohen_kappa([1, 1, 3, 4], [1, 3, 3, 4], weights="linear", categories=[1, 2, 3, 4])
    assert apart == pytest.approx(1 - 2 / (22 / 4))
    assert cohen_kappa([1, 1, 3, 4], [1, 3, 3, 4], weights="linear") == pytest.approx(1 - 1 / (14 / 4))


def test_cohen_leaves_out_what_one_rater_left_out() -> None:
    full = cohen_kappa([1, 0, 1, 0], [1, 0, 0, 0])
    assert cohen_kappa([1, 0, 1, 0, None, 1], [1, 0, 0, 0, 1, None]) == full == pytest.approx(0.5)
    assert cohen_kappa([1, 1], [1, 1]) is None  # chance agreement is 1
    assert cohen_kappa([None], [1]) is None
    assert cohen_kappa([1, 0], [0, 1]) == -1
    with pytest.raises(ValueError, match="2 answers of one rater, 1"):
        cohen_kappa([1, 0], [1])
    with pytest.raises(ValueError, match=r"outside the categories: \[5.0\]"):
        cohen_kappa([1, 5], [1, 1], categories=[0, 1])


# Fleiss (1971) style example with 14 raters, 10 subjects and 5 categories: kappa .210 (P .378, Pe .213).
FOURTEEN = (
    (0, 0, 0, 0, 14),
    (0, 2, 6, 4, 2),
    (0, 0, 3, 5, 6),
    (0, 3, 9, 2, 0),
    (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0),
    (3, 2, 6, 3, 0),
    (2, 5, 3, 2, 2),
    (6, 5, 2, 1, 0),
    (0, 2, 2, 3, 7),
)


def test_fleiss_fourteen_raters() -> None:
    ratings: Rows = [[c for c, n in enumerate(row) for _ in range(n)] for row in FOURTEEN]
    assert fleiss_kappa(ratings) == pytest.approx(0.210, abs=5e-4)
    assert raw_agreement(ratings).pairwise == pytest.approx(0.378, abs=5e-4)


def test_fleiss_as_nltk_computes_it() -> None:
    """An implementation by others (multi-pi of Artstein and Poesio, which is Fleiss' kappa), on random tables."""
    from nltk.metrics.agreement import AnnotationTask

    draw = random.Random(4)
    for raters, answers in ((2, 2), (3, 3), (5, 4), (14, 5)):
        ratings: Rows = [[draw.choice(range(answers)) ** 2 for _ in range(raters)] for _ in range(60)]
        theirs = AnnotationTask(
            [(str(r), str(i), v) for i, row in enumerate(ratings) for r, v in enumerate(row)]
        )
        assert fleiss_kappa(ratings) == pytest.approx(theirs.pi(), abs=1e-12)


def test_fleiss_by_hand() -> None:
    # Pairs agree 1, 1/3, 1, 1/3: P = 2/3; six yes of twelve: Pe = 1/2.
    assert fleiss_kappa([[1, 1, 1], [0, 0, 1], [0, 0, 0], [1, 1, 0]]) == pytest.approx(1 / 3)
    assert fleiss_kappa([[1, 1], [1, 1]]) is None
    assert fleiss_kappa([]) is None
    assert fleiss_kappa([[1], [0]]) is None
    with pytest.raises(ValueError, match="found 2 to 3"):
        fleiss_kappa([[1, 1, None], [1, 0, 1]])


def test_kappa_with_a_given_chance() -> None:
    # Paragraph votes of three annotators: (agr - 1/3) / (2/3)
    assert kappa(1 / 3, 1 / 3) == pytest.approx(0)
    assert kappa(0.61, 1 / 3) == pytest.approx((0.61 - 1 / 3) / (2 / 3))
    assert kappa(1, 1 / 3) == 1
    assert kappa(1, 1) is None
    with pytest.raises(ValueError, match="between 0 and 1"):
        kappa(61, 1 / 3)


def test_raw_agreement_counts_only_what_was_rated_twice() -> None:
    found = raw_agreement([[1, 1, 1], [1, 0, 1], [None, 2, 2], [1, None, None]])
    assert (found.all_agree, found.rated_twice) == (2, 3)
    assert found.share == pytest.approx(2 / 3)
    assert found.pairwise == pytest.approx((1 + 1 / 3 + 1) / 3)
    assert raw_agreement([[1, None]]).share is None
    assert raw_agreement([[math.nan, 1, 1]]).share == 1
    with pytest.raises(ValueError, match="entry for every rater"):
        raw_agreement([[1, 1], [1]])

"""Numbers that papers print, recomputed (../shared/ERRATA.md has the right readings)."""

from __future__ import annotations

import csv
import gzip
import itertools
import statistics
from pathlib import Path

import pytest

import tertium
from tertium.families.bleu import BLEU
from tertium.statistics import DenseStatistics, TypeCounts, TypeStatistics

# "BLEU deconstructed" (seed 001)


@pytest.mark.parametrize(
    ("candidate", "clipped", "count"),
    [("there is", 2, 2), ("there there there is is is a cat", 4, 8), ("the cat is on the blue mat", 6, 7)],
)
def test_bleu_deconstructed_table_2(candidate: str, clipped: int, count: int) -> None:
    rows = BLEU(tok="none").statistics([candidate], ["there is a cat on the blue mat"])
    assert isinstance(rows, DenseStatistics)
    assert (rows.only("match_1"), rows.only("count_1")) == (clipped, count)


def test_bleu_deconstructed_table_1() -> None:
    """18/19, with the full stop split off and case kept."""
    references = [
        "It is a guide to action that ensures that the military will forever heed Party commands.",
        "It is the guiding principle which guarantees the military forces always being under the command "
        "of the Party.",
        "It is the practical guide for the army always to heed the directions of the party.",
    ]
    candidate = (
        "It is a guide to action which ensures that the military always obeys the commands of the party."
    )
    rows = BLEU().statistics([candidate], [[text] for text in references])
    assert isinstance(rows, DenseStatistics)
    assert (rows.only("match_1"), rows.only("count_1")) == (18, 19)


@pytest.mark.parametrize(
    ("precisions", "ratio", "printed"),
    [
        ((0.4684, 0.1659, 0.0811, 0.0369), 1.0043, 0.1236),
        ((0.4761, 0.1691, 0.0824, 0.0388), 0.9985, 0.1265),
        ((0.4763, 0.1705, 0.0807, 0.0367), 0.9906, 0.1234),
        ((0.4711, 0.1676, 0.0816, 0.0380), 0.9985, 0.1250),
        ((0.4742, 0.1683, 0.0785, 0.0360), 1.0072, 0.1226),
    ],
)
def test_bleu_deconstructed_table_8(precisions: tuple[float, ...], ratio: float, printed: float) -> None:
    """BLEU from P1-P4 and the length ratio, to 1e-4."""
    n = 10**8
    row = [round(ratio * n), n, *(round(p * n) for p in precisions), n, n, n, n]
    metric = BLEU()
    score = metric.score_total(DenseStatistics.build(metric.columns, [row]))
    assert score is not None
    assert abs(round(score / 100, 4) - printed) < 1.5e-4  # the next digit, since P4 has three digits only


# "Beyond the sentence" (seed 004), table 2, with line-end hyphens undone

REFERENCE = (
    "Der fruchtbare Boden und das regenwaldtypische Klima der Isla del Rey sind für das Gedeihen der "
    "Marihuana-Pflanzen bestens geeignet.",
    "Seit drei Tagen reissen die Behörden Panamas die 4500 Pflanzen aus und verbrennen sie.",
)
SYSTEMS = {
    "A": (
        "Der fruchtbare Boden und das Regenwaldklima von Isla del Rey sind ideal, um Marihuanaanlagen "
        "zu wachsen.",
        "Vor drei Tagen rissen die Behörden in Panama die 4.500 Anlagen heraus und verbrannten sie.",
    ),
    "B": (
        "Der fruchtbare Boden und das Regenwaldklima von Isla del Rey sind ideal für wachsende "
        "Marihuana-Pflanzen.",
        "Vor drei Tagen haben die Behörden in Panama die 4.500 Pflanzen ausgebrannt und verbrannt.",
    ),
}


@pytest.mark.parametrize(
    ("system", "sentences", "paragraph", "ter"), [("A", 0.229, 0.203, 0.545), ("B", 0.233, 0.229, 0.545)]
)
def test_beyond_the_sentence_table_2(system: str, sentences: float, paragraph: float, ter: float) -> None:
    texts = list(SYSTEMS[system])
    plain, intl = "bleu:tok=none,smooth=none", "bleu:tok=intl,smooth=none"
    result = tertium.score(texts, list(REFERENCE), [plain, "ter:case_sensitive=yes"])
    joined = tertium.score([" ".join(texts)], [" ".join(REFERENCE)], intl)
    for score, printed in (
        (result[plain], sentences),
        (joined[intl], paragraph),
        (result["ter:case_sensitive=yes"], ter),
    ):
        assert score.value is not None
        assert round(score.value / 100, 3) == printed


# "Macro-average" (seed 000)


def kendall(xs: list[float], ys: list[float]) -> float:
    """Concordant minus discordant pairs over all pairs (there are no ties here)."""
    assert len(set(xs)) == len(set(ys)) == len(xs)
    pairs = list(itertools.combinations(zip(xs, ys, strict=True), 2))
    return sum(1 if (a - c) * (b - d) > 0 else -1 for (a, b), (c, d) in pairs) / len(pairs)


@pytest.mark.parametrize(
    ("spec", "fluency", "semantics"),
    [
        ("bleu", 0.444, 0.500),
        ("macrof1", 0.222, 0.722),
        ("microf1", 0.333, 0.611),
        ("chrf1", 0.333, 0.611),  # printed as .278 and .778, unexplained
    ],
)
def test_macro_average_table_2(shared: Path, spec: str, fluency: float, semantics: float) -> None:
    """Kendall's tau of system scores with fluency, grammar and semantics; the first reference only."""
    folder = shared / "data" / "webnlg"
    triples = (folder / "MRs.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    texts = (folder / "gold-sample-reference0.lex").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    reference = dict(zip(triples, texts, strict=True))
    with (folder / "all_data_final_averaged.csv").open(encoding="utf-8", newline="") as file:
        items = [row for row in csv.DictReader(file) if row["team"] != "webnlg"]  # that is the human text
    teams = sorted({row["team"] for row in items})
    assert len(teams) == 9
    by_team = [[row for row in items if row["team"] == team] for team in teams]
    scores = [
        tertium.score([row["text"] for row in rows], [reference[row["mr"]] for row in rows], spec)[spec].value
        or 0.0
        for rows in by_team
    ]
    for judged, printed in (("fluency", fluency), ("grammar", fluency), ("semantics", semantics)):
        human = [statistics.fmean(float(row[judged]) for row in rows) for rows in by_team]
        assert round(kendall(scores, human), 3) == printed


def lines(folder: Path, name: str) -> list[str]:
    text = gzip.decompress((folder / f"{name}.gz").read_bytes()).decode("utf-8")
    return [line.rstrip() for line in text.removesuffix("\n").split("\n")]


@pytest.fixture(scope="module")
def german_english(shared: Path) -> Path:
    return shared / "data" / "macroavg" / "de-en"


@pytest.mark.parametrize(
    ("system", "printed"),
    [
        ("snmt", {"bleu": 32.7, "macrof1": 38.5, "microf1": 58.7, "chrf1": 59.9}),
        ("unmt", {"bleu": 33.9, "macrof1": 33.6, "microf1": 57.9, "chrf1": 58.0}),
    ],
)
def test_macro_average_table_6(german_english: Path, system: str, printed: dict[str, float]) -> None:
    result = tertium.score(
        lines(german_english, f"{system}.en"), lines(german_english, "ref.en"), list(printed)
    )
    for spec, value in printed.items():
        score = result[spec].value
        assert score is not None
        assert round(score, 1) == value


def as_authors_print(row: TypeCounts) -> tuple[str, ...]:
    """Score, references, predictions, matches, F, P, R. What cannot be computed is 100 there."""
    f = f"{100 * row.f:.2f}"
    precision, recall = (f"{100 * (1 if part is None else part):.2f}" for part in (row.precision, row.recall))
    return f, str(row.reference), str(row.predicted), str(row.matched), f, precision, recall


@pytest.mark.parametrize(("system", "number"), [("snmt", 10335), ("unmt", 10883)])
def test_macro_average_type_tables(german_english: Path, system: str, number: int) -> None:
    table = lines(german_english, f"types.{system}.tsv")
    start = next(i for i, line in enumerate(table) if line.startswith("Type "))
    printed = {
        name.rstrip(" "): tuple(cells) for name, *cells in (line.split("\t") for line in table[start + 1 :])
    }
    metric = tertium.metric("macrof1")
    rows = metric.statistics(lines(german_english, f"{system}.en"), lines(german_english, "ref.en"))
    assert isinstance(rows, TypeStatistics)
    ours = {row.type: as_authors_print(row) for row in rows.table()}
    assert len(ours) == number
    assert ours == printed
    assert table[0].split()[1] == f"{metric.score_total(rows):.2f}"

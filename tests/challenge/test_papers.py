"""The papers' numbers, read from the papers themselves: tables 3 and 2, and the counts of the errata."""

from __future__ import annotations

import re

import pytest

from tertium.challenge.authors import Release
from tertium.challenge.comparison import contests, progress, progress_table
from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judgements import ChallengeJudgements, Judgement
from tertium.challenge.outputs import System
from tertium.challenge.results import OVERALL, Group, Results, evaluate
from tertium.challenge.tables import fine_table, rates_table, summary_table

Rows = list[tuple[str, int, list[float]]]


def table_rows(lines: list[str], header: str, end: str) -> list[list[str]]:
    """The tab-separated rows of a table between its header and its caption."""
    start = next(i for i, line in enumerate(lines) if line.startswith(header))
    stop = next(i for i in range(start, len(lines)) if lines[i].startswith(end))
    return [line.split("\t") for line in lines[start + 1 : stop] if line.count("\t") >= 4]


def percentages(row: list[str], number: int) -> list[float]:
    return [float(cell.rstrip("%")) for cell in row[-number:]]


def test_table_3_of_the_first_paper_every_cell(paper: Release, seed: list[str]) -> None:
    printed = table_rows(seed, "Category\tSubcategory\t#\tPBMT-1\tNMT\tGoogle NMT", "Table 3:")
    assert len(printed) == 26
    assert paper.judgements is not None
    found = fine_table(evaluate(paper.items, paper.judgements, paper.outputs), digits=0)
    assert [column.label for column in found.columns[3:]] == ["PBMT-1", "NMT", "Google"]
    ours = found.rows[:-1]  # the last one is the whole set
    assert len(ours) == len(printed)
    for row, cells in zip(ours, printed, strict=True):
        assert row[2] == int(cells[2]), row
        written = [found.columns[c].written(row[c]) for c in range(3, 6)]
        assert written == [cell.rstrip("%") for cell in cells[3:]], row


def test_counts_of_the_errata(paper: Release) -> None:
    assert paper.judgements is not None
    results = evaluate(paper.items, paper.judgements, paper.outputs)
    counts = {
        group.label: (
            [results.rate(group, system).right for system in results.systems],
            results.n_items(group),
        )
        for group in (*results.categories, OVERALL)
    }
    assert counts == {
        "Morpho-Syntactic": ([5, 22, 21], 29),
        "Lexico-Syntactic": ([16, 19, 23], 41),
        "Syntactic": ([11, 13, 28], 38),
        "Overall": ([32, 54, 72], 108),
    }
    assert [system.label for system in results.systems] == ["PBMT-1", "NMT", "Google"]
    assert paper.items.items[0].languages == "en-fr"


def test_the_paper_s_systems_differ(paper: Release) -> None:
    """8 items only PBMT-1 gets right, 30 only NMT: 2 P(X <= 8), X ~ Binomial(38, 1/2)."""
    from math import comb

    assert paper.judgements is not None
    found = contests(evaluate(paper.items, paper.judgements, paper.outputs))[0]
    assert (len(found.only_first), len(found.only_second)) == (8, 30)
    assert found.p == pytest.approx(2 * sum(comb(38, k) for k in range(9)) / 2**38, rel=1e-12)


def second_paper(seed: list[str]) -> Results:
    """The second paper's set as its table 3 describes it: so many items, so many of them right."""
    full = {"M-Syn": "Morpho-syntactic", "L-Syn": "Lexico-syntactic", "Syn": "Syntactic", "Lex": "Lexical"}
    systems = (
        System("GNMT", "2017-10-05"),
        System("GNMT", "2018-01-16"),
        System("DEEPL", "2017-10-05"),
        System("DEEPL", "2018-01-16"),
    )
    items: list[Item] = []
    answers: list[Judgement] = []
    category = ""
    for number, row in enumerate(table_rows(seed, "Category\tSubcategory\t#\tGNMT-1", "Table 3:")):
        category = full[row[0]] if row[0] else category
        size = int(row[2])
        ids = [f"{number}-{i}" for i in range(size)]
        items += [Item(identity, category, row[1].strip(), "Right?", "source") for identity in ids]
        for system, rate in zip(systems, percentages(row, 4), strict=True):
            right = round(size * rate / 100)
            assert abs(100 * right / size - rate) < 0.051, row  # what is printed is so many of so many
            answers += [
                Judgement(identity, system, "authors", "yes" if i < right else "no")
                for i, identity in enumerate(ids)
            ]
    return evaluate(ChallengeSet(tuple(items), "second paper"), ChallengeJudgements(tuple(answers)))


def test_table_2_of_the_second_paper_from_its_table_3(seed: list[str]) -> None:
    results = second_paper(seed)
    printed = table_rows(seed, "Divergence type\tGNMT-1\tGNMT-2", "Table 2:")
    assert [row[0] for row in printed] == [
        "Morpho-syntactic",
        "Lexico-syntactic",
        "Purely Syntactic",
        "Purely Lexical",
        "Overall",
    ]
    summary = summary_table(results, digits=1)
    ours = [[summary.columns[c].written(row[c]) for c in range(2, 6)] for row in summary.rows]
    expected = [[cell.rstrip("%") for cell in row[1:]] for row in printed]
    # The lexical row of the paper repeats the row of grammatical words; the errata have the right one.
    assert expected[3] == ["64.8", "66.3", "80.9", "81.4"]
    expected[3] = ["60.0", "64.3", "75.7", "77.3"]
    assert ours == expected
    counts = [[results.rate(group, s).right for s in results.systems] for group in results.categories]
    assert counts[:3] == [[33, 36, 33, 31], [50, 50, 60, 62], [59, 56, 67, 67]]
    assert [results.rate(OVERALL, s).right for s in results.systems] == [322, 335, 387, 392]
    assert [results.n_items(group) for group in (*results.categories, OVERALL)] == [43, 79, 84, 300, 506]


def test_relative_error_reduction_of_the_second_paper(seed: list[str]) -> None:
    """From counts: 13 of 184 and 5 of 119 errors are gone; the errata's 7.1% and 4.3% come from rounded rates."""
    results = second_paper(seed)
    for name, gone, errors, printed in (("GNMT", 13, 184, 7.1), ("DEEPL", 5, 119, 4.3)):
        before, after = (system for system in results.systems if system.name == name)
        overall = progress(results, before, after)[0]
        assert overall.group == OVERALL
        assert overall.error_reduction == pytest.approx(gone / errors)
        assert 100 * gone / errors == pytest.approx(printed, abs=0.11)
        assert len(overall.only_second) - len(overall.only_first) == gone
    morpho = progress(results, *results.systems[2:])[1]
    assert morpho.group == Group("Morpho-syntactic")
    shares = [100 * share for share in morpho.shares if share is not None]
    assert shares[1] - shares[0] == pytest.approx(-4.65, abs=0.01)  # "turned out to lose 4.6%"
    assert morpho.error_reduction == pytest.approx(-0.2)
    rows = progress_table(progress(results, *results.systems[:2])).rows
    assert len(rows) == 1 + 4 + 30


def test_every_output_format_of_the_tables(paper: Release) -> None:
    assert paper.judgements is not None
    results = evaluate(paper.items, paper.judgements, paper.outputs)
    for made in (summary_table(results), fine_table(results), rates_table(results)):
        for text in (made.text(terminal=False), made.markdown(), made.latex(), made.tsv(), made.html()):
            assert re.search(r"66\.7|66\.6666", text)
        assert made.json().count("{") == len(made.rows)

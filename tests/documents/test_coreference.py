"""Coreference: the CoNLL scorer's own test files, coval's values, assignments by trying all, and damaged files."""

from __future__ import annotations

import random
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from tertium.documents.coreference import score_coreference_files
from tertium.errors import InputError
from tertium.io.coreference import read_chains
from tertium.stats.coreference import MEASURES, Agreement, best_assignment, mentions

NAMES = {"muc": "muc", "bcub": "b-cubed", "ceafm": "ceaf-m", "ceafe": "ceaf-e", "blanc": "blanc"}
LINE = re.compile(r"Recall: \((\S+) / (\S+)\) \S+%\tPrecision: \((\S+) / (\S+)\) \S+%\tF1: (\S+)%")


def shown(share: float) -> set[float]:
    """Percent with two decimals, cut off as the CoNLL scorer prints it; on the edge of two digits either one."""
    return {int(10_000 * (share + error)) / 100 for error in (-1e-12, 1e-12)}


def test_as_the_conll_scorer(golden: Any, shared: Path) -> None:
    folder = shared / "golden" / "inputs" / "coref"
    cases = golden("stats/stats_coref_conll.json")["cases"]
    assert len(cases) > 30
    for case, expected in cases.items():
        found = score_coreference_files(folder / re.sub(r"-\d+\.response", ".key", case), folder / case)
        for name, lines in expected.items():
            *parts, f1 = map(float, LINE.search(lines[-1]).groups())  # type: ignore[union-attr]
            own = found.measures[NAMES[name]]
            if isinstance(own, Agreement):
                assert [*own.recall, *own.precision] == pytest.approx(parts, abs=1e-9), (case, name)
            else:
                assert [own.recall, 1, own.precision, 1] == pytest.approx(parts, abs=1e-9), (case, name)
            assert f1 in shown(own.f1), (case, name)
            *parts, f1 = map(float, LINE.search(lines[0]).groups())  # type: ignore[union-attr]
            assert [*found.mentions.recall, *found.mentions.precision] == parts, case
            assert f1 in shown(found.mentions.f1), case


def test_as_coval(golden: Any) -> None:
    for case, given in golden("stats/stats_coref_coval.json")["cases"].items():
        for name, ours in (("muc", "muc"), ("b_cubed", "b-cubed"), ("ceafe", "ceaf-e"), ("lea", "lea")):
            found = MEASURES[ours](given["key"], given["sys"])
            assert isinstance(found, Agreement)
            values = {"recall": found.recall.value, "precision": found.precision.value, "f1": found.f1}
            assert values == pytest.approx(given["scores"][name], abs=1e-12), (case, name)


def test_the_best_assignment_is_found() -> None:
    draw = random.Random(7)
    for _ in range(200):
        rows, columns = draw.randint(1, 5), draw.randint(1, 5)
        gains = [[draw.choice([0, draw.random()]) for _ in range(columns)] for _ in range(rows)]
        wide = gains if rows <= columns else [list(row) for row in zip(*gains, strict=True)]
        best = max(
            sum(wide[i][j] for i, j in enumerate(chosen))
            for chosen in permutations(range(len(wide[0])), len(wide))
        )
        assert best_assignment(gains) == pytest.approx(best, abs=1e-12)


def test_parts_add() -> None:
    first, second = [["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]]
    other = [[f"{mention}2" for mention in chain] for chain in first]
    turned = [[f"{mention}2" for mention in chain] for chain in second]
    for measured in (mentions, *MEASURES.values()):
        if measured is MEASURES["blanc"]:
            continue  # links between documents are no links: the sum has fewer than one long document
        whole = measured([*first, *other], [*second, *turned])
        parts = measured(first, second).plus(measured(other, turned))  # type: ignore[arg-type]
        assert whole.f1 == pytest.approx(parts.f1)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["a (1"], "line 1: a token before the first"),
        (
            ["#begin document (d)", "a (1", "#end document"],
            r"line 2: a mention of chain 1 begins that does not end in",
        ),
        (
            ["#begin document (d)", "a 1)", "#end document"],
            "line 2: a mention of chain 1 ends that has not begun",
        ),
        (["#begin document (d)", "a (x)", "#end document"], r"line 2: '\(x\)' is not made of brackets"),
        (["#begin document (d)", "a 5", "#end document"], "line 2: '5' is not made of brackets"),
        (["#begin document (d)", "a -"], r"has no end \(#end document\)"),
        (["#begin document (d)", "#begin document (e)"], r"line 2: \(e\) begins before \(d\) has ended"),
        (["#begin document (d)", "#end document"] * 2, r"line 3: there are two documents called \(d\)"),
        (["#end document"], "line 1: a document ends that has not begun"),
        (["# nothing"], "there is no document"),
    ],
)
def test_damaged_files(lines: list[str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "chains"
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    with pytest.raises(InputError, match=message):
        read_chains(path)


def test_crossing_and_nested_mentions(tmp_path: Path) -> None:
    path = tmp_path / "chains"
    text = ["#begin document (d)", "a (1|(2", "", "b (3)|1)", "c 2)", "#end document"]
    path.write_text("\n".join(text) + "\n", "utf-8")
    (document,) = read_chains(path).values()
    assert document.chains == {"1": ((0, 1),), "2": ((0, 1, 2),), "3": ((1,),)}
    assert document.tokens == 3
    assert (document.text, document.spans) == ("abc", ((0, 1), (1, 2), (2, 3)))


def corefud(*rows: str) -> str:
    """CoNLL-U of rows `1 Form Entity...`; rows that begin with # are comments, empty ones end sentences."""
    lines = []
    for row in rows:
        number, form, misc = (*row.split(" ", 2), "_", "_")[:3] if row and row[0] != "#" else (row, "", "")
        lines.append("\t".join([number, form, *"_______", misc]) if form else row)
    return "".join(f"{line}\n" for line in lines)


CORPUS = corefud(
    "# newdoc id = mill",
    "# global.Entity = eid-etype-head-other",
    "# text = Anna sold the mill of her father.",
    "1 Anna Entity=(e1-person-1-)",
    "2 sold",
    "3 the Entity=(e2-place-2-",
    "4 mill",
    "5 of",
    "6 her Entity=(e3-person-2-(e1-person-1-)",
    "7 father Entity=e3)e2)|SpaceAfter=No",
    "8 .",
    "",
    "1-2 Vendela Entity=(e9-x-1)",  # of a surface word MISC does not count
    "1 Vende",
    "1.1 _ Entity=(e1-person-1-)",
    "2 la Entity=(e2-place-1-)|Bridge=e2<e3:part",
    "3 y",
    "",
    "# newdoc",
    "# global.Entity = etype-eid",
    "1 both Entity=(person-e4[1/2])",
    "2 of",
    "3 them Entity=(person-e4[2/2](person-e5)",
    "4 all Entity=e4[2/2])|SplitAnte=e4<e5",
)


def test_corefud(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(CORPUS, "utf-8")
    mill, second = read_chains(path).values()
    assert mill.chains == {"e1": ((0,), (5,), (9,)), "e2": ((2, 3, 4, 5, 6), (10,)), "e3": ((5, 6),)}
    assert mill.tokens == 12
    assert mill.text == "Annasoldthemillofherfather.Vendelay"
    assert mill.text[slice(*mill.spans[8])] == mill.text[slice(*mill.spans[10])] == "Vendela"
    assert mill.spans[9][0] == mill.spans[9][1]  # what is not said has no characters
    assert (second.name, second.chains) == ("2", {"e4": ((0, 2, 3),), "e5": ((2,),)})
    assert score_coreference_files(path, path).conll == 1.0


def test_both_formats_are_one(tmp_path: Path) -> None:
    """What tells them apart is in the file, not in its name."""
    one, two = tmp_path / "a", tmp_path / "b"
    one.write_text("#begin document d\na (1\nb 1)\nc (1)\nd (2)\n#end document\n", "utf-8")
    two.write_text(
        corefud("# newdoc id = d", "1 a Entity=(1-x", "2 b Entity=1)", "3 c Entity=(1)", "4 d"), "utf-8"
    )
    found = score_coreference_files(one, two)
    assert (found.mentions.recall, found.mentions.precision) == ((2, 3), (2, 2))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["1 a Entity=(e1-x"], r"line 3: a mention of chain e1 begins that does not end in d1$"),
        (["1 a Entity=e1)"], r"line 3: a mention of chain e1 ends that has not begun \(document d1\)"),
        (["1 a Entity=(e1[1/2]-x)"], r"line 3: of a mention of chain e1 there is no e1\[2/2\] in d1"),
        (
            ["1 a Entity=(e1[2/2]-x)"],
            r"line 3: there is no part 1 of the mention of chain e1\[2/2\] before it",
        ),
        (["1 a Entity=(e1[3/2]-x)"], r"line 3: e1\[3/2\] is no part of a mention"),
        (["1 a Entity=e1"], "line 3: Entity=e1 is not made of brackets"),
        (["1 a Entity=(-x)"], "line 3: Entity=.* has a bracket that does not say its chain"),
        (["1 a Bridge=e1<e2"], r"line 3: there is no mention of e1 \(document d1\)"),
        (["x a _"], "line 3: 'x' is not a word number"),
        (["1\ta x"], "line 3: has 11 columns, but CoNLL-U has 10"),
        (["# newdoc id = d1"], "line 3: there are two documents called d1"),
        (["# global.Entity = etype-head"], "line 3: global.Entity names no field eid"),
        (
            ["1 a Entity=(e1[1/2]-x)", "2 b Entity=(e1-x", "3 c Entity=(e1[2/2])", "4 d Entity=e1)"],
            r"line 3: two mentions of chain e1 cross here \(document d1\)",
        ),
        (
            ["1 a Entity=(e1[1/2]-x", "2 b Entity=(e1[2/2]", "3 c Entity=e1[1/2])", "4 d Entity=e1[2/2])"],
            r"line 4: parts of a mention of chain e1 cross: e1\[2/2\]",
        ),
    ],
)
def test_damaged_corefud(rows: list[str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "chains"
    path.write_text(corefud("# newdoc id = d1", "# global.Entity = eid-etype-head-other", *rows), "utf-8")
    with pytest.raises(InputError, match=message):
        read_chains(path)

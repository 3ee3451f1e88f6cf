"""Pairs, rankings, comparisons and marks of semantic units."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.io.comparisons import Comparisons, read_comparisons
from tertium.io.hume import read_hume
from tertium.io.pairs import read_pairs_jsonl
from tertium.io.rankings import read_rankings
from tertium.io.wmtjudgements import read_wmt_judgements
from tertium.io.wmtlayout import read_pairs_table


def written(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def test_pairs_of_2019(shared: Path) -> None:
    found = read_pairs_jsonl(shared / "data" / "wmt19-darr" / "kk-en.jsonl.gz")
    assert len(found.pairs) == found.coverage.used == 9728
    assert len(found.sources) == len(found.references) == 965
    assert found.coverage.notes == (
        "line 1641: an earlier sentence appears again; taken as a separate segment",
    )
    for row in (0, 5000, 9727):
        place = int(found.pairs.segment[row]) - 1
        for side in (found.pairs.better, found.pairs.worse):
            assert found.outputs[found.pairs.systems[side[row]]][place] is not None
    # They come from scores, so that no circle of better and worse is possible.
    for segment in np.unique(found.pairs.segment):
        own = found.pairs.take(found.pairs.segment == segment)
        left = set(zip(own.better.tolist(), own.worse.tolist(), strict=True))
        while left:
            best = {better for better, _ in left} - {worse for _, worse in left}
            assert best, f"a circle in segment {segment}"
            left = {pair for pair in left if pair[0] not in best}


def pair(number: int = 0, better: str = "A", worse: str = "B", source: str = "s", **texts: str) -> str:
    return json.dumps(
        {
            "id": str(number),
            "src": source,
            "ref": "r",
            "better": {"sys_name": better, "sys": texts.get(better, f"by {better}")},
            "worse": {"sys_name": worse, "sys": texts.get(worse, f"by {worse}")},
        }
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (pair(0, "A", "C"), r"line 2 has the id of line 1: the same pair twice"),
        (pair(1, "A", "C", A="else"), r"line 2: 'A' has another output for this source on line 1"),
        (pair(1, "A", "A"), r"line 2: system 'A' is compared with itself"),
        (json.dumps({"id": "1", "src": "s", "ref": "r", "better": {}}), r"line 2: 'sys_name' is not a text"),
        (json.dumps({"id": "1", "src": "s"}), r"line 2: 'ref' is not a text"),
        (pair().replace('"id": "0", ', ""), r"line 2 judges 'A' and 'B' again for the same source"),
    ],
)
def test_wrong_pairs(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_pairs_jsonl(written(tmp_path, "p.jsonl", pair(), line))


def test_tables_of_pairs(tmp_path: Path) -> None:
    rows = ["en-cs newstest2018 3 A.0 B.1", "en-cs newstest2018 3 C B.1", "en-cs newstest2018 11 B.1 A.0"]
    path = written(tmp_path, "RR-seglevel.csv", "LP DATA SID BETTER WORSE", *rows)
    found, coverage = read_pairs_table(path, "en-cs", segments=11)
    assert found.segment.tolist() == [3, 3, 11]
    assert [found.systems[i] for i in found.better] == ["A.0", "C", "B.1"]
    assert [found.systems[i] for i in found.worse] == ["B.1", "B.1", "A.0"]
    assert coverage.used == 3
    with pytest.raises(InputError, match=r"line 4: segment 11 is beyond the test set, which has 10"):
        read_pairs_table(path, "en-cs", segments=10)
    with pytest.raises(InputError, match=r"no pairs of 'cs-en'"):
        read_pairs_table(path, "cs-en")
    with path.open("a") as file:
        file.write("en-cs newstest2018 3 B.1 A.0\n")
    with pytest.raises(InputError, match=r"line 5 judges 'B\.1' and 'A\.0' again \(first on line 2\)"):
        read_pairs_table(path, "en-cs")


FIVE = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,system2Number,system2Id,"
    "system3Number,system3Id,system1rank,system2rank,system3rank"
)


def test_rankings_as_wmt_writes_them(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "rr.csv",
        FIVE,
        "cze,eng,17,-1,5,judge1,1,A,2,B,3,C,2,1,2",
        "cze,eng,17,-1,5,judge2,1,A,2,B,3,C,-1,1,2",
        "cze,eng,18,-1,5,judge2,1,A,2,B,3,C,-1,-1,2",
        "eng,cze,18,-1,5,judge2,1,A,2,B,3,C,1,2,3",
    )
    found = read_wmt_judgements(path)
    assert found.names == ("cze-eng", "eng-cze")
    first, second = found.tasks[0].rankings
    assert (first.annotator, first.segment, first.systems, first.ranks) == (
        "judge1",
        "17",
        ("A", "B", "C"),
        (2, 1, 2),
    )
    assert (second.systems, second.ranks, second.line) == (("B", "C"), (1, 2), 3)
    assert [(left.reason, left.first_line) for left in found.coverage.left_out] == [
        ("fewer than two systems were ranked", 4),
    ]
    twice = written(
        tmp_path, "x.csv", FIVE, "c,e,17,-1,5,j,1,A,2,A,3,C,2,1,2", "c,e,18,-1,5,j,1,A,2,B,3,C,2,1,2"
    )
    assert "1 left out: a system is on the screen twice, first on line 2" in str(
        read_wmt_judgements(twice).coverage
    )
    with pytest.raises(InputError, match=r"line 2: the rank '0' is not a whole number"):
        read_wmt_judgements(written(tmp_path, "x.csv", FIVE, "c,e,17,-1,5,j,1,A,2,B,3,C,0,1,2"))


def test_plain_rankings(tmp_path: Path) -> None:
    header = "annotator\tsegment\tsystem\trank"
    path = written(tmp_path, "r.tsv", header, "ann\t1\tA\t1", "ann\t1\tB\t2", "bob\t1\tA\t1")
    found, coverage = read_rankings(path)
    assert [(one.annotator, one.systems, one.ranks) for one in found] == [("ann", ("A", "B"), (1, 2))]
    assert "1 left out: fewer than two systems were ranked, first on line 4" in str(coverage)
    with pytest.raises(InputError, match=r"line 3: 'ann' ranks system 'A' again in segment 1"):
        read_rankings(written(tmp_path, "r.tsv", header, "ann\t1\tA\t1", "ann\t1\tA\t2"))


def test_comparisons(tmp_path: Path) -> None:
    header = "annotator\tsegment\tfirst\tsecond\tchoice"
    rows = ("a\tp1\tA\tB\tA", "b\tp1\tB\tA\tsecond", "c\tp1\tA\tB\tundecided")
    found, coverage = read_comparisons(written(tmp_path, "c.tsv", header, *rows))
    assert found.sign.tolist() == [1, -1, 0]
    assert found.votes() == {("p1", "A", "B"): [1, 1, 0]}
    assert coverage.used == 3
    with pytest.raises(InputError, match=r"line 3: 'a' compares 'B' and 'A' again \(first on line 2\)"):
        read_comparisons(written(tmp_path, "c.tsv", header, rows[0], "a\tp1\tB\tA\t1"))
    with pytest.raises(InputError, match=r"line 2: the choice 'both' is unknown"):
        read_comparisons(written(tmp_path, "c.tsv", header, "a\tp1\tA\tB\tboth"))
    with pytest.raises(InputError, match=r"line 2: system 'A' is compared with itself"):
        read_comparisons(written(tmp_path, "c.tsv", header, "a\tp1\tA\tA\t1"))
    with pytest.raises(InputError, match="1, 0 or -1"):
        Comparisons.of([("a", "1", "A", "B", 2)])


def test_marks_of_semantic_units(tmp_path: Path) -> None:
    header = "annotator\tsystem\tsegment\tunit\tmark"
    marks, coverage = read_hume(written(tmp_path, "h.tsv", header, "a\tA\t1\t1\tAdequate", "a\tA\t1\t1.1\to"))
    assert [mark.mark for mark in marks] == ["good", "orange"]
    assert coverage.used == 2
    with pytest.raises(InputError, match=r"line 2: there is no mark 'blue'"):
        read_hume(written(tmp_path, "h.tsv", header, "a\tA\t1\t1\tblue"))
    with pytest.raises(InputError, match=r"line 3 marks unit '1' again \(first on line 2\)"):
        read_hume(written(tmp_path, "h.tsv", header, "a\tA\t1\t1\tG", "a\tA\t1\t1\tR"))

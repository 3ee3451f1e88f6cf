"""Judgements of several raters, a file each, as one gold; and how far raters agree."""

from __future__ import annotations

import csv
import json
import lzma
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.human.gold_files import read_gold
from tertium.human.wmttasks import chosen_tasks, wmt_agreement
from tertium.io.wmtjudgements import read_wmt_judgements

SCORES = {"ann": [90, 80, 40, 30], "bob": [70, 75, 20, 35]}
PLACES = [("A", "1"), ("A", "2"), ("B", "1"), ("B", "2")]


def raters(folder: Path, *, named: bool = False) -> list[Path]:
    paths = []
    for who, scores in SCORES.items():
        extra = f"\t{who}" if named else ""
        rows = [f"{s}\t{i}\t{score}{extra}" for (s, i), score in zip(PLACES, scores, strict=True)]
        head = "system\tsegment\tscore" + ("\tannotator" if named else "")
        path = folder / f"{who}.tsv"
        path.write_text("\n".join([head, *rows]) + "\n")
        paths.append(path)
    return paths


@pytest.mark.parametrize("named", [False, True])
def test_a_file_for_each_rater(tmp_path: Path, capsys: pytest.CaptureFixture[str], named: bool) -> None:
    """One file with a column for annotators gives the same; files without one are named after themselves."""
    paths = raters(tmp_path, named=named)
    rows = [
        f"{s}\t{i}\t{score}\t{who}"
        for who, scores in SCORES.items()
        for (s, i), score in zip(PLACES, scores, strict=True)
    ]
    together = tmp_path / "all.txt"
    together.write_text("\n".join(["system\tsegment\tscore\tannotator", *rows]) + "\n")
    one, several = read_gold(together, "table", minimum=1), read_gold(paths, minimum=1)
    assert several.systems.scores.data()["systems"] == one.systems.scores.data()["systems"]
    assert main(["meta", "gold", str(tmp_path / "*.tsv"), "-f", "json"]) == 0
    agreed = json.loads(capsys.readouterr().out)["agreement"]
    assert (agreed["raters"], agreed["shared"]) == (2, 4)
    assert agreed["correlation"] == pytest.approx(np.corrcoef(SCORES["ann"], SCORES["bob"])[0, 1])


def test_files_that_do_not_belong_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, _ = raters(tmp_path)
    ranked = tmp_path / "ranked.tsv"
    ranked.write_text("ranking\tannotator\tsegment\tsystem\trank\n1\tann\t1\tA\t1\n1\tann\t1\tB\t2\n")
    with pytest.raises(
        InputError, match=r"files of different kinds make no gold together: .*ann.tsv \(table\)"
    ):
        read_gold([first, ranked])
    assert main(["meta", "gold", str(tmp_path / "nobody*.tsv")]) == 2
    assert "no file matches this pattern" in capsys.readouterr().err


def test_rankings_are_called_rankings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for who, ranks in (("ann", (1, 2, 3)), ("bob", (1, 3, 2))):
        rows = [f"1\t{who}\t1\t{system}\t{rank}" for system, rank in zip("ABC", ranks, strict=True)]
        (tmp_path / f"{who}.tsv").write_text(
            "\n".join(["ranking\tannotator\tsegment\tsystem\trank", *rows]) + "\n"
        )
    files = [str(tmp_path / "ann.tsv"), str(tmp_path / "bob.tsv")]
    assert main(["meta", "gold", *files]) == 0
    shown = capsys.readouterr().out
    assert "Pairs of ranked translations, by majority" in shown
    assert "Paragraph preferences" not in shown
    found = read_gold(files)
    (row,) = found.parts["agreement"].rows  # type: ignore[attr-defined]
    assert (row.pairs, row.agreement) == (3, pytest.approx(2 / 3))


def test_agreement_by_task_on_real_rankings(shared: Path) -> None:
    """WMT11's tasks one by one, in plain loops; together they are what they were."""
    path = shared / "data" / "wmt-rankings" / "wmt11-maneval-indivsystems.RNK_results.csv.xz"
    found = wmt_agreement(read_wmt_judgements(path).tasks)
    by_task = {(row.task, row.within): row for row in found.by_task}
    answers: dict[tuple[str, str, str], list[tuple[str, int]]] = {}
    with lzma.open(path, "rt") as file:
        for row in csv.DictReader(file):
            if (row["srclang"], row["trglang"]) != ("Czech", "English"):
                continue
            ranks = {row[f"system{n}Id"]: int(row[f"system{n}rank"]) for n in range(1, 6)}
            shown = sorted(name for name, rank in ranks.items() if rank > 0 and name != "_ref")
            if len(shown) < 2:
                continue
            for a, b in combinations(shown, 2):
                sign = (ranks[a] > ranks[b]) - (ranks[a] < ranks[b])
                answers.setdefault((row["srcIndex"], a, b), []).append((row["judgeId"], sign))
    for within in (False, True):
        pairs = [
            x == y
            for given in answers.values()
            for (who, x), (other, y) in combinations(given, 2)
            if (who == other) is within
        ]
        row = by_task["Czech-English", within]
        assert (row.pairs, row.agreement) == (len(pairs), pytest.approx(sum(pairs) / len(pairs)))
    for total in found.rows:
        assert total.pairs == sum(row.pairs for row in found.by_task if row.within is total.within)
    only = wmt_agreement(chosen_tasks(read_wmt_judgements(path), "Czech-English").tasks)
    assert only.by_task == ()


def test_language_pairs_of_one_export(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """WMT24's raw ESA export holds English to Czech and to Hindi."""
    import tarfile

    with tarfile.open(shared / "data" / "wmt24" / "wmt24-en-cs-en-hi.tar.xz") as archive:
        member = next(one for one in archive if one.name.endswith(".csv"))
        archive.extract(member, tmp_path, filter="data")
    path = str(tmp_path / member.name)
    systems = {}
    for pair in ("en-cs", "en-hi"):
        assert main(["meta", "gold", path, "--pair", pair, "-f", "json"]) == 0
        systems[pair] = set(json.loads(capsys.readouterr().out)["assessment"]["systems"])
    assert "CUNI-GA" in systems["en-cs"] - systems["en-hi"]
    assert "TranssionMT" in systems["en-hi"] - systems["en-cs"]
    assert main(["meta", "gold", path]) == 2
    assert "choose one language pair (--pair)" in capsys.readouterr().err
    assert main(["meta", "gold", path, "--pair", "en-de"]) == 2
    assert "no judgements of en-de (the file has eng-ces, eng-hin)" in capsys.readouterr().err

"""HUME as HimL published it: counts of marks, texts in short names, sentences that people judged for every system."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tertium.errors import InputError, SpecError
from tertium.human.gold_files import read_gold
from tertium.meta.evaluation import evaluate
from tertium.meta.task import Task
from tertium.progress import listening


def himl(folder: Path, rows: list[str]) -> Path:
    """A made-up folder in HimL's form: three systems, four sentences of which people judged some."""
    texts = folder / "en-de"
    texts.mkdir(parents=True)
    (texts / "src.en").write_text("one\ntwo\nthree\nfour\n")
    (texts / "ref.de").write_text("eins\nzwei\ndrei\nvier\n")
    for name, lines in {
        "nmt": "eins zwei drei vier",
        "pbmt": "ein zwei dra fier",
        "rule": "an z dr fi",
    }.items():
        (texts / f"{name}.de").write_text("\n".join(lines.split()) + "\n")
    marks = "\t".join(f"mteval_{letter}" for letter in "ABORGM")
    head = f"sent_id\tsystem_id\tannot_id\ttarget\t{marks}"
    (folder / "sentences.de.tsv").write_text("\n".join([head, *rows]) + "\n")
    return folder


ROWS = [
    '0\tNMT\tann\ta "b\t1\t0\t0\t0\t3\t0',
    "0\tNMT\tbob\ta\t1\t0\t0\t0\t1\t2",
    "0\tPBMT\tann\ta\t1\t0\t2\t0\t1\t0",
    "0\tRule\tann\ta\t0\t1\t0\t3\t0\t0",
    "2\tNMT\tann\ta\t1\t0\t0\t0\t3\t0",
    "2\tPBMT\tann\ta\t1\t0\t0\t1\t0\t2",
    "2\tRule\tann\ta\t0\t1\t1\t1\t1\t0",
    "3\tNMT\tann\ta\t1\t0\t0\t0\t3\t0",
]


def himl_task(folder: Path, **settings: Any) -> Task:
    human = {"judgements": folder / "sentences.{target}.tsv", "kind": "HUME"}
    return Task("HUME", layout=folder, human=human, metrics=("chrf",), significance="none", **settings)


def test_a_folder_of_himl(tmp_path: Path) -> None:
    """Units without a mark are not right; two annotators are averaged; texts are cut to what was judged."""
    folder = himl(tmp_path, ROWS)
    gold = read_gold(folder / "sentences.de.tsv")
    assert gold.judged == "hume"
    assert gold.segments is not None
    assert gold.segments.scores.row("NMT").tolist() == [0.75, 1.0, 1.0]
    assert gold.segments.scores.row("PBMT")[:2].tolist() == [0.75, 0.25]
    found = evaluate(himl_task(folder, segments="judged", levels=("system", "segment")))
    systems, segments = found.judged
    assert (systems.n, segments.n) == (3, 6)
    assert any(
        "2 segments used; those that people judged for all of 3 systems" in note for note in found.notes
    )
    everything = evaluate(himl_task(folder, levels=("segment",), missing="leave out")).judged[0]
    assert everything.n == 7


def test_bad_folders_of_himl(tmp_path: Path) -> None:
    again = himl(tmp_path / "again", [*ROWS, ROWS[0]])
    with pytest.raises(InputError, match="line 10: ann judges sentence 0 of NMT again"):
        read_gold(again / "sentences.de.tsv")
    behind = himl(
        tmp_path / "behind", [row.replace("2\t", "9\t", 1) if row[0] == "2" else row for row in ROWS]
    )
    with pytest.raises(InputError, match="people judged segment 10, but en-de has 4 segments"):
        evaluate(himl_task(behind, segments="judged"))
    nobody = himl(tmp_path / "nobody", ROWS[:3])
    (nobody / "sentences.de.tsv").write_text((nobody / "sentences.de.tsv").read_text() + ROWS[-2] + "\n")
    with pytest.raises(InputError, match="no segment that people judged for every system"):
        evaluate(himl_task(nobody, segments="judged"))


def test_specs_of_all_pairs_are_checked_before_any_scoring(tmp_path: Path) -> None:
    """A spec that only the last pair has must not be found after hours of scoring the others."""
    folder = himl(tmp_path, ROWS)
    (folder / "en-xx").mkdir()
    wrong = {"name": "mine", "spec": "chrf", "specs": {"en-xx": "chrff"}}
    (folder / "en-xx" / "ref.xx").write_text("a\n")
    task = replace(himl_task(folder), metrics=(wrong,))
    steps: list[str] = []
    wanted = "metric mine on en-xx: unknown metric 'chrff'; did you mean"
    with pytest.raises(SpecError, match=wanted), listening(lambda stages: steps.append(str(stages))):
        evaluate(task)
    assert steps == []

"""Words unseen in training: what becomes of each, by hand; both sides of the corpus are needed."""

from __future__ import annotations

from pathlib import Path

import pytest

import tertium as tt
from tertium.cli import main
from tertium.comparison.significance import ResamplingPlan
from tertium.comparison.unseen import COLUMNS, _segment, unseen_words
from tertium.measuring import measure
from tests.conftest import SAMPLE

NAMES = [column.name for column in COLUMNS]
SOURCE = ["der", "zorp", "frisst", "wumbl", "und", "gnarz", "."]
KNOWN = {"der", "frisst", "und", "."}
REFERENCE = (
    ["the", "zorp", "eats", "tulips", "and", "figs", "."],
    ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (6, 6)),
)
TARGETS = {"the", "eats", "and", "cake", "."}


def fates(output: str, links: tuple[tuple[int, int], ...]) -> dict[str, int]:
    row = _segment(SOURCE, output.split(), links, [REFERENCE], {"the", "."}, KNOWN, TARGETS)
    return {name: count for name, count in zip(NAMES, row, strict=True) if count}


def test_each_word_once() -> None:
    """zorp is a name, wumbl is aligned with tulips, gnarz with nothing: figs is what the reference has to spare."""
    everything = ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6))
    assert fates("the zorp eats tulips and figs .", everything) == {
        "unseen": 3,
        "copied": 1,
        "rightly": 1,
        "translated": 2,
        "output words": 7,
    }
    # wumbl is copied, though the reference has another word; gnarz became cake, which is known
    assert fates("the zorp eats wumbl and cake .", everything) == {
        "unseen": 3,
        "copied": 2,
        "rightly": 1,
        "other": 1,
        "output words": 7,
    }
    # wumbl became a word that nobody knows; gnarz is left out
    assert fates("the zorp eats wumbles .", ((0, 0), (1, 1), (2, 2), (3, 3), (6, 4))) == {
        "unseen": 3,
        "copied": 1,
        "rightly": 1,
        "other": 1,
        "dropped": 1,
        "output words": 5,
        "invented": 1,
    }
    # a word to spare stands for the first word that is missing, not for both
    assert fates("the zorp eats cake .", ((0, 0), (1, 1), (2, 2), (6, 4))) == {
        "unseen": 3,
        "copied": 1,
        "rightly": 1,
        "other": 1,
        "dropped": 1,
        "output words": 5,
    }
    assert fates("", ()) == {"unseen": 3, "dropped": 3}


def test_nothing_is_known_without_a_counterpart() -> None:
    row = _segment(["zorp"], [], (), [(["the"], ())], {"the"}, set(), set())
    assert dict(zip(NAMES, row, strict=True))["other"] == 1


def test_the_fates_add_up_and_people_drop_nothing() -> None:
    """On real text, half of it for training; the reference as a system, and the reference without its last words."""
    sample = tt.TestSet.sample()
    assert sample.sources is not None
    references, sources = (
        [line or "" for line in sample.references.first],
        [line or "" for line in sample.sources],
    )
    cut = [" ".join(line.split()[:-5]) for line in references]
    texts = tt.TestSet.of(references, {"human": references, "cut": cut, **sample.systems}, sources=sources)
    plan = ResamplingPlan("human", resamples=1_000)
    found = unseen_words(measure(texts, "bleu"), plan, sources[:30], references[:30])
    parts = ("copied", "translated", "other", "dropped")
    for system in found.systems:
        assert sum(found.rates[name][system].rate or 0 for name in parts) == pytest.approx(100)
    of_people = {name: own["human"].rate or 0 for name, own in found.rates.items()}
    assert of_people["copied"] == of_people["rightly"]
    assert of_people["copied"] + of_people["translated"] > 85
    assert of_people["invented"] == 0
    dropped = found.rates["dropped"]["cut"]
    assert (dropped.rate or 0) > 10 > of_people["dropped"]
    assert dropped.p is not None
    assert dropped.p < 0.05


def test_a_corpus_that_has_every_word() -> None:
    texts = tt.TestSet.of(["a", "b"], {"A": ["a", "b"], "B": ["b", "b"]}, sources=["x", "y"])
    found = unseen_words(measure(texts, "bleu"), ResamplingPlan("A", resamples=10), ["X y"], ["a b"])
    assert found.rates["copied"]["A"].rate is None
    assert "of the 0 words" in found.notes[0]
    assert "undefined" in str(found)


def test_by_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(SAMPLE / name) for name in ("reference1.en", "system-strong.en", "system-smooth.en")]
    given = ["compare", files[0], "-i", *files[1:], "-m", "bleu", "-n", "100", "--details", "unseen"]
    source = ["--source", str(SAMPLE / "source.de")]
    corpus = tmp_path / "train.de"
    corpus.write_text("Das ist der Wald\n", encoding="utf-8")
    sides = ["--training-source", str(corpus), "--training", files[0]]
    assert main([*given, *source, *sides]) == 0
    assert "Words unseen in training" in capsys.readouterr().out
    for wrong, message in (
        ([*given, *source, *sides[:2]], "give the target side, too, with --training"),
        ([*given, *sides], "give it with --source"),
        ([*given, *source, "--training-source", "nowhere", *sides[2:]], "nowhere: no such file"),
    ):
        assert main(wrong) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        assert message in shown.err

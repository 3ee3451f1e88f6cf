"""What checks of memories doubt, as features: by the same functions, whatever stands beside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.estimation.checked import CHECKS_OF_MEMORIES, DOUBTS
from tertium.estimation.estimator import Estimator, trained
from tertium.estimation.view import Learnt, View
from tertium.estimation.words import KeyedWords
from tertium.io.memories.unit import Unit
from tertium.io.translations import Translations
from tertium.vetting.checks.base import CHECKS
from tests.estimation.test_estimation import made

PAIRS = [
    ("Wait 10 seconds", "Attendez 100 secondes"),
    ("Wait 3 seconds", "Attendez trois secondes"),
    ('Open "x" (now)', "Ouvrir « x » (ici"),
    ("Use --verbose with the USB port", "Utilisez --verbeux avec le port"),
    ("We met Anna in Paris.", "Nous avons vu Anna à Rome."),
    ("It is not true.", "C'est vrai"),
    ("", ""),
]


def view(pairs: list[tuple[str, str]], pair: str) -> View:
    sides = [KeyedWords.of([own[side] for own in pairs]) for side in (0, 1)]
    return View(*sides, Learnt.of(*sides, np.arange(len(pairs), dtype=float)), pair=pair)


def test_features_are_what_checks_say() -> None:
    """The score of each check's doubt; languages say what a number word is."""
    columns = dict(
        zip(CHECKS_OF_MEMORIES.names, CHECKS_OF_MEMORIES.columns(view(PAIRS, "en-fr")).T, strict=True)
    )
    for name in DOUBTS:
        looks = [CHECKS[name]().look(Unit(*own, "en", "fr")) for own in PAIRS]
        assert columns[name].tolist() == [0.0 if own is None else own.score for own in looks], name
    assert columns["numbers"][0] == 1.0
    assert columns["numbers"][1] == 0.0 < CHECKS_OF_MEMORIES.columns(view(PAIRS[1:2], ""))[0, 0]
    assert columns["names lost"].tolist() == [0, 0, 0, 0, 0.5, 0, 0]
    assert columns["acronyms lost"][3] == 1.0
    assert columns["doubts"].tolist() == sum((columns[name] > 0).astype(int) for name in DOUBTS).tolist()


def test_a_translation_is_judged_by_itself() -> None:
    whole = CHECKS_OF_MEMORIES.columns(view(PAIRS, "en-fr"))
    single = [CHECKS_OF_MEMORIES.columns(view([own], "en-fr"))[0] for own in PAIRS]
    assert np.array_equal(whole, np.array(single))


def test_checks_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers that became others are what tells these translations apart; the file says what memory says."""
    lines = [f"There are {n} files in the folder {n + 3}" for n in range(100, 180)]
    outputs = [
        line.replace("files", "Dateien").replace(f"{n + 103}", f"{n + 103 + n % 2}")
        for n, line in enumerate(lines)
    ]
    texts = Translations("lines", lines, outputs, [float(n % 2) for n in range(80)])
    alone, checked = (
        trained(texts, sets=("lengths",)),
        trained(texts, sets=("lengths", "checks"), pair="en-de"),
    )
    assert "checks" not in trained(made(60)).sets
    assert checked.correlation > 0.9 > alone.correlation
    checked.write(tmp_path / "qe.model")
    new = Translations("new", ["Wait 10 seconds"] * 2, ["Warte 10 Sekunden", "Warte 11 Sekunden"])
    good, bad = Estimator.read(tmp_path / "qe.model").estimates(new)
    assert bad > good  # here a changed number has the higher score
    monkeypatch.chdir(tmp_path)
    rows = zip(texts.sources, texts.translations, texts.scores or (), strict=True)
    Path("t.tsv").write_text("source\ttranslation\tscore\n" + "".join(f"{a}\t{b}\t{c}\n" for a, b, c in rows))
    assert main(["estimate", "train", "--data", "t.tsv", "--checks", "-l", "en-de", "-o", "c.model"]) == 0
    assert "checks" in Estimator.read("c.model").sets

"""Models that learnt from marks what to block, and tables of marked translations."""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tertium.cli import main
from tertium.detection.marked import areas
from tertium.errors import InputError
from tertium.estimation.estimator import Estimator, trained
from tertium.io.markedtranslations import MarkedTranslations, read_marked
from tertium.io.translations import Translations
from tertium.stats.detection import best_cut, matthews
from tertium.triage.blocking import agreement_on, blocking_of, described_blocking, trained_to_block


def marked(seed: int, number: int = 200) -> MarkedTranslations:
    """Translations that lose their end, and are marked for it, one in ten by mistake."""
    draw = Random(seed)
    words = [f"wort{n}" for n in range(40)]
    sources, outputs, marks = [], [], []
    for _ in range(number):
        own = [draw.choice(words) for _ in range(8)]
        bad = draw.random() < 0.3
        sources.append(" ".join(own))
        outputs.append(" ".join(word.replace("wort", "word") for word in own[: 4 if bad else 8]))
        marks.append(bad != (draw.random() < 0.1))
    return MarkedTranslations(f"texts {seed}", sources, outputs, None, {"critical": marks})


def test_a_model_learns_what_people_mark(tmp_path: Path) -> None:
    train, test = marked(1), marked(2)
    made = trained_to_block(train, pair="de-en")
    assert blocking_of(made).agreement > 0.6
    row = agreement_on(made, test)
    assert row.agreement > 0.6
    assert row.area is not None
    assert row.area > 0.8
    made.write(tmp_path / "block.model")
    again = Estimator.read(tmp_path / "block.model")
    assert agreement_on(again, test).agreement == pytest.approx(row.agreement)
    assert described_blocking(made, train, test).table().rows[1][0] == "texts 2"


def test_the_command_trains_and_detects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = marked(3)
    rows = zip(own.sources, own.translations, own.marks["critical"], strict=True)
    lines = [f"{i}\t{a}\t{b}\t[0, 0, 0]\t{'ERR' if bad else 'NOT'}\n" for i, (a, b, bad) in enumerate(rows)]
    (tmp_path / "train.tsv").write_text("".join(lines), "utf-8")
    (tmp_path / "source").write_text("\n".join(own.sources) + "\n", "utf-8")
    (tmp_path / "mt").write_text("\n".join(own.translations) + "\n", "utf-8")
    model = str(tmp_path / "block.model")
    assert main(["estimate", "block", "--data", str(tmp_path / "train.tsv"), "-o", model]) == 0
    assert "Matthews' coefficient with the mark critical" in " ".join(capsys.readouterr().out.split())
    texts = [str(tmp_path / "source"), str(tmp_path / "mt")]
    assert main(["estimate", "detect", *texts, "--model", model, "-q"]) == 0
    assert "people marked translations like this one" in " ".join(capsys.readouterr().out.split())


def test_what_cannot_be_learnt_is_refused() -> None:
    own = marked(1, 60)
    none = MarkedTranslations("none", own.sources, own.translations, None, {"critical": [False] * 60})
    with pytest.raises(InputError, match="0 of 60 translations are marked critical; at least 20"):
        trained_to_block(none)
    several = MarkedTranslations(
        "two", own.sources, own.translations, None, {"a": [True] * 60, "b": [False] * 60}
    )
    with pytest.raises(InputError, match="several marks: choose one"):
        trained_to_block(several)
    with pytest.raises(InputError, match="has no marks 'c'"):
        trained_to_block(several, mark="c")
    usual = trained(Translations("few", own.sources, own.translations, [float(n % 5) for n in range(60)]))
    with pytest.raises(InputError, match="was not trained on marks"):
        blocking_of(usual)


def test_tables_of_marked_translations(tmp_path: Path) -> None:
    path = tmp_path / "marked.csv"
    path.write_text(
        'id,src,mt,repetitions,note\n1,"Ein Haus, alt",A house,0,x\n2,0,0,0,\n3,Ein Baum,A a a a,1,y\n',
        "utf-8",
    )
    found = read_marked(path)
    assert found.sources == ["Ein Haus, alt", "Ein Baum"]
    assert found.marks == {"repetitions": [False, True]}
    assert found.left_out == (3,)
    assert areas(found).areas["oscillation"] == {"repetitions": 1.0}
    assert "1 damaged row is left out (line 3)" in " ".join(areas(found).words())


def test_one_damaged_row_of_a_real_table_is_left_out_and_named(shared: Path, tmp_path: Path) -> None:
    lines = (
        gzip.decompress((shared / "data/hallucinations/de-en.half.csv.gz").read_bytes()).decode().split("\n")
    )
    whole = tmp_path / "whole.csv"
    whole.write_text("\n".join(lines[:201]) + "\n", "utf-8")
    want = read_marked(whole)
    assert len(want) == 200
    path = tmp_path / "damaged.csv"
    for damage in (
        '9,"Ein Satz.",A sentence.,A sentence.,0,0,x,0,0',
        "9,Ein Satz.,A sentence.",
        "9,Ein,A,A" + ",0" * 9,
    ):
        path.write_text("\n".join([*lines[:51], damage, *lines[51:201]]) + "\n", "utf-8")
        found = read_marked(path)
        assert found.left_out == (52,)
        assert (found.marks, found.sources) == (want.marks, want.sources)
        assert "(line 52)" in " ".join(areas(found).words())
    path.write_text("\n".join([*lines[:51], "1,2", "1,2", "1,2", *lines[51:201]]) + "\n", "utf-8")
    with pytest.raises(InputError, match="line 52 has 2 fields, but the header names 9 columns"):
        read_marked(path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("src,mt\nEin Haus,A house\n", "has no column of marks"),
        ("src,bad\nEin Haus,0\n", "has no column with the translation"),
        ("src,mt,bad\n", "has no translations"),
        ('src,mt,bad\n"Ein Haus,A house,0\n', "not valid CSV"),
        ("src,mt,bad\nEin Haus,0\n", "has 2 fields, but the header names 3 columns"),
        ("1\tEin Haus\tA house\tERR\n", "has 4 fields, expected 5"),
    ],
)
def test_damaged_tables_are_refused(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "marked.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=told):
        read_marked(path)


def test_matthews_and_the_best_cut_are_the_slow_ones() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        wrong, scores = rng.random(30) < 0.4, rng.integers(0, 8, 30) / 8
        slow = {}
        for cut in np.unique(scores):
            said = scores >= cut
            both = np.corrcoef(wrong, said)[0, 1] if 0 < said.sum() < 30 and 0 < wrong.sum() < 30 else 0.0
            assert matthews(wrong, said) == pytest.approx(both)
            slow[float(cut)] = both
        cut, agreement = best_cut(wrong, scores)
        assert agreement == pytest.approx(max(slow.values()))
        assert slow[cut] == pytest.approx(agreement)

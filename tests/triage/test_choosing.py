"""Memory and machine on one scale: what proposals save, which of both is shown, and what detectors block."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

import tertium as tt
from tertium.cli import main
from tertium.errors import InputError
from tertium.estimation.agreement import AGREEMENT
from tertium.estimation.estimator import Estimator, edit_rates, trained
from tertium.estimation.view import Learnt, View
from tertium.io.memories.pairs import Pair
from tertium.io.translations import Translations
from tertium.memory.importing import import_memory
from tertium.text.keyed import KeyedWords
from tertium.triage.calibration import calibrated
from tertium.triage.choosing import choose
from tertium.triage.proposals import ProposalWorth, best_proposals, opened, with_matches
from tests.estimation.test_estimation import WORDS, made


def lines(number: int, seed: int = 1) -> list[tuple[str, str]]:
    """Sentences and their translations; every second one differs from an earlier one by a word or two."""
    draw = Random(seed)
    found: list[list[str]] = []
    for i in range(number):
        words = [*draw.choices(list(WORDS), k=draw.randint(6, 10)), f"x{i}"]
        if i % 2 and i > 2:
            words = list(draw.choice(found))
            for _ in range(draw.randint(1, 2)):
                words[draw.randrange(len(words))] = draw.choice(list(WORDS))
        found.append(words)
    return [(" ".join(words), " ".join(WORDS.get(word, word) for word in words)) for words in found]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("memory")
    table = folder / "units.tsv"
    table.write_text("".join(f"{a}\t{b}\n" for a, b in lines(400)), "utf-8")
    import_memory([str(table)], str(folder / "m.db"), pair=Pair("de", "en"))
    return str(folder / "m.db")


@pytest.fixture(scope="module")
def estimator() -> Estimator:
    texts = made(300)
    return trained(replace(texts, scores=None, hter=[1 - score for score in texts.scores or ()]))


def test_what_proposals_save_is_learnt_from_those_before(memory: str) -> None:
    matcher = opened(memory)
    worth = ProposalWorth.learnt(matcher, enough=150)
    assert len(worth.rates) == 150
    assert worth.learned
    marks = worth.marks([50, 60, 70, 80, 90, 100, 102])
    assert (np.diff(marks) >= 0).all()
    assert marks[4] > marks[0] + 10
    assert marks[5] == marks[6]
    number, unit = matcher.index.memory.chosen([matcher.index.numbers[0]])[0]
    assert matcher.propose(unit.source, before=number) == ()  # nothing was there yet
    assert matcher.propose(unit.source)[0].rate == 100
    few = ProposalWorth.learnt(matcher, asked=5)
    assert not few.learned
    assert few.marks([85, 102]).tolist() == [85.0, 100.0]


def test_the_better_one_is_shown(memory: str, estimator: Estimator) -> None:
    known = [pair for pair in lines(400) if len(pair[0].split()) > 6][:5]
    new = made(20, seed=7)
    sources = [*(a for a, _ in known), *new.sources]
    outputs = [*("zap foo bar zap" for _ in known), *new.translations]
    estimates = tt.estimate(estimator, sources, outputs, detectors=False)
    found = choose(estimator, estimates, sources, outputs, memory)
    for own, (_, target) in zip(found.segments, known, strict=False):
        assert (own.show, own.rate, own.target) == ("memory", 100, target)
    proposals = best_proposals(opened(memory), sources)
    for own, proposal, output, machine in zip(
        found.segments, proposals, outputs, estimates.marks, strict=True
    ):
        assert own.machine == machine
        assert own.mark == max(machine, -1.0 if own.memory is None else own.memory)
        assert own.target == (output if own.show == "machine" or proposal is None else proposal.target)
    truth = [b for _, b in known] + [" ".join(WORDS.get(w, w) for w in a.split()) for a in new.sources]
    shown, machine = (
        edit_rates(texts, truth).mean() for texts in ([own.target for own in found.segments], outputs)
    )
    assert shown < machine
    assert "is shown for" in " ".join(found.text().split())


def test_agreement_with_the_memory_is_learnt(memory: str, tmp_path: Path) -> None:
    """Machine translations of lines that the memory has alike; half of them are nonsense, and nothing else tells."""
    draw = Random(4)
    near = [
        (a, b if i % 2 else " ".join(draw.sample(b.split(), len(b.split()))))
        for i, (a, b) in enumerate(lines(240, seed=1))
    ]
    sources = [f"{a} und" for a, _ in near]
    texts = Translations(
        "near", sources, [f"{b} and" for _, b in near], hter=[0.1 if i % 2 else 0.8 for i in range(240)]
    )
    matched = with_matches(texts, memory, training=True)
    assert matched.matches is not None
    found = [own for own in matched.matches if own is not None]
    assert len(found) > 200
    sides = KeyedWords.of(texts.sources), KeyedWords.of(texts.translations)
    learnt = Learnt.of(*sides, np.array(texts.hter))
    rows = AGREEMENT.columns(View(*sides, learnt, matches=matched.matches))
    agreement = rows[:, AGREEMENT.names.index("agreement")]
    assert agreement[1::2].mean() > agreement[::2].mean() + 0.3
    learned = trained(matched)
    assert "agreement" in learned.sets
    assert learned.correlation > trained(texts).correlation
    learned.write(tmp_path / "qe.model")
    read = Estimator.read(tmp_path / "qe.model")
    with pytest.raises(InputError, match=r"was trained with a memory: give one \(--memory\)"):
        tt.estimate(read, sources[:2], texts.translations[:2])
    with pytest.warns(UserWarning, match="were in the training data"):
        assert len(tt.estimate(read, sources[:2], texts.translations[:2], memory=memory).marks) == 2


def test_training_does_not_see_what_became_of_its_segments(memory: str) -> None:
    sources = [a for a, _ in lines(20)]
    texts = Translations("own", sources, sources)
    ours, theirs = (
        with_matches(texts, memory, training=training).matches or () for training in (True, False)
    )
    assert all(own is not None and own[0] == 100 for own in theirs)
    assert all(own is None or own[0] < 100 for own in ours)


def test_a_memory_needs_edits_beside_it(memory: str, estimator: Estimator) -> None:
    marked = calibrated(
        replace(estimator, target="da", seen=np.zeros(0, np.uint32)), replace(made(80), marks=[50.0] * 80)
    )
    estimates = tt.estimate(marked, ["ein haus"], ["a house"])
    with pytest.raises(InputError, match="does not say how many edits a translation saves"):
        choose(marked, estimates, ["ein haus"], ["a house"], memory)


def test_detectors_block(estimator: Estimator) -> None:
    new = made(120, seed=3)
    outputs = [*new.translations[:-1], "the the the the the the the the the the the the the"]
    found = tt.estimate(estimator, new.sources, outputs)
    assert found.verdicts[-1] == "block"
    low = tt.estimate(estimator, new.sources, outputs, passes=0, edits=0)
    assert low.verdicts[-1] == "block"
    assert low.detected[-1] == 120
    assert "Detectors alone block" in " ".join(low.text().split())
    assert set(tt.estimate(estimator, new.sources, outputs, passes=0, edits=0, detectors=False).verdicts) == {
        "pass"
    }


def test_on_the_command_line(
    memory: str, estimator: Estimator, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    estimator.write(tmp_path / "qe.model")
    new = made(12, seed=9)
    for name, texts in (("src", new.sources), ("mt", new.translations)):
        (tmp_path / name).write_text("\n".join(texts) + "\n", "utf-8")
    files = [str(tmp_path / name) for name in ("src", "mt")]
    call = ["estimate", "score", *files, "--model", str(tmp_path / "qe.model"), "--memory"]
    assert main([*call, memory, "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["segments"]) == 12
    assert found["learned_from"] > 100
    assert main([*call, str(tmp_path / "none.db")]) == 2
    assert "none.db: no such file" in capsys.readouterr().err
    assert main([*call, files[0]]) == 2
    assert "is no memory: `tertium memory import` makes one" in capsys.readouterr().err

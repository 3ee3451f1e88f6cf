"""What a translator learns from: nothing that is held out, the same for a seed, marks that are known, white space."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tertium.adaptation.bulletins import bulletins
from tertium.adaptation.nmt import examples
from tertium.adaptation.nmt.batching import Epochs, held_out
from tertium.adaptation.nmt.examples import TaggedPair
from tertium.adaptation.nmt.learning import number_changes
from tertium.adaptation.nmt.pieces import PieceVocabulary
from tertium.adaptation.nmt.preparing import prepare
from tertium.adaptation.nmt.settings import setting
from tertium.errors import InputError, SpecError
from tertium.io.memories.unit import Unit
from tests.adaptation.neural import units

TINY = setting("tiny", pieces=400, tokens=400, sampling=0.1)


def memory() -> list[Unit]:
    """Bulletins of many documents: the last ones of 2022, some of 2023, a source that is in both."""
    found = []
    for place, unit in enumerate(units(bulletins(900))):
        date = f"2022-{1 + place // 80:02}-01"
        found.append(unit._replace(document=f"bulletin {place // 10}", date=date))
    new = [Unit(f"Snow on day {n}.", f"Neige le jour {n}.", "en", "fr", date="2023-02-01") for n in range(40)]
    return [*found, *new, found[0]._replace(date="2023-03-01")]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("examples") / "own")
    prepare(memory(), folder, TINY, since="2023-01-01", test=30)
    return folder


def test_what_is_held_out_is_new(prepared: str) -> None:
    train, dev, test = (examples.read(prepared, part) for part in examples.PARTS)
    known = {own.source for own in train}
    assert len(test) == 30
    assert dev
    assert not known & {own.source for own in (*dev, *test)}
    assert all(own.source.startswith("Snow on day") for own in test)
    assert len(set(train)) == len(train)


def test_matches_are_others_and_are_learnt_from(prepared: str) -> None:
    train, dev, test = (examples.read(prepared, part) for part in examples.PARTS)
    targets: dict[str, set[str]] = {}
    for own in train:
        targets.setdefault(own.target, set()).add(own.source)
    matched = [own for own in (*train, *dev, *test) if own.match]
    assert matched
    for own in matched:
        assert targets[own.match] - {own.source}  # the target of another source that is learnt from
        assert 0.5 <= own.likeness < 1


def test_an_epoch_depends_on_seed_and_number_alone(prepared: str) -> None:
    def epoch(number: int, seed: int = 1) -> list[tuple[bytes, bytes]]:
        found = Epochs(prepared, TINY.with_(seed=seed)).batches(number)
        return [(own.source.tobytes(), own.target.tobytes()) for own in found]

    assert epoch(0) == epoch(0)
    assert epoch(0) != epoch(1)
    assert epoch(0) != epoch(0, seed=2)


def test_other_processes_encode_the_same_epoch(prepared: str) -> None:
    own = TINY.with_(sampling=0.0)  # SentencePiece draws otherwise in each process, whatever its seed

    def epochs(processes: int) -> list[list[tuple[bytes, bytes]]]:
        made = Epochs(prepared, own, processes)
        found = [
            [(batch.source.tobytes(), batch.target.tobytes()) for batch in made.batches(at)] for at in (0, 1)
        ]
        made.close()
        return found

    assert epochs(0) == epochs(2)


def test_batches_hold_every_example_once_within_their_tokens(prepared: str) -> None:
    plain = TINY.with_(sampling=0.0, matches=0.0, tags=0.0)
    epochs = Epochs(prepared, plain)
    vocabulary = epochs.vocabulary
    batches = epochs.batches(3)
    seen = sorted(vocabulary.read(row) for own in batches for row in own.target)
    assert seen == sorted(own.target for own in epochs.examples)
    widest = max(own.source.shape[1] for own in batches)
    for own in batches:
        assert own.source.size <= max(plain.tokens, widest)
        assert np.all((own.source == vocabulary.pad).argmax(1)[own.source[:, -1] == vocabulary.pad] > 0)


def test_tags_and_matches_are_marks(prepared: str) -> None:
    vocabulary = PieceVocabulary.load(prepared)
    tokens = vocabulary.tokens
    assert tokens[0] == "</s>"
    assert tokens[-1] == "<pad>"
    assert len(set(tokens)) == len(tokens) == vocabulary.size
    own = TaggedPair("Snow.", "Neige.", "winter desk", match="De la neige.", likeness=0.83)
    names = [tokens[number] for number in vocabulary.source(own, match=True)]
    assert names[0] == "<client:winter desk>"
    assert "<match:8>" in names
    assert vocabulary.tags("a client that nobody knows") == []
    assert vocabulary.source(own, tags=False) == [*vocabulary.text("Snow."), vocabulary.end]


@pytest.mark.parametrize("text", ["One\n  two\tthree", "« où »  …", "日本 🙂", "a" * 300])
def test_texts_come_back_as_they_were(prepared: str, text: str) -> None:
    vocabulary = PieceVocabulary.load(prepared)
    assert vocabulary.read(vocabulary.text(text)) == text
    assert vocabulary.read(vocabulary.text(text, sampling=0.5)) == text


def test_held_out_batches_leave_nothing_to_chance(prepared: str) -> None:
    vocabulary = PieceVocabulary.load(prepared)
    one, other = (held_out(prepared, "dev", vocabulary, TINY, match=True) for _ in range(2))
    assert all(np.array_equal(a.source, b.source) for a, b in zip(one, other, strict=True))


def test_what_cannot_be_learnt_from_is_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="units to learn from; 50 are the least"):
        prepare(memory()[:3], str(tmp_path / "few"), TINY)
    assert not (tmp_path / "few").exists()
    with pytest.raises(InputError, match="no prepared examples"):
        examples.read(str(tmp_path), "train")
    (tmp_path / "train.jsonl.gz").write_bytes(b"nothing")
    with pytest.raises(InputError, match="not a file of examples"):
        examples.read(str(tmp_path), "train")
    (tmp_path / "pieces.model").write_bytes(b"nothing")
    (tmp_path / "marks.json").write_text(json.dumps([]), encoding="utf-8")
    with pytest.raises(InputError, match="no vocabulary"):
        PieceVocabulary.load(str(tmp_path))


def test_settings_are_checked() -> None:
    with pytest.raises(SpecError, match="did you mean 'tiny'"):
        setting("tin")
    with pytest.raises(SpecError, match="did you mean 'dropout'"):
        setting("tiny", dropuot=0.2)
    with pytest.raises(SpecError, match="NAME=NUMBER"):
        number_changes(["steps"])


def test_hard_examples_are_drawn_more_often_and_epochs_stay_as_long(tmp_path: Path) -> None:
    plain = TINY.with_(sampling=0.0, matches=0.0, tags=0.0)
    folder = str(tmp_path / "own")
    common = [Unit(f"Open file {n} now", f"Ouvrir fichier {n} maintenant", "en", "fr") for n in range(400)]
    odd = Unit(
        "Yesterday he ran across the street", "Il a traversé la rue en courant, et c’était hier au soir"
    )
    prepare([*common, odd], folder, plain.with_(hard=0.3))
    points = {own.source: own.points for own in examples.read(folder, "train")}
    assert points[odd.source] > 5
    assert points["Open file 7 now"] == 0

    def targets(share: float) -> list[str]:
        epochs = Epochs(folder, plain.with_(hard=share))
        return [epochs.vocabulary.read(row) for own in epochs.batches(0) for row in own.target]

    without, with_ = targets(0.0), targets(0.3)
    assert len(without) == len(with_)
    assert without.count(odd.target) == 1
    hard = sum(points[own.source] > 0 for own in examples.read(folder, "train"))
    assert with_.count(odd.target) >= round(0.3 * len(with_)) / hard


def test_a_memory_without_divergences_has_nothing_hard(tmp_path: Path) -> None:
    same = [Unit(f"Open {'a' * n}", f"Ouvrir {'a' * n}", "en", "fr") for n in range(1, 80)]
    with pytest.raises(InputError, match="no unit of the memory diverges"):
        prepare(same, str(tmp_path / "own"), TINY.with_(hard=0.3))

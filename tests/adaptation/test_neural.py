"""The whole path with torch: a tiny translator is trained, goes on after a stop, decodes, and learns corrections."""

from __future__ import annotations

import io
import json
import os
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from tertium.adaptation.base import Materials, SourceSegment, Translation, system
from tertium.adaptation.bulletins import bulletins
from tertium.adaptation.measures import MeasuredStream, repeated_errors
from tertium.adaptation.simulating import run_stream
from tertium.adaptation.streams import Stream
from tertium.errors import InputError, SpecError, TertiumError
from tertium.io.memories.pairs import Pair
from tests.adaptation.neural import LEARNERS, LIVE, memory_file, trainer

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def stream() -> Stream:
    return bulletins(1500, random_order=True)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, stream: Stream) -> str:
    """A model that has learnt to translate bulletins as the machine does that translators correct."""
    from tertium.cli import main

    folder = tmp_path_factory.mktemp("trained")
    memory = memory_file(folder / "memory.jsonl", stream)
    place = str(folder / "model")
    arguments = [
        "adapt",
        "train",
        memory,
        "-o",
        place,
        "--setting",
        "tiny",
        "--pair",
        "en-fr",
        "-f",
        "json",
        "-q",
    ]
    with redirect_stdout(io.StringIO()) as out:
        assert main([*arguments, "--set", "pieces=500", "matches=0.3"]) == 0
    result = json.loads(out.getvalue())
    scores = {own["part"]: own["chrf"] for own in result["scores"]}
    assert scores["dev"] > 60, scores
    assert result["curves"][-1]["loss"] < result["curves"][0]["loss"] / 1.5
    assert result["parameters"] < 1e6
    assert not os.path.exists(place + ".examples")
    assert not os.path.exists(place + ".state")
    return place


def test_a_stopped_training_goes_on_to_the_same_weights(tmp_path: Path, stream: Stream) -> None:
    import torch
    from safetensors.torch import load_file

    class StoppedError(Exception):
        pass

    def stop(line: str) -> None:
        raise StoppedError

    whole = trainer(tmp_path, stream, "whole")
    whole.run(keep=0)
    stopped = trainer(tmp_path, stream, "stopped", tell=stop)
    with pytest.raises(StoppedError):
        stopped.run(keep=1e-9)  # the line at step 20 stops it; a state was written at step 19
    again = trainer(tmp_path, stream, "stopped")
    again.run(keep=0)
    one, other = (load_file(tmp_path / name / "model.safetensors") for name in ("whole", "stopped"))
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_a_state_of_another_training_is_refused(tmp_path: Path, stream: Stream) -> None:
    own = trainer(tmp_path, stream, "model")
    own._keep(0.0)
    with pytest.raises(InputError, match="another training"):
        trainer(tmp_path, stream, "model", dropout=0.2).run()
    (tmp_path / "model.state").write_bytes(b"no state")
    with pytest.raises(InputError, match="not a state of training"):
        trainer(tmp_path, stream, "model").run()


def test_both_decoders_say_the_same_of_a_translation(model: str) -> None:
    from tertium.adaptation.nmt.decoding import Decoder
    from tertium.adaptation.nmt.live import LiveNetwork
    from tertium.adaptation.strategies.neural import pieces_of

    decoder, live = Decoder(model), LiveNetwork(model)
    segment = SourceSegment(
        "Snowfall warning in effect for Cape Breton.", client="winter desk", type="snowfall"
    )
    source = pieces_of(decoder.vocabulary, segment)
    found = decoder.translate([source], candidates=4, tokens=True)[0]
    assert len({own.text for own in found}) == 4
    assert len(found[0].tokens) == len(found[0].token_scores)
    assert found[0].tokens[-1] == "</s>"
    assert found[0].score == pytest.approx(sum(found[0].token_scores) / len(found[0].tokens), rel=0.05)
    target = [*decoder.vocabulary.text(found[0].text), 0]
    state = live.states(live.encode([source]), [target])
    assert float(live.likelihoods(*state)) == pytest.approx(
        decoder.likelihood([source], target)[0], rel=0.1, abs=0.5
    )
    assert live.translate(source, candidates=3)[0].text == found[0].text


def test_unknown_clients_are_translated_and_white_space_is_kept(model: str) -> None:
    own = system("nmt", Materials(model=model))
    known = own.translate(SourceSegment("Snow.", client="winter desk"))
    new = own.translate(SourceSegment("  Snow.\n", client="nobody"))
    assert known.text
    assert new.text.startswith("  ")
    assert new.text.endswith("\n")


@pytest.mark.parametrize("spec", LEARNERS)
def test_learners_learn_forget_and_come_back(spec: str, model: str, stream: Stream, tmp_path: Path) -> None:
    """Later corrections are more probable than by the static model (and nearer to what was proposed, where little is
    enough for that); a snapshot holds what was learnt."""
    items = stream.items[:80]
    materials = Materials(model=model)
    static, own = system("nmt", materials), system(spec, materials)
    log = run_stream(own, items)
    corrections = [item.correction for item in items]

    def chrf(texts: list[str]) -> float:
        return MeasuredStream(texts[40:], corrections[40:]).of("chrF")

    assert own.balance is not None
    assert own.balance > 0.5
    if spec in ("knn", "repair"):
        before = chrf([static.translate(item.segment).text for item in items])
        assert chrf([made.text for made in log.translations]) > before + 3
    learnt: list[Translation] = [own.translate(item.segment) for item in items[:5]]
    place = str(tmp_path / "learnt")
    own.snapshot(place)
    with pytest.raises(InputError, match="cannot be written"):
        own.snapshot(str(tmp_path / "no" / "folder"))
    own.forget()
    first = [made.text for made in log.translations[:1]]
    assert [own.translate(items[0].segment).text] == first
    own.restore(place)
    assert [own.translate(item.segment).text for item in items[:5]] == [made.text for made in learnt]
    other = next(name for name in LEARNERS if name != spec)
    with pytest.raises(TertiumError):
        system(other, materials).restore(place)
    (tmp_path / "cut").write_bytes(Path(place).read_bytes()[:100])
    with pytest.raises(TertiumError):
        own.restore(str(tmp_path / "cut"))


@pytest.mark.parametrize("spec", LIVE[:1])
def test_poison_brings_the_balance_back_to_static(spec: str, model: str, stream: Stream) -> None:
    """Corrections of other segments: learning stops, and the static translation comes back."""
    own = system(spec, Materials(model=model))
    items = stream.items[:160]
    for item in items[:60]:
        own.translate(item.segment)
        own.learn(item.segment, item.correction)
    lessons = []
    for item, other in zip(items[60:140], items[80:160], strict=True):
        own.translate(item.segment)
        lessons.append(own.learn(item.segment, other.correction))
    assert any("poisoned" in " ".join(lesson.reasons) for lesson in lessons)
    assert own.balance == 0.0
    static = system("nmt", Materials(model=model))
    assert own.translate(items[0].segment).text == static.translate(items[0].segment).text


def test_a_model_of_another_vocabulary_is_refused(model: str, tmp_path: Path) -> None:
    import shutil

    place = tmp_path / "model"
    shutil.copytree(model, place)
    marks = json.loads((place / "marks.json").read_text(encoding="utf-8"))
    (place / "marks.json").write_text(json.dumps(marks[:-1]), encoding="utf-8")
    with pytest.raises(InputError, match="they are not of one training"):
        system("knn", Materials(model=str(place)))
    with pytest.raises(InputError, match="no vocabulary"):
        system("nmt", Materials(model=str(tmp_path)))


def test_a_restored_snapshot_of_another_vocabulary_is_refused(model: str, tmp_path: Path) -> None:
    import torch

    own: Any = system("knn", Materials(model=model))
    place = tmp_path / "learnt"
    own.snapshot(str(place))
    whole = torch.load(place, weights_only=True)
    torch.save({**whole, "pieces": 7}, place)
    with pytest.raises(InputError, match="another vocabulary"):
        own.restore(str(place))


def test_a_model_is_trained_further_on_what_diverges(model: str, stream: Stream, tmp_path: Path) -> None:
    """Its sizes and its vocabulary stay; what it has learnt is where it begins."""
    from tertium.adaptation.nmt.learning import train_translator

    memory = memory_file(tmp_path / "memory.jsonl", stream)
    changes = {"steps": 20, "rate": 1e-4, "hard": 0.5}
    own = train_translator(
        memory, str(tmp_path / "harder"), start=model, changes=changes, pair=Pair("en", "fr")
    )
    with open(os.path.join(model, "training.json"), encoding="utf-8") as file:
        before = json.load(file)
    assert (own.parameters, own.pieces, own.steps) == (before["parameters"], before["vocabulary"], 20)
    assert own.held_out["dev"] < before["held out"]["dev"] + 0.3  # from the beginning it would be 5 and more
    with pytest.raises(SpecError, match="width=64: the model of --start has 96"):
        train_translator(memory, str(tmp_path / "other"), start=model, changes={"width": 64})


def test_a_model_is_the_machine_translation_where_no_other_is_given(model: str, stream: Stream) -> None:
    materials = Materials(model=model, pair=Pair("en", "fr"))
    segment = stream.items[0].segment
    assert (
        system("static", materials).translate(segment).text
        == system("nmt", materials).translate(segment).text
    )
    items = stream.items[:80]
    corrections = [item.correction for item in items]

    def texts(spec: str) -> list[str]:
        return [made.text for made in run_stream(system(spec, materials), items).translations]

    static, terms = texts("nmt"), texts("terms")
    chrf = [MeasuredStream(own[40:], corrections[40:]).of("chrF") for own in (static, terms)]
    assert chrf[1] > chrf[0] + 3
    rates = [repeated_errors(own, corrections, "fr").rate or 0.0 for own in (static, terms)]
    assert rates[1] < rates[0] / 2

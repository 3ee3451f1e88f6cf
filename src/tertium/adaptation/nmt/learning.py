"""`tertium adapt train`: from a memory to a translator in one call, which can be stopped and gone on with."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tertium.adaptation.nmt import examples
from tertium.adaptation.nmt.batching import PARTS
from tertium.adaptation.nmt.examples import TaggedPair
from tertium.adaptation.nmt.pieces import PieceVocabulary, framed, sentencepiece
from tertium.adaptation.nmt.settings import NetworkSetting
from tertium.adaptation.nmt.settings import setting as setting_named
from tertium.errors import InputError, SpecError
from tertium.io.memories.pairs import Pair
from tertium.memory.reading import Source
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.adaptation.nmt.decoding import Decoder
    from tertium.io.tables import Table

_PREPARED = "prepared.json"  # what examples were made of
SIZES = ("pieces", "width", "encoder", "decoder", "heads", "inner")  # what a model cannot change
_SCORED = 2000  # held-out sources that are translated in the end


@dataclass(frozen=True)
class HeldOutScores:
    """BLEU and chrF of a part that was not learnt from."""

    part: str
    segments: int
    bleu: float
    chrf: float


@dataclass(frozen=True)
class TrainedTranslator(Result):
    """A model that was trained: on how much, how long, and what it is worth on what it has not seen."""

    kind: ClassVar[str] = "trained translator"

    model: str
    pairs: int
    pieces: int
    parameters: int
    steps: int
    minutes: float
    device: str
    held_out: dict[str, float]  # cross-entropy of a piece, in nats
    scores: tuple[HeldOutScores, ...]
    curves: tuple[dict[str, float], ...]

    def words(self) -> Iterator[str]:
        yield (
            f"{self.model}: {self.parameters:,} weights learnt from {self.pairs:,} pairs in {self.steps:,} steps,"
            f" {self.minutes:.1f} minutes ({self.device})."
        )

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        columns = (
            Column("held out", "part"),
            number_column("segments", digits=0),
            number_column("BLEU", "bleu", 1),
            number_column("chrF", "chrf", 1),
        )
        rows = tuple((own.part, own.segments, own.bleu, own.chrf) for own in self.scores)
        return Table("On what it has not seen", columns, rows)


def train_translator(
    memory: str,
    output: str,
    *,
    setting: str = "base",
    changes: dict[str, Any] | None = None,
    since: str = "",
    minutes: float = 0.0,
    pair: Pair | None = None,
    threads: int = 1,
    start: str = "",
    mixed: bool = False,
    tell: Callable[[str], None] | None = None,
) -> TrainedTranslator:
    """Trains on a memory; units of the day `since` and later are for the test. With `start`, a model is trained
    further: its sizes and its vocabulary stay.

    What it is made of lies in `OUTPUT.examples` while it works, its state in `OUTPUT.state`: the same call goes on
    behind it.
    """
    from tertium.adaptation.nmt.network import torch, transformers
    from tertium.adaptation.nmt.training import Trainer

    sentencepiece(), torch(), transformers()  # what is missing is said at once
    chosen = setting_named(setting, **(changes or {}))
    if start:
        chosen = continued(start, chosen, changes or {})
    if os.path.exists(output) and not os.path.exists(os.path.join(output, "training.json")):
        raise InputError(f"{output}: is there already, and is no model")
    folder = f"{output}.examples"
    _prepared(Source(memory, pair=pair), folder, chosen, since, threads, start)
    processes = encoders("cuda" if torch().cuda.is_available() else "cpu")
    trainer = Trainer(
        folder,
        chosen,
        output,
        tell=tell or (lambda line: None),
        processes=processes,
        mixed=mixed,
        start=start,
    )
    trainer.run(minutes=minutes, evaluate=max(100, chosen.steps // 10 // 100 * 100))
    scores = tuple(scored(output, folder))
    with open(os.path.join(output, "training.json"), encoding="utf-8") as file:
        facts = json.load(file)
    shutil.rmtree(folder, ignore_errors=True)
    return TrainedTranslator(
        output,
        facts["examples"],
        facts["vocabulary"],
        facts["parameters"],
        facts["steps"],
        facts["seconds"] / 60,
        facts["device"],
        facts["held out"],
        scores,
        tuple(facts["curves"]),
    )


def encoders(device: str) -> int:
    """Processes that encode the next epoch while one is learnt: a GPU would wait for a single one most of the time; on
    a CPU the cores learn.

    >>> encoders("cpu"), 1 <= encoders("cuda") <= PARTS
    (0, True)
    """
    return 0 if device == "cpu" else max(1, min(PARTS, (os.cpu_count() or 1) - 1))


def continued(start: str, chosen: NetworkSetting, changes: dict[str, Any]) -> NetworkSetting:
    """The setting of a model that is trained further: as it was trained, with these changes and so many steps."""
    try:
        with open(os.path.join(start, "training.json"), encoding="utf-8") as file:
            was = json.load(file)["setting"]
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{start}: no model that can be trained further (training.json)") from None
    for name in SIZES:
        if changes.get(name, was[name]) != was[name]:
            raise SpecError(f"{name}={changes[name]}: the model of --start has {was[name]}, which stays")
    return chosen.with_(**{**was, **changes})


def _prepared(
    source: Source, folder: str, setting: NetworkSetting, since: str, threads: int, start: str = ""
) -> None:
    """Examples in a folder: those that lie there, if they were made of the same, or new ones."""
    from tertium.adaptation.nmt.preparing import prepare

    source.check()
    state = os.stat(source.path)
    facts = {
        "memory": [os.path.abspath(source.path), state.st_size, state.st_mtime_ns],
        "setting": {
            name: value for name, value in setting.data().items() if name in ("pieces", "matches", "seed")
        },
        "since": since,
        "pair": str(source.pair or ""),
        "hard": bool(setting.hard),
        "start": start,
    }
    place = os.path.join(folder, _PREPARED)
    if os.path.exists(place):
        with open(place, encoding="utf-8") as file:
            if json.load(file) == facts:
                return
    vocabulary = PieceVocabulary.load(start) if start else None
    prepare(source.open(), folder, setting, since=since, threads=threads, vocabulary=vocabulary)
    with open(place, "w", encoding="utf-8") as file:
        json.dump(facts, file)


def scored(model: str, folder: str, parts: Sequence[str] = ("dev", "test")) -> list[HeldOutScores]:
    """BLEU and chrF of held-out parts, without matches and with them, where there are any."""
    from tertium.adaptation.nmt.decoding import Decoder

    decoder = Decoder(model)
    found: list[HeldOutScores] = []
    for part in parts:
        rows = examples.read(folder, part)[:_SCORED]
        ways = (False, True) if any(own.match for own in rows) else (False,)
        for match in ways if rows else ():
            outputs = translated(decoder, rows, match=match)
            found.append(_scores(f"{part}, with matches" if match else part, rows, outputs))
    return found


def translated(decoder: Decoder, rows: Sequence[TaggedPair], *, match: bool = False) -> list[str]:
    """Translations of examples."""
    sources = [decoder.vocabulary.source(own, match=match, longest=400) for own in rows]
    found = decoder.translate(sources)
    return [framed(own.source, lists[0].text) for own, lists in zip(rows, found, strict=True)]


def _scores(part: str, rows: Sequence[TaggedPair], outputs: Sequence[str]) -> HeldOutScores:
    from tertium.registry import metric

    references = [row.target for row in rows]
    bleu, chrf = (metric(name).score(list(outputs), references) or 0.0 for name in ("bleu", "chrf"))
    return HeldOutScores(part, len(rows), float(bleu), float(chrf))


def number_changes(given: Sequence[str]) -> dict[str, Any]:
    """Settings by NAME=NUMBER.

    >>> number_changes(["steps=100", "dropout=0.2"])
    {'steps': 100, 'dropout': 0.2}
    """
    found: dict[str, Any] = {}
    for own in given:
        name, _, value = own.partition("=")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = None
        if not isinstance(found[name], (int, float)):
            raise SpecError(f"{own}: NAME=NUMBER is expected, as in dropout=0.2")
    return found

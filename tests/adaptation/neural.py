"""A tiny memory and tiny trainings for tests of neural systems."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.adaptation.nmt.preparing import prepare
from tertium.adaptation.nmt.settings import setting
from tertium.adaptation.streams import Stream
from tertium.io.memories.unit import Unit

if TYPE_CHECKING:
    from tertium.adaptation.nmt.training import Trainer

LIVE = ("knn", "finetune:rate=0.0003", "adapters:rate=0.002")
LEARNERS = (*LIVE, "repair")


def memory_file(place: Path, stream: Stream) -> str:
    """What a machine made of the sources of a stream, as a memory."""
    with place.open("w", encoding="utf-8") as file:
        for item in stream.items:
            row = {"source": item.segment.source, "target": item.mt, "client": item.segment.client}
            file.write(json.dumps({**row, "domain": item.segment.type}, ensure_ascii=False) + "\n")
    return str(place)


def units(stream: Stream) -> list[Unit]:
    """The same as units."""
    return [
        Unit(item.segment.source, item.mt or "", "en", "fr", client=item.segment.client)
        for item in stream.items
    ]


def trainer(
    folder: Path,
    stream: Stream,
    name: str,
    *,
    tell: Callable[[str], None] = lambda line: None,
    dropout: float = 0.1,
) -> Trainer:
    """A training of a few steps."""
    from tertium.adaptation.nmt.training import Trainer

    chosen = setting(
        "tiny", pieces=400, steps=30, tokens=400, width=32, inner=64, sampling=0.1, dropout=dropout
    )
    place = str(folder / "examples")
    if not (folder / "examples").exists():
        prepare(units(stream), place, chosen)
    return Trainer(place, chosen, str(folder / name), tell=tell, every=20)

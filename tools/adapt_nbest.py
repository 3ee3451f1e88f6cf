"""What a model says of streams: its translation with the scores of its tokens, and its best candidates.

    python -m tools.adapt_nbest STREAM.jsonl... --model MODEL -o SAID.jsonl.gz --candidates 20 --workers 8

writes a line for each different segment: what `nmt` translates (with the log-probability of each token), and the best
candidates of a beam of as many. `tools/adapt_replay.py` plays it back for `tertium adapt route`, `sanctioned` and
`simulate`, which then need no network. Batches of segments of one length take a tenth of the time of single ones.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from tertium.adaptation.base import SourceSegment
from tertium.adaptation.nmt.decoding import Decoder, converted
from tertium.adaptation.nmt.pieces import framed
from tertium.adaptation.strategies.making import BEAM
from tertium.adaptation.strategies.neural import pieces_of

GROUP = 64  # segments that are decoded together
_own: dict[str, Any] = {}


def _begin(model: str, candidates: int) -> None:
    _own.update(decoder=Decoder(model, beam=BEAM, threads=1), candidates=candidates)


def _said(group: Sequence[SourceSegment]) -> list[dict[str, Any]]:
    """A row for each segment."""
    decoder: Decoder = _own["decoder"]
    sources = [pieces_of(decoder.vocabulary, segment) for segment in group]
    first = decoder.translate(sources, tokens=True)
    size = _own["candidates"]
    best = decoder.translate(sources, candidates=size) if size > 1 else first
    return [
        {
            "source": segment.source,
            "client": segment.client,
            "type": segment.type,
            "mt": framed(segment.source, own[0].text),
            "tokens": list(own[0].tokens),
            "token_scores": [round(value, 4) for value in own[0].token_scores],
            "candidates": [framed(segment.source, one.text) for one in others],
        }
        for segment, own, others in zip(group, first, best, strict=True)
    ]


def segments_of(paths: Sequence[str]) -> list[SourceSegment]:
    """Different segments, as a network sees them, in the order of the streams."""
    found: dict[SourceSegment, None] = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for row in map(json.loads, file):
                found[SourceSegment(row["source"].strip(), row["client"], type=row.get("type", ""))] = None
    return list(found)


def main() -> None:
    """Writes the file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("streams", nargs="+")
    parser.add_argument("--model", required=True)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--candidates", type=int, default=20)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    segments = segments_of(given.streams)
    segments.sort(key=lambda own: len(own.source))
    groups = [segments[place : place + GROUP] for place in range(0, len(segments), GROUP)]
    groups.reverse()  # the longest first
    converted(given.model)
    begun = time.monotonic()
    part = given.output + ".part"
    with (
        gzip.open(part, "wt", encoding="utf-8") as file,
        ProcessPoolExecutor(
            given.workers, get_context("spawn"), initializer=_begin, initargs=(given.model, given.candidates)
        ) as pool,
    ):
        for number, rows in enumerate(pool.map(_said, groups), 1):
            for row in rows:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
            if number % 50 == 0:
                print(f"{number} of {len(groups)} groups, {time.monotonic() - begun:.0f} s", flush=True)
    os.replace(part, given.output)
    print(f"{given.output}: {len(segments):,} segments, {time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    main()

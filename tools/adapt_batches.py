"""Static and repaired translations of streams, in batches: the outputs that `nmt` and `repair` give segment by segment.

    python -m tools.adapt_batches STREAM.jsonl... --model MODEL --memory MEMORY --before DAY --recorded FOLDER

Corrections of a stream of references are known beforehand, and what is repaired depends on those before it alone; so
all inputs can be made first, decoded together (a tenth of the time), and the weights of matches learnt afterwards in
order. `--check N` runs the systems themselves over the first N segments, and says how many translations differ.
"""

from __future__ import annotations

import argparse
import json
import os

from tertium.adaptation.base import Materials
from tertium.adaptation.nmt.decoding import Decoder
from tertium.adaptation.nmt.examples import TaggedPair
from tertium.adaptation.nmt.pieces import framed
from tertium.adaptation.strategies.neural import LONGEST, pieces_of
from tertium.adaptation.strategies.repairing import SHOWN, Repair, band
from tertium.adaptation.strategies.stores import Corrections, before
from tertium.adaptation.streams import StreamItem, read_stream
from tertium.io.memories.pairs import Pair


def recorded(decoder: Decoder, own: Repair, items: tuple[StreamItem, ...]) -> tuple[list[str], list[str]]:
    """Static translations, and repaired ones."""
    vocabulary = decoder.vocabulary
    plain, shown, places, matches = [], [], [], []
    for place, item in enumerate(items):
        plain.append(pieces_of(vocabulary, item.segment))
        match = own.stored.best(item.segment)
        matches.append(match)
        if match is not None and not (match.likeness == 1.0 and match.corrected):
            shown.append(own.with_match(item.segment, match.target, match.likeness))
            places.append(place)
        own.stored.add(item.segment, item.correction)
    outputs = [lists[0].text for lists in decoder.translate([*plain, *shown])]
    static = [framed(item.segment.source, text) for item, text in zip(items, outputs, strict=False)]
    repaired = dict(zip(places, outputs[len(plain) :], strict=True))
    with_, without = dict(zip(places, shown, strict=True)), dict(enumerate(plain))
    final = []
    for place, (item, match) in enumerate(zip(items, matches, strict=True)):
        if match is None:
            final.append(static[place])
            continue
        if place not in repaired:
            final.append(match.target)
            continue
        weight = own.bands[band(match.likeness)]
        text = framed(item.segment.source, repaired[place])
        final.append(text if weight.value >= SHOWN else static[place])
        if match.likeness < 1.0:
            target = vocabulary.target(TaggedPair("", item.correction.strip()), longest=LONGEST)
            dynamic, other = decoder.likelihood([with_[place], without[place]], target)
            weight.learn((dynamic - other) / len(target))
    return static, final


def main() -> None:
    """Writes the outputs as tools/adapt_streams.py does."""
    parser = argparse.ArgumentParser()
    parser.add_argument("streams", nargs="+")
    parser.add_argument("--model", required=True)
    parser.add_argument("--memory")
    parser.add_argument("--before", default="")
    parser.add_argument("--recorded", required=True)
    parser.add_argument("--check", type=int, default=0)
    given = parser.parse_args()
    decoder = Decoder(given.model, beam=3, threads=1)
    materials = Materials(
        memory=given.memory, model=given.model, pair=Pair.parse("en-fr"), before=given.before
    )
    for path in given.streams:
        items = read_stream(path).items
        own = Repair(decoder, Corrections(before(materials)))
        found = dict(zip(("nmt", "repair"), recorded(decoder, own, items), strict=True))
        stem = os.path.basename(path).removesuffix(".jsonl")
        for name, texts in found.items():
            with open(os.path.join(given.recorded, f"{stem}.{name}.jsonl"), "w", encoding="utf-8") as file:
                for text in texts:
                    row = {"mt": text, "balance": own.balance if name == "repair" else None}
                    file.write(
                        json.dumps(row | {"translate": None, "learn": None}, ensure_ascii=False) + "\n"
                    )
        print(stem, {step: round(weight.value, 3) for step, weight in own.bands.items()}, flush=True)
        if given.check:
            live = Repair(decoder, Corrections(before(materials)))
            other = 0
            for item, text in zip(items[: given.check], found["repair"], strict=False):
                other += live.translate(item.segment).text != text
                live.learn(item.segment, item.correction)
            print(f"{stem}: {other} of {given.check} differ segment by segment", flush=True)


if __name__ == "__main__":
    main()

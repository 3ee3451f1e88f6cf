"""Runs strategies over streams on a machine without the core (a GPU): outputs only, to be scored where the core is.

    PYTHONPATH=src python -m tools.adapt_streams MODEL OUT STREAM.jsonl SPEC [SPEC...]

writes a line for each segment: what each system proposed before it saw the correction, its balance and its seconds;
`tools/adapt_replay.py` plays them back, so that `tertium adapt simulate` scores them. There is no gate: streams are
clean.
"""

from __future__ import annotations

import json
import os
import sys
import time

from tertium.adaptation.base import SYSTEMS, SourceSegment
from tertium.adaptation.nmt.live import LiveNetwork
from tertium.adaptation.strategies.neural import NeuralSystem, pieces_of, translation_of
from tertium.registry import parse_spec


def run(model: str, out: str, stream: str, specs: list[str]) -> None:
    """Each system over the stream, one after the other."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    with open(stream, encoding="utf-8") as file:
        items = [json.loads(line) for line in file]
    for spec in specs:
        name, _, options = parse_spec(spec)
        live = LiveNetwork(model, device=device)
        own = None
        if name != "static":
            made = SYSTEMS[name]
            assert issubclass(made, NeuralSystem)
            own = made(live, None, **{key: json.loads(value) for key, value in options.items()})
        stem = os.path.basename(stream).removesuffix(".jsonl")
        place = os.path.join(out, f"{stem}.{spec.translate(str.maketrans(':,=', '---'))}.jsonl")
        begun = time.monotonic()
        with open(place, "w", encoding="utf-8") as file:
            for item in items:
                segment = SourceSegment(
                    item["source"].strip(), item["client"], item["document"], type=item.get("type", "")
                )
                start = time.perf_counter()
                if own is None:
                    found = live.translate(pieces_of(live.vocabulary, segment))
                    text, balance = translation_of(segment, found).text, None
                else:
                    got = own.translate(segment)
                    text, balance = got.text, got.balance
                middle = time.perf_counter()
                if own is not None:
                    own.learn(segment, item["reference"].strip())
                end = time.perf_counter()
                row = {"mt": text, "balance": balance, "translate": middle - start, "learn": end - middle}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        print(os.path.basename(place), f"{time.monotonic() - begun:.0f} s", flush=True)


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])

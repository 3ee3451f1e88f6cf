"""`knn` over streams in batches, by greedy search: each segment sees the states of the corrections before it alone.

    python -m tools.adapt_neighbours STREAM.jsonl... --model MODEL --recorded FOLDER

Corrections of a stream of references are known beforehand, so their decoder states can be computed together; a segment
is then decoded beside others, each with its own part of the store and its own balance. Beam search, which the system
itself has, is not done here: what is printed for `knn` is by greedy search.
"""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

from tertium.adaptation.nmt.examples import TaggedPair
from tertium.adaptation.nmt.live import LiveNetwork
from tertium.adaptation.nmt.pieces import framed
from tertium.adaptation.strategies.neighbours import StateNeighbours
from tertium.adaptation.strategies.neural import LONGEST, pieces_of
from tertium.adaptation.streams import StreamItem, read_stream

SIZE = 48  # segments of a batch


def recorded(live: LiveNetwork, items: tuple[StreamItem, ...]) -> list[tuple[str, float]]:
    """Translations with the balance of each."""
    torch, vocabulary = live.torch, live.vocabulary
    own = StateNeighbours(live)
    sources = [pieces_of(vocabulary, item.segment) for item in items]
    targets = [vocabulary.target(TaggedPair("", item.correction.strip()), longest=LONGEST) for item in items]
    seen: list[tuple[int, float, float]] = []  # of each segment: states stored, their spread, the balance
    with torch.no_grad():
        order = sorted(range(len(items)), key=lambda place: len(targets[place]))
        states: dict[int, Any] = {}
        for begin in range(0, len(order), SIZE):
            group = order[begin : begin + SIZE]
            found, _ = live.states(live.encode([sources[i] for i in group]), [targets[i] for i in group])
            states |= {i: row[: len(targets[i])].clone() for i, row in zip(group, found, strict=True)}
        for place, target in enumerate(targets):
            seen.append((own.size, own.spread, own.balance))
            ids, static = torch.tensor(target), live.log_probabilities(states[place])
            gain = 0.0
            if own.size:
                mixed = own._mixed(states[place], static, 0.9)
                gain = float((mixed - static).gather(1, ids[:, None]).mean())
            own._store(states[place], ids)
            own.weight.learn(gain)
        texts = [""] * len(items)
        order = sorted(range(len(items)), key=lambda place: len(sources[place]))
        for begin in range(0, len(order), SIZE):
            group = order[begin : begin + SIZE]
            pieces = _greedy(own, [sources[i] for i in group], [seen[i] for i in group])
            for i, row in zip(group, pieces, strict=True):
                texts[i] = framed(items[i].segment.source, vocabulary.read(row))
    return [(text, balance) for text, (_, _, balance) in zip(texts, seen, strict=True)]


def _greedy(
    own: StateNeighbours, sources: list[list[int]], seen: list[tuple[int, float, float]]
) -> list[list[int]]:
    live, torch = own.live, own.live.torch
    encoded, mask = live.encode(sources)
    last = torch.full((len(sources), 1), live.vocabulary.pad)
    stored = torch.tensor([size for size, _, _ in seen])
    spread = torch.tensor([max(value, 1e-9) for _, value, _ in seen])[:, None]
    weight = torch.tensor([value for _, _, value in seen])[:, None]
    beyond = torch.arange(own.size)[None, :] >= stored[:, None]
    pieces: list[list[int]] = [[] for _ in sources]
    done = [False] * len(sources)
    cache = None
    for _ in range(20 + 2 * max(map(len, sources))):
        out = live.decoder(
            input_ids=last,
            encoder_hidden_states=encoded,
            encoder_attention_mask=mask,
            past_key_values=cache,
            use_cache=True,
        )
        cache, hidden = out.past_key_values, out.last_hidden_state[:, -1]
        chances = live.log_probabilities(hidden).exp()
        keys = own.keys[: own.size]
        far = (hidden * hidden).sum(1, keepdim=True) + own.norms[: own.size] - 2 * hidden @ keys.T
        near, places = far.clamp(min=0).masked_fill(beyond, 1e12).topk(own.neighbours, dim=1, largest=False)
        near = near / (spread * own.temperature)
        share = weight * torch.exp(-near[:, :1] / 4)
        chances = chances * (1 - share)
        chances.scatter_add_(1, own.values[places], torch.softmax(-near, dim=1) * share)
        last = chances.argmax(1, keepdim=True)
        for place, piece in enumerate(last[:, 0].tolist()):
            if not done[place]:
                pieces[place].append(piece)
                done[place] = piece == live.vocabulary.end
        if all(done):
            break
    return pieces


def main() -> None:
    """Writes the outputs as tools/adapt_streams.py does."""
    parser = argparse.ArgumentParser()
    parser.add_argument("streams", nargs="+")
    parser.add_argument("--model", required=True)
    parser.add_argument("--recorded", required=True)
    given = parser.parse_args()
    live = LiveNetwork(given.model)
    for path in given.streams:
        stem = os.path.basename(path).removesuffix(".jsonl")
        with open(os.path.join(given.recorded, f"{stem}.knn.jsonl"), "w", encoding="utf-8") as file:
            for text, balance in recorded(live, read_stream(path).items):
                row = {"mt": text, "balance": balance, "translate": None, "learn": None}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        print(stem, flush=True)


if __name__ == "__main__":
    main()

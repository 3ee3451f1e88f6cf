"""A machine translation that plays back what tools/adapt_nbest.py wrote, by the protocol of `--mt` (docs/adapt.md).

    tertium adapt simulate STREAM --mt 'python -m tools.adapt_replay SAID.jsonl.gz' ...

Its score is the geometric mean of its tokens' probabilities, or what `--scores FILE` says: a JSON object of numbers
from 0 to 1, by source and client (`SOURCE<tab>CLIENT`). One candidate is what `nmt` says; of several, the first is the
best of that beam.
"""

from __future__ import annotations

import argparse
import gzip
import json
import math
import sys
from typing import Any

Said = dict[tuple[str, str], dict[str, Any]]


def read(path: str) -> Said:
    """Rows by source and client."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return {(row["source"], row["client"]): row for row in map(json.loads, file)}


def score(row: dict[str, Any]) -> float:
    """The geometric mean of the tokens' probabilities.

    >>> round(score({"token_scores": [-0.5, -1.5]}), 3)
    0.368
    """
    values = row["token_scores"]
    return min(1.0, math.exp(sum(values) / max(len(values), 1)))


def answer(said: Said, scores: dict[str, float], question: dict[str, Any]) -> dict[str, Any]:
    """What is answered to a question."""
    row = said.get((question["source"].strip(), question.get("client", "")))
    if row is None:
        return {"id": question["id"], "error": f"nothing was recorded for {question['source'][:60]!r}"}
    number = int(question.get("candidates", 1))
    texts = row["candidates"][:number] if number > 1 else [row["mt"]]
    known = scores.get(f"{row['source']}\t{row['client']}")
    return {
        "id": question["id"],
        "translation": texts[0],
        "others": texts[1:],
        "score": score(row) if known is None else known,
    }


def main() -> None:
    """Answers questions until there are no more."""
    parser = argparse.ArgumentParser()
    parser.add_argument("said")
    parser.add_argument("--scores")
    given = parser.parse_args()
    hello = {"name": "recorded", "version": "1", "stays": True, "verbs": ["translate"]}
    print(json.dumps(hello), flush=True)  # at once: reading takes longer
    said = read(given.said)
    scores: dict[str, float] = {}
    if given.scores:
        with open(given.scores, encoding="utf-8") as file:
            scores = json.load(file)
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(answer(said, scores, json.loads(line)), ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()

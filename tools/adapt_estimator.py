"""Scores of recorded machine translations by an estimator of theirs, for `tools/adapt_replay.py --scores`.

    python -m tools.adapt_estimator HELD.jsonl STREAM.jsonl... --said SAID.jsonl.gz -o FOLDER

HELD is a stream of documents that the network was not trained on. The estimator learns from every second of them (by
size) what its translations save, with the log-probabilities of their tokens; scores.json has its estimates of
everything in the streams, and calibrate.jsonl the other documents, to calibrate on.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from tertium.estimation.estimator import edit_rates, trained
from tertium.io.translations import Translations
from tools.adapt_replay import Said, read, score

Row = dict[str, Any]


def rows_of(path: str) -> list[Row]:
    """The rows of a stream."""
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def key(row: Row) -> tuple[str, str]:
    return row["source"].strip(), row["client"]


def texts_of(rows: Sequence[Row], said: Said) -> Translations:
    """The recorded translations of rows, with what was written."""
    found = [said[key(row)] for row in rows]
    return Translations(
        "recorded",
        [own["source"] for own in found],
        [own["mt"] for own in found],
        post_edits=[row["reference"].strip() for row in rows],
        pieces=[own["tokens"] for own in found],
        token_scores=[own["token_scores"] for own in found],
    )


def halves(rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Every second document by size, and the others."""
    sizes = Counter((row["client"], row["document"]) for row in rows)
    first = set(sorted(sizes, key=lambda own: (-sizes[own], own))[::2])
    return (
        [row for row in rows if (row["client"], row["document"]) in first],
        [row for row in rows if (row["client"], row["document"]) not in first],
    )


def main() -> None:
    """Writes the scores, and says what they and the mean probability are worth on documents left out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("held")
    parser.add_argument("streams", nargs="*")
    parser.add_argument("--said", required=True)
    parser.add_argument("-o", "--output", required=True)
    given = parser.parse_args()
    said = read(given.said)
    learn, calibrate = halves(rows_of(given.held))
    estimator = trained(texts_of(learn, said), target="saved", pair="en-fr")
    with open(os.path.join(given.output, "calibrate.jsonl"), "w", encoding="utf-8") as file:
        for row in calibrate:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    texts = texts_of(calibrate, said)
    saved = 1.0 - edit_rates(texts.translations, texts.post_edits or ())
    mean = [score(said[key(row)]) for row in calibrate]
    for name, values in (("estimator", estimator.estimates(texts, pair="en-fr")), ("mean probability", mean)):
        print(f"{name}: r {np.corrcoef(values, saved)[0, 1]:.3f} with edits saved, {len(calibrate)} segments")
    asked = {key(row): row for path in (given.held, *given.streams) for row in rows_of(path)}
    values = estimator.estimates(texts_of(list(asked.values()), said), pair="en-fr")
    scores = {"\t".join(own): round(float(value), 4) for own, value in zip(asked, values, strict=True)}
    with open(os.path.join(given.output, "scores.json"), "w", encoding="utf-8") as file:
        json.dump(scores, file, ensure_ascii=False)
    print(f"learnt from {len(learn)} segments; {len(scores):,} scores")


if __name__ == "__main__":
    main()

"""`tertium nbest score`: score the candidates of an n-best list, choose the best, put them in a new order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tertium.cli.options import (
    NO_PSEUDO,
    files_named,
    how_to_read,
    input_options,
    metrics_option,
    print_options,
    width_option,
)
from tertium.cli.parsing import Names, Several, command_of, option, written
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.nbest import NBestScores, NBestSelections


@command_of(
    "score",
    *input_options(*NO_PSEUDO, "input", "tsv", "documents", "metadata", "project"),
    option("-i", "--input", metavar="LIST", default="-", help="The n-best list (standard input)."),
    metrics_option("bleu", help="Metrics (bleu); the oracles are chosen by the first."),
    Several(
        "--weights",
        type=float,
        metavar="W",
        help="A weight for each metric in reranking (1 for the first, 0 for the others).",
    ),
    option("--model-weight", type=float, default=0.0, help="Weight of the list's own scores (0)."),
    written("--scores", metavar="FILE", help="Write the segment scores of all candidates, as TSV."),
    written("--oracle", metavar="FILE", help="Write the best candidate of each sentence."),
    written(
        "--corpus-oracle",
        metavar="FILE",
        help="Write the candidates with the best corpus score (greedy).",
    ),
    written("--reranked", metavar="FILE", help="Write the list in its new order, with the new scores."),
    written("--best", metavar="FILE", help="Write the first candidate of each sentence in the new order."),
    *print_options(),
    width_option(2),
    reads=("REFERENCE -i CANDIDATES --source SOURCE --scores OUTPUT",),
)
def command(references: Names, input: str, metrics: Names, **given: Any) -> NBestSelections:
    """Score the candidates of an n-best list, choose the best, put them in a new order.

    LIST is in Moses' format: sentence ||| hypothesis ||| features ||| score, sentences counted from 0.
    Prints the corpus scores of the first candidates, of both oracles and of the first after reranking.

    \b
    tertium nbest ref.txt -i list.nbest -m bleu chrf --oracle best.txt --scores scores.tsv
    tertium nbest ref.txt -i list.nbest -m chrf ter --weights 1 0.5 --model-weight 2 --reranked new.nbest
    """
    from tertium import registry
    from tertium.io.nbest import read_nbest
    from tertium.nbest import score_nbest
    from tertium.scoring import check_sources

    if [*references, input, given["source"]].count("-") > 1:
        raise InputError("standard input can be read only once: name a file for the other texts")
    chosen = [registry.metric(spec) for spec in metrics]
    weights = _weights(given["weights"], len(chosen))
    if not math.isfinite(given["model_weight"]):
        raise InputError("--model-weight must be a finite number")
    inputs = files_named(references, (), given).open(whole=True, outputs=False)
    check_sources(chosen, inputs.has_sources)
    nbest = read_nbest(input, **how_to_read(given))
    (texts,) = inputs.batches
    if texts.n_segments != nbest.n_sentences:
        raise InputError(
            f"{input}: has candidates of {nbest.n_sentences} sentences, but {references[0]} has "
            f"{texts.n_segments} lines"
        )
    scores = score_nbest(nbest, texts.references, metrics, sources=texts.sources, threads=given["threads"])
    combination: dict[Any, float] = dict(zip(metrics, weights, strict=True))
    found = scores.selections(combination, model_weight=given["model_weight"], digits=given["width"])
    _write_files(scores, found, combination, given)
    return found


def _weights(given: Sequence[float], number: int) -> list[float]:
    if not all(map(math.isfinite, given)):
        raise InputError("--weights must be finite numbers")
    if not given:
        return [1.0, *[0.0] * (number - 1)]
    if len(given) != number:
        raise InputError(f"--weights has {len(given)} numbers for {number} metrics: give one for each")
    return list(given)


def _write_files(
    scores: NBestScores, selections: NBestSelections, weights: dict[Any, float], given: dict[str, Any]
) -> None:
    """The files asked for: each appears whole or not at all."""
    order = scores.reranked(weights, model_weight=given["model_weight"])
    combined = scores.combined(weights, model_weight=given["model_weight"])[order]
    wanted: dict[str, Callable[[], Iterator[str]]] = {
        "scores": lambda: scores.lines(given["width"]),
        "oracle": lambda: iter(selections["oracle"].texts(scores.nbest)),
        "corpus_oracle": lambda: iter(selections["corpus oracle"].texts(scores.nbest)),
        "reranked": lambda: scores.nbest.lines(order.tolist(), combined.tolist()),
        "best": lambda: iter(selections["reranked"].texts(scores.nbest)),
    }
    from tertium.io.files import write_atomically

    for name, lines in wanted.items():
        if given[name] is None:
            continue
        with write_atomically(given[name]) as file:
            file.writelines(line + "\n" for line in lines())

"""`tertium nbest rerank`: candidates in the order that weights give, without references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import how_to_read, print_options, quiet_option, reading_options
from tertium.cli.parsing import command_of, option, written

if TYPE_CHECKING:
    from tertium.tuning.reranking import RerankedLists


@command_of(
    "rerank",
    click.Argument(["input"], metavar="FILE"),
    option("--weights", metavar="FILE", required=True, help="Weights of features: Moses' ini, or a table."),
    written("--reranked", metavar="FILE", help="Write the list in its new order, with the new scores."),
    written("--best", metavar="FILE", help="Write the first candidate of each sentence in the new order."),
    *reading_options(),
    quiet_option(),
    *print_options(),
    reads=("CANDIDATES --weights FEATUREWEIGHTS --best OUTPUT",),
)
def command(input: str, **given: Any) -> RerankedLists:
    """Put the candidates of an n-best list in the order that weights of their features give. Needs no references.

    \b
    tertium nbest rerank list.nbest --weights weights.ini --best best.txt
    """
    from tertium.io.files import write_atomically
    from tertium.io.nbest import read_nbest
    from tertium.io.nbestfeatures import FeatureLists, read_weights
    from tertium.tuning.reranking import rerank

    weights = read_weights(given["weights"])
    lists = FeatureLists.of(read_nbest(input, **how_to_read(given)))
    found = rerank(lists, weights, given["weights"])
    for name, lines in (("reranked", found.list_lines), ("best", found.best)):
        if given[name] is not None:
            with write_atomically(given[name]) as file:
                file.writelines(f"{line}\n" for line in lines())
    return found

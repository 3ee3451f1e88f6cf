"""`tertium doc`: what holds a text together, beyond its sentences."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.group import Commands
from tertium.cli.options import print_options
from tertium.cli.parsing import command_of


@command_of(
    "coref",
    click.Argument(["key"], metavar="FILE"),
    click.Argument(["response"], metavar="FILE"),
    *print_options(),
    reads=("CHAINS RESOLVED", "COREFUD CHAINS"),
    short="Score coreference chains: MUC, B-cubed, CEAF, LEA, BLANC.",
)
def _coref(key: str, response: str, **_given: Any) -> Any:
    """Score the coreference chains of the second file against those of the first, each in CoNLL's format or CorefUD's.

    \b
    tertium doc coref gold.conllu mine.conll
    """
    from tertium.documents.coreference import score_coreference_files

    return score_coreference_files(key, response)


command = Commands("doc", commands=(_coref,), help="Evaluate documents: what holds a text together.")

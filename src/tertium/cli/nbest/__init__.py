"""`tertium nbest`: lists of candidates. Without the name of a command it scores them."""

from __future__ import annotations

import os
from difflib import get_close_matches

import click

from tertium.cli.group import Commands

TABLE = {
    "score": "Score the candidates: oracles and reranking by metrics (the usual).",
    "tune": "Find weights of features for a metric: MERT, PRO, MIRA.",
    "rerank": "Put candidates in the order that weights of features give.",
    "gather": "Make a list of the outputs of several systems.",
}
_USUAL = "score"


class _Lists(Commands):
    """`tertium nbest ref.txt -i list.nbest` is `tertium nbest score ...`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.table, "-h", "--help"):
            meant = get_close_matches(args[0], self.table, 1)
            if meant and not os.path.exists(args[0]):
                raise click.UsageError(f"no command {args[0]!r}; did you mean {meant[0]!r}?", ctx)
            args = [_USUAL, *args]
        return super().parse_args(ctx, args)


command = _Lists(
    "nbest",
    "tertium.cli.nbest",
    TABLE,
    help="n-best lists: candidates of every sentence, scored, tuned and put in order.",
    epilog="tertium nbest ref.txt -i list.nbest is tertium nbest score ref.txt -i list.nbest.",
)

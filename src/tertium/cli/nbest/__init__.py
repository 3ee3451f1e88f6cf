"""`tertium nbest`: lists of candidates. Without the name of a command it scores them."""

from __future__ import annotations

from tertium.cli.group import Commands

TABLE = {
    "score": "Score the candidates: oracles and reranking by metrics (the usual).",
    "tune": "Find weights of features for a metric: MERT, PRO, MIRA.",
    "rerank": "Put candidates in the order that weights of features give.",
    "gather": "Make a list of the outputs of several systems.",
}

command = Commands(
    "nbest",
    "tertium.cli.nbest",
    TABLE,
    usual="score",
    help="n-best lists: candidates of every sentence, scored, tuned and put in order.",
    epilog="tertium nbest ref.txt -i list.nbest is tertium nbest score ref.txt -i list.nbest.",
)

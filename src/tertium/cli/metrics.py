"""`tertium metrics`: what there is to choose from."""

from __future__ import annotations

from typing import Any

from tertium.cli.options import print_options
from tertium.cli.parsing import choice, command_of


@command_of(
    "metrics",
    choice(
        "--kind",
        among=("metrics", "tokenizers", "statistics", "analyses", "checks", "tuners", "cluster"),
        default="metrics",
        help="What to list (metrics); statistics are those of meta, analyses of compare, checks the doctor's; cluster: "
        "which metrics Spark can score, and why not the others.",
    ),
    *print_options(),
    reads=(),
)
def command(kind: str, **_given: Any) -> Any:
    """List all metrics, one line each, including those of plug-ins."""
    from tertium.catalogue import metrics, others_table
    from tertium.clusters.catalogue import cluster_table

    if kind == "cluster":
        return cluster_table()
    return metrics() if kind == "metrics" else others_table(kind)

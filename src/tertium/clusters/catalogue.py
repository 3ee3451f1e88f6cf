"""Which metrics a cluster can score, how, and which not, and why."""

from __future__ import annotations

from tertium import registry
from tertium.clusters.scoring import refusal
from tertium.io.tables import Column, Table

TWO_PASSES = "in two passes: the whole set is counted first"
ORDER = "where rows of a document have an order (--columns document=COLUMN,order=COLUMN)"


def cluster_table() -> Table:
    """A row for each registered metric, those of plug-ins too.

    >>> {row[0]: row[1:] for row in cluster_table().rows}["nist"]
    ('yes', 'in two passes: the whole set is counted first')
    """
    rows = []
    for name in registry.METRICS:
        metric = registry.metric(name)
        if why := refusal(metric):
            rows.append((name, "no", why))
            continue
        how = [TWO_PASSES] * metric.needs_whole_set + [ORDER] * (metric.scope == "document")
        rows.append((name, "yes", "; ".join(how)))
    columns = (Column("metric"), Column("on a cluster"), Column("how, or why not"))
    return Table("", columns, tuple(rows))

"""The kinds of files of raw judgements: here, so that the command line can name them before anything is read."""

from __future__ import annotations

KINDS = (
    "appraise",
    "table",
    "mqm",
    "pearmut",
    "mtme-rating",
    "rankings",
    "wmt-rankings",
    "comparisons",
    "hume",
)

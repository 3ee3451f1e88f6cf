"""Kinds of files of raw judgements, for the command line to name before anything is read."""

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
DUPLICATES = ("refuse", "leave out", "latest", "keep")

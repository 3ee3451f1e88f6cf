"""Kinds of files of raw judgements: what reads a file of each kind.

A reader gives a `JudgementReading` (scores), comparisons with their coverage, or `Gold`; what it may be told beyond the
path (`batches`, `duplicates`, `task`) are its own parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tertium.registry import Registry

KINDS: Registry[Callable[..., Any]] = Registry(
    "judgement format",
    "tertium.judgements",
    {
        "appraise": "tertium.io.appraise:read_appraise",
        "table": "tertium.io.judgements:read_judgements",
        "mqm": "tertium.io.mqm:read_mqm",
        "pearmut": "tertium.io.pearmut:read_pearmut",
        "mtme-rating": "tertium.io.mtme:read_mtme_ratings",
        "rankings": "tertium.human.gold_files:ranked",
        "wmt-rankings": "tertium.human.gold_files:ranked_in_task",
        "comparisons": "tertium.io.comparisons:read_comparisons",
        "hume": "tertium.human.hume:read_hume_gold",
    },
)
DUPLICATES = ("refuse", "leave out", "latest", "keep")

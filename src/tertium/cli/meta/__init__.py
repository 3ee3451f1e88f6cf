"""`tertium meta`: judging the metrics themselves, one file per command."""

from __future__ import annotations

from tertium.cli.group import Commands

COMMANDS = {
    "run": "Run a task: correlations with people, significance, WMT's tables and figures.",
    "gold": "From raw judgements to gold: quality control, standardised scores, rank clusters.",
    "rho": "Mean rho of a metric over WMT08's three tasks: rankings, constituents, yes or no.",
    "paragraphs": "Compare metrics with people who prefer one of two paragraphs.",
    "summary": "Correlate a table of scores by language pair: mean, median, deviation, wins.",
    "retrieval": "Measure retrieval runs, and correlate metrics with them.",
}

command = Commands(
    "meta",
    "tertium.cli.meta",
    COMMANDS,
    help="""Evaluate metrics: how well they agree with people (the WMT metrics task), and with results in
    downstream tasks.""",
)

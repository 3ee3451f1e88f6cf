"""Scores as sacrebleu prints them (JSON, text lines, bare numbers), and as tables."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tertium.families.base import Metric
from tertium.registry import signature_items
from tertium.scoring import Score, Scores

_SACREBLEU_FORMATS = ("json", "text", "latex")
UNDEFINED = "undefined"


class Style(NamedTuple):
    """How results are to be written."""

    format: str
    width: int = 1
    score_only: bool = False
    short: bool = False
    plain: bool = False  # no colours and boxes, even on a terminal

    def number(self, value: float | None) -> str:
        return UNDEFINED if value is None else f"{value:.{self.width}f}"

    def rounded(self, value: float | None) -> float | None:
        return None if value is None else float(f"{value:.{self.width}f}")

    def interval(self, score: Score) -> str:
        """Mean and interval of a score that has them, as sacrebleu writes them."""
        if score.confidence is None:
            return ""
        return "μ = {} ± {}".format(*map(self.number, score.confidence))

    def signature(self, metric: Metric, signature: str) -> str:
        """Short where asked for, but never in JSON, as sacrebleu has it."""
        if not self.short or self.format == "json":
            return signature
        from tertium.published import short_signature

        return short_signature(metric, signature)


def chosen_format(asked: str | None) -> str:
    """A table on a terminal, JSON otherwise; sacrebleu's variable overrides the formats it knows."""
    from_environment = os.environ.get("SACREBLEU_FORMAT", "").lower()
    if from_environment in _SACREBLEU_FORMATS and asked in (None, *_SACREBLEU_FORMATS):
        return from_environment
    return asked or ("table" if sys.stdout.isatty() else "json")


def rendered(scores: Scores, style: Style) -> str:
    """Corpus or document scores in any format."""
    several = len(scores.systems) > 1
    if style.score_only:
        return _bare(scores, style)
    if style.format == "json":
        found = [_json(entry) for entry in entries(scores, style)]
        return found[0] if len(found) == 1 else "[\n" + ",\n".join(found) + "\n]"
    if style.format == "tsv":
        return tsv_lines(entries(scores, style))
    if style.format == "text" and not several and scores.level == "corpus":
        return _aligned([text_line(score, score.value, score.verbose, style) for score in scores])
    shown = replace(
        scores,
        scores=tuple(
            replace(score, signature=style.signature(score.metric, score.signature)) for score in scores
        ),
    )
    table = shown.table(style.width)
    if not several and scores.level == "corpus":
        intervals = (
            f"{s.metric.label}: {style.interval(s)} (95%)" for s in scores if s.confidence is not None
        )
        parts = (f"{s.metric.label}: {s.verbose}" for s in scores if s.verbose)
        table = replace(table, notes=(*intervals, *table.notes, *parts))
    if style.format in ("table", "text"):
        return str(table.text(terminal=False if style.plain else None)).rstrip("\n")
    return str({"markdown": table.markdown, "latex": table.latex}[style.format]()).rstrip("\n")


def entries(scores: Scores, style: Style) -> list[dict[str, Any]]:
    """One entry a system and metric (and document), with sacrebleu's keys."""
    several = len(scores.systems) > 1
    found = []
    for score in scores:
        for identity, value in zip(score.ids, score.values, strict=True):
            entry: dict[str, Any] = {"system": score.system} if several or scores.level != "corpus" else {}
            if scores.level != "corpus":
                entry[scores.level] = identity
            signature = style.signature(score.metric, score.signature)
            entry |= {"name": score.metric.label, "score": style.rounded(value), "signature": signature}
            if score.confidence is not None:
                mean, half = score.confidence
                entry |= {"confidence_mean": style.rounded(mean), "confidence_var": style.rounded(half)}
                entry["confidence"] = style.interval(score)
            if scores.level == "corpus":
                entry |= {"verbose_score": score.verbose} if score.verbose else {}
                entry |= signature_items(score.signature)
            found.append(entry)
    return found


def text_line(score: Score, value: float | None, verbose: str, style: Style) -> str:
    """sacrebleu's line: name, signature, number, parts."""
    signature = style.signature(score.metric, score.signature)
    number = style.number(value) + (f" ({style.interval(score)})" if score.confidence is not None else "")
    return f"{score.metric.label}|{signature} = {number} {verbose}".rstrip()


def tsv_lines(found: Sequence[dict[str, Any]]) -> str:
    """Entries as tab-separated columns, with a header."""
    from tertium.io.escaping import tsv

    columns: list[str] = [
        key
        for key in (
            "system",
            "document",
            "name",
            "score",
            "confidence_mean",
            "confidence_var",
            "signature",
        )
        if key in found[0]
    ]
    rows = [[UNDEFINED if entry[key] is None else str(entry[key]) for key in columns] for entry in found]
    return "\n".join("\t".join(map(tsv, row)) for row in [columns, *rows])


def _bare(scores: Scores, style: Style) -> str:
    """Numbers only: a line for each metric, or for each system and document where there are several."""
    if scores.level == "corpus" and len(scores.systems) == 1:
        numbers = [
            style.number(score.value)
            + (f" ({style.interval(score)})" if score.confidence is not None else "")
            for score in scores
        ]
        if style.format == "json" and len(numbers) > 1:
            return "[\n" + ",\n".join("null" if number == UNDEFINED else number for number in numbers) + "\n]"
        return "\n".join(numbers)
    lines = []
    for system in scores.systems:
        own = [score.values for score in scores if score.system == system]
        lines += ["\t".join(map(style.number, row)) for row in zip(*own, strict=True)]
    return "\n".join(lines)


def _aligned(lines: Sequence[str]) -> str:
    """Several lines with their equals signs below each other, as sacrebleu prints them."""
    if len(lines) == 1:
        return lines[0]
    places = [line.index(" = ") for line in lines]
    return "\n".join(" " * (max(places) - place) + line for place, line in zip(places, lines, strict=True))


def _json(value: Any) -> str:
    import json

    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)

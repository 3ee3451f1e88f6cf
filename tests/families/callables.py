"""Python functions as outside metrics, for tests."""

from __future__ import annotations

from typing import Any


def word_distance(segments: list[dict[str, Any]]) -> list[float | None]:
    """How many words two texts do not have in common; the best reference counts; no score for "no score"."""
    found: list[float | None] = []
    for segment in segments:
        own = set(segment["hypothesis"].split())
        others = [set(text.split()) for text in segment["references"] or [segment["source"]]]
        found.append(None if "noscore" in own else float(min(len(own ^ other) for other in others)))
    return found


word_distance.version = "3"  # type: ignore[attr-defined]
word_distance.versions = {"python": "any"}  # type: ignore[attr-defined]


def broken(segments: list[dict[str, Any]]) -> list[float | None]:
    raise RuntimeError("no model\nhere")


def short(segments: list[dict[str, Any]]) -> list[float | None]:
    return [1.0]


def odd(segments: list[dict[str, Any]]) -> list[Any]:
    return ["good" for _ in segments]


def infinite(segments: list[dict[str, Any]]) -> list[float | None]:
    return [float("inf") for _ in segments]

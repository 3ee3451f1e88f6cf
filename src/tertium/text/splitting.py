"""Paragraphs cut into sentences by sentencex, which knows the abbreviations of many languages."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.errors import MissingExtraError


def sentences(
    paragraphs: Sequence[str], language: str, *, extra: str = "align"
) -> tuple[list[str], list[bool]]:
    """The sentences of all paragraphs, and for each whether it begins one; `extra` is what to install for it.

    >>> sentences(["Mr. Smith came. He left.", "The end."], "en")
    (['Mr. Smith came.', 'He left.', 'The end.'], [True, False, True])
    """
    try:
        from sentencex import segment
    except ImportError:
        raise MissingExtraError("sentence splitting", extra) from None
    found: list[str] = []
    begins: list[bool] = []
    spoken = language.replace("_", "-").split("-")[0].lower() or "en"
    for paragraph in paragraphs:
        own = [text for part in segment(spoken, paragraph) if (text := part.strip())]
        found += own
        begins += [n == 0 for n in range(len(own))]
    return found, begins

"""n-best lists as Moses writes them: `sentence ||| hypothesis ||| features ||| score`, sentences counted from 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError
from tertium.io.files import read_lines
from tertium.io.records import real_number
from tertium.io.streams import FilePath, display_name

SEPARATOR = "|||"
_FIELDS = 4


@dataclass(frozen=True, eq=False)
class NBest:
    """Candidates of several sentences, those of a sentence together and in the order of the list.

    >>> NBest((0, 0, 1), ("a b", "a c", "d"), (-1.0, -2.0, -1.5)).n_sentences
    2
    """

    segments: tuple[int, ...]  # the sentence of each candidate, from 0; none is left out
    hypotheses: tuple[str, ...]
    model_scores: tuple[float, ...]
    features: tuple[str, ...] = ()  # as they were written; none: no candidate has any
    rest: tuple[tuple[str, ...], ...] = ()  # fields behind the score (alignments), as they were written
    origin: str = ""  # the file, for messages

    def __post_init__(self) -> None:
        for name in ("hypotheses", "model_scores", "features", "rest"):
            values = getattr(self, name)
            if len(values) != len(self.segments) and (values or name in ("hypotheses", "model_scores")):
                raise InputError(f"n-best list: {len(self.segments)} candidates, but {len(values)} {name}")
        before = -1
        for i, segment in enumerate(self.segments):
            if segment not in (before, before + 1) or segment < 0:
                place = f"{self.origin}: line {i + 1}" if self.origin else f"n-best list: candidate {i + 1}"
                raise InputError(f"{place} belongs to sentence {segment}, {_awaited(segment, before)}")
            before = segment
        if not self.segments:
            raise InputError("the n-best list is empty")

    def __len__(self) -> int:
        return len(self.segments)

    @property
    def n_sentences(self) -> int:
        return self.segments[-1] + 1

    def lines(self, order: Sequence[int], scores: Sequence[float]) -> Iterator[str]:
        """The candidates with these numbers as lines of an n-best list, with these scores."""
        for i, score in zip(order, scores, strict=True):
            features = self.features[i] if self.features else ""
            rest = self.rest[i] if self.rest else ()
            fields = (str(self.segments[i]), self.hypotheses[i], features, f"{score:.10g}", *rest)
            yield f" {SEPARATOR} ".join(fields)


def read_nbest(path: FilePath, **how: Any) -> NBest:
    """Read an n-best list; files may be packed. Whatever is wrong is named with its line.

    >>> path = written("list.nbest", "0 ||| a b ||| LM= -2.5 ||| -1.5\\n0 ||| a c ||| LM= -3 ||| -2\\n")
    >>> read_nbest(path).hypotheses
    ('a b', 'a c')
    """
    name = display_name(path)
    lines = read_lines(path, **how)
    segments: list[int] = []
    hypotheses, scores, features, rest = [], [], [], []
    for i in range(len(lines)):
        where = f"{name}: line {i + 1}"
        fields = [field.strip() for field in (lines[i] or "").split(SEPARATOR)]
        if len(fields) < _FIELDS:
            raise InputError(
                f"{where} has {len(fields)} of {_FIELDS} fields: sentence ||| hypothesis ||| features ||| score"
            )
        segments.append(_segment(fields[0], where))
        hypotheses.append(fields[1])
        features.append(fields[2])
        scores.append(real_number(fields[3], "score", where))
        rest.append(tuple(fields[4:]))
    return NBest(tuple(segments), tuple(hypotheses), tuple(scores), tuple(features), tuple(rest), name)


def _segment(text: str, where: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise InputError(f"{where}: {text!r} is not the number of a sentence")
    return int(text)


def _awaited(segment: int, before: int) -> str:
    if segment < before:
        return f"but sentence {before} came before: sort the list"
    missing = f"there is no candidate for sentence {before + 1}"
    return f"but {missing if before >= 0 else 'sentences are counted from 0'}"

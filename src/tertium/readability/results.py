"""How hard texts are to read: levels of texts and of their sentences, and what is said of a scale that was learnt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any, ClassVar

from tertium.errors import InputError, many, shortened
from tertium.io.pages import is_page, paragraphs, read_page
from tertium.io.streams import display_name
from tertium.io.tables import Column, Table, number_column
from tertium.readability.documents import UnitLevel, document_level, unit_level
from tertium.readability.frequencies import Frequencies
from tertium.readability.presentation import PagePresentation, presentation_of, presentation_table
from tertium.readability.scale import Scale, cefr, percent
from tertium.readability.sentences import ReadSentence, left_out, read_sentences, withheld
from tertium.results import Result

_HARDEST = 5
_NAMED = 4  # reasons why sentences are left out


@dataclass(frozen=True)
class TextLevel:
    """A text on the scale; None where no number would mean anything, and then why."""

    name: str
    sentences: int
    words: int
    level: float | None
    low: float | None
    high: float | None
    withheld: str
    left_out: Mapping[str, int]  # sentences without a level, by why
    read: Sequence[ReadSentence]
    paragraphs: Sequence[UnitLevel | None] = ()  # None: no sentence of it has a level
    presentation: PagePresentation | None = None  # of HTML; no part of the level

    def hardest(self, most: int = _HARDEST) -> list[ReadSentence]:
        """The hardest sentences, the worst first."""
        kept = [one for one in self.read if one.level is not None]
        return sorted(kept, key=lambda one: -(one.level or 0.0))[:most]


@dataclass(frozen=True)
class ReadabilityLevels(Result):
    """Texts of one language on the scale."""

    kind: ClassVar[str] = "readability"
    lang: str
    texts: Sequence[TextLevel]

    def table(self) -> Table:
        silent = any(one.withheld for one in self.texts)
        columns = (
            *(Column("text"), number_column("sentences", digits=0), number_column("words", digits=0)),
            *(Column("CEFR"), *(number_column(name) for name in ("level", "low", "high"))),
            *(number_column("0-100", digits=0), *([Column("withheld")] if silent else [])),
        )
        rows = tuple(
            (
                *(one.name, one.sentences, one.words, "" if one.level is None else cefr(one.level)),
                *(one.level, one.low, one.high, None if one.level is None else percent(one.level)),
                *([one.withheld] if silent else []),
            )
            for one in self.texts
        )
        return Table("", columns, rows)

    def tables(self) -> Iterator[Table]:
        yield self.table()
        shown = presentation_table([(one.name, one.presentation) for one in self.texts])
        if shown.rows:
            yield shown

    def words(self) -> Iterator[str]:
        known = [one for one in self.texts if one.level is not None]
        if len(self.texts) == 1:
            yield _answer(self.texts[0])
        elif known:
            ordered = sorted(known, key=lambda one: one.level or 0.0)
            easy, hard = ordered[0], ordered[-1]
            yield f"The easiest is {_on_scale(easy)}, the hardest {_on_scale(hard)}."
        if len(known) < len(self.texts) and len(self.texts) > 1:
            yield f"{many(len(self.texts) - len(known), 'text')} without a number, as no number would mean anything."
        if known:
            worst = max((one.hardest(1)[0] for one in known), key=lambda one: one.level or 0.0)
            why = f" ({'; '.join(worst.reasons)})" if worst.reasons else ""
            yield f"The hardest sentence ({cefr(worst.level or 0.0)}): {shortened(worst.text, 160)}{why}"
        counts = Counter[str]()
        for one in self.texts:
            counts.update(one.left_out)
        if counts and known:
            told = "; ".join(f"{why} ({number:,})" for why, number in counts.most_common(_NAMED))
            yield f"Sentences without a level, left out: {told}."


def _on_scale(one: TextLevel) -> str:
    level = one.level or 0.0
    return f"{one.name} at {cefr(level)} ({level:.1f} [{one.low:.1f}, {one.high:.1f}])"


def _answer(one: TextLevel) -> str:
    if one.level is None:
        return f"{one.name}: no number would mean anything: {one.withheld}."
    return f"{_on_scale(one)}: four of five people's marks would lie in the interval."


@dataclass(frozen=True)
class LearntScale(Result):
    """What was learnt, and how well it does where it was not."""

    kind: ClassVar[str] = "readability scale"
    file: str
    size: int
    scale: Scale

    def contents(self) -> dict[str, Any]:
        learnt = self.scale.learnt
        return {
            "file": self.file,
            "bytes": self.size,
            "sentences": dict(learnt.sentences) if learnt else {},
            "correlation": dict(learnt.correlation) if learnt else {},
            "within": self.scale.within,
            "between": self.scale.between,
            "document_step": None if self.scale.document is None else asdict(self.scale.document),
        }

    def table(self) -> Table:
        told = self.contents()
        every = sum(told["sentences"].values())
        rows = [(lang, told["sentences"].get(lang, every), r) for lang, r in told["correlation"].items()]
        columns = (Column("language"), number_column("sentences", digits=0), number_column("r", digits=3))
        notes = ["r is cross-validated."]
        if step := self.scale.document:
            notes.append(
                f"The step to documents, learnt from {step.documents:,}: r {step.correlation:.3f}, "
                f"error {step.error:.2f} levels; that of the mean of sentences {step.derived:.2f}."
            )
        return Table("", columns, tuple(rows), tuple(notes))


def read_levels(
    paths: Sequence[str], lang: str, scale: Scale, own: Frequencies | None = None, encoding: str | None = None
) -> ReadabilityLevels:
    """Files, plain text or HTML, on the scale: the level of a text is the mean of its sentences', by their words."""
    return ReadabilityLevels(lang, [_read(path, lang, scale, own, encoding) for path in paths])


def _read(path: str, lang: str, scale: Scale, own: Frequencies | None, encoding: str | None) -> TextLevel:
    name = display_name(path)
    if not is_page(path):
        return text_level(name, paragraphs(path, encoding=encoding), lang, scale, own)
    page = read_page(path, encoding=encoding)
    found = text_level(name, [block.text for block in page.blocks], lang, scale, own)
    return replace(found, presentation=presentation_of(page))


def text_level(
    name: str, parts: Sequence[str], lang: str, scale: Scale, own: Frequencies | None = None
) -> TextLevel:
    """Paragraphs on the scale."""
    read = read_sentences(parts, lang, scale, own)
    if not read:
        raise InputError(f"{name}: there is no text")
    why = withheld(read)
    whole = None if why else document_level(read, lang, scale)
    level, low, high = (whole.level, whole.low, whole.high) if whole else (None, None, None)
    words = sum(one.words for one in read)
    groups = [list(own) for _, own in groupby(read, lambda one: one.paragraph)]
    each = [unit_level(own, scale) for own in groups] if len(groups) > 1 and not why else []
    return TextLevel(name, len(read), words, level, low, high, why, left_out(read), read, each)

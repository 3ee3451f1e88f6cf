"""Form: what can be seen without knowing what the texts mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tertium.comparison.doctor.damage import mojibake
from tertium.io.memories.unit import Unit
from tertium.vetting.checks.base import Doubt, Span
from tertium.vetting.signs import AGAIN, BLANK, ENDING, SAME, SPACE_FIRST, SPACE_LAST, SUSPECT, either

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.vetting.batches import UnitBatch

_LOWER = re.compile(r"\b[^\W\d_A-Z]{3,}\b")
_AGAIN = re.compile(r"\b([^\W\d_]{2,})\s+\1\b", re.IGNORECASE)
# Good writers double these.
_DOUBLED = {
    "nous",
    "vous",
    "se",
    "die",
    "der",
    "das",
    "den",
    "dem",
    "sie",
    "es",
    "that",
    "had",
    "il",
    "in",
    "no",
}
_MARKS = ("?？؟;", "!！", ":：", ".。", "…")  # marks at the end that mean the same
_ENDINGS = {mark: marks[0] for marks in _MARKS for mark in marks}


def _whole(text: str) -> tuple[Span, ...]:
    return ((0, len(text)),)


class Empty:
    """A side without a text."""

    name = "empty"
    sentence = "Both sides have a text."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(either=either(BLANK))

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Empty().look(Unit("One", " ")).sentence
        'the target is empty'
        """
        for side, text, other in (("source", unit.source, unit.target), ("target", unit.target, unit.source)):
            if not text.strip() and other.strip():
                return Doubt(self.name, f"the {side} is empty", 1.0)
        return None


class Copied:
    """The source again, where it has words in lower case that could have been translated."""

    name = "copied"
    sentence = "The target is not the source."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(either=SAME)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Copied().look(Unit("open the file", "open the file")).score, Copied().look(Unit("UTF-8", "UTF-8"))
        (0.7, None)
        """
        if unit.source != unit.target:
            return None
        words = len(_LOWER.findall(unit.source))
        if words < 2:
            return None
        score = 0.5 if words == 2 else 0.7
        return Doubt(self.name, "the target is the source", score, (), _whole(unit.target))


class Mojibake:
    """UTF-8 that was read as another encoding."""

    name = "mojibake"
    sentence = "No text was read in a wrong encoding."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(either=either(SUSPECT))

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Mojibake().look(Unit("Summer", "Ã©tÃ©")).sentence
        'the target was read in a wrong encoding (such as Ã© for é)'
        """
        for side, text in (("source", unit.source), ("target", unit.target)):
            if text.isascii():
                continue
            if mojibake(text) or "\ufffd" in text:
                spans = _whole(text)
                what = f"the {side} was read in a wrong encoding (such as Ã© for é)"
                return Doubt(self.name, what, 0.9, *((spans, ()) if side == "source" else ((), spans)))
        return None


class Spaces:
    """White space at an end, or lines, of one side only."""

    name = "spaces"
    sentence = "White space at both ends, and the number of lines, are the same on both sides."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(either=either(SPACE_FIRST | SPACE_LAST))

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Spaces().look(Unit("One ", "Un")).sentence
        'white space at the end differs'
        """
        source, target = unit.source, unit.target
        if not source.strip() or not target.strip():
            return None
        wrong = []
        if source[0].isspace() != target[0].isspace():
            wrong.append("at the beginning")
        if source[-1].isspace() != target[-1].isspace():
            wrong.append("at the end")
        if wrong:
            return Doubt(self.name, f"white space {' and '.join(wrong)} differs", 0.2)
        return None


class Ending:
    """Different marks at the end."""

    name = "ending"
    sentence = "Both sides end alike: question, exclamation, colon, full stop, or none."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(either=ENDING)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Ending().look(Unit("Sure?", "Sûr.")).sentence
        'the source ends in ?, the target in .'
        """
        ends = []
        for text in (unit.source, unit.target):
            stripped = text.rstrip().rstrip("\"'”»’)」』")
            ends.append("…" if stripped.endswith("...") else _ENDINGS.get(stripped[-1:], ""))
        if ends[0] == ends[1] or not unit.source.strip() or not unit.target.strip():
            return None
        score = 0.4 if "?" in ends else 0.2
        shown = [end or "no mark" for end in ends]
        places = [((len(text.rstrip()) - 1, len(text.rstrip())),) for text in (unit.source, unit.target)]
        return Doubt(self.name, f"the source ends in {shown[0]}, the target in {shown[1]}", score, *places)


class Repeated:
    """A word twice in a row in the target, and not in the source."""

    name = "repeated"
    sentence = "No word is said twice in a row."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(target=AGAIN)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Repeated().look(Unit("Open the file", "Ouvrir le le fichier")).sentence
        'le is said twice'
        """
        found = next(
            (own for own in _AGAIN.finditer(unit.target) if own.group(1).lower() not in _DOUBLED), None
        )
        if found is None or _AGAIN.search(unit.source):
            return None
        return Doubt(self.name, f"{found.group(1)} is said twice", 0.5, (), (found.span(),))

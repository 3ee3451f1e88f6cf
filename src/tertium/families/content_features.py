"""Features of BEER's first model: precision, recall and F1 of all words, of content words and of function words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from tertium._native import Lines
from tertium.errors import SpecError, did_you_mean
from tertium.families.features import FeatureSet
from tertium.text.content import Choice, ContentWords
from tertium.text.segments import References

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_GROUPS = ("all", "content", "function")
NAMES = tuple(f"content.{group}.{part}" for group in _GROUPS for part in ("precision", "recall", "f1"))
_OPTIONS = ("lang",)


def content_set(options: dict[str, str]) -> FeatureSet:
    """`content.*`, `content.*:lang=de`: what is a content word is said by a list of closed classes."""
    for key in options:
        if key not in _OPTIONS:
            raise SpecError(f"content.* has no option {key!r}{did_you_mean(key, _OPTIONS)}")
    choice = Choice(options.get("lang", "en"), content="list", repeat="word")
    return FeatureSet(NAMES, partial(_values, choice), content_set, lambda: _signature(choice))


def _signature(choice: Choice) -> str:
    said = "|".join(f"{key}:{value}" for key, value in choice.items().items())
    return f"content.*|{said}"


def _values(choice: Choice, hypotheses: Lines, references: References, threads: int) -> NDArray[np.float64]:
    import numpy as np

    sides = (choice.read(list(lines)) for lines in (hypotheses, references.streams[0]))
    rows = [list(_row(*pair)) for pair in zip(*sides, strict=True)]
    return np.array(rows, dtype=np.float64).reshape(-1, len(NAMES))


def _row(ours: ContentWords, theirs: ContentWords) -> Iterator[float]:
    for mine, other in zip(_bags(ours), _bags(theirs), strict=True):
        found, own, their = (mine & other).total(), mine.total(), other.total()
        if not own and not their:
            yield from (1.0, 1.0, 1.0)
        else:
            yield from (found / max(own, 1), found / max(their, 1), 2 * found / (own + their))


def _bags(text: ContentWords) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """All words in lower case, those with content, and the others that have a letter."""
    every = [word.lower() for word in text.words if any(map(str.isalnum, word))]
    content = Counter(text.words[place].lower() for place in text.places)
    return (whole := Counter(every)), content, whole - content


CONTENT = content_set({})

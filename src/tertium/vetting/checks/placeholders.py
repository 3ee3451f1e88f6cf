"""What must survive a translation letter by letter: placeholders, tags, addresses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from tertium.io.memories.unit import Unit
from tertium.vetting.checks.base import Doubt, Span, difference
from tertium.vetting.signs import ADDRESS as HAS_ADDRESS
from tertium.vetting.signs import SPECIAL, either

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.vetting.batches import UnitBatch

_PRINTF = (
    r"%(?:\d+\$)?[-+#0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|L|q|j|z|t)?[diouxXeEfFgGaAcsp@](?![^\W\d_])"
)
PLACEHOLDER = re.compile(
    rf"%\(\w+\)[-+#0]*\d*(?:\.\d+)?[a-zA-Z]|{_PRINTF}|%%|%L?\d{{1,2}}(?!\d|\s?%)|\$\{{\w+\}}|\$\(\w+\)|\{{\{{\s*[\w.]+\s*\}}\}}"
    r"|\{[\w.]*(?:![rsa])?(?::[^{}\s]*)?\}"
    r"|</?[A-Za-z][\w:.-]*(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*\s*/?>"
)
ICU = re.compile(
    r"\{\s*\w+\s*,\s*(?:plural|select|selectordinal|number|date|time)\b"
)  # its branches are texts
_INDEX = re.compile(r"%\d+\$")
_TAG_NAME = re.compile(r"</?([A-Za-z][\w:.-]*)")
ADDRESS = re.compile(
    r"\b(?:https?|ftp|file)://[^\s<>\"'«»]*[\w/=&#-]|\bwww\.[^\s<>\"'«»]*[\w/]|\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b"
)
_VARIABLE = re.compile(r"<[a-zA-Z][\w.-]*>")  # which a help text may translate: <file>
TAGS = frozenset(  # those that no help text uses as a variable
    re.findall(
        r"\w+",
        "a abbr acronym b big blockquote bold br center cite code dd dl dt em emphasis font guilabel h1 h2 h3 h4 h5 "
        "h6 hr html i img italic kbd li markup ol p para pre small span strike strong sub sup tbody td tfoot th thead "
        "tr tt u ul",
    )
)
Key = Callable[[str], str]


def without_placeholders(text: str) -> str:
    """The text with spaces where placeholders stand: what is at its place stays there.

    >>> without_placeholders("%2$s: 3 files")
    '    : 3 files'
    """
    if "%" not in text and "{" not in text and "<" not in text and "$" not in text:
        return text
    return PLACEHOLDER.sub(lambda found: " " * len(found.group()), text)


def kept_name(text: str) -> str:
    """What of a placeholder must be the same: not its position, and of a tag only its name.

    >>> kept_name("%2$s"), kept_name('<a href="x">'), kept_name("<file>") == kept_name("<fichier>")
    ('%s', '<a', True)
    """
    if text.startswith("%"):
        return _INDEX.sub("%", text)
    tag = _TAG_NAME.match(text)
    if tag is None:
        return text
    return "<…>" if _VARIABLE.fullmatch(text) and tag.group(1).lower() not in TAGS else tag.group()


def compared(
    name: str, pattern: re.Pattern[str], key: Key, unit: Unit, score: float, *, extra_counts: bool = True
) -> Doubt | None:
    """What a pattern finds on one side only."""
    if pattern.findall(unit.source) == pattern.findall(unit.target):
        return None
    found: list[list[tuple[str, str, Span]]] = [
        [(key(own.group()), own.group(), own.span()) for own in pattern.finditer(text)]
        for text in (unit.source, unit.target)
    ]
    if not found[0] and not found[1]:
        return None
    counts = [Counter(own[0] for own in side) for side in found]
    texts: list[list[str]] = [[], []]
    spans: list[list[Span]] = [[], []]
    for i in (0, 1):
        left = counts[i] - counts[1 - i]
        for own, text, span in reversed(found[i]) if left else ():
            if left[own] > 0:
                left[own] -= 1
                texts[i].insert(0, text)
                spans[i].insert(0, span)
    if not texts[0] and not (texts[1] and extra_counts):
        return None
    shown = texts[1] if extra_counts else []
    return Doubt(name, difference(name, texts[0], shown), score, tuple(spans[0]), tuple(spans[1]))


class Placeholders:
    """Placeholders and tags of one side only."""

    name = "placeholders"
    sentence = (
        "Placeholders (printf, Python, ICU, Qt, shell) and tags are the same on both sides, in any order."
    )

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(either=either(SPECIAL))

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Placeholders().look(Unit("%s of %d", "%2$d sur %1$s"))
        >>> Placeholders().look(Unit("<b>%s</b>", "<b>%d</b>")).sentence
        '%s is missing; %d is extra'
        """
        both = unit.source + unit.target
        if ", " in both and ICU.search(both):
            return compared(self.name, ICU, lambda text: "".join(text.split()), unit, 1.0)
        return compared(self.name, PLACEHOLDER, kept_name, unit, 1.0)


class Addresses:
    """Addresses of the source that the target lacks; a site may have a page for each language."""

    name = "addresses"
    sentence = "URLs and e-mail addresses of the source are in the target."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(HAS_ADDRESS)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Addresses().look(Unit("See http://a.org/x.", "Voir http://a.org/y.")).sentence
        'http://a.org/x is missing'
        """
        if "@" not in unit.source and "://" not in unit.source and "www." not in unit.source:
            return None
        return compared(self.name, ADDRESS, str, unit, 0.6, extra_counts=False)

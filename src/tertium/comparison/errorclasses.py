"""What kind of errors systems make: words wrongly inflected, misplaced, missing, extra, or simply wrong.

After Popović and Ney (2011), "Towards automatic error analysis of machine translation output". The edit distance
between output and reference says which words are right. Of the others, in this order:

- order: the word is in the reference as well, elsewhere;
- inflection: not the word, but another form of it (its stem) is in the reference;
- missing: of what is left, words of the reference that the edit distance deletes;
- extra: words of the output that it inserts;
- wrong: words of the output that it replaces (lexical errors).

Every word counts once; words of the reference that order and inflection have used are used up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from tertium.comparison.rates import ClassRates, rates_by_system
from tertium.comparison.significance import ResamplingPlan
from tertium.errors import MissingExtraError, many
from tertium.measured import Measured
from tertium.statistics import DenseStatistics, columns
from tertium.text import meteor, stemmers
from tertium.text.tokenizers import tokenize

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

COLUMNS = columns("output words", "reference words", "order", "inflection", "missing", "extra", "wrong")
_PREFIX = 4  # letters that stand for a stem where there is no stemmer
_LONGEST = 1_000  # words; a longer segment is left out


def error_classes(
    measured: Measured, plan: ResamplingPlan, *, language: str | None = None, tok: str = "13a"
) -> ClassRates:
    """Errors of each class per 100 words of the output (missing words: of the reference), by system, tested against
    `plan.baseline`. `language` is that of the outputs (`de`): its Snowball stems tell inflections; without it the first
    four letters do. Of several references the one with the lowest word error rate counts; case is ignored.

    >>> from tertium import TestSet, measure
    >>> texts = ["the small dog sees a cat", "he is here now"]
    >>> outputs = {"A": ["a dog saw the cat small", "here he is"], "B": texts}
    >>> measured, plan = measure(TestSet.of(texts, outputs), "bleu"), ResamplingPlan("A", resamples=20)
    >>> found = error_classes(measured, plan, language="en")
    >>> {name: rates["A"].count for name, rates in found.rates.items()}
    {'order': 4, 'inflection': 0, 'missing': 1, 'extra': 0, 'wrong': 1}
    """
    rows, notes = class_rows(measured, language, tok)
    shares = {
        column.name: (column.name, f"{'reference' if column.name == 'missing' else 'output'} words")
        for column in COLUMNS[2:]
    }
    of = "per 100 words of the output (missing: of the reference)"
    return rates_by_system("Errors by class", rows, shares, plan, (of, *notes))


def class_rows(
    measured: Measured, language: str | None, tok: str
) -> tuple[dict[str, DenseStatistics], tuple[str, ...]]:
    """Counts of every segment and system, and how they were made. A segment that is too long for one system is left
    out of all, or they would not be counted on the same text."""
    import numpy as np

    testset = measured.testset
    stem, how = _stems(language)
    words: dict[str, int] = {}

    def numbered(lines: Iterable[str | None]) -> list[Numbers]:
        cut = tokenize([(line or "").lower() for line in lines], tok)
        return [np.array([words.setdefault(word, len(words)) for word in own], dtype=np.int64) for own in cut]

    references = [
        (numbered(stream), np.array([line is not None for line in stream]))
        for stream in testset.references.streams
    ]
    outputs = {name: numbered(testset.systems[name]) for name in measured.systems}
    forms: dict[str, int] = {}
    stems = np.array([forms.setdefault(stem(word), len(forms)) for word in words], dtype=np.int64)
    counts, left_out = {}, np.zeros(len(testset), dtype=bool)
    for name, texts in outputs.items():
        found = [_counted(texts, own, there, stems) for own, there in references]
        rates = np.stack([rate for _, rate in found])
        nearest = np.argmin(rates, axis=0), np.arange(len(testset))  # the first of equally near references
        counts[name] = np.stack([own for own, _ in found])[nearest]
        left_out |= np.isinf(rates.min(axis=0))
    notes = [f"inflections by {how}; {tok} tokens"]
    if left_out.any():
        notes.append(f"{many(int(left_out.sum()), 'segment')} of more than {_LONGEST:,} words left out")
    rows = {name: DenseStatistics.build(COLUMNS, own * ~left_out[:, None]) for name, own in counts.items()}
    return rows, tuple(notes)


def _counted(
    outputs: Sequence[Numbers], references: Sequence[Numbers], there: NDArray[np.bool_], stems: Numbers
) -> tuple[Numbers, NDArray[np.float64]]:
    """Rows of counts, and the word error rate of each segment (infinite: not compared)."""
    import numpy as np

    from tertium.stats.edits import ALONE, EQUAL, edit_marks

    n = len(outputs)
    short = there & np.array(
        [max(len(a), len(b)) <= _LONGEST for a, b in zip(outputs, references, strict=True)]
    )
    sides = [
        [own if use else own[:0] for own, use in zip(side, short, strict=True)]
        for side in (outputs, references)
    ]
    places = [np.repeat(np.arange(n), [len(own) for own in side]) for side in sides]
    flat = [np.concatenate([np.empty(0, dtype=np.int64), *side]) for side in sides]
    marks = edit_marks(*sides)
    left = [own != EQUAL for own in marks]

    def used(keys: Sequence[Numbers]) -> list[NDArray[np.bool_]]:
        """What both have left, as often as both have it, from left to right; and takes it away."""
        taken = _in_both(
            [place * (len(stems) + 1) + key for place, key in zip(places, keys, strict=True)], left
        )
        for own, gone in zip(left, taken, strict=True):
            own &= ~gone
        return taken

    def per_segment(side: int, chosen: NDArray[np.bool_]) -> Numbers:
        return np.bincount(places[side][chosen], minlength=n)

    order, _ = used(flat)
    inflection, _ = used([stems[own] for own in flat])
    words = [per_segment(side, np.ones(len(flat[side]), dtype=bool)) for side in (0, 1)]
    counts = [
        *words,
        per_segment(0, order),
        per_segment(0, inflection),
        per_segment(1, left[1] & (marks[1] == ALONE)),
        per_segment(0, left[0] & (marks[0] == ALONE)),
        per_segment(0, left[0] & (marks[0] != ALONE)),
    ]
    edits = per_segment(1, marks[1] != EQUAL) + per_segment(0, marks[0] == ALONE)
    rate = np.where(short, edits / np.maximum(1, words[1]), np.inf)
    return np.stack(counts, axis=1), rate


def _in_both(keys: Sequence[Numbers], left: Sequence[NDArray[np.bool_]]) -> list[NDArray[np.bool_]]:
    """For each side which of the keys that are left are also left on the other side, the first of equal ones first."""
    import numpy as np

    own = [np.flatnonzero(side) for side in left]
    held = [np.sort(key[place]) for key, place in zip(keys, own, strict=True)]
    taken = []
    for side in (0, 1):
        key, place = keys[side][own[side]], own[side]
        order = np.argsort(key, kind="stable")
        turn = np.empty(len(key), dtype=np.int64)
        turn[order] = np.arange(len(key)) - np.searchsorted(
            held[side], key[order]
        )  # how many of it came before
        other = held[1 - side]
        there = np.searchsorted(other, key, side="right") - np.searchsorted(other, key)
        chosen = np.zeros(len(left[side]), dtype=bool)
        chosen[place[turn < there]] = True
        taken.append(chosen)
    return taken


def _stems(language: str | None) -> tuple[Callable[[str], str], str]:
    """What brings forms of a word together, and its name."""
    known = meteor.LANGUAGES.get(meteor.ALIASES.get(language or "", language or ""))
    if known is not None and known.name in stemmers.LANGUAGES:
        try:
            return stemmers.stemmer(known.name), f"Snowball's {known.name.title()} stems"
        except MissingExtraError:
            pass  # the letters do without it
    return lambda word: word[:_PREFIX], f"the first {_PREFIX} letters (-l names the languages: stems)"

"""What is seen of a sentence, in numbers that mean the same in English and French.

Words are looked up once for each form: letters, syllables, rank, what they mark; sentences are sums over their words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tertium._native import CutTexts, Forms, Lines, word_letters
from tertium.readability.counting import APOSTROPHES, CLITICS
from tertium.readability.frequencies import Frequencies
from tertium.readability.markers import LEARNED, Markers, markers
from tertium.readability.syllables import syllables

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
BUCKETS = 8192  # of the letters that words are made of
_GRAMS = (2, 4)
_RARE = (3.3, 3.8, 4.2, 4.7)  # ranks beyond which words are counted, as powers of ten
_BANDS = (1.0, 1.5, 2.0, 2.5, 3.0, 3.25, 3.5, 3.75, 4.0, 4.25, 4.5, 4.75, 5.0)  # edges
_EDGES = [f"{round(10**edge, -1 if edge < 3 else -2):,.0f}" for edge in _BANDS]
_BAND_NAMES = (
    f"up to {_EDGES[0]}",
    *(f"{low} to {high}" for low, high in pairwise(_EDGES)),
    f"beyond {_EDGES[-1]}",
)

# Columns of the table of words.
_WORD, _LETTERS, _SYLLABLES, _RANK, _UNKNOWN, _CONTENT, _SUB, _NEG, _PERSON, _PRONOUN, _AUX, _PART = range(12)
_CONNECTIVE, _LEARNED, _NUMBER, _CAPITAL, _BREAK, _COMMA, _COLON, _BRACKET, _QUOTE, _DASH, _ASK, _CALL = (
    range(12, 24)
)
_STOP, _LONG, _LONGER, _MANY, _CLITIC, _COLUMNS = range(24, 30)
_SIGNS: dict[str, tuple[int, ...]] = {
    ",": (_COMMA, _BREAK),
    **dict.fromkeys(";:", (_COLON, _BREAK)),
    **dict.fromkeys("([{", (_BRACKET, _BREAK)),
    **dict.fromkeys(")]}", (_BREAK,)),
    **dict.fromkeys('"\u201c\u201d\u00ab\u00bb', (_QUOTE, _BREAK)),
    **dict.fromkeys("\u2013\u2014", (_DASH, _BREAK)),
    "?": (_ASK, _BREAK),
    "!": (_CALL, _BREAK),
    ".": (_STOP, _BREAK),
    "\u2026": (_STOP, _BREAK),
}

FEATURES = {
    "words": "words (logarithm)",
    "letters": "letters (logarithm)",
    "syllables": "syllables (logarithm)",
    "many words": "words beyond twelve",
    "letters a word": "letters in a word",
    "longest word": "letters of the longest word",
    "long words": "share of words of more than six letters",
    "very long words": "number of words of more than nine letters (logarithm)",
    "syllables a word": "syllables in a word",
    "polysyllables": "share of words of three syllables or more",
    "number of polysyllables": "number of words of three syllables or more (logarithm)",
    "rank": "rank of words (logarithm), mean",
    "rank 75": "rank that a quarter of words is beyond",
    "rank 90": "rank that a tenth of words is beyond",
    "rarest": "rank of the rarest word",
    "second rarest": "rank of the second rarest word",
    "third rarest": "rank of the third rarest word",
    "content rank": "rank of content words, mean",
    "content rank 25": "rank that three quarters of content words are beyond",
    "content rank 75": "rank that a quarter of content words is beyond",
    "content words": "number of content words (logarithm)",
    "density": "share of content words",
    "beyond 2000": "number of content words beyond the 2,000 most frequent (logarithm)",
    "beyond 6000": "the same beyond 6,300",
    "beyond 16000": "the same beyond 16,000",
    "beyond 50000": "the same beyond 50,000",
    "rarity": "sum of content words' ranks (logarithm)",
    "unknown": "share of words that are not in the list",
    "commas": "commas for every word",
    "number of commas": "commas, colons and semicolons (logarithm)",
    "brackets": "opening brackets",
    "colons": "colons and semicolons",
    "longest clause": "words between two signs, the most (logarithm)",
    "clause": "words between two signs, mean (logarithm)",
    "subordination": "words that begin subordinate clauses",
    "subordinate share": "share of words that begin subordinate clauses",
    "passive": "forms of be before participles",
    "negation": "negations",
    "pronouns": "share of pronouns",
    "persons": "share of first and second persons",
    "connectives": "share of connectives",
    "numbers": "share of numbers",
    "capitals": "share of capitals inside the sentence",
    "questions": "question marks",
    "exclamations": "exclamation marks",
    "variety": "share of words that are different",
    "learned words": "share of words with learned endings (-tion, -ment...)",
    "number of learned words": "number of words with learned endings (logarithm)",
    "quotes": "quotation marks",
    "dashes": "dashes",
    "stops": "full stops",
    **{f"band {n}": f"words of rank {told}, by the root of words" for n, told in enumerate(_BAND_NAMES)},
}


def _columns(marked: Markers) -> dict[str, list[int]]:
    """What each word of a language marks."""
    found: dict[str, list[int]] = {}
    for column, listed in (
        (_SUB, marked.subordinate),
        (_NEG, marked.negation),
        (_PERSON, marked.personal),
        (_PRONOUN, marked.pronouns),
        (_AUX, marked.auxiliaries),
        (_CONNECTIVE, marked.connectives),
    ):
        for word in listed:
            found.setdefault(word, []).append(column)
    return found


class WordTable:
    """What is known of the words of one language; grows with every text."""

    def __init__(self, lang: str, frequencies: Frequencies) -> None:
        self.lang, self.frequencies, self.markers = lang, frequencies, markers(lang)
        self._clitics = CLITICS.get(lang, frozenset())
        self._listed = _columns(self.markers)
        self._cut = Forms()
        self._numbers = np.zeros(0, np.int64)  # of the forms there, here; -1: not described yet
        self._lower: dict[str, int] = {}
        self._rows: list[list[float]] = []
        self._lowered: list[int] = []
        self.forms: list[str] = []
        self._made = np.zeros((0, _COLUMNS))
        self._scores: dict[str, Numbers] = {}

    def numbered(self, texts: Sequence[str]) -> tuple[Places, Places]:
        """Words and signs of texts by number, and where texts begin (and the last ends)."""
        words, ends = (np.asarray(own) for own in CutTexts(self._cut, Lines(texts)).numbers())
        fresh = np.full(len(self._cut) - len(self._numbers), -1)  # forms in lower case may be in no text
        self._numbers = np.concatenate([self._numbers, fresh])
        for number in np.flatnonzero(np.bincount(words[self._numbers[words] < 0])):
            self._numbers[number] = len(self._rows)
            self._learn(self._cut[int(number)])
        return self._numbers[words], ends

    def _learn(self, word: str) -> None:
        row = [0.0] * _COLUMNS
        lower = word.lower().replace("\u2019", "'")
        bare = lower.rstrip("'")
        for column in _SIGNS.get(word, ()):
            row[column] = 1.0
        letters = sum(map(str.isalnum, word))
        if letters:
            self._describe(row, word, lower, bare, letters)
        self._rows.append(row)
        self.forms.append(word)
        self._lowered.append(self._lower.setdefault(bare, len(self._lower)))

    def _describe(self, row: list[float], word: str, lower: str, bare: str, letters: int) -> None:
        marked = self.markers
        alphabetic = any(map(str.isalpha, bare))
        row[_NUMBER] = float(any(map(str.isdigit, bare)))
        row[_CLITIC] = float(word in self._clitics)
        row[_CAPITAL] = float(word[0].isupper())
        if not alphabetic:
            return
        own = syllables(word, self.lang)
        place = self.frequencies.place(bare)
        row[_WORD], row[_LETTERS], row[_SYLLABLES] = 1.0, float(letters), float(own)
        row[_RANK] = self.frequencies.unknown if place is None else place
        row[_UNKNOWN] = float(place is None)
        row[_CONTENT] = float(lower not in marked.closed and bare not in marked.closed)
        for column in (*self._listed.get(bare, ()), *(self._listed.get(lower, ()) if lower != bare else ())):
            row[column] = 1.0
        row[_PART] = float(marked.participle.fullmatch(bare) is not None)
        row[_LEARNED] = float(LEARNED.fullmatch(bare) is not None)
        row[_LONG], row[_LONGER], row[_MANY] = float(letters > 6), float(letters > 9), float(own >= 3)

    @property
    def rows(self) -> Numbers:
        """A row for every form that was seen."""
        if len(self._made) < len(self._rows):
            self._made = np.concatenate([self._made, np.array(self._rows[len(self._made) :])])
        return self._made

    @property
    def content(self) -> npt.NDArray[np.bool_]:
        """Which forms are content words."""
        return np.asarray(self.rows[:, _CONTENT] > 0)

    @property
    def lowered(self) -> Places:
        return np.array(self._lowered, np.int64)

    def scores(self, name: str, of: Callable[[Sequence[str]], Numbers]) -> Numbers:
        """A number for every form, by a function of that name which is asked once for each."""
        before = self._scores.get(name, np.zeros(0))
        bare = [bare_form(form) for form in self.forms[len(before) :]]
        if bare:
            self._scores[name] = np.concatenate([before, of(bare)])
        return self._scores.get(name, before)


def bare_form(word: str) -> str:
    """A word as its letters are looked at: lower case, without apostrophe; nothing for signs and numbers."""
    bare = word.lower().rstrip("'\u2019")
    return bare if any(map(str.isalpha, bare)) else ""


def letter_buckets(words: Sequence[str]) -> tuple[Places, Places]:
    """The buckets of words' runs of two to four letters and of whole words; and where words begin (and the last ends).

    >>> [own.tolist() for own in letter_buckets(["", "of"])][1]
    [0, 0, 7]
    """
    written = [word.encode("utf-8", "replace").decode() for word in words]
    found, ends = word_letters(Lines(written), *_GRAMS, BUCKETS)
    return np.asarray(found), np.asarray(ends)


class Seen:
    """Texts as sums over their words: features, and the words behind them."""

    def __init__(self, table: WordTable, texts: Sequence[str]) -> None:
        self.numbers, self.ends = table.numbered(texts)
        self.texts = len(texts)
        self.rows = table.rows[self.numbers]
        self.owner = np.repeat(np.arange(self.texts), np.diff(self.ends))
        self.lowered = table.lowered[self.numbers]
        self._leave_clitics(table)
        self.sums = self._summed(self.rows)
        self.words = np.maximum(self.sums[:, _WORD], 1.0)

    def _leave_clitics(self, table: WordTable) -> None:
        """The end of *don't* is no word of its own, but a negation."""
        if not self.rows[:, _CLITIC].any():
            return
        after = np.array([form[-1:] in APOSTROPHES for form in table.forms])
        place = np.flatnonzero(self.rows[:, _CLITIC])
        place = place[place > 0]
        place = place[after[self.numbers[place - 1]] & (self.owner[place] == self.owner[place - 1])]
        denied = np.array([table.forms[n] == "t" for n in self.numbers[place]], float)
        self.rows[place] = 0.0
        self.rows[place, _NEG] = denied

    def _summed(self, values: Numbers) -> Numbers:
        summed = np.zeros((self.texts, values.shape[1]))
        some = np.flatnonzero(np.diff(self.ends))
        if len(some):
            summed[some] = np.add.reduceat(values, self.ends[some], axis=0)
        return summed

    def _counted(self, mask: npt.NDArray[np.bool_]) -> Numbers:
        return np.bincount(self.owner[mask], minlength=self.texts).astype(float)

    def features(self) -> Numbers:
        """A row of `FEATURES` for each text."""
        sums, n = self.sums, self.words
        word = self.rows[:, _WORD] > 0
        content = word & (self.rows[:, _CONTENT] > 0)
        ranks = self.rows[:, _RANK]
        everything, own = self._sorted(ranks, word), self._sorted(ranks, content)
        letters = np.maximum(sums[:, _LETTERS], 1.0)
        contents = self._counted(content)
        rare = [np.log1p(self._counted(content & (ranks > limit))) for limit in _RARE]
        content_sum = np.bincount(self.owner, ranks * content, self.texts)
        longest, mean = self._clauses(word)
        signs = sums[:, _COMMA] + sums[:, _COLON]
        columns = [
            np.log(n), np.log(letters), np.log(np.maximum(sums[:, _SYLLABLES], 1.0)), np.clip(n - 12, 0, 48),
            letters / n, self._largest(self.rows[:, _LETTERS]), sums[:, _LONG] / n, np.log1p(sums[:, _LONGER]),
            sums[:, _SYLLABLES] / n, sums[:, _MANY] / n, np.log1p(sums[:, _MANY]),
            sums[:, _RANK] / n, everything(0.75), everything(0.9), everything(1.0), everything(1.0, 1),
            everything(1.0, 2),
            content_sum / np.maximum(contents, 1.0), own(0.25), own(0.75), np.log1p(contents), contents / n,
            *rare, np.log1p(content_sum), sums[:, _UNKNOWN] / n,
            sums[:, _COMMA] / n, np.log1p(signs), sums[:, _BRACKET], sums[:, _COLON], longest, mean,
            sums[:, _SUB], sums[:, _SUB] / n, self._passives(), sums[:, _NEG], sums[:, _PRONOUN] / n,
            sums[:, _PERSON] / n, sums[:, _CONNECTIVE] / n, sums[:, _NUMBER] / n, self._capitals() / n,
            sums[:, _ASK], sums[:, _CALL], self._different(word) / n, sums[:, _LEARNED] / n,
            np.log1p(sums[:, _LEARNED]), sums[:, _QUOTE], sums[:, _DASH], sums[:, _STOP],
        ]  # fmt: skip
        return np.column_stack([*columns, self._bands(ranks, word)])

    def _bands(self, ranks: Numbers, word: npt.NDArray[np.bool_]) -> Numbers:
        """How many words lie between two ranks, over the root of all: many rare ones count more in long texts."""
        wide = len(_BANDS) + 1
        keys = self.owner[word] * wide + np.searchsorted(_BANDS, ranks[word], side="right")
        counts = np.bincount(keys, minlength=self.texts * wide).reshape(self.texts, wide)
        return np.asarray(counts / np.sqrt(self.words)[:, None])

    def _sorted(self, values: Numbers, mask: npt.NDArray[np.bool_]) -> Callable[..., Numbers]:
        """Quantiles of masked values in each text, 0 where there are none; `back` takes the next smaller ones."""
        place = np.flatnonzero(mask)
        order = place[np.lexsort((values[place], self.owner[place]))]
        ordered = values[order] if len(order) else np.zeros(1)
        counts = np.bincount(self.owner[place], minlength=self.texts)
        first = np.concatenate([[0], np.cumsum(counts)[:-1]])

        def quantile(share: float, back: int = 0) -> Numbers:
            at = np.maximum(share * (counts - 1) - back, 0.0)
            low = np.floor(at).astype(np.int64)
            high = np.minimum(low + 1, np.maximum(counts - 1, 0))
            last = len(ordered) - 1
            below, above = (ordered[np.minimum(first + own, last)] for own in (low, high))
            return np.where(counts > 0, below + (at - low) * (above - below), 0.0)

        return quantile

    def _largest(self, values: Numbers) -> Numbers:
        found = np.zeros(self.texts)
        some = np.flatnonzero(np.diff(self.ends))
        if len(some):
            found[some] = np.maximum.reduceat(values, self.ends[some])
        return found

    def _clauses(self, word: npt.NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
        """Words between two signs: the most, and the mean, as logarithms."""
        if not len(self.numbers):
            return np.zeros(self.texts), np.zeros(self.texts)
        breaks = self.rows[:, _BREAK] > 0
        begins = np.zeros(len(self.numbers), bool)
        begins[self.ends[:-1][np.diff(self.ends) > 0]] = True
        starts = np.flatnonzero(begins | breaks)
        lengths = np.add.reduceat(word.astype(float), starts)
        owner = self.owner[starts]
        longest = np.zeros(self.texts)
        np.maximum.at(longest, owner, lengths)
        clauses = np.bincount(owner[lengths > 0], minlength=self.texts)
        return np.log(np.maximum(longest, 1.0)), np.log(self.words / np.maximum(clauses, 1))

    def _passives(self) -> Numbers:
        aux, part = self.rows[:, _AUX] > 0, self.rows[:, _PART] > 0
        found = np.zeros(len(aux), bool)
        for step in (1, 2):
            same = self.owner[step:] == self.owner[:-step]
            found[:-step] |= aux[:-step] & part[step:] & same
        return self._counted(found)

    def _capitals(self) -> Numbers:
        inside = np.ones(len(self.numbers), bool)
        inside[self.ends[:-1][np.diff(self.ends) > 0]] = False
        return self._counted(inside & (self.rows[:, _CAPITAL] > 0) & (self.rows[:, _WORD] > 0))

    def _different(self, word: npt.NDArray[np.bool_]) -> Numbers:
        if not word.any():
            return np.zeros(self.texts)
        wide = int(self.lowered.max()) + 1
        keys = np.sort(self.owner[word] * wide + self.lowered[word])
        first = np.concatenate([[True], keys[1:] != keys[:-1]])
        return np.bincount(keys[first] // wide, minlength=self.texts).astype(float)

    def content(self, scores: Numbers) -> Numbers:
        """The sum of content words' scores in each text, over the root of their number."""
        kept = self.rows[:, _CONTENT] > 0
        total = np.bincount(self.owner[kept], scores[self.numbers[kept]], self.texts)
        return np.asarray(total / np.sqrt(np.maximum(self._counted(kept), 1.0)))

    def content_vectors(self, vectors: Numbers) -> Numbers:
        """The same of words' vectors, a row for every form."""
        kept = self.rows[:, _CONTENT] > 0
        found = np.zeros((self.texts, vectors.shape[1]))
        np.add.at(found, self.owner[kept], vectors[self.numbers[kept]])
        return np.asarray(found / np.sqrt(np.maximum(self._counted(kept), 1.0))[:, None])

    def means(self, scores: Numbers) -> Numbers:
        """The mean of words' scores in each text."""
        total = np.bincount(self.owner, scores[self.numbers], self.texts)
        return total / self.words

    def buckets(self, table: WordTable) -> Numbers:
        """How often each bucket of letters occurs, for every word (texts x `BUCKETS`)."""
        found = np.zeros((self.texts, BUCKETS))
        flat, ends = letter_buckets([bare_form(form) for form in table.forms])
        made = np.split(flat, ends[1:-1])
        for text in range(self.texts):
            own = self.numbers[self.ends[text] : self.ends[text + 1]]
            if len(own):
                found[text] = np.bincount(np.concatenate([made[n] for n in own]), minlength=BUCKETS)
        return found / self.words[:, None]

"""METEOR as one would explain it on paper: the slow twin of native/meteor*.hpp and native/stem_english.hpp's users.

Denkowski and Lavie, "Meteor universal: language specific translation evaluation for any target language", 2014;
where the program differs from the paper (which words are alike, coverage, distance), the program is followed.
Libovický, Brovelli and Cartoni, "Machine translation evaluation beyond the sentence level", 2018, for links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

LETTERS = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017e\u0400-\u0527\u1d00-\u1d7f\ua640-\ua66e\ua67e-\ua697"
WIDE = "\u00a0\u2000-\u200a\u202f\u205f\u3000"
BREAKS = " \t\n\r\f"


def normalized(
    line: str, style: str, always: Sequence[str], before_numbers: Sequence[str], *, punctuation: bool
) -> str:
    """METEOR's -norm (and -noPunct), rule by rule."""
    text = re.sub("[‘’`]", "'", re.sub("[“”]", '"', f" {line} ")).replace("''", '"').replace("–", " - ")
    text = re.sub(rf"([^{LETTERS}0-9 \t\n\x0b\f\r.',\-])", r" \1 ", text)
    text = re.sub(r"\.\.+", lambda dots: f" {chr(0xE000) * len(dots[0])} ", text)
    for rule in (r"([^0-9]),([^0-9])", r"([0-9]),([^0-9])", r"([^0-9]),([0-9])"):
        text = re.sub(rule, r"\1 , \2", text)
    text = re.sub(rf"([{LETTERS}0-9.])-([{LETTERS}0-9])", r"\1 \2", text.replace("--", "-"))
    letter, other = f"([{LETTERS}])", f"([^{LETTERS}])"
    if style == "apart":
        text = text.replace("'", " ' ")
    else:
        before_letter = rf"([^{LETTERS}0-9])" if style == "english" else other
        for left, right in ((other, other), (before_letter, letter), (letter, other)):
            text = re.sub(f"{left}'{right}", r"\1 ' \2", text)
        text = re.sub(f"{letter}'{letter}", r"\1 '\2" if style == "english" else r"\1' \2", text)
        if style == "english":
            text = re.sub("([0-9])'(s)", r"\1 '\2", text)
    words = [word for word in re.split(f"[{BREAKS}]+", text) if word]
    out = []
    for place, word in enumerate(words):
        after = words[place + 1] if place + 1 < len(words) else ""
        before = word[:-1]
        if before and word.endswith("."):
            if "." in before and re.search(f"[{LETTERS}]", before):
                word = word.replace(".", "")
            elif not (
                before in always
                or re.match("[a-z]", after)
                or (before in before_numbers and re.match("[0-9]", after))
            ):
                word = f"{before} ."
        if not re.match(f"[{WIDE}]", word):
            out.append(word)
    text = " ".join(out).replace(chr(0xE000), ".")
    if not punctuation:
        text = re.sub(f"[^{LETTERS}0-9]", " ", text)
    return " ".join(re.split(f"[{BREAKS}]+", text)).strip("".join(map(chr, range(33))))


def java_hash(text: str) -> int:
    """String.hashCode: METEOR compares nothing else of words and stems."""
    units = text.encode("utf-16-be", "surrogatepass")
    value = 0
    for i in range(0, len(units), 2):
        value = (31 * value + units[i] * 256 + units[i + 1]) % 2**32
    return value


def same(a: str, b: str) -> bool:
    return java_hash(a) == java_hash(b)


@dataclass(frozen=True)
class Match:
    """Words of the reference (from `theirs` on) and of the hypothesis (from `ours` on) that a module matches."""

    theirs: int
    their_length: int
    ours: int
    our_length: int
    stage: int
    is_exact: bool


Words = Sequence[str]
Module = Callable[[Words, Words], Iterator[tuple[int, int, int, int]]]


def exact(ours: Words, theirs: Words) -> Iterator[tuple[int, int, int, int]]:
    for j, their in enumerate(theirs):
        yield from ((j, 1, i, 1) for i, our in enumerate(ours) if same(our, their))


def stems(stem: Callable[[str], str]) -> Module:
    def module(ours: Words, theirs: Words) -> Iterator[tuple[int, int, int, int]]:
        for j, their in enumerate(theirs):
            for i, our in enumerate(ours):
                if same(stem(our), stem(their)) and not same(our, their):
                    yield j, 1, i, 1

    return module


def synonyms(sets: Callable[[str], set[int]]) -> Module:
    def module(ours: Words, theirs: Words) -> Iterator[tuple[int, int, int, int]]:
        for j, their in enumerate(theirs):
            for i, our in enumerate(ours):
                if sets(our) & sets(their) and not same(our, their):
                    yield j, 1, i, 1

    return module


def paraphrases(pairs: Sequence[tuple[str, str]]) -> Module:
    """Both directions of every pair, first from the reference to the hypothesis, then back; repeated pairs count."""
    table: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for first, second in pairs:
        table.setdefault(tuple(first.split()), []).append(tuple(second.split()))

    def one_way(source: Words, target: Words) -> Iterator[tuple[int, int, int, int]]:
        for i in range(len(source)):
            for length in range(1, len(source) - i + 1):
                for phrase in table.get(tuple(source[i : i + length]), ()):
                    for j in range(len(target) - len(phrase) + 1):
                        if tuple(target[j : j + len(phrase)]) == phrase:
                            yield i, length, j, len(phrase)

    def module(ours: Words, theirs: Words) -> Iterator[tuple[int, int, int, int]]:
        yield from one_way(theirs, ours)
        yield from ((j, n, i, m) for i, m, j, n in one_way(ours, theirs))

    return module


@dataclass(frozen=True)
class Path:
    """A partial alignment: matches so far, which words are taken, and what it is worth."""

    chosen: tuple[Match, ...] = ()
    our_used: frozenset[int] = frozenset()
    their_used: frozenset[int] = frozenset()
    covered: int = 0
    chunks: int = 0
    distance: int = 0
    goes_on: int | None = None  # where the hypothesis would go on in the same chunk

    def worth(self) -> tuple[int, int, int]:
        return -self.covered, self.chunks, self.distance

    def taking(self, match: Match) -> Path:
        gain = [match.our_length, match.their_length]
        breaks = self.goes_on is not None and self.goes_on != match.ours
        return replace(
            self,
            chosen=(*self.chosen, match),
            our_used=self.our_used | set(range(match.ours, match.ours + match.our_length)),
            their_used=self.their_used | set(range(match.theirs, match.theirs + match.their_length)),
            covered=self.covered + sum(words if match.is_exact else words // 2 for words in gain),
            chunks=self.chunks + breaks,
            goes_on=match.ours + match.our_length,
        )

    def closed(self) -> Path:
        return replace(self, chunks=self.chunks + (self.goes_on is not None), goes_on=None)

    def has_free(self, match: Match) -> bool:
        return not (
            self.our_used & set(range(match.ours, match.ours + match.our_length))
            or self.their_used & set(range(match.theirs, match.theirs + match.their_length))
        )


def align(ours: Words, theirs: Words, modules: Sequence[Module], beam: int = 40) -> tuple[list[Match], int]:
    """The matches that METEOR chooses, and the number of chunks."""
    equal = [java_hash(word) for word in ours] == [java_hash(word) for word in theirs]
    found = [
        Match(*places, stage, module is exact)
        for stage, module in enumerate(modules[:1] if equal else modules)
        for places in module(ours, theirs)
    ]
    at = [[match for match in found if match.theirs == j] for j in range(len(theirs))]
    our_cover, their_cover = [0] * len(ours), [0] * len(theirs)
    for match in found:
        for k in range(match.our_length):
            our_cover[match.ours + k] += 1
        for k in range(match.their_length):
            their_cover[match.theirs + k] += 1
    certain: dict[int, Match] = {}
    start = Path()
    for j, matches in enumerate(at):
        if len(matches) == 1:
            (match,) = matches
            alone = all(our_cover[match.ours + k] == 1 for k in range(match.our_length))
            if alone and all(their_cover[match.theirs + k] == 1 for k in range(match.their_length)):
                certain[j] = match
                taken = start.taking(match)
                start = replace(start, our_used=taken.our_used, their_used=taken.their_used)
    paths = [start]
    for j in range(len(theirs)):
        steps: list[Path] = []
        for path in sorted(paths, key=Path.worth)[:beam]:
            if j in path.their_used:
                steps.append(path.taking(certain[j]) if j in certain else path)
                continue
            for match in at[j]:
                if path.has_free(match):
                    steps.append(path.taking(match))
                    path = replace(path, distance=path.distance + abs(match.theirs - match.ours))
            steps.append(path.closed())
        paths = steps
    best = min((path.closed() for path in sorted(paths, key=Path.worth)[:beam]), key=Path.worth)
    return list(best.chosen), best.chunks


@dataclass(frozen=True)
class Statistics:
    """Counts that add: of words, of matched words by module, of chunks."""

    counts: tuple[int, ...]
    whole: bool = field(default=False)  # all words of both texts in one chunk


def statistics(
    ours: Words, theirs: Words, modules: Sequence[Module], functions: frozenset[str], beam: int = 40
) -> Statistics:
    """METEOR's own line of 23 numbers, and whether the segment is matched whole."""
    matches, chunks = align(ours, theirs, modules, beam)
    counts = [
        len(ours),
        len(theirs),
        sum(word.lower() in functions for word in ours),
        sum(word.lower() in functions for word in theirs),
    ]
    for stage in range(4):
        of_stage = [match for match in matches if match.stage == stage]
        mine = [ours[m.ours + k].lower() in functions for m in of_stage for k in range(m.our_length)]
        their = [theirs[m.theirs + k].lower() in functions for m in of_stage for k in range(m.their_length)]
        counts += [mine.count(False), their.count(False), mine.count(True), their.count(True)]
    matched = sum(m.our_length for m in matches), sum(m.their_length for m in matches)
    counts += [chunks, *matched]
    return Statistics(tuple(counts), chunks == 1 and matched == (len(ours), len(theirs)))


def score(found: Statistics, parameters: Mapping[str, float], weights: Sequence[float]) -> float:
    """From 0 to 1; 0 where nothing matches."""
    counts = found.counts
    delta = parameters["delta"]

    def rate(side: int) -> float:
        matched = sum(
            weight * (delta * counts[4 + 4 * i + side] + (1 - delta) * counts[6 + 4 * i + side])
            for i, weight in enumerate(weights)
        )
        content = counts[side] - counts[2 + side]
        return matched / (delta * content + (1 - delta) * counts[2 + side])

    try:
        alpha = parameters["alpha"]
        mean = 1 / ((1 - alpha) / rate(0) + alpha / rate(1))
        fragments = 0.0 if found.whole else counts[20] / ((counts[21] + counts[22]) / 2)
    except ZeroDivisionError:
        return 0.0
    return float(mean * (1 - parameters["gamma"] * fragments ** parameters["beta"]))


def link_score(
    matches: Sequence[Match], chunks: int, ours: Words, theirs: Words, similarity: Callable[[str, str], float]
) -> float:
    """METEOR over links (0 to 1): each word weighs as much as it is similar to the best word it is linked with."""
    if not matches:
        return 0.0
    precision = recall = 0.0
    for match in matches:
        mine = ours[match.ours : match.ours + match.our_length]
        their = theirs[match.theirs : match.theirs + match.their_length]
        precision += sum(max(similarity(a, b) for b in their) for a in mine) / len(ours)
        recall += sum(max(similarity(a, b) for a in mine) for b in their) / len(theirs)
    if not precision:
        return 0.0
    matched = sum(match.our_length + match.their_length for match in matches) / 2
    return 10 * precision * recall / (recall + 9 * precision) * (1 - 0.5 * (chunks / matched) ** 3)

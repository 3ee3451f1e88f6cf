"""Candidates for a challenge set from a parallel corpus: short sentences that diverge, ranked, with reasons.

Divergences are rare, so each kind is measured by how few sentences of the corpus diverge as much: a share p gives
-log2 p points, and the points of all kinds add up. The candidates are items to be edited: somebody must still write the
question, and discard what is a bad translation rather than a divergence.
"""

from __future__ import annotations

import math
import textwrap
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tertium.challenge.divergence import (
    KINDS,
    OUTPUT_KINDS,
    Divergence,
    Kind,
    Sentence,
    TagPattern,
    length_divergences,
    order_divergence,
    tag_divergence,
)
from tertium.challenge.items import ChallengeSet, Item, Span
from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.conllu import read_conllu
from tertium.io.escaping import one_line
from tertium.io.streams import FilePath, display_name
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result
from tertium.text.alignment import Links, parse_pharaoh
from tertium.text.normalize import plain_typography, plain_words
from tertium.text.parses import Parsed

RARE = 0.1  # a divergence is a reason if at most this share of sentences diverge as much
FEW = 500  # sentence pairs; our own aligner learns little from fewer
QUESTION = "(write the yes/no question)"


@dataclass(frozen=True)
class Reason:
    """A divergence, and the share of sentences that diverge as much or more; None where it has no degree."""

    divergence: Divergence
    share: float | None

    @property
    def points(self) -> float:
        return 0.0 if self.share is None else -math.log2(self.share)

    def __str__(self) -> str:
        rare = "" if self.share is None else f" (this much in {self.share:.1%} of the sentences)"
        return f"{self.divergence.kind}: {self.divergence.reason}{rare}"


@dataclass(frozen=True)
class Candidate:
    """A sentence pair that diverges: its line in the corpus (from 1), its reasons, the strongest first, and where."""

    line: int
    source: str
    target: str
    reasons: tuple[Reason, ...]
    source_spans: tuple[Span, ...] = ()
    target_spans: tuple[Span, ...] = ()
    output: str | None = None  # what a system made of the source

    @property
    def points(self) -> float:
        return math.fsum(reason.points for reason in self.reasons)

    def data(self) -> dict[str, Any]:
        return {
            "line": self.line,
            "points": self.points,
            "source": self.source,
            "target": self.target,
            "output": self.output,
            "reasons": [
                {"kind": r.divergence.kind, "value": r.divergence.value, "share": r.share, "reason": str(r)}
                for r in self.reasons
            ],
        }


@dataclass(frozen=True)
class Mined(Result):
    """The candidates that a corpus offers, the strongest first. Made by `mine`."""

    kind = "mined sentences"
    candidates: tuple[Candidate, ...]
    sentences: int  # in the corpus
    looked_at: int  # of a suitable length
    notes: tuple[str, ...] = ()

    def contents(self) -> Mapping[str, Any]:
        return {
            "sentences": self.sentences,
            "looked_at": self.looked_at,
            "notes": list(self.notes),
            "candidates": [candidate.data() for candidate in self.candidates],
        }

    def table(self) -> Table:
        failed = any(candidate.output is not None for candidate in self.candidates)
        names = ("source", "target", *(["output"] if failed else []), "reasons")
        columns = (number_column("line"), number_column("points", digits=1), *map(Column, names))
        rows = tuple(
            (
                c.line,
                c.points,
                c.source,
                c.target,
                *([c.output] if failed else []),
                "; ".join(map(str, c.reasons)),
            )
            for c in self.candidates
        )
        notes = (
            f"{self.looked_at} of {self.sentences} sentences have a suitable length",
            "points: the sum of -log2 of the shares of sentences that diverge as much or more",
            *self.notes,
        )
        return Table("Candidates for a challenge set", columns, rows, notes)

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        """A paragraph for each candidate: sentences are too long for columns."""
        parts = [self.table().title]
        for c in self.candidates:
            texts = [("source", c.source), ("target", c.target), ("output", c.output)]
            told = [(f"{name}: ", one_line(said)) for name, said in texts if said is not None]
            told += [("- ", one_line(str(reason))) for reason in c.reasons]
            lines = [f"line {c.line}, {c.points:.1f} points"]
            for head, said in told:
                lines += textwrap.wrap(
                    said, width or 80, initial_indent=f"  {head}", subsequent_indent=" " * (2 + len(head))
                )
            parts.append("\n".join(lines))
        notes = [line for note in self.table().notes for line in textwrap.wrap(note, width or 80)]
        return "\n\n".join([*parts, "\n".join(notes)])

    def items(self, *, prefix: str = "mined", languages: str = "") -> ChallengeSet:
        """The candidates as items to be edited: category and question are placeholders, the notes say why."""
        digits = len(str(len(self.candidates)))
        return ChallengeSet(
            tuple(
                Item(
                    f"{prefix}-{number:0{digits}}",
                    "Mined",
                    candidate.reasons[0].divergence.kind,
                    QUESTION,
                    candidate.source,
                    candidate.target,
                    candidate.source_spans,
                    candidate.target_spans,
                    languages,
                    "; ".join(map(str, candidate.reasons)),
                    metadata={
                        "mined": {"line": candidate.line, "points": round(candidate.points, 3)}
                        | ({} if candidate.output is None else {"output": candidate.output})
                    },
                )
                for number, candidate in enumerate(self.candidates, 1)
            ),
            prefix,
        )


def mine(
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    outputs: Sequence[str] | None = None,
    metric: str = "chrf",
    alignments: Sequence[str] | None = None,
    source_parses: Sequence[Parsed] | None = None,
    target_parses: Sequence[Parsed] | None = None,
    pattern: str | None = None,
    kinds: Sequence[Kind] | None = None,
    shortest: int = 4,
    longest: int = 20,
    limit: int | None = 50,
) -> Mined:
    """Propose sentences whose translation diverges, or on which a system fails.

    `outputs` are what a system makes of the sources, its own training data best: then only sentences are proposed where
    its output is far from the reference (by this metric), has an unusual length, or reads unlike the targets
    (`challenge.failures`), and divergences count as further reasons.

    `alignments` are lines in Pharaoh's format over the words between spaces (or of the parses, where given);
    without them our own IBM model 1 aligns. Parses give parts of speech; with a `pattern` (see `TagPattern`) only
    source sentences that contain it are proposed. Sentences of `shortest` to `longest` words are considered, each
    source once.

    >>> sources = [f"he came at {n}" for n in range(30)] + ["yesterday he came home late"]
    >>> targets = [f"il vint à {n}" for n in range(30)] + ["il est rentré tard hier"]
    >>> aligned = ["0-0 1-1 2-2 3-3"] * 30 + ["0-4 1-0 2-1 3-2 4-3"]
    >>> best = mine(sources, targets, alignments=aligned).candidates[0]
    >>> best.line, best.reasons[0].divergence.reason
    (31, "40% of the pairs of linked words cross; 'yesterday' is word 1 of 5, 'hier' word 5 of 5")
    """
    _check(sources, targets, alignments, source_parses, target_parses, outputs)
    known = (*KINDS, *OUTPUT_KINDS)
    kinds = kinds or (KINDS if outputs is None else known)
    for kind in kinds:
        if kind not in known:
            raise SpecError(f"unknown kind of divergence {kind!r}{did_you_mean(kind, known)}")
        if kind in OUTPUT_KINDS and outputs is None:
            raise SpecError(f"{kind} is measured on a system's outputs: give them")
    if pattern is not None and source_parses is None:
        raise SpecError("a pattern of parts of speech needs parses of the sources (CoNLL-U)")
    if not 1 <= shortest <= longest:
        raise SpecError(f"no sentence can have {shortest} to {longest} words")
    if limit is not None and limit < 1:
        raise SpecError(f"the limit must be at least one candidate, not {limit}")
    spaced = alignments is not None
    ours = _sentences(sources, source_parses, "source", spaced=spaced)
    theirs = _sentences(targets, target_parses, "target", spaced=spaced)
    pairs = [_Pair(*both) for both in zip(sources, targets, ours, theirs, strict=True)]
    eligible = _eligible(pairs, shortest, longest)
    lengths = length_divergences([(len(pair.ours.words), len(pair.theirs.words)) for pair in pairs])
    found = {n: [lengths[n]] if "length" in kinds else [] for n in eligible}
    notes: list[str] = []
    tagged = "part of speech" in kinds and source_parses and target_parses
    links: list[Links] | None = None
    if tagged or "order" in kinds:
        links = _links(pairs, alignments, notes)
        for kind, measured in (("order", order_divergence), ("part of speech", tag_divergence)):
            for n in eligible if kind in kinds else ():
                found[n].append(measured(pairs[n].ours, pairs[n].theirs, links[n]))
    if outputs is not None:
        from tertium.challenge.failures import output_divergences

        texts = [(output, pair.target) for output, pair in zip(outputs, pairs, strict=True)]
        made = _sentences(outputs, None, "output", spaced=spaced)
        failed = output_divergences(texts, ours, theirs, made, links, kinds, metric)
        for n in eligible:
            found[n] += failed[n]
    reasons = _reasons({n: list(filter(None, divergences)) for n, divergences in found.items()})
    if outputs is not None:
        reasons = {
            n: why for n, why in reasons.items() if any(r.divergence.kind in OUTPUT_KINDS for r in why)
        }
    if pattern is not None:
        reasons = _with_pattern(reasons, eligible, pairs, TagPattern(pattern))
    candidates = [
        Candidate(
            n + 1,
            pairs[n].source,
            pairs[n].target,
            tuple(why),
            _spans(pairs[n].source, pairs[n].ours, [i for r in why for i in r.divergence.source_words]),
            _spans(pairs[n].target, pairs[n].theirs, [j for r in why for j in r.divergence.target_words]),
            None if outputs is None else outputs[n],
        )
        for n, why in reasons.items()
    ]
    candidates.sort(key=lambda candidate: (-candidate.points, candidate.line))
    return Mined(tuple(candidates[:limit]), len(sources), len(eligible), tuple(notes))


class _Pair(NamedTuple):
    """A sentence pair: both texts, and their words."""

    source: str
    target: str
    ours: Sentence
    theirs: Sentence


def mine_files(
    source: FilePath,
    target: FilePath,
    *,
    output: FilePath | None = None,
    alignment: FilePath | None = None,
    source_conllu: FilePath | None = None,
    target_conllu: FilePath | None = None,
    **options: Any,
) -> Mined:
    """`mine` over files: a sentence per line, a system's `output` likewise, links in Pharaoh's format, parses in
    CoNLL-U. Options as in `mine`."""
    from tertium.io.door import read_strings

    sources, targets = read_strings(source, "source"), read_strings(target, "reference")
    if len(sources) != len(targets):
        raise InputError(
            f"{display_name(source)} has {len(sources)} lines, {display_name(target)} has {len(targets)}"
        )
    return mine(
        sources,
        targets,
        outputs=None if output is None else read_strings(output),
        alignments=None if alignment is None else read_strings(alignment),
        source_parses=None if source_conllu is None else read_conllu(source_conllu),
        target_parses=None if target_conllu is None else read_conllu(target_conllu),
        **options,
    )


def _check(sources: Sequence[str], *others: Sequence[object] | None) -> None:
    names = ("targets", "alignments", "parsed sources", "parsed targets", "outputs")
    for what, given in zip(names, others, strict=True):
        if given is not None and len(given) != len(sources):
            raise InputError(f"there are {len(sources)} sources, but {len(given)} {what}")
    if not sources:
        raise InputError("the corpus is empty")


def _sentences(
    texts: Sequence[str], parses: Sequence[Parsed] | None, side: str, *, spaced: bool
) -> list[Sentence]:
    if parses is None:
        split = str.split if spaced else lambda text: [word for word, _ in plain_words(text)]
        return [Sentence(tuple(split(text))) for text in texts]
    for number, (text, parse) in enumerate(zip(texts, parses, strict=True), 1):
        if "".join(parse.text.split()) != "".join(text.split()):
            raise InputError(
                f"sentence {number} of the parsed {side} is {parse.text!r}, but the {side} is {text!r}: "
                "the two files do not match"
            )
    return [Sentence(parse.words, parse.tags) for parse in parses]


def _links(pairs: Sequence[_Pair], alignments: Sequence[str] | None, notes: list[str]) -> list[Links]:
    if alignments is not None:
        return [
            parse_pharaoh(line, len(pair.ours.words), len(pair.theirs.words), f"alignment: line {number}")
            for number, (line, pair) in enumerate(zip(alignments, pairs, strict=True), 1)
        ]
    from tertium.text.ibm1 import align

    notes.append(
        "words were aligned by Tertium's own IBM model 1"
        + (f", from {len(pairs)} sentences only: treat the order with caution" if len(pairs) < FEW else "")
    )
    return align([pair.ours.words for pair in pairs], [pair.theirs.words for pair in pairs])


def _eligible(pairs: Sequence[_Pair], shortest: int, longest: int) -> list[int]:
    """Sentence pairs of a suitable length that a file can hold, each source once."""
    seen: dict[str, int] = {}
    for n, pair in enumerate(pairs):
        fits = shortest <= len(pair.ours.words) <= longest and pair.theirs.words
        if fits and pair.source.isprintable() and pair.target.isprintable():
            seen.setdefault(plain_typography(pair.source).casefold(), n)
    return list(seen.values())


def _reasons(found: dict[int, list[Divergence]]) -> dict[int, list[Reason]]:
    """What is rare about each sentence, the rarest first."""
    values: dict[Kind, list[float]] = {}
    for divergences in found.values():
        for divergence in divergences:
            values.setdefault(divergence.kind, []).append(divergence.value)
    for known in values.values():
        known.sort()
    reasons: dict[int, list[Reason]] = {}
    for n, divergences in found.items():
        for divergence in divergences:
            known = values[divergence.kind]
            share = 1 - bisect_left(known, divergence.value) / len(known)
            if share <= RARE and divergence.value > 0:
                reasons.setdefault(n, []).append(Reason(divergence, share))
    for why in reasons.values():
        why.sort(key=lambda reason: -reason.points)
    return reasons


def _with_pattern(
    reasons: dict[int, list[Reason]], eligible: Sequence[int], pairs: Sequence[_Pair], pattern: TagPattern
) -> dict[int, list[Reason]]:
    """Only sentences that contain the pattern, which is then a reason, too."""
    found = {}
    for n in eligible:
        if places := pattern.found(pairs[n].ours.tags):
            run = " ".join(pairs[n].ours.words[place] for place in places)
            holds = Divergence("part of speech", 1.0, f"contains {pattern.pattern}: {run!r}", places)
            found[n] = [*reasons.get(n, []), Reason(holds, None)]
    return found


def _spans(text: str, sentence: Sentence, places: Sequence[int]) -> tuple[Span, ...]:
    """Where words are in the text, found one after the other; a word that is not there has no span."""
    spans, cursor = [], 0
    for place, word in enumerate(sentence.words):
        start = text.find(word, cursor)
        if start >= 0:
            cursor = start + len(word)
            if place in places:
                spans.append((start, cursor))
    return tuple(spans)

"""Does a published line hold on these texts? Every number on it is recomputed; of one that does not hold, the nearest
settings that give it are looked for: other tokenisers, case, smoothing, references, or a mean of segment scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from tertium import registry
from tertium.errors import InputError, did_you_mean
from tertium.families.base import Metric
from tertium.io.door import Batch, Inputs
from tertium.io.escaping import UNDEFINED
from tertium.io.tables import Column, Table, number_column
from tertium.measured import Measured
from tertium.measuring import measure
from tertium.nearby import Way, changes, other_texts, variants
from tertium.published import Claim, Printed
from tertium.results import Result
from tertium.scoring import check_sources
from tertium.text.segments import References

# What the parts of a score are called on a line.
_COMPONENTS = {"BP": "brevity_penalty", "hyp_len": "hypothesis_length", "ref_len": "reference_length"}
_COMPONENTS |= {"P": "precision", "R": "recall", "a": "adequacy", "d": "disfluency"}
_LISTS = ("precisions", "terms", "matches")

_RESAMPLES = (1000, 100, 200, 500, 2000, 5000, 10000)


class CheckedNumber(NamedTuple):
    """A number of the line, and what these texts give in its place."""

    what: str
    claimed: str
    found: float | None
    holds: bool | None  # None: it cannot be checked


class Nearest(NamedTuple):
    """The setting with the fewest changes that gives what the line says, or comes closest to its score."""

    changes: tuple[str, ...]
    metric: Metric
    score: float | None
    gives: str  # "everything" that the line says, "the score", or "nothing" of it
    tried: int
    giving: int  # how many settings give as much


@dataclass(frozen=True)
class Verified:
    """A claim, and what was found."""

    claim: Claim
    score: float | None
    signature: str
    verbose: str
    checks: tuple[CheckedNumber, ...]
    nearest: Nearest | None = None
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return all(check.holds is not False for check in self.checks)

    def _shown(self, check: CheckedNumber) -> str:
        """What was found, with two digits more than the line has; whole numbers whole."""
        if check.found is None:
            return UNDEFINED
        digits = Printed(check.what, check.claimed).digits
        whole = digits == 0 and check.found == int(check.found)
        return f"{check.found:.{0 if whole else digits + 2}f}"

    def words(self) -> Iterator[str]:
        label = self.claim.metric.label
        score, *parts = self.checks
        wrong = [check for check in parts if check.holds is False]
        for check in [*wrong, score] if score.holds else [score, *wrong]:
            verdict = "holds" if check.holds else "does not hold"
            yield (
                f"{verdict}: the line says {check.what} = {check.claimed}, these files give {self._shown(check)}"
            )
        right = [check.what for check in parts if check.holds]
        if right:
            yield f"holds too: {', '.join(right)}"
        yield f"recomputed as: {label}|{self.signature} = {self._shown(score)} {self.verbose}".rstrip()
        if self.nearest is not None:
            yield self._nearest_words(self.nearest, label)
        yield from (f"note: {note}" for note in self.notes)

    def _nearest_words(self, found: Nearest, label: str) -> str:
        changed = " and ".join(found.changes) or "nothing changed"
        score = self.checks[0]._replace(found=self.claim.scaled(found.score))
        gives = f"{label} = {self._shown(score)}"
        if found.gives == "nothing" and score.holds:
            return f"nearest: none of {found.tried} settings gives all that the line says: other texts, or a misprint?"
        if found.gives == "nothing":
            return f"nearest: none of {found.tried} settings gives it; closest is {changed}: {gives}"
        others = found.giving - 1
        so = "so does another" if others == 1 else f"so do {others} others"
        also = f"; {so} of {found.tried} tried" if others else ""
        what = " and the other numbers" if found.gives == "everything" and self.claim.parts else ""
        return f"nearest: {changed} gives {gives}{what} ({found.metric}){also}"

    def contents(self) -> Mapping[str, Any]:
        near = self.nearest
        return {
            "metric": self.claim.metric,
            "label": self.claim.metric.label,
            "score": self.score,
            "signature": self.signature,
            "verbose": self.verbose,
            "holds": self.holds,
            "checks": [check._asdict() for check in self.checks],
            "nearest": near and {**near._asdict(), "metric": str(near.metric), "changes": list(near.changes)},
            "notes": self.notes,
        }


@dataclass(frozen=True)
class Verification(Result):
    """Claims of one line or of several, each with what was found."""

    kind = "verification"
    claims: tuple[Verified, ...]

    @property
    def holds(self) -> bool:
        return all(claim.holds for claim in self.claims)

    def contents(self) -> Mapping[str, Any]:
        return {"holds": self.holds, "claims": [claim.contents() for claim in self.claims]}

    def words(self) -> Iterator[str]:
        for claim in self.claims:
            yield from claim.words()

    def table(self) -> Table:
        """What was claimed and what was found, a row for each number."""
        found = number_column("found", "score", 4)
        columns = (Column("metric"), Column("number"), Column("claimed"), found, Column("holds"))
        verdicts = {True: "yes", False: "no", None: "not checked"}
        rows = tuple(
            (own.claim.metric.label, check.what, check.claimed, check.found, verdicts[check.holds])
            for own in self.claims
            for check in own.checks
        )
        return Table("", columns, rows, tuple(note for own in self.claims for note in own.notes))

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        return "\n".join(self.words())


def verify(claims: Sequence[Claim], inputs: Inputs, *, threads: int = 1) -> Verification:
    """Recompute everything that these lines say of one system; look for other settings where a number does not hold.

    `inputs` is what `Files.open(whole=True)` gives.
    """
    check_sources([claim.metric for claim in claims], inputs.has_sources)
    if len(inputs.systems) != 1:
        raise InputError(f"a score line describes one system, but {len(inputs.systems)} are given")
    for claim in claims:
        true = inputs.n_references - len(inputs.pseudo)
        if claim.n_references is not None and claim.n_references > true:
            raise InputError(f"the line says nrefs:{claim.n_references}, but {true} references are given")
        for label in claim.pseudo:
            if label not in inputs.pseudo:
                hint = did_you_mean(label, inputs.pseudo)
                raise InputError(
                    f"the line says pseudo:{label}{hint}: give that output, --pseudo-references {label}=FILE"
                )
        if not (true if claim.n_references is None else claim.n_references) and not claim.pseudo:
            raise InputError("the line names no pseudo-reference, and no references are given")
    (batch,) = inputs.batches
    origin = dict(item.split(":", 1) for item in inputs.origin)
    texts = _Texts(inputs.systems[0], batch, threads, origin)
    return Verification(tuple(_verified(claim, texts) for claim in claims))


@dataclass
class _Texts:
    """One system and its references, measured in many ways."""

    system: str
    batch: Batch
    threads: int
    origin: dict[str, str]  # of a test set by name

    @property
    def number(self) -> int:
        """Of references that are no pseudo-references."""
        return len(self.batch.references.streams) - len(self.batch.references.pseudo)

    def streams(self, claim: Claim) -> tuple[int, ...]:
        """The references that a line is about: the first ones, and pseudo-references by label."""
        number = self.number if claim.n_references is None else claim.n_references
        labels = self.batch.references.pseudo
        return (*range(number), *(self.number + labels.index(label) for label in claim.pseudo))

    def measured(
        self, metrics: Iterable[Metric], streams: Sequence[int], *, swapped: bool = False
    ) -> Measured:
        batch = self.batch
        chosen = batch.references.chosen(streams)
        if swapped:
            batch = batch._replace(
                hypotheses=[chosen.streams[0]], references=References((batch.hypotheses[0],))
            )
        else:
            batch = batch._replace(references=chosen)
        inputs = Inputs([self.system], len(streams), False, iter([batch]), batch.sources is not None)
        return measure(inputs, list(metrics), threads=self.threads, force=True)


def _about_texts(claim: Claim, origin: Mapping[str, str]) -> Iterator[str]:
    """Whether these are the texts that the line is about, as far as both say so."""
    for key, value in claim.texts:
        ours = origin.get(key)
        if ours is None and key != "lang":
            yield f"the line is about {key} {value}: are these its texts?"
        elif ours not in (None, value):
            yield f"the line is about {key} {value}, but these texts are {ours}"


def _verified(claim: Claim, texts: _Texts) -> Verified:
    number = texts.number if claim.n_references is None else claim.n_references
    way = Way(claim.metric, texts.streams(claim))
    measured = texts.measured(_with_lengths(claim, [claim.metric]), way.streams)
    score = _score(way, measured)
    checks = [_scored(claim, score), *_parts(claim, claim.metric, measured)]
    notes = [*claim.notes, *_about_texts(claim, texts.origin)]
    if number < texts.number and not claim.first_reference_only:
        notes.append(f"the line says nrefs:{number}: the first of {texts.number} references are compared")
    nearest = None
    if any(check.holds is False for check in checks) and not claim.metric.required:
        nearest = _nearest(claim, way, texts, score_holds=checks[0].holds is True)
    if claim.interval is not None:
        found, said = _interval(claim, measured, look=nearest is None)
        checks += found
        notes += said
    unchecked = [check.what for check in checks if check.holds is None]
    if unchecked:
        notes.append(f"not checked: {', '.join(unchecked)}")
    total = measured.totals()[texts.system, claim.metric]
    signature = measured.signature(claim.metric)
    verbose = claim.metric.verbose(total)
    return Verified(claim, score, signature, verbose, tuple(checks), nearest, tuple(notes))


def _scored(claim: Claim, score: float | None) -> CheckedNumber:
    return CheckedNumber(claim.score.name, claim.score.text, claim.scaled(score), claim.holds(score))


def _with_lengths(claim: Claim, metrics: Sequence[Metric]) -> list[Metric]:
    """The metrics, and BLEU of the same words where the line says more than a metric counts by itself."""
    return list(dict.fromkeys([*metrics, *(_words(metric) for metric in metrics if claim.parts)]))


def _words(metric: Metric) -> Metric:
    """BLEU over the words of a metric; the metric itself where it has BLEU's parts, or no words."""
    if metric.name == "bleu" or not hasattr(metric, "tok"):
        return metric
    shared = {name: getattr(metric, name) for name in ("tok", "lowercase") if hasattr(metric, name)}
    return replace(registry.metric("bleu"), **shared)


def _score(way: Way, measured: Measured) -> float | None:
    (system,) = measured.systems
    if not way.mean:
        return measured.corpus_score(system, way.metric)
    values = [value for value in measured.segment_scores(system, way.metric).tolist() if value == value]
    return sum(values) / len(values) if values else None


def _parts(claim: Claim, metric: Metric, measured: Measured) -> list[CheckedNumber]:
    """How the parts of the line fare."""
    (system,), totals = measured.systems, measured.totals()
    counted = dict.fromkeys((metric, _words(metric))) if claim.parts else ()
    known = [one.components(totals[system, one]) for one in counted]
    return [_part(part, claim, known) for part in claim.parts]


def _part(part: Printed, claim: Claim, known: Sequence[Mapping[str, Any]]) -> CheckedNumber:
    for parts in known:
        value = parts.get(_COMPONENTS.get(part.name, part.name))
        if part.name[:1] == "p" and part.name[1:].isdecimal():
            value = _listed(int(part.name[1:]), claim, parts)
        if isinstance(value, int | float):
            return CheckedNumber(part.name, part.text, value, part.holds(value))
    return CheckedNumber(part.name, part.text, None, None)


def _listed(place: int, claim: Claim, parts: Mapping[str, Any]) -> float | None:
    number = sum(part.name[:1] == "p" and part.name[1:].isdecimal() for part in claim.parts)
    for name in _LISTS:
        values = parts.get(name)
        values = list(values.values()) if isinstance(values, Mapping) else values
        if values is not None and len(values) == number:
            return float(values[place - 1])
    return None


def _interval(claim: Claim, measured: Measured, *, look: bool) -> tuple[list[CheckedNumber], list[str]]:
    """Mean and width of the bootstrap interval, drawn as sacrebleu draws; what else gives them, to `look` for."""
    from tertium.comparison.confidence import confidence_interval

    assert claim.interval is not None
    (system,) = measured.systems
    if claim.seed is None:
        return [CheckedNumber(part.name, part.text, None, None) for part in claim.interval], []
    rows = measured.rows[system, claim.metric]
    scale = claim.scale(measured.corpus_score(system, claim.metric))

    def drawn(resamples: int) -> list[CheckedNumber]:
        assert claim.interval is not None
        assert claim.seed is not None
        found = confidence_interval(
            rows, claim.metric, resamples=resamples, seed=claim.seed, like="sacrebleu"
        )
        values = (None if one is None else one * scale / 100 for one in (found.mean, found.half_width))
        pairs = zip(claim.interval, values, strict=True)
        return [CheckedNumber(part.name, part.text, value, part.holds(value)) for part, value in pairs]

    checks = drawn(claim.resamples)
    if look and not all(check.holds for check in checks):
        for resamples in _RESAMPLES:
            if resamples != claim.resamples and all(check.holds for check in drawn(resamples)):
                return checks, [f"bs:{resamples} in place of bs:{claim.resamples} gives this interval"]
    return checks, []


class _Attempt(NamedTuple):
    """What another way gives: 0 everything that the line says, 1 its score, 2 nothing of it."""

    rank: int
    changed: int
    off: float
    way: Way
    score: float | None


def _nearest(claim: Claim, way: Way, texts: _Texts, *, score_holds: bool) -> Nearest:
    """The setting with the fewest changes that gives all that the line says; else its score; else the closest."""
    found = list(_attempts(claim, way, texts))
    if score_holds:  # what gives only the score says nothing new
        found = [one._replace(rank=0 if one.rank == 0 else 2) for one in found]
    rank = min(one.rank for one in found)
    if rank < 2:
        best = min((one for one in found if one.rank == rank), key=lambda one: (one.changed, one.way.mean))
    else:
        best = min((one for one in found if one.changed <= 1), key=lambda one: one.off)
    gives = ("everything", "the score", "nothing")[rank]
    giving = sum(one.rank == rank for one in found) if rank < 2 else 0
    said = changes(way, best.way, texts.number)
    return Nearest(said, best.way.metric, best.score, gives, len(found), giving)


def _attempts(claim: Claim, way: Way, texts: _Texts) -> Iterator[_Attempt]:
    every = list(variants(claim, one_reference=len(way.streams) == 1))
    few = [(changed, metric) for changed, metric in every if changed <= 1]
    for streams, swapped in other_texts(way, texts.number):
        own = (streams, swapped) == (way.streams, False)
        tried = every if own else few
        wanted = _with_lengths(claim, [metric for _, metric in tried])
        measured = texts.measured(wanted, streams, swapped=swapped)
        for changed, metric in tried:
            for mean in (False, True) if changed <= 1 and not swapped else (False,):
                one = Way(metric, streams, swapped, mean)
                if one == way:
                    continue  # the line as it stands
                score, rank = _score(one, measured), 2
                if claim.holds(score):
                    wrong = any(part.holds is False for part in _parts(claim, metric, measured))
                    rank = 1 if wrong or (mean and claim.parts) else 0
                yield _Attempt(rank, changed + (not own) + mean, claim.distance(score), one, score)

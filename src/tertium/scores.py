"""Scores and their output forms: a table, data, and sacrebleu's own (JSON, lines, bare numbers)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from tertium import registry
from tertium.families.base import Level, Metric
from tertium.families.for_texts import asked_for
from tertium.io.escaping import UNDEFINED, tsv
from tertium.results import Result, json_text, metric_labels

if TYPE_CHECKING:
    from tertium.io.tables import Column, Table, Value


@dataclass(frozen=True)
class Score:
    """The score of one system by one metric: a value, or one for each document or segment."""

    system: str
    metric: Metric
    level: Level
    ids: Sequence[str]  # document names or segment numbers; one empty string at corpus level
    values: Sequence[float | None]  # None: undefined
    signature: str
    verbose: str = ""
    components: Mapping[str, Any] = field(default_factory=dict)
    confidence: tuple[float, float] | None = None  # mean of resamples, half the width of the 95% interval

    @property
    def value(self) -> float | None:
        """The corpus score."""
        if self.level != "corpus":
            raise ValueError(f"these are {self.level} scores: use .values")
        return self.values[0]


@dataclass(frozen=True)
class Scores(Result):
    """All scores of a run. Prints itself as a table; index it by number, by metric, or by system and metric."""

    kind = "scores"
    level: Level
    scores: tuple[Score, ...]
    notes: tuple[str, ...] = ()  # on tokenisers, for texts in languages without spaces between words

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def __getitem__(self, key: int | str | tuple[str, str | Metric]) -> Score:
        """scores["bleu"] where there is one system, scores["system A", "bleu"] otherwise; scores[0] is the first."""
        if isinstance(key, int):
            return self.scores[key]
        system, spec = key if isinstance(key, tuple) else (None, key)
        wanted = asked_for(spec, self.metrics)
        found = [s for s in self.scores if s.metric == wanted and (system is None or s.system == system)]
        if not found:
            raise KeyError(key)
        if len(found) > 1:
            raise KeyError(f"{key!r} is ambiguous: there are several systems, write scores[system, metric]")
        return found[0]

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(score.system for score in self.scores))

    @property
    def metrics(self) -> list[Metric]:
        return list(dict.fromkeys(score.metric for score in self.scores))

    @cached_property
    def labels(self) -> dict[Metric, str]:
        """What people call each metric here."""
        return dict(zip(self.metrics, metric_labels(self.metrics), strict=True))

    def contents(self) -> Mapping[str, Any]:
        labels = self.labels
        return {
            "level": self.level,
            "systems": self.systems,
            "scores": [
                {
                    "system": score.system,
                    "metric": score.metric,
                    "label": labels[score.metric],
                    "higher_is_better": score.metric.higher_is_better,
                    "signature": score.signature,
                    **(
                        {"value": score.value, "components": score.components, "verbose": score.verbose}
                        if self.level == "corpus"
                        else {"ids": score.ids, "values": score.values}
                    ),
                    "confidence": None
                    if score.confidence is None
                    else dict(zip(("mean", "half_width"), score.confidence, strict=True)),
                }
                for score in self.scores
            ],
            "notes": self.notes,
        }

    def words(self) -> Iterator[str]:
        """What a reader must know of the tokenisers."""
        return iter(self.notes)

    def table(self, digits: int = 2) -> Table:
        """A row for each system (and document or segment), a column for each metric.

        The best system is marked, for each document or segment where there are several.

        >>> import tertium as tt
        >>> systems = {"A": ["the cat sat on the mat"], "B": ["a cat was on a mat"]}
        >>> scores = tt.score(systems, ["the cat sat on a mat"], ["bleu", "ter"])
        >>> print(scores.table(digits=1).text(terminal=False))  # doctest: +ELLIPSIS
        system  BLEU ↑   TER ↓
        ------  -------  ------
        A         53.7*   16.7*
        B         32.5    33.3
        <BLANKLINE>
        * best
        BLEU: nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|tertium:...
        TER: nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|tertium:...
        """
        from tertium.io.tables import Column, Table, number_column

        labels = self.labels
        columns = [Column("system")]
        if self.level != "corpus":
            columns.append(Column(self.level, align="right" if self.level == "segment" else "left"))
        columns += [
            number_column(f"{label} {'↑' if metric.higher_is_better else '↓'}", label, digits + metric.finer)
            for metric, label in labels.items()
        ]
        by_place = {(score.system, score.metric): score for score in self}
        rows: list[tuple[Value, ...]] = []
        for system in self.systems:
            of_system = [by_place.get((system, metric)) for metric in labels]
            ids = next(score.ids for score in of_system if score is not None)
            for i, identity in enumerate(ids):
                values = (None if score is None else score.values[i] for score in of_system)
                rows.append((system, *([identity] if self.level != "corpus" else []), *values))
        first = len(columns) - len(labels)
        upward = [metric.higher_is_better for metric in labels]
        return Table(
            "", tuple(columns), tuple(rows), tuple(self._notes()), _best(rows, columns, upward, first)
        )

    def _notes(self) -> Iterator[str]:
        for metric, label in self.labels.items():
            signatures = dict.fromkeys(score.signature for score in self if score.metric == metric)
            yield from (f"{label}: {signature}" for signature in signatures)
        for metric, label in self.labels.items():
            if any(value is None for score in self if score.metric == metric for value in score.values):
                yield f"{label} is undefined where there is {metric.undefined or 'nothing to compare'}"

    def sacrebleu(self, width: int = 1, *, short: bool = False) -> SacrebleuScores:
        """In sacrebleu's forms: `.json()` has its keys, `.lines()` are its lines, `.bare()` its bare numbers.

        >>> import tertium as tt
        >>> print(tt.score(["a b c d"], ["a b c d e"], "ter").sacrebleu().lines())  # doctest: +ELLIPSIS
        TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|tertium:... = 20.0
        """
        return SacrebleuScores(self, Style(width, short))


def _best(
    rows: Sequence[tuple[Any, ...]], columns: Sequence[Column], upward: Sequence[bool], first: int
) -> frozenset[tuple[int, int]]:
    """The cells of the best system among those with the same id; values that print the same tie."""
    groups: dict[tuple[Any, ...], list[int]] = {}
    for r, row in enumerate(rows):
        groups.setdefault(row[1:first], []).append(r)
    best = set()
    for members in groups.values():
        for c, up in enumerate(upward, first):
            values = {r: round(rows[r][c], columns[c].digits) for r in members if rows[r][c] is not None}
            if len(values) > 1:
                top = (max if up else min)(values.values())
                best |= {(r, c) for r, value in values.items() if value == top}
    return frozenset(best)


class Style(NamedTuple):
    """How sacrebleu writes numbers and signatures."""

    width: int = 1
    short: bool = False

    def of(self, metric: Metric) -> Style:
        """With the decimals that this metric needs."""
        return self._replace(width=self.width + metric.finer)

    def number(self, value: float | None) -> str:
        return UNDEFINED if value is None else f"{value:.{self.width}f}"

    def rounded(self, value: float | None) -> float | None:
        return None if value is None else float(f"{value:.{self.width}f}")

    def interval(self, score: Score) -> str:
        """Mean and interval of a score that has them, as sacrebleu writes them."""
        number = self.of(score.metric).number
        return "" if score.confidence is None else "μ = {} ± {}".format(*map(number, score.confidence))

    def value(self, score: Score) -> str:
        """The corpus score, with its interval where there is one."""
        return self.of(score.metric).number(score.value) + (
            f" ({self.interval(score)})" if score.confidence else ""
        )

    def signature(self, score: Score) -> str:
        """Short where asked for."""
        if not self.short:
            return score.signature
        from tertium.published import short_signature

        return short_signature(score.metric, score.signature)

    def line(self, score: Score, number: str, verbose: str) -> str:
        """sacrebleu's line: name, signature, number, parts."""
        return f"{score.metric.label}|{self.signature(score)} = {number} {verbose}".rstrip()


def _whole(value: float | None) -> float | None:
    """With all its digits."""
    return value


@dataclass(frozen=True)
class SacrebleuScores(Result):
    """Scores as sacrebleu prints them. Other forms are Tertium's."""

    kind = Scores.kind
    scores: Scores
    style: Style

    def contents(self) -> Mapping[str, Any]:
        return self.scores.contents()

    def words(self) -> Iterator[str]:
        return self.scores.words()

    @property
    def _one(self) -> bool:
        return self.scores.level == "corpus" and len(self.scores.systems) == 1

    def entries(self, style: Style | None = None) -> list[dict[str, Any]]:
        """An entry per system and metric (and document), with sacrebleu's keys; all digits unless `style` rounds."""
        level = self.scores.level
        found = []
        for score in self.scores:
            number = style.of(score.metric).rounded if style else _whole
            for identity, value in zip(score.ids, score.values, strict=True):
                entry: dict[str, Any] = {} if self._one else {"system": score.system}
                if level != "corpus":
                    entry[level] = identity
                signature = score.signature if style else self.style.signature(score)
                entry |= {"name": score.metric.label, "score": number(value), "signature": signature}
                if score.confidence is not None:
                    mean, half = score.confidence
                    entry |= {"confidence_mean": number(mean), "confidence_var": number(half)}
                    entry["confidence"] = self.style.interval(score)
                if level == "corpus":
                    entry |= {"verbose_score": score.verbose} if score.verbose else {}
                    entry |= registry.signature_items(score.signature)
                entry |= {"notes": list(self.scores.notes)} if self.scores.notes else {}
                found.append(entry)
        return found

    def json(self) -> str:
        """sacrebleu's JSON: numbers have its width, signatures are never short."""
        found = [json_text(entry).rstrip("\n") for entry in self.entries(self.style)]
        return (found[0] if len(found) == 1 else "[\n" + ",\n".join(found) + "\n]") + "\n"

    def tsv(self) -> str:
        """The entries as columns, with all digits."""
        found = self.entries()
        known = (
            "system",
            "document",
            "segment",
            "name",
            "score",
            "confidence_mean",
            "confidence_var",
            "signature",
        )
        columns = [key for key in known if key in found[0]]
        rows = [[UNDEFINED if entry[key] is None else str(entry[key]) for key in columns] for entry in found]
        return "".join("\t".join(map(tsv, row)) + "\n" for row in [columns, *rows])

    def lines(self) -> str:
        """sacrebleu's lines, aligned at the equals sign; a table where it has no lines."""
        if not self._one:
            return self.text(terminal=False)
        lines = [self.style.line(score, self.style.value(score), score.verbose) for score in self.scores]
        places = [line.index(" = ") for line in lines]
        aligned = [" " * (max(places) - place) + line for place, line in zip(places, lines, strict=True)]
        return "\n".join([*self.scores.notes, *aligned])

    def bare(self, form: str = "text") -> str:
        """Numbers only: a line for each metric, or for each system and document where there are several."""
        if self._one:
            numbers = [self.style.value(score) for score in self.scores]
            if form == "json" and len(numbers) > 1:
                return "[\n" + ",\n".join("null" if n == UNDEFINED else n for n in numbers) + "\n]"
            return "\n".join(numbers)
        lines = []
        for system in self.scores.systems:
            own = [
                map(self.style.of(score.metric).number, score.values)
                for score in self.scores
                if score.system == system
            ]
            lines += ["\t".join(row) for row in zip(*own, strict=True)]
        return "\n".join(lines)

    def table(self) -> Table:
        """Tertium's table, with this width, intervals and parts in the notes."""
        shown = replace(
            self.scores,
            scores=tuple(replace(score, signature=self.style.signature(score)) for score in self.scores),
        )
        table = shown.table(self.style.width)
        if not self._one:
            return table
        labels = shown.labels
        intervals = (f"{labels[s.metric]}: {self.style.interval(s)} (95%)" for s in shown if s.confidence)
        parts = (f"{labels[s.metric]}: {s.verbose}" for s in shown if s.verbose)
        return replace(table, notes=(*intervals, *table.notes, *parts))

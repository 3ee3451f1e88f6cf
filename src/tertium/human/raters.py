"""Several files of judgements as one, such as one for each rater; and how far raters agree on scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from tertium.errors import many
from tertium.human.judgement import Gold
from tertium.io.comparisons import Comparisons
from tertium.io.coverage import Coverage
from tertium.io.judgementtable import NOBODY, Judgements
from tertium.io.namecolumn import NameColumn
from tertium.io.scorematrix import ScoreMatrix
from tertium.io.tables import Table, number_column
from tertium.results import Result
from tertium.stats.agreement import krippendorff_alpha
from tertium.stats.correlation import pearson

FEWEST_SHARED = 3  # judgements that two raters share, for a correlation


def joined_judgements(parts: Sequence[Judgements]) -> Judgements:
    """The judgements of several files. A file that names no annotator is taken for one rater's and named after itself.

    >>> one, other = (Judgements.of(system=["A"], segment=["1"], score=[s], origin=f"{s}.tsv") for s in (1, 2))
    >>> joined_judgements([one, other]).annotator.names
    ('1.tsv', '2.tsv')
    """
    if len(parts) == 1:
        return parts[0]
    columns: dict[str, list[Any]] = {}
    for part in parts:
        unnamed = tuple(part.annotator.names) == (NOBODY,)
        columns.setdefault("annotator", []).extend([part.origin] * len(part) if unnamed else part.annotator)
        for name in ("system", "segment"):
            columns.setdefault(name, []).extend(getattr(part, name))
        columns.setdefault("score", []).extend(part.score.tolist())
        columns.setdefault("kind", []).extend(part.kind.tolist())
    joined = Judgements.of(
        annotator=columns["annotator"],
        system=columns["system"],
        segment=columns["segment"],
        score=columns["score"],
        origin=_origins([part.origin for part in parts]),
    )
    optional: dict[str, Any] = {"kind": np.array(columns["kind"], dtype=np.uint8)}
    if all(part.document is not None for part in parts):
        optional["document"] = NameColumn.of(name for part in parts for name in part.document or ())
    for name in ("start", "seconds"):
        if all(getattr(part, name) is not None for part in parts):
            optional[name] = np.concatenate([getattr(part, name) for part in parts])
    if all(part.spans is not None for part in parts):
        optional["spans"] = tuple(spans for part in parts for spans in part.spans or ())
    return replace(joined, **optional)


def joined_comparisons(parts: Sequence[Comparisons]) -> Comparisons:
    """The comparisons of several files."""
    if len(parts) == 1:
        return parts[0]
    repeats = [part.repeats for part in parts if part.repeats is not None]
    rows = [
        (who, segment, part.systems[a], part.systems[b], sign)
        for part in parts
        for who, segment, a, b, sign in zip(
            part.annotator,
            part.segment,
            part.first.tolist(),
            part.second.tolist(),
            part.sign.tolist(),
            strict=True,
        )
    ]
    origin = _origins([part.origin for part in parts])
    return Comparisons.of(rows, origin=origin, repeats=joined_comparisons(repeats) if repeats else None)


def joined_golds(parts: Sequence[Gold]) -> Gold:
    """Gold of several files: scores of one translation are averaged over all judgements of it."""
    if len(parts) == 1:
        return parts[0]
    sums: dict[tuple[str, str], float] = {}
    counts: dict[tuple[str, str], int] = {}
    for part in parts:
        for i, system in enumerate(part.scores.systems):
            for j, item in enumerate(part.scores.items):
                if n := int(part.counts[i, j]):
                    cell = (system, item)
                    sums[cell] = sums.get(cell, 0.0) + n * float(part.scores.values[i, j])
                    counts[cell] = counts.get(cell, 0) + n
    origin = _origins([part.scores.origin for part in parts])
    means = {cell: total / counts[cell] for cell, total in sums.items()}
    scores = ScoreMatrix.of_cells(parts[0].name, parts[0].level, means, origin=origin)
    table = np.array([[counts.get((s, item), 0) for item in scores.items] for s in scores.systems])
    coverage = Coverage(origin, parts[0].coverage.what, sum(part.coverage.used for part in parts))
    return Gold(scores, table.astype(np.int64), coverage)


def _origins(names: Sequence[str]) -> str:
    return f"{names[0]} and {many(len(names) - 1, 'more file')}"


@dataclass(frozen=True)
class ScoreAgreement(Result):
    """How far raters agree who gave scores to the same translations."""

    kind = "agreement on scores"
    raters: int
    shared: int  # translations that at least two raters scored
    alpha: float | None  # Krippendorff's, interval level
    correlation: float | None  # Pearson's r of two raters on what both scored, mean over pairs of raters
    pairs: int  # pairs of raters with enough in common

    def contents(self) -> Mapping[str, Any]:
        return vars(self)

    def table(self) -> Table:
        """One row."""
        columns = (
            number_column("raters"),
            number_column("scored by two or more", "shared"),
            number_column("alpha", digits=3),
            number_column("mean r", "correlation", 3),
            number_column("pairs of raters", "pairs"),
        )
        row = (self.raters, self.shared, self.alpha, self.correlation, self.pairs)
        notes = (
            "alpha: Krippendorff's, interval level; mean r: Pearson's, over pairs of raters who share "
            f"{FEWEST_SHARED} translations or more",
        )
        return Table("Agreement between raters", columns, (row,), notes)


def score_agreement(judgements: Judgements) -> ScoreAgreement | None:
    """The agreement of the raters on genuine translations; None where no translation has scores of two raters.

    >>> found = score_agreement(Judgements.of(annotator=["ann"] * 3 + ["bob"] * 3, system=["A"] * 6,
    ...                                       segment=list("123123"), score=[1, 2, 3, 2, 3, 4]))
    >>> found.shared, found.correlation, round(found.alpha, 3)
    (3, 1.0, 0.545)
    """
    genuine = judgements.of_kind("genuine")
    cells: dict[tuple[str, str], dict[str, list[float]]] = {}
    for who, system, segment, score in zip(
        genuine.annotator, genuine.system, genuine.segment, genuine.score.tolist(), strict=True
    ):
        cells.setdefault((system, segment), {}).setdefault(who, []).append(score)
    rated = [
        {who: sum(scores) / len(scores) for who, scores in own.items()}
        for own in cells.values()
        if len(own) > 1
    ]
    if not rated:
        return None
    raters = list(dict.fromkeys(who for own in rated for who in own))
    most = max(map(len, rated))
    ratings = [[*own.values(), *[None] * (most - len(own))] for own in rated]
    shared: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for own in rated:
        for a, b in combinations(sorted(own), 2):
            shared.setdefault((a, b), []).append((own[a], own[b]))
    correlations = [
        pearson(*np.array(pairs).T).value for pairs in shared.values() if len(pairs) >= FEWEST_SHARED
    ]
    defined = [value for value in correlations if value is not None]
    return ScoreAgreement(
        len(raters),
        len(rated),
        krippendorff_alpha(ratings, level="interval"),
        sum(defined) / len(defined) if defined else None,
        len(defined),
    )

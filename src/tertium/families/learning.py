"""References that were prepared; and what metrics have that need the whole set before they score a part of it, and
learn it from parts: counts, which add."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from tertium._native import Lines
from tertium.statistics import WholeCounts
from tertium.text.segments import References, Texts, as_lines


@dataclass(frozen=True, eq=False)
class Prepared:
    """References, analysed once by a metric and shared by all systems scored against them."""

    metric: Any
    data: Any
    references: References
    n_references: int | None  # None: it varies
    learnt: WholeCounts | None = (
        None  # of the set that these references are a part of; None: they are all there is
    )

    def __len__(self) -> int:
        return len(self.references)

    def __reduce__(self) -> Any:
        """Elsewhere the references are analysed again."""
        return partial(self.metric.prepare, learnt=self.learnt), (self.references,)

    def fits(self, metric: Any) -> bool:
        """Whether another metric would have prepared them alike."""
        ours, theirs = (one.analysis(self.n_references).preparation for one in (self.metric, metric))
        return bool(ours == theirs)


class LearningInParts:
    """A part of `Metric`: one that `learns` implements what begins with an underscore here."""

    learns: ClassVar[bool] = False  # what it needs of the whole set are counts: those of parts add up
    often: ClassVar[tuple[str, ...]] = ()  # kinds of these counts of which those of 1 need not be known

    def _learn(self, references: References, sources: Lines | None, threads: int) -> WholeCounts:
        """What is to be known of references (and sources), which is the same for all systems."""
        raise NotImplementedError("this metric does not learn from parts of a set")

    def _learn_outputs(self, hypotheses: Lines, threads: int) -> WholeCounts | None:
        """What is to be known of a system's own outputs, if anything."""
        return None

    def _prepare_learnt(self, references: References, learnt: WholeCounts, threads: int) -> Any:
        """What `_prepare` would make of these references among all of the set."""
        raise NotImplementedError("this metric does not learn from parts of a set")

    def learn(
        self,
        references: Any,
        hypotheses: Texts | None = None,
        *,
        sources: Texts | None = None,
        threads: int = 1,
    ) -> WholeCounts:
        """What is to be known of the whole set before a part of it is scored, from a part: it adds up.

        >>> import tertium as tt
        >>> m, one, other = tt.metric("nist"), ["the cat sat"], ["the dog sat"]
        >>> known = m.learn(one)
        >>> known.add(m.learn(other))
        >>> rows = [m.statistics(own, m.prepare(own, learnt=known)) for own in (one, other)]
        >>> m.score_total(rows[0].concat(rows[1])) == m.score(one + other, one + other)
        True
        """
        self._check_required()
        lines = None if sources is None else as_lines(sources, "sources")
        found = self._learn(References.of(references), lines, threads)
        if hypotheses is not None:
            own = self._learn_outputs(as_lines(hypotheses, "hypotheses"), threads)
            if own is not None:
                found.add(own)
        return found

    def _check_required(self) -> None:
        """Refuses a metric without its files."""
        raise NotImplementedError

"""A sentence of an answer, and the condition that allows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from tertium.results import sentence

MOST_NAMES = 8  # names that a sentence lists
Facts = TypeVar("Facts")
Cases = Iterable[Mapping[str, object]]


@dataclass(frozen=True)
class SentenceTemplate(Generic[Facts]):
    """A sentence of the table (data/sentences.toml) and when it is said.

    Attributes:
        name: its name there.
        cases: the values to fill in, once for each time it is said; nothing where the condition does not hold.
    """

    name: str
    cases: Callable[[Facts], Cases]

    def said(self, facts: Facts) -> Iterator[str]:
        """The sentence as often as it is true."""
        for values in self.cases(facts):
            yield sentence(self.name, **values)


def listed(names: Sequence[str]) -> str:
    """Names in a sentence; of many the first ones and how many more.

    >>> listed(["a", "b", "c"]), listed([str(i) for i in range(12)])
    ('a, b and c', '0, 1, 2, 3, 4, 5, 6, 7 and 4 more')
    """
    if len(names) > MOST_NAMES:
        return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"

"""Groups of a challenge set, success rates in them, and agreement about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tertium.challenge.items import Item
from tertium.stats.proportions import wilson_interval


class Group(NamedTuple):
    """A part of the set: a category, a subcategory of it, or (both empty) all of it."""

    category: str = ""
    subcategory: str | None = None

    @property
    def label(self) -> str:
        if not self.category:
            return "Overall"
        return self.category if self.subcategory is None else self.subcategory or "(none)"

    @property
    def columns(self) -> tuple[str, str]:
        """Category and subcategory, as a table names them."""
        return self.category or "Overall", "" if self.subcategory is None else self.label

    def data(self) -> dict[str, str | None]:
        return {"category": self.category or None, "subcategory": self.subcategory}

    def holds(self, item: Item) -> bool:
        if not self.category:
            return True
        return item.category == self.category and self.subcategory in (None, item.subcategory)


OVERALL = Group()


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def percent(proportion: float | None) -> float | None:
    return None if proportion is None else 100 * proportion


@dataclass(frozen=True)
class Rate:
    """The success of a system in a group: over judgements (table 2 of the paper), and over items by majority (table 3).

    Intervals are Wilson's (1927) at 95%, with as many trials as there are *items*: three answers about one output are
    not three independent trials.

    >>> Rate(positive=5, judgements=6, right=2, items=2).share
    0.8333333333333334
    """

    positive: int
    judgements: int
    right: int
    items: int
    not_applicable: int = 0

    @property
    def share(self) -> float | None:
        """Positive judgements over all judgements."""
        return share(self.positive, self.judgements)

    @property
    def item_share(self) -> float | None:
        """Items right by majority over all items."""
        return share(self.right, self.items)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of `share`."""
        return None if self.share is None else wilson_interval(self.share * self.items, self.items)

    @property
    def item_interval(self) -> tuple[float, float] | None:
        """Of `item_share`."""
        return wilson_interval(self.right, self.items)


@dataclass(frozen=True)
class AnnotatorAgreement:
    """How far annotators agree on the outputs of a group; None where a number is undefined."""

    group: Group
    outputs: int  # with two answers or more
    all_agree: int
    pairwise: float | None
    cohen: dict[tuple[str, str], float | None]
    fleiss: float | None
    fleiss_outputs: int  # with as many answers as any output has
    alpha: float | None

    @property
    def share(self) -> float | None:
        """The proportion of outputs on which all annotators agree."""
        return share(self.all_agree, self.outputs)

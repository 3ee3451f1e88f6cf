"""The six designs: what a screen shows, and what can be set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from tertium.errors import InputError
from tertium.io.mqm import MQMWeights
from tertium.io.settings import Between, NonEmpty, Wrong

DIRECT = "direct-assessment"
PAIRWISE = "pairwise"
RANKING = "ranking"
CHALLENGE = "challenge"
SPANS = "error-spans"
UNITS = "semantic-units"

MQM_CATEGORIES = (
    "accuracy/mistranslation",
    "accuracy/addition",
    "accuracy/omission",
    "accuracy/untranslated text",
    "fluency/grammar",
    "fluency/spelling",
    "fluency/punctuation",
    "fluency/register",
    "fluency/inconsistency",
    "terminology",
    "style/awkward",
    "locale convention",
    "other",
)
WEIGHTS = MQMWeights()  # what an error costs where no slider is asked for


def different(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names, if none occurs twice."""
    if len(set(names)) < len(names):
        raise Wrong(f"must be a list of different names, not {list(names)!r:.80}")
    return names


Side = Literal["reference", "source", "both"]  # what translations are judged against
Order = Literal["alone", "document"]
Batch = Annotated[int, Between(4)]
Names = Annotated[tuple[Annotated[str, NonEmpty()], ...], NonEmpty(), different]
DOCUMENTS = 10  # for each annotator, if nothing is said and documents are judged whole
Share = Annotated[int, Between(0, 30)]  # control items, of a hundred screens


@dataclass(frozen=True)
class Nothing:
    """A design without options, or without control items."""


@dataclass(frozen=True)
class ScreenOptions:
    """[options] that several designs share."""

    against: Side = "reference"
    batch: Batch = 100


@dataclass(frozen=True)
class DirectOptions(ScreenOptions):
    """[options] of direct assessment."""

    order: Order = "alone"
    unit: Literal["segment", "document"] = "segment"  # what one screen is made of, and what is drawn


@dataclass(frozen=True)
class PairwiseOptions(ScreenOptions):
    """[options] of pairwise comparison."""

    unit: Literal["segment", "paragraph"] = "segment"
    words: Annotated[int, Between(20)] = 180
    undecided: bool = True


@dataclass(frozen=True)
class RankingOptions(ScreenOptions):
    """[options] of ranking."""

    against: Side = "both"
    outputs: Annotated[int, Between(2)] = 5


@dataclass(frozen=True)
class SpanOptions(DirectOptions):
    """[options] of error spans."""

    against: Side = "source"
    protocol: Literal["esa", "mqm"] = "esa"
    categories: Names = MQM_CATEGORIES
    severities: Names = ("minor", "major")
    score: bool = True

    def __post_init__(self) -> None:
        if not self.score:
            try:
                self.weights()
            except InputError as error:
                raise Wrong(f"{error}; with score = true the slider gives the score", "severities") from None

    def weights(self) -> dict[str, dict[str, float]]:
        """What an error costs, by severity and category."""
        named = ("", *self.categories)
        return {one: {name: WEIGHTS.weight(one, name) for name in named} for one in self.severities}


@dataclass(frozen=True)
class UnitOptions:
    """[options] of semantic units."""

    reference: bool = False


@dataclass(frozen=True)
class Repeats:
    """[controls] where outputs are compared: screens shown again."""

    repeat: Share = 0


@dataclass(frozen=True)
class SpanControls(Repeats):
    """[controls] of error spans."""

    degraded: Share = 0
    reference: Share = 0


@dataclass(frozen=True)
class DirectControls(SpanControls):
    """[controls] of direct assessment."""

    repeat: Share = 10
    degraded: Share = 10
    reference: Share = 10


@dataclass(frozen=True)
class Design:
    """What one kind of campaign shows and asks."""

    name: str
    title: str
    outputs: str  # how many translations are on a screen: "one", "two", "several" or "all"
    options: type = Nothing
    controls: type = Nothing  # of a hundred screens; what may be asked for
    items: int = 50  # screens for each annotator, if nothing is said


DESIGNS: dict[str, Design] = {
    design.name: design
    for design in (
        Design(DIRECT, "Direct assessment", "one", DirectOptions, DirectControls, items=100),
        Design(PAIRWISE, "Pairwise comparison", "two", PairwiseOptions, Repeats),
        Design(RANKING, "Ranking", "several", RankingOptions, Repeats),
        Design(CHALLENGE, "Challenge questions", "all"),
        Design(SPANS, "Error spans", "one", SpanOptions, SpanControls),
        Design(UNITS, "Semantic units", "one", UnitOptions),
    )
}

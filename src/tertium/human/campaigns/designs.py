"""The six designs: what is shown on a screen, what may be set, and what texts an item needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tertium.errors import InputError, did_you_mean

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


@dataclass(frozen=True)
class Option:
    """A setting of a design: what it must be, and its value if nothing is said."""

    must_be: str
    default: Any
    choices: tuple[Any, ...] = ()
    low: float | None = None

    def checked(self, value: Any, where: str) -> Any:
        """The value, or a complaint that begins with `where`."""
        if self.choices:
            if value not in self.choices or isinstance(value, bool) != isinstance(self.default, bool):
                words = [choice for choice in self.choices if isinstance(choice, str)]
                hint = did_you_mean(value, words) if words and isinstance(value, str) else ""
                raise InputError(f"{where} must be {self.must_be}, not {value!r}{hint}")
            return value
        if isinstance(self.default, tuple):
            good = isinstance(value, list | tuple) and value and all(isinstance(v, str) and v for v in value)
            if not good or len(set(value)) < len(value):
                raise InputError(f"{where} must be {self.must_be}, not {value!r}")
            return tuple(value)
        if (
            isinstance(value, bool)
            or not isinstance(value, int)
            or (self.low is not None and value < self.low)
        ):
            raise InputError(f"{where} must be {self.must_be}, not {value!r}")
        return value


_SWITCH = {"must_be": "true or false", "choices": (True, False)}
_SIDE = Option('"reference" or "source"', "reference", ("reference", "source", "both"))


@dataclass(frozen=True)
class Design:
    """What one kind of campaign shows and asks."""

    name: str
    title: str
    outputs: str  # how many translations are on a screen: "one", "two", "several" or "all"
    options: Mapping[str, Option] = field(default_factory=dict)
    controls: Mapping[str, int] = field(default_factory=dict)  # of a hundred screens; what may be asked for
    items: int = 50  # screens for each annotator, if nothing is said


DESIGNS: dict[str, Design] = {
    design.name: design
    for design in (
        Design(
            DIRECT,
            "Direct assessment",
            "one",
            {
                "against": _SIDE,
                "order": Option('"alone" or "document"', "alone", ("alone", "document")),
                "batch": Option("a whole number from 4 on", 100, low=4),
            },
            {"repeat": 10, "degraded": 10, "reference": 10},
            items=100,
        ),
        Design(
            PAIRWISE,
            "Pairwise comparison",
            "two",
            {
                "unit": Option('"segment" or "paragraph"', "segment", ("segment", "paragraph")),
                "words": Option("a whole number from 20 on", 180, low=20),
                "undecided": Option(default=True, **_SWITCH),  # type: ignore[arg-type]
                "against": _SIDE,
                "batch": Option("a whole number from 4 on", 100, low=4),
            },
            {"repeat": 0},
        ),
        Design(
            RANKING,
            "Ranking",
            "several",
            {
                "outputs": Option("a whole number from 2 on", 5, low=2),
                "against": Option('"reference", "source" or "both"', "both", ("reference", "source", "both")),
                "batch": Option("a whole number from 4 on", 100, low=4),
            },
            {"repeat": 0},
        ),
        Design(CHALLENGE, "Challenge questions", "all", {}, {}),
        Design(
            SPANS,
            "Error spans",
            "one",
            {
                "protocol": Option('"esa" or "mqm"', "esa", ("esa", "mqm")),
                "categories": Option("a list of different names", MQM_CATEGORIES),
                "severities": Option("a list of different names", ("minor", "major")),
                "score": Option(default=True, **_SWITCH),  # type: ignore[arg-type]
                "against": Option(
                    '"source", "reference" or "both"', "source", ("reference", "source", "both")
                ),
                "order": Option('"alone" or "document"', "alone", ("alone", "document")),
                "batch": Option("a whole number from 4 on", 100, low=4),
            },
            {"repeat": 0, "degraded": 0, "reference": 0},
        ),
        Design(UNITS, "Semantic units", "one", {"reference": Option(default=False, **_SWITCH)}, {}),  # type: ignore[arg-type]
    )
}


def design_named(name: object, where: str) -> Design:
    """The design with this name.

    >>> design_named("pairwise", "campaign.toml: design").outputs
    'two'
    """
    if not isinstance(name, str) or name not in DESIGNS:
        hint = did_you_mean(name, DESIGNS) if isinstance(name, str) else ""
        raise InputError(f"{where}: there is no design {name!r}{hint}")
    return DESIGNS[name]


def default_instructions(name: str) -> str:
    """The text that annotators read first, as Markdown.

    >>> default_instructions("pairwise").startswith("# ")
    True
    """
    from importlib.resources import files

    return files("tertium.human.campaigns").joinpath("instructions", f"{name}.md").read_text(encoding="utf-8")

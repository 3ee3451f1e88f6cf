"""A campaign file as typed classes: every key is a field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Annotated, Any, Literal

from tertium.errors import InputError
from tertium.human.campaigns.designs import DESIGNS, DOCUMENTS, Design, different
from tertium.human.campaigns.language import ENGLISH, Interface, language
from tertium.human.campaigns.segments import LONGEST, text_checked
from tertium.io.settings import Between, NonEmpty, OneOf, Origin, Words, Written, Wrong, read

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]+)*")
_LENGTH = "true (8 to 24 tokens) or two numbers such as [8, 24]"
TEXT_KEYS = (
    "testset",
    "segments",
    "challenge",
    "outputs",
    "units",
    "spans",
)  # where texts come from: read by the loader
MOST_ITEMS = 100_000
MOST_ANNOTATORS = 5_000


def _campaign_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise InputError(
            f"a campaign's name must have up to 64 letters, digits, dots, - and _, not {name!r:.80}"
        )
    return name


def _text(longest: int, text: str) -> str:
    if not text.strip() or len(text) > longest:
        raise Wrong(f"must be a text of 1 to {longest} characters, not {text!r:.60}")
    try:
        return text_checked(text, "") if len(text) <= LONGEST else text
    except InputError as error:
        raise Wrong(str(error)) from None


def _languages(pair: str) -> tuple[str, str]:
    parts = pair.split("-", 1) if pair else ["", ""]
    if pair and (len(parts) != 2 or not all(_LANGUAGE.fullmatch(part) for part in parts)):
        raise Wrong(f"must be a pair such as de-en, not {pair!r:.60}")
    return (parts[0], parts[1])


def _length(given: bool | tuple[int, int]) -> tuple[int, int] | None:
    if isinstance(given, bool):
        return (8, 24) if given else None
    if not 0 <= given[0] <= given[1]:
        raise Wrong(f"must be {_LENGTH}, not {list(given)}")
    return given


def _metric(spec: str) -> str:
    from tertium.registry import metric

    if (found := metric(spec)).runs_programs:  # a campaign may come over the network
        raise InputError(f"{found.name} runs a program, which is not allowed in a campaign")
    return spec


def _person(name: str) -> str:
    if not name.strip() or name != name.strip() or len(name) > 80:
        raise InputError(
            f"an annotator's name must have 1 to 80 characters, with no spaces at either end, not {name!r:.100}"
        )
    if not name[0].isalnum():
        raise InputError(
            "a name must begin with a letter or a digit, so that spreadsheets do not take it for a formula"
        )
    if not name.isprintable():
        raise InputError(f"{name!r:.100} contains an unprintable character")
    return name


def _once(names: tuple[str, ...]) -> tuple[str, ...]:
    for i, name in enumerate(names):
        if name in names[:i]:
            raise InputError(f"{name!r} occurs twice")
    return names


Count = Annotated[int, Between(0, MOST_ITEMS)]
Person = Annotated[str, _person]
Spec = Annotated[str, _metric]
Filled = Annotated[str, NonEmpty()]
Tokens = Annotated[tuple[int, int] | None, Written(bool | tuple[int, int]), Words(_LENGTH, ""), _length]
FileOrFolder = Annotated[str, NonEmpty(), Words("the name of a file or folder", "names of files")]


def annotator_name(name: Any, where: str) -> str:
    """A name that can stand in every table: one line, up to 80 characters.

    >>> annotator_name("Anna", "annotators.names")
    'Anna'
    """
    kind: Any = Person
    found: str = read(kind, name, where)
    return found


@dataclass(frozen=True)
class Annotators:
    """[annotators]: who judges, and how much."""

    names: Annotated[tuple[Person, ...], NonEmpty(), _once] | None = None
    number: Annotated[int, Between(1, MOST_ANNOTATORS)] | None = None
    items: Annotated[int, Between(1, MOST_ITEMS)] | None = (
        None  # screens for each; by default the design's number
    )
    sample: Literal["same", "different"] = "same"
    shared: Count = 0  # items that everybody gets, if the samples are different
    reserve: Count | None = None  # items kept for annotators who come later; by default twice `items`

    def __post_init__(self) -> None:
        if self.names is not None and self.number is not None:
            raise Wrong("give names or a number of annotators, not both", "number", joint=": ")


@dataclass(frozen=True)
class Quality:
    """Only systems whose corpus score lies above or below some value."""

    metric: Spec = "bleu"
    above: float | None = None
    below: float | None = None

    def __post_init__(self) -> None:
        if self.above is None and self.below is None:
            raise Wrong('needs a limit: { metric = "bleu", above = 30 } or below')


@dataclass(frozen=True)
class Sampling:
    """[sampling]: which segments are taken."""

    how: Literal["random", "disagreement", "documents"] = "random"
    different: bool = False  # only segments whose outputs differ
    length: Tokens = None
    documents: Annotated[tuple[Filled, ...], NonEmpty()] = ()
    # those whose disagreement is looked for
    metrics: Annotated[tuple[Spec, Spec], Words("a list of two metrics", "")] = ("bleu", "chrf")
    quality: Quality | None = None


@dataclass(frozen=True)
class SpansBy:
    """spans = { metric = "chrf" }: screens begin with the words that a metric would not miss."""

    metric: Spec


@dataclass(frozen=True)
class Tutorial:
    """[tutorial]: practice items with feedback before the work (`tertium.human.campaigns.practice`)."""

    items: Annotated[tuple[Mapping[str, Any], ...], NonEmpty()]
    pass_mark: Annotated[float, Between(0, 1)] = field(default=0.8, metadata={"key": "pass"})


@dataclass(frozen=True)
class Settings:
    """A campaign file, key by key. `Settings.of` also fills in the defaults of the design.

    >>> settings = Settings.of({"name": "demo", "design": "pairwise", "annotators": {"number": 2}})
    >>> settings.annotators, settings.items, settings.options["undecided"]
    (('annotator-1', 'annotator-2'), 50, True)
    """

    name: Annotated[str, _campaign_name]
    design: Annotated[Design, Written(str), OneOf(tuple(DESIGNS)), DESIGNS.__getitem__]
    title: Annotated[str, partial(_text, 200)] = ""
    languages: Annotated[tuple[str, str], Written(str), _languages] = ("", "")
    seed: Annotated[int, Between(0)] = 12345
    instructions: Annotated[str, partial(_text, 50_000)] = ""
    systems: Annotated[tuple[Filled, ...], NonEmpty(), different] | None = None
    people: Annotators = field(default=Annotators(), metadata={"key": "annotators"})
    sampling: Sampling = Sampling()
    options: Mapping[str, Any] = field(default_factory=dict)  # read as the design says
    controls: Mapping[str, Any] = field(default_factory=dict)  # of a hundred screens
    interface: Annotated[Interface, Written(str | Mapping[str, Any]), language] = ENGLISH
    tutorial: Tutorial | None = None
    comments: bool = True  # whether annotators are offered a field for them
    idle: Annotated[int, Between(5, 3600)] = 60  # seconds: what a pause counts at most
    testset: FileOrFolder | None = field(default=None, compare=False)
    segments: FileOrFolder | None = field(default=None, compare=False)
    challenge: FileOrFolder | None = field(default=None, compare=False)
    outputs: Mapping[str, FileOrFolder] = field(default_factory=dict, compare=False)
    units: FileOrFolder | None = field(default=None, compare=False)
    spans: FileOrFolder | SpansBy | None = field(default=None, compare=False)

    @classmethod
    def of(cls, given: Mapping[str, Any], origin: Origin | str = "") -> Settings:
        """Check everything that a campaign file or a script says, and fill in the defaults."""
        source = Origin(origin) if isinstance(origin, str) else origin
        found = read(cls, given, source)
        people, design = found.people, found.design
        tables: dict[str, Any] = {
            key: vars(read(kind, getattr(found, key), source, key, what=f" for the design {design.name}"))
            for key, kind in (("options", design.options), ("controls", design.controls))
        }
        in_documents = tables["options"].get("unit") == "document"
        items = people.items or (DOCUMENTS if in_documents else design.items)
        if people.shared > items:
            place = source.at("annotators", "shared")
            raise InputError(f"{place} must be a whole number from 0 to {items}, not {people.shared}")
        names = people.names or tuple(f"annotator-{i}" for i in range(1, (people.number or 1) + 1))
        reserve = items * 2 if people.reserve is None else people.reserve
        return replace(
            found,
            title=found.title or found.name,
            instructions=found.instructions or found.interface.introduction(design.name),
            people=replace(people, names=names, number=None, items=items, reserve=reserve),
            **tables,
        )

    @property
    def annotators(self) -> tuple[str, ...]:
        return self.people.names or ()

    @property
    def items(self) -> int:
        """Screens for each annotator; documents, where they are judged whole."""
        return self.people.items or self.design.items

    @property
    def in_documents(self) -> bool:
        """Whether documents are judged whole."""
        return self.options.get("unit") == "document"

    @property
    def batch(self) -> int:
        return int(self.options.get("batch", 100))

    def stored(self) -> dict[str, Any]:
        """Everything that was settled, defaults included, so that a later version finds the same campaign.

        >>> settings = Settings.of({"name": "demo", "design": "pairwise"})
        >>> Settings.of(settings.stored()) == settings
        True
        """
        sampling = _given(self.sampling)
        if self.sampling.quality is not None:
            sampling["quality"] = _given(self.sampling.quality)
        found: dict[str, Any] = {
            **{
                key: getattr(self, key)
                for key in ("name", "title", "seed", "instructions", "comments", "idle")
            },
            "interface": self.interface.stored(),
            "design": self.design.name,
            "annotators": _given(self.people),
            "sampling": sampling,
            "options": dict(self.options),
            "controls": dict(self.controls),
        }
        if self.languages[0]:
            found["languages"] = "-".join(self.languages)
        if self.systems is not None:
            found["systems"] = self.systems
        if self.tutorial is not None:
            found["tutorial"] = {"items": self.tutorial.items, "pass": self.tutorial.pass_mark}
        return found


def _given(table: object) -> dict[str, Any]:
    return {key: value for key, value in vars(table).items() if value not in (None, ())}

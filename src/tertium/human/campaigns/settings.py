"""What a campaign file says, as typed classes: every key is a field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from tertium.errors import InputError
from tertium.human.campaigns.designs import DESIGNS, Design, default_instructions, different
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
)  # where texts come from: the loader's part
MOST_ITEMS = 100_000
MOST_ANNOTATORS = 5_000


def _campaign_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise InputError(f"a campaign's name has up to 64 letters, digits, dots, - and _, not {name!r:.80}")
    return name


def _title(text: str) -> str:
    return _text(text, 200)


def _instructions(text: str) -> str:
    return _text(text, 50_000)


def _text(text: str, longest: int) -> str:
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
            f"an annotator's name has 1 to 80 characters, no spaces at either end: {name!r:.100}"
        )
    if not name[0].isalnum():
        raise InputError(
            "a name begins with a letter or a digit, so that spreadsheets do not take it for a formula"
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
    """[annotators]: who judges how much."""

    names: Annotated[tuple[Person, ...], NonEmpty(), _once] | None = None
    number: Annotated[int, Between(1, MOST_ANNOTATORS)] | None = None
    items: Annotated[int, Between(1, MOST_ITEMS)] | None = None  # screens for each; the design's number
    sample: Literal["same", "different"] = "same"
    shared: Count = 0  # of different samples, so many items are everybody's
    reserve: Count | None = None  # items kept for annotators who come later; twice as many as `items`

    def __post_init__(self) -> None:
        if self.names is not None and self.number is not None:
            raise Wrong("give names or a number of annotators, not both", "number", joint=": ")


@dataclass(frozen=True)
class Quality:
    """Only systems whose corpus score by a metric lies above (or below) something."""

    metric: Spec = "bleu"
    above: float | None = None
    below: float | None = None

    def __post_init__(self) -> None:
        if self.above is None and self.below is None:
            raise Wrong('needs numbers: { metric = "bleu", above = 30 } or below')


@dataclass(frozen=True)
class Sampling:
    """[sampling]: which segments are taken."""

    how: Literal["random", "disagreement", "documents"] = "random"
    different: bool = False  # only segments whose outputs differ
    length: Annotated[
        tuple[int, int] | None, Written(bool | tuple[int, int]), Words(_LENGTH, ""), _length
    ] = None  # tokens
    documents: Annotated[tuple[Filled, ...], NonEmpty()] = ()
    metrics: Annotated[tuple[Spec, Spec], Words("a list of two metrics", "")] = (
        "bleu",
        "chrf",
    )  # whose disagreement is looked for
    quality: Quality | None = None


@dataclass(frozen=True)
class CampaignFile:
    """A campaign file, key by key."""

    name: Annotated[str, _campaign_name]
    design: Annotated[Design, Written(str), OneOf(tuple(DESIGNS)), DESIGNS.__getitem__]
    title: Annotated[str, _title] = ""
    languages: Annotated[tuple[str, str], Written(str), _languages] = ("", "")
    seed: Annotated[int, Between(0)] = 12345
    instructions: Annotated[str, _instructions] = ""
    systems: Annotated[tuple[Filled, ...], NonEmpty(), different] | None = None
    annotators: Annotators = Annotators()
    sampling: Sampling = Sampling()
    options: Mapping[str, Any] = field(default_factory=dict)  # read as the design says
    controls: Mapping[str, Any] = field(default_factory=dict)
    testset: FileOrFolder | None = None
    segments: FileOrFolder | None = None
    challenge: FileOrFolder | None = None
    outputs: Mapping[str, FileOrFolder] = field(default_factory=dict)
    units: FileOrFolder | None = None

    def settings(self, origin: Origin | str = "") -> Settings:
        """The campaign with everything settled, defaults of the design included."""
        source = Origin(origin) if isinstance(origin, str) else origin
        people, design = self.annotators, self.design
        items = people.items or design.items
        if people.shared > items:
            place = source.at("annotators", "shared")
            raise InputError(f"{place} must be a whole number from 0 to {items}, not {people.shared}")
        tables = {
            key: vars(read(kind, getattr(self, key), source, key, what=f" for the design {design.name}"))
            for key, kind in (("options", design.options), ("controls", design.controls))
        }
        numbered = tuple(f"annotator-{i}" for i in range(1, (people.number or 1) + 1))
        return Settings(
            name=self.name,
            design=design,
            title=self.title or self.name,
            seed=self.seed,
            instructions=self.instructions or default_instructions(design.name),
            annotators=people.names or numbered,
            items=items,
            sample=people.sample,
            shared=people.shared,
            reserve=items * 2 if people.reserve is None else people.reserve,
            sampling=self.sampling,
            languages=self.languages,
            systems=self.systems,
            **tables,
        )


@dataclass(frozen=True)
class Settings:
    """A campaign as somebody wants it. Made by `Settings.of`.

    >>> settings = Settings.of({"name": "demo", "design": "pairwise", "annotators": {"number": 2}})
    >>> settings.annotators, settings.items, settings.options["undecided"]
    (('annotator-1', 'annotator-2'), 50, True)
    """

    name: str
    design: Design
    title: str
    seed: int
    instructions: str
    annotators: tuple[str, ...]
    items: int  # screens for each annotator
    sample: str  # "same" or "different"
    shared: int  # of different samples, so many items are everybody's
    reserve: int  # items kept for annotators who come later
    sampling: Sampling
    options: Mapping[str, Any]
    controls: Mapping[str, int]  # of a hundred screens
    languages: tuple[str, str] = ("", "")
    systems: tuple[str, ...] | None = None

    def stored(self) -> dict[str, Any]:
        """Everything that was settled, defaults included, so that a later version finds the same campaign.

        >>> settings = Settings.of({"name": "demo", "design": "pairwise"})
        >>> Settings.of(settings.stored()) == settings
        True
        """
        sampling = {key: value for key, value in vars(self.sampling).items() if value not in (None, ())}
        if self.sampling.quality is not None:
            edges = vars(self.sampling.quality).items()
            sampling["quality"] = {key: value for key, value in edges if value is not None}
        found: dict[str, Any] = {
            "name": self.name,
            "design": self.design.name,
            "title": self.title,
            "seed": self.seed,
            "instructions": self.instructions,
            "annotators": {
                "names": self.annotators,
                "items": self.items,
                "sample": self.sample,
                "shared": self.shared,
                "reserve": self.reserve,
            },
            "sampling": sampling,
            "options": dict(self.options),
            "controls": dict(self.controls),
        }
        if self.languages[0]:
            found["languages"] = "-".join(self.languages)
        if self.systems is not None:
            found["systems"] = self.systems
        return found

    @property
    def batch(self) -> int:
        return int(self.options.get("batch", 100))

    @classmethod
    def of(cls, given: Mapping[str, Any], origin: Origin | str = "") -> Settings:
        """Check everything that a campaign file or a script says."""
        return read(CampaignFile, given, origin).settings(origin)

"""Judgements: who answered what about which output, and what follows when several did.

Two ways of the papers: independent annotators with a majority vote (Isabelle, Cherry and Foster 2017), or one judge, a
second who checks, and differences settled together (Isabelle and Kuhn 2018). A file of judgements is a log: a later
line may withdraw an earlier one, but nobody answers twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Any, Literal, NamedTuple

from tertium.challenge.items import ChallengeSet
from tertium.challenge.outputs import Outputs, Refuse, System, accepted, checked_system, raised
from tertium.errors import InputError, did_you_mean
from tertium.io.records import read_records, write_records
from tertium.io.settings import NonEmpty, keys_of, read_record
from tertium.io.streams import FilePath, display_name

Answer = Literal["yes", "no", "na"]
ANSWERS: tuple[Answer, ...] = ("yes", "no", "na")
SHOWN: dict[str, str] = {"yes": "yes", "no": "no", "na": "not applicable"}

_WRITTEN: dict[Answer, str] = {
    "yes": "y yes oui o ja j si sí sim 1 true vrai ✓ ✔ 🗸 + correct",
    "no": "n no non nein nej não 0 false faux ✗ ✘ 🗴 incorrect",
    "na": "na n/a n.a. n.a s/o s.o. not_applicable sans_objet nicht_anwendbar",
}
_MEANING: dict[str, Answer] = {word: answer for answer, words in _WRITTEN.items() for word in words.split()}
Role = Literal["judge", "check", "settle"]
ROLES: tuple[Role, ...] = ("judge", "check", "settle")
WITHDRAWN = "withdrawn"


@dataclass(frozen=True, kw_only=True)
class JudgementLine:
    """A line of a file of judgements; `answer` may be a word, a number, or true or false."""

    item: Annotated[str, NonEmpty()]
    system: str
    version: str = ""
    annotator: str
    answer: Any
    role: Role = "judge"
    note: str = ""
    time: str = ""


KEYS = keys_of(JudgementLine)
REQUIRED = keys_of(JudgementLine, required=True)


class Place(NamedTuple):
    """What is judged: the output of a system for an item."""

    item: str
    system: System

    def __str__(self) -> str:
        return f"item {self.item!r}, system {self.system.label}"


@dataclass(frozen=True)
class Judgement:
    """One answer. The `role` is `judge`, or in the checked way `check` (the second person) or `settle` (both).

    >>> Judgement("1", System("A"), "ann", "yes").place.item
    '1'
    """

    item: str
    system: System
    annotator: str
    answer: Answer
    role: Role = "judge"
    note: str = ""
    time: str = ""

    def __post_init__(self) -> None:
        if self.answer not in ANSWERS:
            raise InputError(f"{self.place}: {self.answer!r} is not an answer (known: {', '.join(ANSWERS)})")
        if self.role not in ROLES:
            raise InputError(f"{self.place}: unknown role {self.role!r}{did_you_mean(self.role, ROLES)}")
        if not self.annotator or self.annotator != self.annotator.strip():
            raise InputError(f"{self.place}: the annotator {self.annotator!r} has no usable name")

    @property
    def place(self) -> Place:
        return Place(self.item, self.system)

    @property
    def key(self) -> tuple[Place, str, Role]:
        """What is answered once: the question, by this annotator in this role."""
        return self.place, self.annotator, self.role

    def data(self) -> dict[str, str]:
        """As in a JSON Lines file."""
        values = (self.item, *self.system, self.annotator, self.answer, self.role, self.note, self.time)
        return dict(zip(KEYS, values, strict=True))


@dataclass(frozen=True)
class ChallengeJudgements:
    """Many answers, each annotator at most one for each output and role.

    >>> a, b = (Judgement("1", System("A"), name, "yes") for name in ("ann", "ben"))
    >>> len(ChallengeJudgements((a, b)).answers("judge")[a.place])
    2
    """

    all: tuple[Judgement, ...]

    def __post_init__(self) -> None:
        seen: set[tuple[Place, str, Role]] = set()
        for judgement in self.all:
            if judgement.key in seen:
                raise InputError(f"{judgement.place}: {judgement.annotator} has answered twice")
            seen.add(judgement.key)

    def __len__(self) -> int:
        return len(self.all)

    def __iter__(self) -> Iterator[Judgement]:
        return iter(self.all)

    def annotators(self, role: Role = "judge") -> tuple[str, ...]:
        """Who answered in this role, in the order in which they first stand."""
        return tuple(dict.fromkeys(j.annotator for j in self.all if j.role == role))

    @property
    def systems(self) -> tuple[System, ...]:
        return tuple(dict.fromkeys(judgement.system for judgement in self.all))

    def answers(self, role: Role = "judge") -> dict[Place, dict[str, Answer]]:
        """For each output the answers in this role, by annotator."""
        found: dict[Place, dict[str, Answer]] = {}
        for judgement in self.all:
            if judgement.role == role:
                found.setdefault(judgement.place, {})[judgement.annotator] = judgement.answer
        return found

    def check(self, items: ChallengeSet, outputs: Outputs | None = None) -> None:
        """Refuse judgements of unknown items, and of systems that have no output there."""
        for judgement in self.all:
            check_place(judgement.place, items, outputs, f"judgement of {judgement.annotator}")

    def merged(self, other: ChallengeJudgements) -> ChallengeJudgements:
        """Both together; one annotator's two answers to the same question are refused."""
        return ChallengeJudgements((*self.all, *other.all))


def check_place(place: Place, items: ChallengeSet, outputs: Outputs | None, where: str) -> None:
    """Refuse an unknown item, an unknown system, and a system without an output for the item."""
    items.required(place.item, where)
    if outputs is None:
        return
    if place.system not in outputs.texts:
        labels = [system.label for system in outputs.systems]
        raise InputError(
            f"{where}: the system {place.system.label!r} has no outputs{did_you_mean(place.system.label, labels)}"
        )
    if outputs.text(place.system, place.item) is None:
        raise InputError(f"{where}: {place.system.label} has no output for item {place.item!r}")


def read_judgements(
    paths: Sequence[FilePath],
    items: ChallengeSet | None = None,
    outputs: Outputs | None = None,
    *,
    allow_none: bool = False,
    refuse: Refuse = raised,
) -> ChallengeJudgements:
    """The judgements in JSON Lines or `.tsv` files, checked against set and outputs where these are given."""
    found: dict[tuple[Place, str, Role], Judgement] = {}
    records = chain.from_iterable(accepted(read_records(path, KEYS, REQUIRED), refuse) for path in paths)
    for where, values in records:
        try:
            judgement, withdrawn = _judgement(values, where)
            if items is not None:
                check_place(judgement.place, items, outputs, where)
            if not withdrawn and judgement.key in found:
                raise InputError(f"{where}: {judgement.annotator} has answered already ({judgement.place})")
            if withdrawn and judgement.key not in found:
                raise InputError(f"{where}: withdraws an answer that was not given ({judgement.place})")
        except InputError as error:
            refuse(error)
            continue
        if withdrawn:
            del found[judgement.key]
        else:
            found[judgement.key] = judgement
    if not found and not allow_none:
        raise InputError(f"{', '.join(map(display_name, paths))}: no judgements")
    return ChallengeJudgements(tuple(found.values()))


def _judgement(values: Mapping[str, Any], where: str) -> tuple[Judgement, bool]:
    line = read_record(JudgementLine, values, where)
    withdrawn = line.answer == WITHDRAWN
    answer = "na" if withdrawn else parse_answer(line.answer, where)
    if answer is None:
        raise InputError(f"{where}: the answer is empty")
    system = checked_system(line.system, line.version, where)
    try:
        made = Judgement(line.item, system, line.annotator, answer, line.role, line.note, line.time)
        return made, withdrawn
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def write_judgements(path: FilePath, judgements: Iterable[Judgement]) -> None:
    """Write judgements as JSON Lines, or as a table if the file's name ends in `.tsv`."""
    write_records(path, KEYS, (judgement.data() for judgement in judgements))


def parse_answer(value: object, where: str) -> Answer | None:
    """The answer that a cell or a field holds; None for an empty one. Anything else is refused with its place.

    >>> parse_answer("Y ", "sheet.csv cell C7"), parse_answer("oui", ""), parse_answer(1, ""), parse_answer("", "")
    ('yes', 'yes', 'yes', None)
    >>> parse_answer("x", "sheet.csv cell C7")
    Traceback (most recent call last):
    tertium.errors.InputError: sheet.csv cell C7: 'x' is not an answer: write yes, no or n/a
    """
    if value is None:
        return None
    text = _text(value)
    if not text:
        return None
    found = _MEANING.get(text.casefold().rstrip("!").replace("-", "_").replace(" ", "_"))
    if found is None:
        raise InputError(f"{where}: {value!r} is not an answer: write yes, no or n/a")
    return found


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, str | int):
        return " ".join(str(value).split())
    return repr(value)

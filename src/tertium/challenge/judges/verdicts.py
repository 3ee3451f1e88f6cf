"""What automatic judges say of outputs: yes, no or unsure, each with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judgements import ChallengeJudgements, Judgement, Place
from tertium.challenge.outputs import Outputs, System
from tertium.errors import InputError
from tertium.io.tables import Column, Table, Value, number_column
from tertium.progress import steps
from tertium.registry import Registry
from tertium.results import Result

Call = Literal["yes", "no", "unsure"]
CALLS: tuple[Call, ...] = ("yes", "no", "unsure")
PREFIX = "auto:"  # before the name of a judge, where annotators stand


class Ruling(NamedTuple):
    """What a judge says of one output, and why."""

    call: Call
    reason: str


@runtime_checkable
class Judge(Protocol):
    """A judge has a name, says how it judges (`signature`), and rules on the outputs of one system at a time.

    `items` and `texts` are as long as each other; there is a ruling for each. A judge that looks at a system itself and
    not at its outputs names the systems it knows in `systems`, and gets empty texts.
    """

    @property
    def name(self) -> str: ...

    @property
    def signature(self) -> str: ...

    @property
    def systems(self) -> tuple[System, ...] | None: ...

    def rule(self, system: System, items: Sequence[Item], texts: Sequence[str]) -> list[Ruling]: ...


@dataclass(frozen=True)
class Verdict:
    """What a judge says of the output of a system for an item."""

    item: str
    system: System
    call: Call
    reason: str

    @property
    def place(self) -> Place:
        return Place(self.item, self.system)

    def data(self) -> dict[str, str]:
        keys = ("item", "system", "version", "call", "reason")
        return dict(zip(keys, (self.item, *self.system, self.call, self.reason), strict=True))


@dataclass(frozen=True)
class Verdicts(Result):
    """Everything that one judge says.

    >>> found = Verdicts("patterns", (Verdict("1", System("A"), "yes", "matches 'x'"),
    ...     Verdict("2", System("A"), "unsure", "nothing matches")))
    >>> [judgement.annotator for judgement in found.judgements()]
    ['auto:patterns']
    >>> found.unsure
    (Place(item='2', system=System(name='A', version='')),)
    """

    kind = "verdicts"
    judge: str
    all: tuple[Verdict, ...]
    signature: str = field(default="", compare=False)

    @property
    def annotator(self) -> str:
        """The judge's name among annotators."""
        return PREFIX + self.judge

    def __len__(self) -> int:
        return len(self.all)

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.all)

    @property
    def systems(self) -> tuple[System, ...]:
        return tuple(dict.fromkeys(verdict.system for verdict in self.all))

    @property
    def unsure(self) -> tuple[Place, ...]:
        """Outputs that people must judge."""
        return tuple(verdict.place for verdict in self.all if verdict.call == "unsure")

    def judgements(self) -> ChallengeJudgements:
        """Yes and no as judgements of the annotator `auto:NAME`, with the reason as note. Unsure is no judgement."""
        return ChallengeJudgements(
            tuple(
                Judgement(verdict.item, verdict.system, self.annotator, verdict.call, note=verdict.reason)
                for verdict in self.all
                if verdict.call != "unsure"
            )
        )

    def for_people(self, outputs: Outputs) -> Outputs:
        """The outputs on which the judge is unsure: make sheets of these."""
        unsure = set(self.unsure)
        texts = {
            system: {item: text for item, text in found.items() if Place(item, system) in unsure}
            for system, found in outputs.texts.items()
        }
        return Outputs({system: found for system, found in texts.items() if found})

    def contents(self) -> Mapping[str, Any]:
        return {
            "judge": self.judge,
            "signature": self.signature,
            "verdicts": [verdict.data() for verdict in self.all],
        }

    def table(self) -> Table:
        """A row for each output: what is said, and why."""
        columns = (Column("item"), Column("system"), Column("answer"), Column("reason"))
        rows = tuple((v.item, v.system.label, v.call, v.reason) for v in self.all)
        return Table(f"What {self.annotator} says", columns, rows, self._notes())

    def summary(self) -> Table:
        """A row for each system: how many yes, no and unsure."""
        columns = (Column("system"), *(number_column(call, digits=None) for call in CALLS))
        rows: list[tuple[Value, ...]] = []
        for system in self.systems:
            counts = Counter(verdict.call for verdict in self.all if verdict.system == system)
            rows.append((system.label, *(counts[call] for call in CALLS)))
        return Table(f"Answers of {self.annotator}", columns, tuple(rows), self._notes())

    def _notes(self) -> tuple[str, ...]:
        return (
            *([f"{self.annotator}: {self.signature}"] if self.signature else []),
            "unsure is not an answer: people must judge these outputs",
        )


def judge_all(
    items: ChallengeSet, outputs: Outputs | None = None, judge: str | Judge = "patterns"
) -> Verdicts:
    """Let a judge, one of ours by name or any `Judge`, rule on every output.

    Outputs come system by system, in the order of the set. A judge that looks at systems themselves
    (`ContrastiveJudge`) needs no outputs.

    >>> item = Item("1", "Lexical", "Idioms", "Well?", "It rains.", "Il pleut.", judge={"accept": [r"\\bpleut\\b"]})
    >>> outputs = Outputs({System("A"): {"1": "Il pleut."}, System("B"): {"1": "Il neige."}})
    >>> for verdict in judge_all(ChallengeSet((item,)), outputs):
    ...     print(verdict.system.label, verdict.call, "-", verdict.reason)
    A yes - 'accept' matches: pleut
    B unsure - no 'accept' pattern matches
    """
    chosen = judge_named(judge) if isinstance(judge, str) else judge
    found: list[Verdict] = []
    cases = list(_cases(items, outputs, chosen))
    for system, asked, texts in steps(cases, lambda case: f"judging {case[0].label}"):
        rulings = chosen.rule(system, asked, texts)
        if len(rulings) != len(asked):
            raise InputError(f"the judge {chosen.name} gave {len(rulings)} rulings on {len(asked)} outputs")
        found += [Verdict(item.id, system, *ruling) for item, ruling in zip(asked, rulings, strict=True)]
    return Verdicts(chosen.name, tuple(found), chosen.signature)


def _cases(
    items: ChallengeSet, outputs: Outputs | None, judge: Judge
) -> Iterator[tuple[System, list[Item], list[str]]]:
    if judge.systems is not None:
        everything = list(items)
        for system in judge.systems:
            yield system, everything, [""] * len(everything)
        return
    if outputs is None or not len(outputs):
        raise InputError(f"the judge {judge.name} needs outputs")
    outputs.check(items)
    for system, texts in outputs.texts.items():
        asked = [item for item in items if item.id in texts]
        yield system, asked, [texts[item.id] for item in asked]


JUDGES: Registry[Callable[..., Judge]] = Registry(
    "judge",
    "tertium.judges",
    {
        "patterns": "tertium.challenge.judges.patterns:PatternJudge",
        "equality": "tertium.challenge.judges.equality:EqualityJudge",
        "metric": "tertium.challenge.judges.metric:MetricJudge",
    },
    also={"metric:METRIC": ""},
)


def judge_named(name: str) -> Judge:
    """A judge that needs nothing else, by name: `patterns`, `equality`, or `metric`, with a metric of your choice after
    a colon (`metric:ter`).

    >>> judge_named("metric:chrf").name
    'metric:chrf'
    """
    metric = name.removeprefix("metric:")
    return JUDGES[name]() if metric == name else JUDGES["metric"](metric)

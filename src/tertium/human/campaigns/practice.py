"""Practice before the work: items whose right answer is known, and what is said about an answer.

A practice item is a segment with `expected` and, if there is something to explain, `feedback`. What is expected is an
answer of the design (`tertium.human.campaigns.answers`), with a range where a score is given:

| design | expected |
|---|---|
| direct-assessment | `{"score": [0, 30]}` |
| pairwise | `{"choice": "A"}`: the first of the outputs, as they are given |
| ranking | `{"ranks": [1, 2, 2]}`: right if the order is the same |
| challenge | `{"answers": ["yes", "no"]}` |
| error-spans | `{"spans": [{"start": 4, "end": 9, "severity": "major"}], "score": [0, 60]}` |
| semantic-units | `{"marks": {"1.1": "green"}}` |

An error is found where a mark of the same severity (and category, if it is given) overlaps it; marks elsewhere are
wrong. Errors and score may be expected alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil
from typing import Any

from tertium.errors import InputError
from tertium.human.campaigns.answers import Answer, checked_answer
from tertium.human.campaigns.building import check
from tertium.human.campaigns.designs import CHALLENGE, PAIRWISE, RANKING, SPANS, UNITS
from tertium.human.campaigns.items import CampaignItem, Output
from tertium.human.campaigns.segments import Segment, text_checked
from tertium.human.campaigns.settings import Settings
from tertium.human.campaigns.units import every

_OUTPUTS = {"one": (1, 1), "two": (2, 2), "several": (2, 99), "all": (1, 99)}


@dataclass(frozen=True)
class PracticeItem:
    """A screen, the answer that is expected, and why."""

    item: CampaignItem
    expected: Mapping[str, Any]
    feedback: str = ""


def practice_items(settings: Settings) -> list[PracticeItem]:
    """The practice items of a campaign, checked; none if it has no tutorial.

    >>> record = {"id": "p1", "source": "Ja.", "outputs": {"A": "Yes.", "B": "No."}, "expected": {"choice": "A"}}
    >>> given = {"name": "x", "design": "pairwise", "options": {"against": "source"}, "tutorial": {"items": [record]}}
    >>> [one] = practice_items(Settings.of(given))
    >>> is_right(Settings.of(given), one, {"choice": "B"})
    False
    """
    if settings.tutorial is None:
        return []
    return [_item(settings, dict(record), n) for n, record in enumerate(settings.tutorial.items, 1)]


def needed(settings: Settings) -> int:
    """How many practice items must be right."""
    if settings.tutorial is None:
        return 0
    return ceil(settings.tutorial.pass_mark * len(settings.tutorial.items) - 1e-9)


def _item(settings: Settings, record: dict[str, Any], number: int) -> PracticeItem:
    where = f"tutorial.items[{number}]"
    expected = record.pop("expected", None)
    feedback = text_checked(record.pop("feedback", ""), f"{where}: feedback")
    segment = Segment.of(record, where)
    try:
        check(settings, [replace(segment, document=segment.document or "practice")])
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    low, high = _OUTPUTS[settings.design.outputs]
    if not low <= len(segment.outputs) <= high:
        wanted = str(low) if low == high else f"at least {low}"
        raise InputError(
            f"{where}: this design shows {wanted} outputs, but the item has {len(segment.outputs)}"
        )
    outputs = tuple(
        Output(text, (name,), segment.spans.get(name, ())) for name, text in segment.outputs.items()
    )
    item = CampaignItem(f"practice-{number}", segment.id, outputs, "practice", **segment.texts())
    if not isinstance(expected, Mapping) or not expected:
        raise InputError(f"{where}: expected must say which answer is right")
    try:
        return PracticeItem(item, _expected(settings, item, expected), feedback)
    except InputError as error:
        raise InputError(f"{where}: expected: {error}") from None


def _expected(settings: Settings, item: CampaignItem, expected: Mapping[str, Any]) -> dict[str, Any]:
    """What is expected, in canonical form: an answer, in which a score is a range."""
    answer, scale = dict(expected), expected.get("score")
    if scale is not None:
        if not isinstance(scale, list | tuple) or len(scale) != 2 or not 0 <= scale[0] <= scale[1] <= 100:
            raise InputError(f"the score must be a range such as [60, 100], not {scale!r:.60}")
        answer["score"] = scale[0]
    checked = checked_answer(settings, item, answer, complete=settings.design.name != SPANS)
    return {key: checked[key] for key in expected} | ({} if scale is None else {"score": tuple(scale)})


def is_right(settings: Settings, practice: PracticeItem, answer: Answer) -> bool:
    """Whether an answer (a checked one) is what was expected."""
    expected = practice.expected
    if "score" in expected and not expected["score"][0] <= (answer["score"] or 0) <= expected["score"][1]:
        return False
    compare = _RIGHT.get(settings.design.name)
    return compare is None or compare(expected, answer)


def _same_order(expected: Mapping[str, Any], answer: Answer) -> bool:
    def order(ranks: list[int]) -> list[int]:
        return [(a > b) - (a < b) for a, b in combinations(ranks, 2)]

    return order(expected["ranks"]) == order(answer["ranks"])


def _errors_found(expected: Mapping[str, Any], answer: Answer) -> bool:
    """Every expected error is marked, and nothing else is."""
    if "spans" not in expected:
        return True

    def fits(wanted: Mapping[str, Any], mark: Mapping[str, Any]) -> bool:
        lost = wanted["start"] == wanted["end"]
        alike = lost == (mark["start"] == mark["end"]) and wanted["category"] in ("", mark["category"])
        if not alike or any(wanted.get(key) != mark.get(key) for key in ("severity", "in_source")):
            return False
        return lost or bool(wanted["start"] < mark["end"] and mark["start"] < wanted["end"])

    wanted, marks = expected["spans"], answer["spans"]
    found = all(any(fits(one, mark) for mark in marks) for one in wanted)
    return found and all(any(fits(one, mark) for one in wanted) for mark in marks)


def _equal(key: str) -> Callable[[Mapping[str, Any], Answer], bool]:
    return lambda expected, answer: bool(expected[key] == answer[key])


_RIGHT: dict[str, Callable[[Mapping[str, Any], Answer], bool]] = {
    PAIRWISE: _equal("choice"),
    RANKING: _same_order,
    CHALLENGE: _equal("answers"),
    SPANS: _errors_found,
    UNITS: _equal("marks"),
}


def described(settings: Settings, practice: PracticeItem) -> str:
    """What was expected, in words of the interface."""
    say, expected, item = settings.interface.say, practice.expected, practice.item
    parts = []
    if "choice" in expected:
        parts.append(say({"A": "A is better", "B": "B is better"}.get(expected["choice"], "Undecided")))
    if "ranks" in expected:
        parts.append(say("the ranks {}", ", ".join(map(str, expected["ranks"]))))
    for answer in expected.get("answers", ()):
        parts.append(say({"yes": "Yes", "no": "No"}.get(answer, "Not applicable")))
    for span in expected.get("spans", ()):
        text = item.source if span.get("in_source") else item.outputs[0].text
        marked = (
            say("something is missing") if span["start"] == span["end"] else text[span["start"] : span["end"]]
        )
        parts.append(
            f"{marked} ({', '.join(say(span[key]) for key in ('severity', 'category') if span[key])})"
        )
    if expected.get("spans") == []:
        parts.append(say("no errors"))
    for unit in every(item.units):
        parts.append(f"{unit.text}: {say(expected['marks'][unit.id])}")
    if "score" in expected:
        parts.append(say("a score from {} to {}", *(f"{end:g}" for end in expected["score"])))
    return "; ".join(parts)

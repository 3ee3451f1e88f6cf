"""What an annotator may answer on a screen of each design; everything else is refused.

Answers refer to places on the screen, never to systems:

| design | answer |
|---|---|
| direct-assessment | `{"score": 0 to 100}` |
| pairwise | `{"choice": "A", "B" or "undecided"}` |
| ranking | `{"ranks": [1, 2, 2]}`, one for each place, 1 the best |
| challenge | `{"answers": ["yes", "no", "na"]}`, one for each place |
| error-spans | `{"spans": [{"start": 4, "end": 9, "severity": "major", "category": ""}], "score": 0 to 100}` |
| semantic-units | `{"marks": {"1.1": "green"}}` |

An empty span is the place of an omission (None: nobody knows where), `in_source` an error marked in the source, `given`
the number of the span that the screen began with.

Any answer may have a `comment`. That to a whole document is a score.

An answer that is still being given (a draft) may have gaps: None, or units without a mark.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tertium.errors import InputError
from tertium.human.campaigns.designs import CHALLENGE, DIRECT, PAIRWISE, RANKING, SPANS, UNITS
from tertium.human.campaigns.items import CampaignItem
from tertium.human.campaigns.segments import text_checked
from tertium.human.campaigns.settings import Settings
from tertium.human.campaigns.units import every

YES_NO_NA = ("yes", "no", "na")
MOST_SPANS = 200
LONGEST_COMMENT = 2000
_SPAN_KEYS = {"start", "end", "severity", "category", "in_source", "given"}
Answer = dict[str, Any]


def checked_answer(settings: Settings, item: CampaignItem, answer: Any, *, complete: bool = True) -> Answer:
    """The answer in its canonical form; an answer that does not fit the screen is refused.

    >>> from tertium.human.campaigns.items import Output
    >>> settings = Settings.of({"name": "demo", "design": "pairwise"})
    >>> item = CampaignItem("i", "1", (Output("a", ("A",)), Output("b", ("B",))))
    >>> checked_answer(settings, item, {"choice": "A"})
    {'choice': 'A'}
    >>> checked_answer(settings, item, {"choice": "C"})
    Traceback (most recent call last):
    tertium.errors.InputError: the choice must be A, B or undecided, not 'C'
    """
    if not isinstance(answer, Mapping):
        raise InputError("an answer must be an object")
    keys, check = _CHECKS[DIRECT if item.inside else settings.design.name]
    comment = {"comment": _comment(answer["comment"])} if answer.get("comment") else {}
    answer = {key: value for key, value in answer.items() if key != "comment"}
    if comment and not answer and not complete:
        return comment  # written before anything else
    if strange := [key for key in answer if key not in keys]:
        raise InputError(f"an answer has the keys {' and '.join(keys)}, not {strange[0]!r:.60}")
    return check(settings, item, answer, complete) | comment


def _comment(text: Any) -> str:
    if not isinstance(text, str) or len(text) > LONGEST_COMMENT:
        raise InputError(f"a comment must be a text of at most {LONGEST_COMMENT} characters")
    return text_checked(text.strip(), "the comment")


def _score(value: Any, complete: bool) -> float | None:
    if value is None and not complete:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
        raise InputError(f"the score must be a number from 0 to 100, not {value!r:.60}")
    return round(float(value), 1)


def _direct(settings: Settings, item: CampaignItem, answer: Mapping[str, Any], complete: bool) -> Answer:
    return {"score": _score(answer.get("score"), complete)}


def _pairwise(settings: Settings, item: CampaignItem, answer: Mapping[str, Any], complete: bool) -> Answer:
    choice = answer.get("choice")
    allowed = ["A", "B", *(["undecided"] if settings.options["undecided"] else [])]
    if choice not in allowed and (complete or choice is not None):
        raise InputError(f"the choice must be {', '.join(allowed[:-1])} or {allowed[-1]}, not {choice!r:.60}")
    return {"choice": choice}


def _ranking(settings: Settings, item: CampaignItem, answer: Mapping[str, Any], complete: bool) -> Answer:
    ranks = answer.get("ranks")
    n = len(item.outputs)
    if not isinstance(ranks, list) or len(ranks) != n:
        raise InputError(f"give one rank for each of the {n} translations")
    for rank in ranks:
        if rank is None and not complete:
            continue
        if isinstance(rank, bool) or not isinstance(rank, int) or not 1 <= rank <= n:
            raise InputError(f"a rank must be a number from 1 to {n}, not {rank!r:.60}")
    return {"ranks": list(ranks)}


def _challenge(settings: Settings, item: CampaignItem, answer: Mapping[str, Any], complete: bool) -> Answer:
    answers = answer.get("answers")
    if not isinstance(answers, list) or len(answers) != len(item.outputs):
        raise InputError(f"give one answer for each of the {len(item.outputs)} translations")
    for one in answers:
        if one not in YES_NO_NA and (complete or one is not None):
            raise InputError(f"the answer must be yes, no or na, not {one!r:.60}")
    return {"answers": list(answers)}


def _error_spans(settings: Settings, item: CampaignItem, answer: Mapping[str, Any], complete: bool) -> Answer:
    spans = answer.get("spans", [])
    if not isinstance(spans, list) or len(spans) > MOST_SPANS:
        raise InputError(f"spans must be a list of at most {MOST_SPANS}")
    given = item.outputs[0].spans
    with_categories = settings.options["protocol"] == "mqm"
    found = []
    for span in spans:
        if not isinstance(span, Mapping) or set(span) - _SPAN_KEYS:
            raise InputError(f"a span can only have the keys {', '.join(sorted(_SPAN_KEYS))}")
        start, end = span.get("start"), span.get("end")
        if (start is None) != (end is None):
            raise InputError("a span has start and end, or neither for an omission")
        in_source, number = span.get("in_source", False), span.get("given")
        if type(in_source) is not bool or (in_source and start is None):
            raise InputError("in_source is true for an error marked in the source, which has start and end")
        if number is not None and not (type(number) is int and 0 <= number < len(given)):
            raise InputError(f"no span number {number!r:.20} was given")
        length = len(item.source if in_source else item.outputs[0].text)
        # an empty span is the place of an omission
        if start is not None and not (
            type(start) is int and type(end) is int and 0 <= start <= end <= length
        ):
            side = "source" if in_source else "translation"
            raise InputError(f"the span {start!r:.20} to {end!r:.20} is not inside the {side}")
        severity, category = span.get("severity"), span.get("category") or ""
        if severity not in settings.options["severities"]:
            raise InputError(
                f"the severity must be one of {', '.join(settings.options['severities'])}, not {severity!r:.60}"
            )
        allowed = (
            (*settings.options["categories"], *(() if complete else ("",))) if with_categories else ("",)
        )
        if category not in allowed:
            raise InputError(f"there is no category {category!r:.60} in this campaign")
        kept = {"start": start, "end": end, "severity": severity, "category": category}
        kept |= {"in_source": True} if in_source else {}
        found.append(kept | ({} if number is None else {"given": number}))
    numbers = [span["given"] for span in found if "given" in span]
    if len(set(numbers)) < len(numbers):
        raise InputError("a given span occurs twice")
    found.sort(key=lambda one: ("in_source" in one, one["start"] is None, one["start"] or 0, one["end"] or 0))
    score = _score(answer.get("score"), complete and settings.options["score"])
    return {"spans": found, "score": score if settings.options["score"] else None}


def _units(settings: Settings, item: CampaignItem, answer: Mapping[str, Any], complete: bool) -> Answer:
    marks = answer.get("marks")
    if not isinstance(marks, Mapping):
        raise InputError("marks must be an object that maps units to marks")
    units = {unit.id: unit for unit in every(item.units)}
    if strange := [identity for identity in marks if identity not in units]:
        raise InputError(f"there is no unit {strange[0]!r:.60} in this item")
    for identity, mark in marks.items():
        if mark not in units[identity].marks:
            raise InputError(
                f"unit {identity} must be {' or '.join(units[identity].marks)}, not {mark!r:.60}"
            )
    if complete and (missing := [identity for identity in units if identity not in marks]):
        raise InputError(f"unit {missing[0]} has no mark yet")
    return {"marks": {identity: marks[identity] for identity in units if identity in marks}}


_Check = Callable[[Settings, CampaignItem, Mapping[str, Any], bool], Answer]
_CHECKS: dict[str, tuple[tuple[str, ...], _Check]] = {
    DIRECT: (("score",), _direct),
    PAIRWISE: (("choice",), _pairwise),
    RANKING: (("ranks",), _ranking),
    CHALLENGE: (("answers",), _challenge),
    SPANS: (("spans", "score"), _error_spans),
    UNITS: (("marks",), _units),
}

"""What language models answer, read strictly: a JSON object of the kind that was asked for, or what is wrong."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError, shortened
from tertium.io.judges.prompts import Prompt
from tertium.io.judges.said import shown

# \s in the place of blanks would try each of many empty lines
_FENCE = re.compile(r"```(?:json)?[ \t\r]*\n(.*)\n[ \t]*```", re.DOTALL)
_THOUGHT = re.compile(  # of models that reason aloud first; where the server asks them to, the beginning may be missing
    r"\s*(?:<think(?:ing)?>|(?![\s{`])).*?</think(?:ing)?>", re.DOTALL
)
FIRST, SECOND, TIE = "first", "second", "tie"


class Unreadable(ValueError):
    """Why an answer cannot be used, in words that the model is told."""


@dataclass(frozen=True)
class JudgedError:
    """An error that a model found."""

    span: str
    category: str
    severity: str
    in_source: bool
    weight: float


@dataclass(frozen=True)
class ReadAnswer:
    """What an answer says: a score, with the errors behind it, or which of two is better."""

    score: float | None = None
    errors: tuple[JudgedError, ...] = ()
    better: str = ""


def verdict(text: str, prompt: Prompt, texts: Mapping[str, str]) -> ReadAnswer:
    """The answer in a reply; nothing may stand around it but the fence of a code block, and thoughts marked as such.

    >>> from tertium.io.judges.prompts import prompt
    >>> verdict('{"score": 83}', prompt("da"), {}).score
    83.0
    >>> verdict('About 83.', prompt("da"), {})
    Traceback (most recent call last):
    tertium.io.judges.answers.Unreadable: it is not a JSON object
    """
    stripped = _THOUGHT.sub("", text, count=1).strip() if _THOUGHT.match(text) else text.strip()
    fenced = _FENCE.fullmatch(stripped)
    try:
        found = json.loads(fenced[1] if fenced else stripped, object_pairs_hook=_object)
    except Unreadable:
        raise
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Unreadable("it is not a JSON object")
    return _READ[prompt.kind](found, prompt, texts)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that says everything once: of two scores nobody knows which is meant."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)
        raise Unreadable(f'it says "{shown(shortened(twice))}" twice')
    return found


def _rating(found: dict[str, Any], prompt: Prompt, texts: Mapping[str, str]) -> ReadAnswer:
    score = found.get("score")
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise Unreadable('it has no number under "score"')
    if not prompt.low <= score <= prompt.high:  # NaN is not, either
        raise Unreadable(f"the score is not between {prompt.low:g} and {prompt.high:g}")
    return ReadAnswer(float(score))


def _errors(found: dict[str, Any], prompt: Prompt, texts: Mapping[str, str]) -> ReadAnswer:
    from tertium.io.mqm import MQMWeights  # numpy: ratings need none

    listed = found.get("errors")
    if not isinstance(listed, list):
        raise Unreadable('it has no list under "errors"')
    weights = MQMWeights.of(prompt.weights)
    within = {
        side: " ".join(texts.get(name, "").split())
        for side, name in ((False, "hypothesis"), (True, "source"))
    }
    errors: list[JudgedError] = []
    for number, own in enumerate(listed, 1):
        parts = [own.get(key) for key in ("span", "category", "severity")] if isinstance(own, dict) else []
        told = [part for part in parts if isinstance(part, str)]
        if len(told) != 3:
            raise Unreadable(f"error {number} lacks a span, a category or a severity")
        span, category, severity = " ".join(told[0].split()), shown(told[1]), shown(told[2])
        inside = span in within[False]
        in_source = not inside and span in within[True]
        if not (inside or in_source) or not span:
            raise Unreadable(f"the span of error {number} is neither in the translation nor in the source")
        try:
            weight = weights.weight(severity, category)
        except InputError:
            raise Unreadable(f"the severity of error {number} is not minor, major or critical") from None
        error = JudgedError(span, category, severity, in_source, weight)
        if errors.count(error) >= len(re.findall(re.escape(span), within[in_source])):
            raise Unreadable(f"error {number} was listed before")
        errors.append(error)
    return ReadAnswer(-math.fsum(error.weight for error in errors) + 0.0, tuple(errors))


def _pair(found: dict[str, Any], prompt: Prompt, texts: Mapping[str, str]) -> ReadAnswer:
    said = {"A": FIRST, "B": SECOND, "tie": TIE}.get(str(found.get("better")))
    if said is None:
        raise Unreadable('"better" is not "A", "B" or "tie"')
    return ReadAnswer(better=said)


_READ: Mapping[str, Callable[[dict[str, Any], Prompt, Mapping[str, str]], ReadAnswer]] = {
    "rating": _rating,
    "errors": _errors,
    "pair": _pair,
}

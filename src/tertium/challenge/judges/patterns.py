"""The judge by patterns: what an output must contain, what it must not, and in which order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judges.hints import Hints, read_hints
from tertium.challenge.judges.verdicts import Call, Ruling
from tertium.challenge.outputs import System
from tertium.text.normalize import plain_typography

LONGEST = 500  # characters of an output: the slowest pattern that is allowed then takes some seconds


@dataclass(frozen=True)
class PatternJudge:
    """Judges by the `accept`, `reject`, `order` and `words` of an item; see `docs/challenge-judges.md`.

    >>> item = Item("1", "Lexical", "", "Well?", "I miss you.", judge={
    ...     "accept": [r"\\bme manque"], "reject": [r"\\bje (te|vous) manque"]})
    >>> for ruling in PatternJudge().rule(System("A"), [item] * 3, ["Tu me manques.", "Je te manque.", "Ah."]):
    ...     print(*ruling)
    yes 'accept' matches: me manque
    no 'reject' matches: Je te manque
    unsure no 'accept' pattern matches
    """

    name = "patterns"
    signature = f"patterns of the items|text:plain,case-insensitive,at most {LONGEST} characters"
    systems = None

    def rule(self, system: System, items: Sequence[Item], texts: Sequence[str]) -> list[Ruling]:
        hints = read_hints(items)
        return [ruling_by_patterns(hints[item.id], text) for item, text in zip(items, texts, strict=True)]


def ruling_by_patterns(hints: Hints, text: str) -> Ruling:
    """What an item's patterns say of an output.

    >>> ruling_by_patterns(Hints(), "Il pleut.").reason
    'the item has no patterns'
    """
    if not hints.has_patterns:
        return Ruling("unsure", "the item has no patterns")
    plain = plain_typography(text)
    if not plain:
        return Ruling("unsure", "the output is empty")
    if len(plain) > LONGEST:
        return Ruling("unsure", f"the output has {len(plain)} characters, more than {LONGEST}")
    for pattern in hints.reject:
        if found := pattern.search(plain):
            return Ruling("no", f"'reject' matches: {found.group()}")
    return _order_and_rest(hints, plain)


def _order_and_rest(hints: Hints, plain: str) -> Ruling:
    reasons: list[str] = []
    missing = ""
    for before, after in hints.order:
        first, last = before.search(plain), _last(after, plain)
        if first is None or last is None:
            lacking = after if first else before
            missing = missing or f"'order' needs what the output lacks: {lacking.pattern}"
        elif first.end() <= last.start():
            reasons.append(f"'order' is kept: {first.group()} … {last.group()}")
        else:
            return Ruling("no", f"'order' is broken: {last.group()} … {first.group()}")
    if hints.accept:
        matches = [found for pattern in hints.accept if (found := pattern.search(plain))]
        if matches:
            reasons.insert(0, f"'accept' matches: {matches[0].group()}")
        else:
            missing = missing or "no 'accept' pattern matches"
    for word, pattern in hints.words:
        if not pattern.search(plain):
            missing = missing or f"'words' needs {word}"
    if missing:
        return Ruling("unsure", missing)
    if hints.words:
        reasons.append("all 'words' are there")
    if not reasons:
        return Ruling("unsure", "no 'reject' pattern matches, and nothing says what is right")
    return Ruling("yes", "; ".join(reasons))


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The match that starts last."""
    found = None
    for found in pattern.finditer(text):  # noqa: B007
        pass
    return found


def check_patterns(items: ChallengeSet) -> list[str]:
    """A set tested against itself: doubts about patterns that do not accept the reference of their item, or that
    accept one of its `wrong` versions.

    >>> item = Item("1", "Lexical", "", "Well?", "It rains.", "Il pleut.", judge={"accept": ["neige"]})
    >>> check_patterns(ChallengeSet((item,)))
    ["item '1': the reference is judged unsure, not yes: no 'accept' pattern matches"]
    """
    doubts = []
    for item_id, hints in read_hints(items).items():
        if not hints.has_patterns:
            continue
        texts: list[tuple[str, str, Call]] = [("the reference", items[item_id].reference, "yes")]
        texts += [(f"wrong[{place}]", text, "no") for place, text in enumerate(hints.wrong, 1)]
        for what, text, wanted in texts:
            if text:
                call, reason = ruling_by_patterns(hints, text)
                if call != wanted:
                    doubts.append(f"item {item_id!r}: {what} is judged {call}, not {wanted}: {reason}")
    return doubts

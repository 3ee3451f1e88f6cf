"""The doctor's checks, by name; packages add theirs (`tertium.checks`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tertium.comparison.doctor import damage, languages, lengths, manner, order, pairing, scripts, signs
from tertium.comparison.doctor.column import Role, TextColumn
from tertium.comparison.doctor.diagnosis import Finding
from tertium.comparison.doctor.odd_lines import Examined
from tertium.registry import Registry


@dataclass(frozen=True)
class Check:
    """A check: a sentence, what it finds in a text given the others, and the roles of the texts it is for.

    Without roles it looks at the whole test set, once. A check that needs no other text is `alone`: it also runs where
    texts differ in length, so that their lines cannot be compared.
    """

    sentence: str
    find: Callable[[TextColumn, Examined], Iterator[Finding]]
    roles: tuple[Role, ...] = ()
    alone: bool = False


def _identical(_: TextColumn, texts: Examined) -> Iterator[Finding]:
    yield from pairing.check_identical(texts.systems, "output")
    yield from pairing.check_identical(texts.references, "text")


def _manner(column: TextColumn, texts: Examined) -> Iterator[Finding]:
    return manner.check_manner(column, texts.systems if column.role == "reference" else texts.references)


EMPTY = Check(
    "Empty lines.", lambda text, _: damage.check_empty(text), ("reference", "source", "system"), alone=True
)
SIGNS = Check(
    "Signs of damage in a line: encoding, markup, markers, preambles, quotes, strange characters, capitals, loops.",
    signs.check_signs,
    ("reference", "source", "system"),
    alone=True,
)
IDENTICAL = Check("Identical systems or references.", _identical)
TEST_SET = Check(
    "Segments that occur more than once in the test set.",
    lambda _, texts: pairing.check_test_set(texts.source, texts.references),
)
ORDER = Check(
    "Lines that are out of order, throughout a text or in one stretch.",
    lambda first, texts: order.check_order(texts.systems, first, texts.source),
)
UNTRANSLATED = Check(
    "Outputs or references that are the source text.", pairing.check_untranslated, ("reference", "system")
)
LEAK = Check(
    "Outputs identical to a reference, too often to be chance.",
    lambda system, texts: pairing.check_leak(system, texts.references),
    ("system",),
)
REPEATED = Check(
    "The same output for several different segments.",
    lambda system, texts: pairing.check_repeated(system, texts.source, texts.references),
    ("system",),
)
MANNER = Check(
    "Tokenised, lower-cased or decomposed text where the other texts are not.",
    _manner,
    ("reference", "system"),
)
SCRIPT = Check(
    "Lines in a script that the language is not written in.", lambda _, texts: scripts.check_script(texts)
)
SPACES = Check(
    "References in languages without spaces between words: which language, and whether its words can be cut.",
    scripts.check_spaces,
    ("reference",),
    alone=True,
)
LANGUAGE = Check(
    "Lines in another language, by function words or py3langid (tertium[language]).",
    lambda _, texts: languages.check_languages(texts),
)
BRACKETS = Check(
    "Words of the source, or English ones, left in brackets.",
    languages.check_brackets,
    ("reference", "system"),
)
LENGTHS = Check(
    "Outputs much shorter or longer than their references, or cut off.",
    lambda _, texts: lengths.check_lengths(texts),
)

_OURS = (
    *("empty", "signs", "identical", "test-set", "order", "untranslated"),
    *("leak", "repeated", "manner", "script", "spaces", "language", "brackets", "lengths"),
)
CHECKS: Registry[Check] = Registry(
    "check", "tertium.checks", {name: f"{__name__}:{name.replace('-', '_').upper()}" for name in _OURS}
)


def findings(texts: Examined, *, side_by_side: bool) -> Iterator[Finding]:
    """What all checks find; those that need texts of equal length only where they are."""
    checks = [CHECKS[name] for name in CHECKS]
    columns = [*texts.references, *texts.systems, *([] if texts.source is None else [texts.source])]
    for text in columns:
        for check in checks:
            if check.alone and text.role in check.roles:
                yield from check.find(text, texts)
    if not side_by_side:
        return
    for check in checks:
        if not check.roles:
            yield from check.find(texts.references[0], texts)
    for text in texts.columns:
        for check in checks:
            if text.role in check.roles and not check.alone:
                yield from check.find(text, texts)

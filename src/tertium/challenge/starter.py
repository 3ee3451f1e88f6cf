"""The challenge sets that come with the package, and made-up outputs and judgements to try everything on.

What is in them is told by `docs/challenge-starter.md`. All sentences, outputs and judgements are our own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from tertium.challenge.authors import Release
    from tertium.challenge.items import ChallengeSet

PAIRS = ("en-fr", "fr-en")
DEMO_PAIR = "en-fr"
PATTERNS = ("isabelle-2017",)  # for sets of others


def starter_set(languages: str) -> ChallengeSet:
    """The bundled set of a language pair, over the categories of Isabelle, Cherry and Foster (2017) and of Isabelle
    and Kuhn (2018).

    >>> items = starter_set("en-fr")
    >>> items["ef-tags-1"].source
    "Your brother plays the piano, doesn't he?"
    >>> starter_set("fr-de")
    Traceback (most recent call last):
    tertium.errors.InputError: no starter set for 'fr-de'; did you mean 'fr-en'? (known: en-fr, fr-en)
    """
    from importlib.resources import as_file, files

    from tertium.challenge.setfiles import read_set

    if languages not in PAIRS:
        raise InputError(f"no starter set for {languages!r}{did_you_mean(languages, PAIRS)}")
    with as_file(files("tertium") / "data" / "challenge" / f"{languages}.jsonl") as path:
        return read_set(path, name=f"starter {languages}")


def with_patterns(items: ChallengeSet, patterns: str) -> ChallengeSet:
    """The set with the patterns of a file (`judges.hints.with_hints`) or with ours of that name. `isabelle-2017` is for
    the 108 items of Isabelle, Cherry and Foster (2017), whose texts are the authors' and do not come with the package.
    """
    from importlib.resources import as_file, files

    from tertium.challenge.judges.hints import with_hints

    if patterns not in PATTERNS:
        return with_hints(items, patterns)
    with as_file(files("tertium") / "data" / "challenge" / f"{patterns}-patterns.jsonl") as path:
        return with_hints(items, path)


def starter_demo() -> Release:
    """The demonstration: those items of the English-French set that the three imagined systems translated, with their
    outputs and the judgements of three imagined annotators. Nobody real is behind any of it.

    >>> demo = starter_demo()
    >>> [system.label for system in demo.outputs.systems]
    ['careful', 'literal', 'hasty@2025-03-10', 'hasty@2025-09-22']
    >>> demo.judgements.annotators()
    ('amal', 'bruno', 'chloe')
    """
    from importlib.resources import as_file, files

    from tertium.challenge.authors import Release
    from tertium.challenge.judgements import read_judgements
    from tertium.challenge.outputs import read_outputs

    items = starter_set(DEMO_PAIR)
    with as_file(files("tertium") / "data" / "challenge" / "demo") as folder:
        outputs = read_outputs([folder / "outputs.jsonl"], items)
        judgements = read_judgements([folder / "judgements.jsonl"], items, outputs)
    return Release(items.only([item for _, item, _ in outputs]), outputs, judgements)

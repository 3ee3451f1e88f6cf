"""Contrastive pairs from any text: right sentences, and copies with one sure mistake each, made by a named rule.

Sennrich (2016), *How Grammatical is Character-level Neural Machine Translation?*: a system (or a metric) that knows the
language prefers the right one. The pairs are a challenge set whose items have a `wrong` version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tertium.challenge.edits import KINDS, Corpus, Edit, Rule, names_in, rules_for
from tertium.challenge.items import ChallengeSet, Item
from tertium.errors import InputError, SpecError
from tertium.io.streams import FilePath, display_name
from tertium.io.tables import Column, Table, number_column
from tertium.progress import steps
from tertium.results import Result

SEED = 12345
QUESTION = "Is the right version preferred to the wrong one?"
AGAINST = "other_reference"  # in an item's metadata: what metrics compare both versions with


@dataclass(frozen=True)
class Pairs(Result):
    """Pairs as a challenge set, and which rule found how many. Made by `make_pairs`."""

    kind = "contrastive pairs"
    items: ChallengeSet
    rules: tuple[Rule, ...]
    sentences: int
    seed: int

    def of(self, rule: Rule) -> list[Item]:
        return [item for item in self.items if item.subcategory == rule.title]

    def contents(self) -> Mapping[str, Any]:
        return {
            "sentences": self.sentences,
            "seed": self.seed,
            "rules": [
                {"rule": own.title, "kind": own.kind, "pairs": len(self.of(own))} for own in self.rules
            ],
            "pairs": [item.data() for item in self.items],
        }

    def table(self) -> Table:
        columns = (Column("kind"), Column("rule"), number_column("pairs"), Column("such as"))
        rows = []
        for rule in self.rules:
            found = self.of(rule)
            rows.append((rule.kind, rule.title, len(found), found[0].notes if found else ""))
        rows.append(("all", "", len(self.items), ""))
        notes = (f"{self.sentences} sentences; which place, digit or name: seed {self.seed}",)
        return Table("Contrastive pairs", columns, tuple(rows), notes)


def make_pairs(
    texts: Sequence[str],
    languages: str,
    *,
    sources: Sequence[str] | None = None,
    references: Sequence[str] | None = None,
    kinds: Sequence[str] = KINDS,
    limit: int | None = None,
    seed: int = SEED,
    name: str = "",
) -> Pairs:
    """One wrong copy of a sentence by each rule that surely makes a mistake in it; at most `limit` pairs by a rule.

    `languages` is the language of the texts, or the pair of sources and texts (`en-de`). Sources make names sure; the
    texts stand in for them where there are none. `references` are other translations, with which a metric can compare
    both versions.

    >>> for item in make_pairs(["Er hat kein Auto.", "Wir sahen 12 Hasen."], "de").items:
    ...     print(item.subcategory, "|", item.reference, "|", item.judge["wrong"][0])
    de: verb after a pronoun | Er hat kein Auto. | Er haben kein Auto.
    de: kein to ein | Er hat kein Auto. | Er hat ein Auto.
    digit changed | Wir sahen 12 Hasen. | Wir sahen 42 Hasen.
    """
    for what, given in (("sources", sources), ("references", references)):
        if given is not None and len(given) != len(texts):
            raise InputError(f"there are {len(texts)} texts, but {len(given)} {what}")
    if limit is not None and limit < 1:
        raise SpecError(f"the limit must be at least one pair, not {limit}")
    pair = languages if "-" in languages else ""
    language = languages.rpartition("-")[2]
    rules = rules_for(language, kinds)
    words = frozenset(word for text in texts for word in re.findall(r"[^\W\d_]+", text) if word.islower())
    places = [None] * len(texts) if sources is None else sources
    named = {
        match[0]
        for text, own in zip(texts, places, strict=True)
        for match in names_in(text, words, own, language)
    }
    names = tuple(sorted(named))
    found: list[Item] = []
    for rule in steps(rules, lambda rule: f"making pairs: {rule.title}"):
        made: list[Item] = []
        for n, text in enumerate(texts):
            draw = Random(f"{seed}|{rule.title}|{n}|{text}")
            edits = rule.edits(text, Corpus(words, names, places[n], language, draw))
            if edits and text.isprintable():
                edit = edits[int(draw.random() * len(edits))]
                against = None if references is None else references[n]
                made.append(_item(rule, n, text, edit, places[n] or text, pair, against))
        if limit is not None and len(made) > limit:
            made = sorted(
                Random(f"{seed}|{rule.title}").sample(made, limit), key=lambda item: item.metadata["line"]
            )
        found += made
    if not found:
        shown = ", ".join(rule.title for rule in rules) or "none"
        raise InputError(
            f"{name or 'the text'}: nothing here can surely be made wrong (rules for {language}: {shown})"
        )
    return Pairs(ChallengeSet(tuple(found), name or "pairs"), tuple(rules), len(texts), seed)


def _item(rule: Rule, n: int, text: str, edit: Edit, source: str, pair: str, against: str | None) -> Item:
    start, end, put = edit
    while start and text[start - 1].isalnum():  # whole words are shown
        start, put = start - 1, text[start - 1] + put
    while end < len(text) and text[end].isalnum():
        end, put = end + 1, put + text[end]
    label = re.sub(r"\W+", "-", rule.title)
    return Item(
        f"{label}-{n + 1}",
        rule.kind,
        rule.title,
        QUESTION,
        source,
        text,
        reference_spans=((start, end),),
        languages=pair,
        notes=f"{text[start:end]!r} became {put!r}",
        judge={"wrong": [edit.made(text)]},
        metadata={"line": n + 1, **({} if against is None else {AGAINST: against})},
    )


def make_pairs_of_files(
    text: FilePath,
    languages: str,
    *,
    source: FilePath | None = None,
    reference: FilePath | None = None,
    **how: Any,
) -> Pairs:
    """`make_pairs` over files, a sentence per line. Options as there."""
    from tertium.io.door import read_strings

    sources = None if source is None else read_strings(source, "source")
    references = None if reference is None else read_strings(reference, "reference")
    name = display_name(text)
    return make_pairs(read_strings(text), languages, sources=sources, references=references, name=name, **how)

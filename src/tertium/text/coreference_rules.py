"""A small resolver of coreference over parses, for any language with Universal Dependencies.

Mentions are nouns, names and personal pronouns with what belongs to them. From left to right, a name joins an earlier
one that shares its head and its words; a definite noun an earlier one with the same head and no other modifiers; a
pronoun the nearest compatible mention: sentences from the last one back, subjects first, then from left to right
(after Hobbs 1978). Gender, number, person and animacy agree wherever both sides have them. Without tags, names are runs
of words with capitals, and only these are linked.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tertium._native import Forms, repeated_names
from tertium.text.coreference import Resolved, Resolver
from tertium.text.cut import Cut
from tertium.text.parses import NO_HEAD, Features, Parsed

BACK = 3  # sentences before its own in which a pronoun looks for what it stands for
_NOMINAL = ("NOUN", "PROPN", "PRON", "DET")
_INSIDE = (
    "flat",
    "compound",
    "fixed",
    "goeswith",
    "expl",
    "discourse",
    "vocative",
    "det",
    "case",
    "mark",
    "advmod",
)
_OUTSIDE = (
    "conj",
    "cc",
    "punct",
    "cop",
    "aux",
    "mark",
    "parataxis",
    "advcl",
    "ccomp",
    "csubj",
    "discourse",
    "orphan",
)
_OUTSIDE_TOO = (
    "nsubj",
    "obl",
    "obj",
    "iobj",
    "expl",
    "dislocated",
    "vocative",
    "list",
    "dep",
    "advmod",
    "case",
)
_MODIFIERS = ("amod", "nummod", "compound", "flat", "nmod", "appos")
_AGREEING = ("Gender", "Number", "Animacy")
_SUBJECT = "nsubj"


@dataclass
class _Found:
    """A mention while it is resolved."""

    words: tuple[int, ...]
    head: int
    kind: str  # PROPN, NOUN, PRON
    features: dict[str, str]
    latent: bool = False  # counts only where something refers to it
    chain: _Chain = field(init=False)


@dataclass
class _Chain:
    mentions: list[_Found]
    features: dict[str, str]
    modifiers: set[str] = field(default_factory=set)


def resolve(parsed: Parsed) -> Resolved:
    """The chains of a text, single mentions among them.

    >>> features = {"Gender": "Fem"}, {}, {}, {"Gender": "Fem", "PronType": "Prs"}, {}, {}
    >>> resolve(Parsed("Anna schlief. Sie träumte.", ("Anna", "schlief", ".", "Sie", "träumte", "."), (),
    ...     ("PROPN", "VERB", "PUNCT", "PRON", "VERB", "PUNCT"), features, (1, -1, 1, 4, -1, 4),
    ...     ("nsubj", "root", "punct", "nsubj", "root", "punct"), (0, 3))).shown()
    [['Anna', 'Sie']]
    """
    if not any(parsed.tags):
        return _repeated_names(parsed)
    found = sorted(_mentions(parsed), key=lambda one: (one.words[0], -one.words[-1]))
    natural = not any(
        features.get("Gender")
        for features, tag in zip(parsed.features, parsed.tags, strict=True)
        if tag == "NOUN"
    )
    articles = any("Definite" in features for features in parsed.features)
    chains: list[_Chain] = []
    for place, one in enumerate(found):
        before = found[:place]
        if one.kind == "PRON":
            chain = _of_pronoun(one, before, parsed, natural=natural)
        elif one.kind == "PROPN":
            chain = _of_name(one, before, parsed)
        else:
            chain = _of_noun(one, before, parsed, articles=articles)
        if chain is None:
            chain = _Chain([], {})
            chains.append(chain)
        _join(one, chain, parsed)
    kept = (
        [one.words for one in chain.mentions if not one.latent or len(chain.mentions) > 1] for chain in chains
    )
    return Resolved(parsed, tuple(tuple(dict.fromkeys(own)) for own in kept if own))


def _join(one: _Found, chain: _Chain, parsed: Parsed) -> None:
    chain.mentions.append(one)
    one.chain = chain
    for name, value in one.features.items():
        chain.features.setdefault(name, value)
    if one.kind != "PRON":
        chain.modifiers |= _modifiers(one, parsed)


def _mentions(parsed: Parsed) -> Iterator[_Found]:
    kinds = {(e.begin, e.end): e.kind for e in parsed.entities}
    for word, (tag, features) in enumerate(zip(parsed.tags, parsed.features, strict=True)):
        relation = parsed.relations[word].partition(":")[0]
        possessive = features.get("Poss") == "Yes"
        if tag not in _NOMINAL or (relation in _INSIDE and not possessive):
            continue
        if tag in ("PRON", "DET"):
            if features.get("PronType") == "Prs" or (possessive and "PronType" not in features):
                yield _Found((word,), word, "PRON", _agreeing(features))
            continue
        words = _span(word, parsed)
        own = _agreeing(features)
        person = [kind for (begin, end), kind in kinds.items() if begin <= word < end]
        if person and person[0].upper().startswith("PER"):
            own["Animacy"] = "Anim"
        yield _Found(words, word, tag, own)
        others = [child for child in parsed.children[word] if parsed.relations[child].startswith("conj")]
        if others and all(parsed.tags[other] in ("NOUN", "PROPN") for other in others):
            whole = tuple(range(words[0], _span(others[-1], parsed)[-1] + 1))
            yield _Found(whole, word, "NOUN", {"Number": "Plur"}, latent=True)


def _agreeing(features: Features) -> dict[str, str]:
    found = {name: features[name] for name in (*_AGREEING, "Person") if features.get(name)}
    return {name: value for name, value in found.items() if "," not in value}  # either is no knowledge


def _span(head: int, parsed: Parsed) -> tuple[int, ...]:
    """A noun with its modifiers: not the preposition before it, nor the clause that it is the predicate of."""
    words = {head}
    for child in parsed.children[head]:
        relation = parsed.relations[child].partition(":")[0]
        after = relation == "case" and child > head  # the English 's
        if after or (relation not in _OUTSIDE and relation not in _OUTSIDE_TOO):
            waiting = [child]
            while waiting:
                words.add(below := waiting.pop())
                waiting += [more for more in parsed.children[below] if more not in words]
    return tuple(range(min(words), max(words) + 1))


def _core(one: _Found, parsed: Parsed) -> set[str]:
    """The words of a name."""
    return {parsed.words[i].casefold() for i in one.words if parsed.tags[i] == "PROPN"}


def _modifiers(one: _Found, parsed: Parsed) -> set[str]:
    found = set()
    for child in parsed.children[one.head]:
        if parsed.relations[child].partition(":")[0] in _MODIFIERS and child in one.words:
            found.add(_lemma(child, parsed))
    return found


def _lemma(word: int, parsed: Parsed) -> str:
    return (parsed.lemmas[word] or parsed.words[word]).casefold()


def _agree(one: _Found, chain: _Chain, names: tuple[str, ...] = _AGREEING) -> bool:
    return all(
        name not in one.features or name not in chain.features or one.features[name] == chain.features[name]
        for name in names
    )


def _inside(one: _Found, other: _Found) -> bool:
    return other.words[0] <= one.words[0] and one.words[-1] <= other.words[-1]


def _of_name(one: _Found, before: list[_Found], parsed: Parsed) -> _Chain | None:
    core = _core(one, parsed)
    for other in reversed(before):
        if (
            other.kind == "PROPN"
            and not other.latent
            and not _inside(one, other)
            and _agree(one, other.chain, ("Number",))
        ):
            theirs = _core(other, parsed)
            same_head = _lemma(one.head, parsed) == _lemma(other.head, parsed)
            last = parsed.words[max(i for i in one.words if parsed.tags[i] == "PROPN")].casefold()
            if (same_head and (core <= theirs or theirs <= core)) or (core < theirs and last in theirs):
                return other.chain
    return None


def _of_noun(one: _Found, before: list[_Found], parsed: Parsed, *, articles: bool) -> _Chain | None:
    if one.latent:
        return None
    bare = articles and not _definite(one, parsed)
    indefinite = any(parsed.features[child].get("Definite") == "Ind" for child in parsed.children[one.head])
    if indefinite:
        return None
    modifiers, head = _modifiers(one, parsed), _lemma(one.head, parsed)
    for other in reversed(before):
        if other.kind != "NOUN" or other.latent or _inside(one, other) or _lemma(other.head, parsed) != head:
            continue
        known = other.chain.modifiers
        if _agree(one, other.chain, ("Number",)) and (modifiers == known if bare else modifiers <= known):
            return other.chain
    return None


def _definite(one: _Found, parsed: Parsed) -> bool:
    own = parsed.features[one.head].get("Definite") == "Def"  # as an ending
    return own or any(
        parsed.features[child].get("Definite") == "Def"
        or parsed.features[child].get("PronType") == "Dem"
        or parsed.features[child].get("Poss") == "Yes"
        or parsed.relations[child] == "nmod:poss"
        for child in parsed.children[one.head]
    )


def _of_pronoun(one: _Found, before: list[_Found], parsed: Parsed, *, natural: bool) -> _Chain | None:
    person = one.features.get("Person", "3")
    if person != "3":  # whoever speaks or listens: the same throughout a text
        for other in reversed(before):
            if (
                other.kind == "PRON"
                and other.features.get("Person") == person
                and _agree(one, other.chain, ("Number",))
            ):
                return other.chain
        return None
    own = _sentence(one, parsed)
    fitting = [
        other
        for other in before
        if other.features.get("Person", "3") == "3" and _fits(one, other, parsed, natural=natural)
    ]
    if parsed.features[one.head].get("Reflex") == "Yes":
        for other in fitting:
            if _same_clause(one, other, parsed) and _is_subject(other, parsed):
                return other.chain
    for sentence in range(own, max(own - BACK, 0) - 1, -1):
        near = [other for other in fitting if _sentence(other, parsed) == sentence]
        near.sort(
            key=lambda other: (
                _doubt(one, other, natural=natural),
                not _is_subject(other, parsed),
                other.head,
            )
        )
        if near:
            return near[0].chain
    return None


def _fits(one: _Found, other: _Found, parsed: Parsed, *, natural: bool) -> bool:
    if _inside(one, other) or not _agree(one, other.chain):
        return False
    if natural and one.features.get("Gender") == "Neut" and other.chain.features.get("Animacy") == "Anim":
        return False
    free = "Yes" in (parsed.features[one.head].get("Poss"), parsed.features[one.head].get("Reflex"))
    return free or not any(_same_clause(one, mention, parsed) for mention in other.chain.mentions)


def _sentence(one: _Found, parsed: Parsed) -> int:
    return bisect_right(parsed.starts, one.head) - 1


def _same_clause(one: _Found, other: _Found, parsed: Parsed) -> bool:
    """Whether both belong to the same word: "he saw him" speaks of two."""
    return parsed.heads[one.head] == parsed.heads[other.head] != NO_HEAD


def _doubt(one: _Found, other: _Found, *, natural: bool) -> int:
    """Where nouns have no gender, he and she are people: who was called so before, else names; it is a thing."""
    gender = one.features.get("Gender")
    if not natural or gender is None or other.chain.features.get("Gender") == gender:
        return 0
    person = other.chain.features.get("Animacy") == "Anim" or any(
        mention.kind == "PROPN" for mention in other.chain.mentions
    )
    return 1 if person == (gender != "Neut") else 2


def _is_subject(one: _Found, parsed: Parsed) -> bool:
    return parsed.relations[one.head].startswith(_SUBJECT)


def _repeated_names(parsed: Parsed) -> Resolved:
    """Runs of words with capitals, chained where they are the same. The first word of a sentence belongs to a name only
    if it has its capital elsewhere, too."""
    cut = Cut.of_parses([parsed], Forms())
    return Resolved(parsed, repeated_names(cut.numbered, 1).shown()[0])


class _Rules:
    def items(self) -> dict[str, str]:
        return {}

    def resolve(self, texts: Sequence[Parsed]) -> list[Resolved]:
        return list(map(resolve, texts))


RULES = Resolver(
    "Our own rules over parses; without parses, names that are repeated.", lambda _argument: _Rules()
)

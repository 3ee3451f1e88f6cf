"""Chains of mentions over texts side by side: the same number for the same thing in all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tertium.documents.layers import Drawn, Layer, Mark, MarkedGroup, Setting
from tertium.text.alignment import Links
from tertium.text.coreference import Chain, Resolved, projected, resolver


def _drawn(setting: Setting) -> list[Drawn]:
    opened = resolver(setting.chains)
    names = setting.documents[0].names
    shown = [t for t, name in enumerate(names) if name.role != "source"]
    first = shown[0]
    resolved = {t: opened.resolve([one.parsed[t] for one in setting.documents]) for t in shown}
    links = {t: setting.links(t, first) for t in shown[1:]}
    return [
        Drawn(
            groups=tuple(
                _groups(first, {t: resolved[t][d] for t in shown}, {t: own[d] for t, own in links.items()})
            )
        )
        for d in range(len(setting.documents))
    ]


def _groups(first: int, texts: Mapping[int, Resolved], links: Mapping[int, Links]) -> Iterator[MarkedGroup]:
    """Chains of the first text, then those of others that have no counterpart there."""
    reference = texts[first]
    chain_of: dict[object, int] = {
        mention: c for c, chain in enumerate(reference.chains) for mention in chain
    }
    members: list[list[Mark]] = [[Mark(first, m) for m in chain] for chain in reference.chains]
    for text, own in texts.items():
        if text == first:
            continue
        onto = projected(own, reference, links[text])
        partner = counterparts(own.chains, onto, chain_of)
        for c, chain in enumerate(own.chains):
            if c not in partner:
                partner[c] = len(members)
                members.append([])
            for mention, there in zip(chain, onto[c], strict=True):
                other = chain_of.get(there)
                elsewhere = other is not None and other != partner[c]
                members[partner[c]].append(Mark(text, mention, "another chain there" if elsewhere else ""))
    for own_marks in members:
        counts = Counter(mark.text for mark in own_marks)
        if max(counts.values(), default=0) > 1:
            yield MarkedGroup(_label(own_marks, texts), tuple(own_marks))


def counterparts(
    chains: Sequence[Chain], onto: Sequence[Sequence[object]], chain_of: Mapping[object, int]
) -> dict[int, int]:
    """For each chain the one of the other text with which it shares most mentions, one to one.

    >>> counterparts([((0,), (3,)), ((5,),)], [[(1,), (4,)], [("own", (5,))]], {(1,): 2, (4,): 2})
    {0: 2}
    """
    shared = Counter((c, chain_of[there]) for c, own in enumerate(onto) for there in own if there in chain_of)
    found: dict[int, int] = {}
    for (c, other), _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if c not in found and other not in found.values():
            found[c] = other
    return found


def _label(marks: Sequence[Mark], texts: Mapping[int, Resolved]) -> str:
    """A chain is called by the longest of its first text's mentions; of several the first."""
    own = [mark for mark in marks if mark.text == marks[0].text]
    best = max(own, key=lambda mark: len(mark.words))
    return " ".join(texts[best.text].parsed.words[word] for word in best.words)


CHAINS = Layer(
    "Chains",
    "What is mentioned again stands in brackets, with the same number in all texts.",
    _drawn,
)

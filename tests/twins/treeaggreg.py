"""TreeAggreg as the definition says it, one phrase after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Links = Sequence[tuple[int, int]]


def below(heads: Sequence[int], root: int) -> set[int]:
    """The words of a subtree."""
    found = {root}
    while True:
        more = {place for place, head in enumerate(heads) if head in found} - found
        if not more:
            return found
        found |= more


def score(
    ours: tuple[Sequence[str], Sequence[int]],
    theirs: tuple[Sequence[str], Sequence[int]],
    links: Links,
    compare: Callable[[str, str], float],
    *,
    phrases: str = "subtree",
    unlinked: str = "skip",
) -> float:
    """`ours` and `theirs` are words and heads; `compare` is chrF3 of two texts."""
    (words, heads), (other_words, other_heads) = ours, theirs
    to = {j: i for i, j in links}

    def phrase(heads: Sequence[int], root: int) -> set[int]:
        if phrases == "children":
            return {root} | {place for place, head in enumerate(heads) if head == root}
        return below(heads, root)

    pairs = [(set(range(len(words))), set(range(len(other_words))))]
    for j in range(len(other_words)):
        own = phrase(other_heads, j)
        if phrases == "linked":
            own &= set(to)
            if own:
                pairs.append(({to[k] for k in own}, own))
        elif j in to:
            pairs.append((phrase(heads, to[j]), own))
        elif unlinked == "zero":
            pairs.append((set(), own))
    above = weights = 0.0
    for mine, own in pairs:
        texts = " ".join(words[i] for i in sorted(mine)), " ".join(other_words[j] for j in sorted(own))
        above += (len(mine) + len(own)) * compare(*texts)
        weights += len(mine) + len(own)
    return above / weights if weights else 0.0

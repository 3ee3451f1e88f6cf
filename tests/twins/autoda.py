"""AutoDA's ratios, counted link by link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tertium.text.parses import Parsed

CONTENT = ("NOUN", "PROPN", "ADJ", "VERB", "ADV")


def formeme(parsed: Parsed, place: int) -> str:
    tag, features = parsed.tags[place], parsed.features[place]
    if tag in ("NOUN", "PROPN"):
        parts = []
        for other in range(len(parsed.words)):
            if other == place:
                parts.append(features.get("Case", "X"))
            elif parsed.heads[other] == place and parsed.tags[other] == "ADP":
                parts.append(parsed.lemmas[other] or parsed.words[other].lower())
        return "n:" + "+".join(parts)
    if tag == "VERB":
        return "v:" + features.get("VerbForm", "")
    return tag


def ratios(ours: Parsed, theirs: Parsed, links: Sequence[tuple[int, int]]) -> list[float]:
    equal: Counter[str] = Counter()
    total: Counter[str] = Counter()

    def compare(name: str, one: str, other: str) -> None:
        total[name] += 1
        equal[name] += one == other

    for i, j in links:
        form, other = ours.words[i].lower(), theirs.words[j].lower()
        lemma, other_lemma = ours.lemmas[i] or form, theirs.lemmas[j] or other
        compare("forms", form, other)
        compare("lemmas", lemma, other_lemma)
        if ours.tags[i] in CONTENT and theirs.tags[j] in CONTENT:
            compare("content_forms", form, other)
            compare("content_lemmas", lemma, other_lemma)
            compare("formemes", formeme(ours, i), formeme(theirs, j))
            for name in ("Tense", "Number"):
                if name in ours.features[i] and name in theirs.features[j]:
                    compare(name.lower(), ours.features[i][name], theirs.features[j][name])
    names = ("forms", "lemmas", "content_forms", "content_lemmas", "formemes", "tense", "number")
    return [equal[name] / (total[name] + 1) if total[name] else 1.0 for name in names]

"""Direct assessment read as better and worse."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.human import Gold, Judgements, darr_pairs, segment_gold
from tertium.io.pairs import read_pairs_jsonl


def by_hand(
    gold: Gold, margin: float, texts: dict[str, list[str]] | None
) -> tuple[set[tuple[int, str, str]], int, int, int]:
    """Pairs, sources, translations, all pairs: as table 1 describes them, in plain loops."""
    found: set[tuple[int, str, str]] = set()
    sources = translations = pairs = 0
    for j, item in enumerate(gold.scores.items):
        groups: dict[str, list[tuple[str, float, int]]] = {}
        for i, system in enumerate(gold.scores.systems):
            if gold.counts[i, j]:
                text = system if texts is None else texts[system][int(item) - 1]
                groups.setdefault(text, []).append(
                    (system, float(gold.scores.values[i, j]), int(gold.counts[i, j]))
                )
        own = [
            (members[0][0], sum(s * n for _, s, n in members) / sum(n for _, _, n in members))
            for members in groups.values()
        ]
        if len(own) < 2:
            continue
        sources += 1
        translations += len(own)
        for (a, x), (b, y) in combinations(own, 2):
            pairs += 1
            if abs(x - y) > margin:
                found.add((int(item), a, b) if x > y else (int(item), b, a))
    return found, sources, translations, pairs


def triples(found: object) -> set[tuple[int, str, str]]:
    pairs = found.pairs  # type: ignore[attr-defined]
    return {
        (int(segment), pairs.systems[better], pairs.systems[worse])
        for segment, better, worse in zip(pairs.segment, pairs.better, pairs.worse, strict=True)
    }


def random_gold(systems: list[str], segments: int, seed: int, n: int) -> Gold:
    rng = np.random.default_rng(seed)
    return segment_gold(
        Judgements.of(
            system=[systems[i] for i in rng.integers(len(systems), size=n)],
            segment=[str(i) for i in rng.integers(1, segments + 1, size=n)],
            score=rng.integers(0, 101, size=n).astype(float),
        ),
        "raw",
    )


@pytest.mark.parametrize("seed", range(5))
def test_pairs_and_counts_are_those_of_plain_loops(seed: int) -> None:
    gold = random_gold(["A", "B", "C", "D"], 30, seed, 90)
    rng = np.random.default_rng(seed + 100)
    texts = {system: [f"text {rng.integers(3)}" for _ in range(30)] for system in gold.scores.systems}
    for own in (None, texts):
        found = darr_pairs(gold, texts=own)
        wanted, sources, translations, pairs = by_hand(gold, 25, own)
        assert triples(found) == wanted
        assert len(found.pairs) == len(wanted)
        assert (found.sources, found.translations, found.all_pairs) == (sources, translations, pairs)
        assert found.average == translations / sources
    assert darr_pairs(gold, texts=texts).merged > 0


def test_more_than_25_points() -> None:
    judged = Judgements.of(system=["A", "B", "C"], segment=["7"] * 3, score=[50, 25, 24.99])
    found = darr_pairs(segment_gold(judged, "raw"))
    assert triples(found) == {(7, "A", "C")}
    assert found.table().rows == ((1, 3.0, 3, 1),)
    assert found.contents() == {
        "DA>1": 1,
        "Ave": 3.0,
        "DA pairs": 3,
        "DARR": 1,
        "margin": 25.0,
        "identical": 0,
    }
    assert len(darr_pairs(segment_gold(judged, "raw"), margin=0).pairs) == 3


def test_real_outputs_of_2019(shared: Path) -> None:
    """Made scores on the real translations from Kazakh: outputs that are the same text are one translation."""
    real = read_pairs_jsonl(shared / "data" / "wmt19-darr" / "kk-en.jsonl.gz")
    judged_places = [
        (system, str(i)) for system, texts in real.outputs.items() for i, text in enumerate(texts, 1) if text
    ]
    rng = np.random.default_rng(19)
    gold = segment_gold(
        Judgements.of(
            system=[system for system, _ in judged_places],
            segment=[segment for _, segment in judged_places],
            score=rng.integers(0, 101, len(judged_places)).astype(float),
        ),
        "raw",
    )
    texts = {system: [text or "" for text in own] for system, own in real.outputs.items()}
    found = darr_pairs(gold, texts=texts)
    wanted, sources, translations, pairs = by_hand(gold, 25, texts)
    assert (triples(found), found.sources, found.translations, found.all_pairs) == (
        wanted,
        sources,
        translations,
        pairs,
    )
    assert found.sources == 965
    # The organisers' own pairs are among translations that are distinct.
    for segment, better, worse in zip(real.pairs.segment, real.pairs.better, real.pairs.worse, strict=True):
        names = real.pairs.systems[better], real.pairs.systems[worse]
        assert real.outputs[names[0]][segment - 1] != real.outputs[names[1]][segment - 1]


def test_what_cannot_be_paired() -> None:
    judged = Judgements.of(system=["A", "B"], segment=["x", "x"], score=[1, 90])
    with pytest.raises(InputError, match="the segment 'x' is not a whole number"):
        darr_pairs(segment_gold(judged, "raw"))
    gold = segment_gold(Judgements.of(system=["A", "B"], segment=["2", "2"], score=[1, 90]), "raw")
    with pytest.raises(InputError, match="at system level"):
        darr_pairs(gold.by_system())
    with pytest.raises(InputError, match="no output of system 'B'"):
        darr_pairs(gold, texts={"A": ["x", "y"]})
    with pytest.raises(InputError, match="segment 2 is beyond the output of 'A', which has 1 line"):
        darr_pairs(gold, texts={"A": ["x"], "B": ["x"]})
    with pytest.raises(InputError, match="cannot be below 0"):
        darr_pairs(gold, margin=-1)
    lonely = darr_pairs(segment_gold(Judgements.of(system=["A"], segment=["1"], score=[1]), "raw"))
    assert (len(lonely.pairs), lonely.average) == (0, None)

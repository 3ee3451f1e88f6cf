"""Candidates from parallel text: made corpora with one known divergence each, and the news of WMT17."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tertium.challenge.divergence import TagPattern
from tertium.challenge.mining import QUESTION, mine, mine_files
from tertium.challenge.setfiles import read_set, write_set
from tertium.errors import InputError, SpecError
from tertium.io.conllu import ParsedSentence

SOURCES = [f"we saw {n} boats there." for n in range(40)]
TARGETS = [f"nous vîmes {n} bateaux là." for n in range(40)]
STRAIGHT = ["0-0 1-1 2-2 3-3 4-4"] * 40


def parsed(text: str, tags: str) -> ParsedSentence:
    return ParsedSentence(tuple(text.split()), tuple(tags.split()))


def test_length() -> None:
    found = mine(
        [*SOURCES, "he missed us."], [*TARGETS, "il fit tout pour nous voir mais en vain."], shortest=3
    )
    best = found.candidates[0]
    assert (best.line, best.source) == (41, "he missed us.")
    [reason] = best.reasons
    assert reason.divergence.kind == "length"
    assert reason.divergence.reason == "3 source words became 9 target words; 3 would be usual"
    assert reason.share == pytest.approx(1 / 41)
    assert len(found.candidates) == 1


def test_order_by_given_links() -> None:
    found = mine(
        [*SOURCES, "there we saw many boats ."],
        [*TARGETS, "nous vîmes beaucoup bateaux là ."],
        alignments=[*STRAIGHT, "0-4 1-0 2-1 3-2 4-3 5-5"],
    )
    [best] = found.candidates
    assert best.line == 41
    assert best.reasons[0].divergence.value == 0.4  # 4 of 10 pairs: the full stop does not count
    assert "'there' is word 1 of 6, 'là' word 5 of 6" in str(best.reasons[0])
    assert best.source[slice(*best.source_spans[0])] == "there"
    assert best.target[slice(*best.target_spans[0])] == "là"


def test_order_by_our_own_aligner() -> None:
    draw = random.Random(5)
    words = [[(f"{side}{n}", f"{side.upper()}x{n}") for n in range(8)] for side in "abcde"]
    pairs = [[draw.choice(choices) for choices in words] for _ in range(100)]
    sources = [" ".join(s for s, _ in pair) for pair in pairs]
    targets = [" ".join(t for _, t in (pair[::-1] if n >= 95 else pair)) for n, pair in enumerate(pairs)]
    found = mine(sources, targets)
    assert sorted(candidate.line for candidate in found.candidates) == [96, 97, 98, 99, 100]
    assert {c.reasons[0].divergence.value for c in found.candidates} == {1.0}
    assert {c.reasons[0].divergence.kind for c in found.candidates} == {"order"}
    assert any("own IBM model 1, from 100 sentences only" in note for note in found.notes)


def test_parts_of_speech() -> None:
    tags = "PRON VERB NUM NOUN ADV"
    sources = [*(s.replace(".", "") for s in SOURCES), "she swam across quickly now"]
    targets = [*(t.replace(".", "") for t in TARGETS), "elle traversa nageant vite là"]
    ours = [parsed(text, tags) for text in sources[:-1]] + [parsed(sources[-1], "PRON VERB ADV ADV ADV")]
    theirs = [parsed(text, tags) for text in targets[:-1]] + [parsed(targets[-1], "PRON VERB VERB ADV ADV")]
    found = mine(
        sources,
        targets,
        alignments=[*STRAIGHT, "0-0 1-2 2-1 3-3"],
        source_parses=ours,
        target_parses=theirs,
        kinds=["part of speech"],
    )
    [best] = found.candidates
    assert best.line == 41
    assert best.reasons[0].divergence.reason == "'across' (ADV) became 'traversa' (VERB)"
    only = mine(sources, targets, source_parses=ours, pattern="VERB ADV|ADP ADV", kinds=["length"])
    assert [(c.line, c.points) for c in only.candidates] == [(41, 0.0)]
    assert (
        only.candidates[0].reasons[0].divergence.reason == "contains VERB ADV|ADP ADV: 'swam across quickly'"
    )
    assert only.items().items[0].highlighted("source") == ("swam", "across", "quickly")


def test_each_source_once_and_only_suitable_ones() -> None:
    sources = [
        *SOURCES,
        "he came",
        "he came and went and came",
        "He  came and went and came",
        "\x07he came and went",
    ]
    targets = [*TARGETS, "il", *["il vint puis il partit puis il revint et puis il repartit"] * 2, "il vint"]
    found = mine(sources, targets, kinds=["length"])
    assert [candidate.line for candidate in found.candidates] == [42]
    assert (found.sentences, found.looked_at) == (44, 41)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"alignments": ["0-0"]}, "there are 40 sources, but 1 alignments"),
        ({"alignments": ["0-9", *STRAIGHT[1:]]}, "alignment: line 1: the link 0-9 is out of range"),
        ({"source_parses": []}, "there are 40 sources, but 0 parsed sources"),
        ({"pattern": "VERB"}, "needs parses of the sources"),
        ({"kinds": ["lenght"]}, "did you mean 'length'"),
        ({"shortest": 5, "longest": 4}, "no sentence can have 5 to 4 words"),
        ({"limit": 0}, "the limit must be at least one"),
        (
            {"source_parses": [ParsedSentence(("x",), ("X",), "x")] * 40},
            "sentence 1 of the parsed source is 'x', but the source is 'we saw 0 boats there.'",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises((InputError, SpecError)) as error:
        mine(SOURCES, TARGETS, **options)
    assert said in str(error.value)


def test_tag_patterns() -> None:
    assert TagPattern("* NOUN").found(("NOUN", "NOUN")) == (0, 1)
    assert TagPattern("VERB ADP").found(("VERB", "DET", "ADP")) == ()
    for bad in ("", "VREB", "VERB|"):
        with pytest.raises(SpecError, match=r"is empty|is not a universal part of speech"):
            TagPattern(bad)


def test_files_that_do_not_belong_together(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x\ny\n")
    (tmp_path / "b").write_text("x\n")
    with pytest.raises(InputError, match=r"a has 2 lines, .*b has 1"):
        mine_files(tmp_path / "a", tmp_path / "b")
    (tmp_path / "empty").write_text("")
    with pytest.raises(InputError, match="empty"):
        mine_files(tmp_path / "empty", tmp_path / "empty")


@pytest.mark.parametrize("pair", ["deen", "enzh"])
def test_news_of_wmt17(shared: Path, tmp_path: Path, pair: str) -> None:
    folder = shared / "data" / "wmt17"
    source, target = pair[:2], pair[2:]
    found = mine_files(
        folder / "sources" / f"newstest2017-{pair}-src.{source}.gz",
        folder / "references" / f"newstest2017-{pair}-ref.{target}.gz",
        limit=30,
    )
    assert len(found.candidates) == 30
    points = [candidate.points for candidate in found.candidates]
    assert points == sorted(points, reverse=True)
    assert points[-1] > 3
    assert {r.divergence.kind for c in found.candidates for r in c.reasons} == {"length", "order"}
    for candidate in found.candidates:
        assert all(reason.share is not None and 0 < reason.share <= 0.1 for reason in candidate.reasons)
        assert candidate.source_spans or candidate.reasons[0].divergence.kind == "length"
    items = found.items(languages=f"{source}-{target}")
    assert all(item.question == QUESTION and item.notes for item in items)
    write_set(tmp_path / "mined.jsonl", items)
    assert read_set(tmp_path / "mined.jsonl").items == items.items
    assert len(found.table().rows) == len(found.data()["candidates"]) == 30

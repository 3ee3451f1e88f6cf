"""Stored translations for new segments: found as by looking at all of them, live, and on disk."""

from __future__ import annotations

import json
import os
import random
import xml.etree.ElementTree as ET
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import _native
from tertium.cli import main
from tertium.errors import InputError, TertiumWarning
from tertium.io.memories.pairs import Pair
from tertium.matching.index import ENDING, MemoryIndex
from tertium.matching.matching import Matcher, match_document
from tertium.matching.proposals import Context, differences, rate_of, word_likeness
from tertium.matching.searching import search_memory
from tertium.memory.importing import import_memory
from tests.conftest import skip_or_fail

PAIR = Pair("en", "fr")


def made_texts(n: int, seed: int = 7) -> list[str]:
    """Sentences of words whose frequencies fall as those of real words do, short ones first."""
    draws = random.Random(seed)
    words = sorted(
        ("".join(draws.choices("aeinorstlcdu", k=draws.randint(2, 9))) for _ in range(400)), key=len
    )
    weights = [1 / rank for rank in range(1, 401)]
    return [" ".join(draws.choices(words, weights, k=draws.randint(1, 12))) for _ in range(n)]


def changed(text: str, draws: random.Random) -> str:
    """With some words left out, doubled or spelt differently."""
    words = text.split()
    for _ in range(draws.randint(0, 1 + len(words) // 4)):
        place = draws.randrange(len(words))
        words[place] = draws.choice(
            ["", words[place] + " " + words[place], words[place][::-1], words[place][1:]]
        )
    return " ".join(" ".join(words).split())


def memory(folder: Path, rows: list[dict[str, str]], name: str = "memory") -> str:
    path, source = folder / f"{name}.db", folder / f"{name}.jsonl"
    languages = {"source_language": "en", "target_language": "fr"}
    source.write_text("".join(json.dumps({**row, **languages}) + "\n" for row in rows), "utf-8")
    import_memory([str(source)], str(path))
    return str(path)


def test_the_best_is_found_as_by_looking_at_all() -> None:
    """Blocks, the open tail and both: the likeness of the best is that of brute force, if it is 60% or more."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import extractOne

    texts = made_texts(20_000)
    index = _native.TextIndex()
    index.add(texts[:15_000])  # a block
    index.add(texts[15_000:15_300])  # the tail
    known = texts[:15_300]
    draws = random.Random(3)
    queries = [*texts[15_300:15_500], *(changed(text, draws) for text in draws.sample(known, 300))]
    found = missed = 0
    for query in queries:
        best = extractOne(query, known, scorer=Levenshtein.normalized_similarity, score_cutoff=0.6)
        if best is None:
            continue
        found += 1
        answers = index.find(query, 0.6, 5)
        missed += not answers or answers[0][1] != pytest.approx(best[1])
        for place, likeness in answers:
            assert likeness == pytest.approx(Levenshtein.normalized_similarity(query, index.text(place)))
    assert found > 250
    assert missed <= 0.04 * found  # letters at random: more is alike by chance than in any language


def test_the_best_is_found_in_a_real_memory(shared: Path) -> None:
    """Every tenth unit of a real memory asked for among the others, as by looking at all, in 99.5% of the cases."""
    import lzma

    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import extractOne

    data = shared / "data" / "memory" / "en-fr.jsonl.xz"
    if not data.exists():
        skip_or_fail(f"{data} is not there")
    with lzma.open(data, "rt", encoding="utf-8") as file:
        texts = list(
            dict.fromkeys(" ".join(json.loads(line)["source"].split()) for line in islice(file, 20_000))
        )
    queries = [text for text in texts[::10] if len(text.split()) >= 4]
    known = [text for n, text in enumerate(texts) if n % 10]
    index = _native.TextIndex()
    index.add(known)
    best = [
        extractOne(text, known, scorer=Levenshtein.normalized_similarity, score_cutoff=0.6)
        for text in queries
    ]
    asked = [(text, own[1]) for text, own in zip(queries, best, strict=True) if own is not None]
    found = [index.find(text, 0.6, 1) for text, _ in asked]
    pairs = zip(found, asked, strict=True)
    right = sum(bool(own) and own[0][1] == pytest.approx(likeness) for own, (_, likeness) in pairs)
    assert len(asked) > 200
    assert right >= 0.995 * len(asked)


@given(st.lists(st.text(max_size=30), max_size=20), st.text(max_size=30))
def test_any_text_can_be_kept_and_asked_for(texts: list[str], query: str) -> None:
    index = _native.TextIndex()
    index.add(texts)
    assert [index.text(n) for n in range(len(index))] == texts
    copied = _native.TextIndex(as_array(b"".join(index.parts())))
    assert [copied.text(n) for n in range(len(copied))] == texts
    assert copied.find(query, 0.6, 5) == index.find(query, 0.6, 5)
    for n, text in enumerate(texts):
        assert index.find(text, 1.0, len(texts))[-1][0] <= n or not text


def as_array(data: bytes) -> object:
    import numpy as np

    return np.frombuffer(data, np.uint8).copy()


def test_damaged_blocks_are_refused() -> None:
    index = _native.TextIndex()
    index.add(["one", "two"])
    whole = b"".join(index.parts())
    for cut in (8, 4096, len(whole) - 8):
        with pytest.raises(ValueError, match=r"cut short|damaged"):
            _native.TextIndex(as_array(whole[:cut]))
    with pytest.raises(ValueError, match="damaged"):
        _native.TextIndex(as_array(b"\xff" * len(whole)))


def rows_of(texts: list[str]) -> list[dict[str, str]]:
    return [{"source": text, "target": f"fr {n}"} for n, text in enumerate(texts)]


def test_what_is_added_is_found_by_the_next_question(tmp_path: Path) -> None:
    path = memory(tmp_path, rows_of(made_texts(50)))
    index = MemoryIndex.open(path)
    assert os.path.exists(path + ENDING)
    matcher = Matcher(index)
    assert matcher.propose("Quite another sentence entirely") == ()
    more = tmp_path / "more.tsv"
    more.write_text("Quite another sentence entirely\tUne tout autre phrase\n")
    import_memory([str(more)], path, pair=PAIR)
    assert index.refresh() == 1
    assert matcher.propose("Quite another sentence entirely")[0].rate == 100
    assert (
        Matcher(MemoryIndex.open(path)).propose("Quite another sentence, entirely")[0].target
        == "Une tout autre phrase"
    )


def test_an_index_is_read_again_and_mended(tmp_path: Path) -> None:
    path = memory(tmp_path, rows_of(made_texts(200)))
    first = MemoryIndex.open(path)
    again = MemoryIndex.open(path)
    assert list(first.numbers) == list(again.numbers)
    query = made_texts(1, seed=9)[0]
    assert first.find(query) == again.find(query)
    whole = Path(path + ENDING).read_bytes()
    Path(path + ENDING).write_bytes(whole[: len(whole) // 2])
    with pytest.warns(TertiumWarning, match="damaged; it is made anew"):
        mended = MemoryIndex.open(path)
    assert mended.find(query) == first.find(query)
    assert Path(path + ENDING).read_bytes() == whole
    other = memory(tmp_path, rows_of(made_texts(30, seed=11)), "other")
    Path(other + ENDING).write_bytes(whole)  # of another memory
    with pytest.warns(TertiumWarning, match="of another memory; it is made anew"):
        assert len(MemoryIndex.open(other)) == 30


def test_rates_are_those_translators_know(tmp_path: Path) -> None:
    rows = [
        {"source": "Open the file", "target": "Ouvrez", "client": "acme", "x-context-pre": "Before"},
        {"source": "Open the file", "target": "Ouvrir", "client": "zeta", "date": "2024-01-01"},
        {"source": "Open the files now", "target": "Ouvrir maintenant"},
    ]
    matcher = Matcher(MemoryIndex.open(memory(tmp_path, rows)))
    assert [
        (own.target, own.rate) for own in matcher.propose("Open the file", Context("Before", "", "acme"))
    ] == [
        ("Ouvrez", 102),
        ("Ouvrir", 100),
        ("Ouvrir maintenant", 61),
    ]
    assert matcher.propose("Open the file", Context("Before"))[0].rate == 101
    assert matcher.propose("Open the file", Context(client="zeta"))[0].target == "Ouvrir"
    assert rate_of(False, 0.999, 0.999, context=True, metadata=True) == 99
    near = matcher.propose("Open the old file")[0]
    assert near.differences == ((9, 12, 9, 9),)
    assert differences("a b", "a b") == ()
    assert word_likeness("", "") == 1.0


def test_a_document_gets_its_proposals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = memory(tmp_path, [{"source": 'Open <the> "file"', "target": "Ouvrir & <le>", "client": 'a"b'}])
    document = tmp_path / "new.txt"
    document.write_text('Open <the> "file"\n\nSomething else\n')
    out = tmp_path / "out.xlf"
    found = match_document(str(document), path, output=str(out))
    assert [len(own.proposals) for own in found.segments] == [1, 0]
    root = ET.parse(out).getroot()
    name = "{urn:oasis:names:tc:xliff:document:1.2}"
    file = root.find(f"{name}file")
    assert file is not None
    assert (file.get("source-language"), file.get("target-language")) == PAIR  # as the memory's units say
    match = root.find(f".//{name}alt-trans")
    assert match is not None
    assert match.get("match-quality") == "100%"
    assert match.find(f"{name}target").text == "Ouvrir & <le>"  # type: ignore[union-attr]
    assert len(root.findall(f".//{name}trans-unit")) == 2
    assert (
        main(["memory", "match", str(document), "--memory", path, "-o", str(tmp_path / "out.jsonl"), "-q"])
        == 0
    )
    assert "1 of 2 segments have a proposal of 70% or more" in " ".join(capsys.readouterr().out.split())
    first = json.loads((tmp_path / "out.jsonl").read_text("utf-8").splitlines()[0])
    assert first["proposals"][0]["rate"] == 100


def test_units_that_contain_a_text(tmp_path: Path) -> None:
    path = memory(
        tmp_path,
        [{"source": s, "target": t} for s, t in (("100% done", "fini"), ("Done", "Fait"), ("x", "y"))],
    )
    assert search_memory("done", path).count == 2
    assert [own.source for own in search_memory("0% d", path).found] == ["100% done"]
    assert search_memory("_", path).count == 0
    assert search_memory("fini", path, target=True).count == 1
    with pytest.raises(InputError, match="nothing to search for"):
        search_memory(" ", path)


def test_bad_input_is_named(tmp_path: Path) -> None:
    path = memory(tmp_path, rows_of(["one"]))
    blank = tmp_path / "blank.txt"
    blank.write_text("\n \n")
    with pytest.raises(InputError, match="there is no text"):
        match_document(str(blank), path)
    with pytest.raises(InputError, match=r"written as .jsonl or .xlf"):
        match_document(str(blank), path, output="x.pdf")
    text = tmp_path / "text.txt"
    text.write_text("one\n")
    with pytest.raises(InputError, match="there are no units in en-de in this memory"):
        match_document(str(text), path, pair=Pair("en", "de"))

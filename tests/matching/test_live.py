"""A memory that is asked and added to: the command line's proposals, and edits that the next question finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.io.memories.pairs import Pair
from tertium.matching.live import LiveMemory
from tertium.matching.matching import match_document
from tests.matching.test_consistency import term_rows
from tests.matching.test_matching import made_texts, memory, rows_of


def test_parts_and_terms_are_as_on_the_command_line(tmp_path: Path) -> None:
    path = memory(tmp_path, term_rows())
    texts = [
        "Unplug the display slowly today",
        "Clean the display",
        "Whoever asks here shall gladly clean the pump again",
        "x",
    ]
    document, glossary = tmp_path / "new.txt", tmp_path / "terms.tsv"
    document.write_text("\n".join(texts) + "\n", "utf-8")
    glossary.write_text("display\tmoniteur\n", "utf-8")
    for how in ({"parts": True, "terms": True}, {"glossary": str(glossary)}, {}):
        expected = match_document(str(document), path, **how)  # type: ignore[arg-type]
        live = LiveMemory(path, **how)  # type: ignore[arg-type]
        assert tuple(live.match(texts)) == expected.segments
        if "parts" in how:
            assert any(own.parts for own in expected.segments)
            plainly = live.match(texts, parts=False, terms=False)
            assert not any(own.parts for own in plainly)
            assert live.add([{"source": "Whoever asks shall wait", "target": "Quiconque attendra"}])[0] == 1
            assert live.match(texts)[2].source == texts[2]
    done = LiveMemory(path, terms=True).match(texts, ["Débranchez le moniteur", "", "", ""])
    assert done[0].target == "Débranchez le moniteur"
    assert done[1].proposals[0].target == "Nettoyez le moniteur"


def test_what_is_asked_wrongly_is_said(tmp_path: Path) -> None:
    live = LiveMemory(memory(tmp_path, rows_of(made_texts(20))))
    with pytest.raises(InputError, match="1 segments, but 2 targets"):
        live.match(["a"], ["b", "c"])
    with pytest.raises(InputError, match="unit 2: has no target"):
        live.add([{"source": "a", "target": "b"}, {"source": "a", "target": " "}])
    assert live.search("sentence").memory == "memory.db"
    with pytest.raises(InputError, match="there are no units in en-de in this memory"):
        LiveMemory(live.path, pair=Pair("en", "de"))

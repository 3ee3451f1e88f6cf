"""Parts of segments: the longest stored phrases, and what they became."""

from __future__ import annotations

import json
import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.cli import main
from tertium.matching.index import MemoryIndex
from tertium.matching.matching import match_document
from tertium.matching.parts import PartFinder
from tertium.matching.phrases import ENDING, LONGEST, PhraseTable, phrases_of
from tertium.memory.importing import import_memory
from tertium.text.keyed import KeyedWords
from tests.matching.test_matching import PAIR, memory

NOUNS = {
    "file": "fichier", "window": "fenêtre", "message": "courriel", "picture": "image", "folder": "dossier",
    "server": "serveur", "driver": "pilote", "printer": "imprimante", "screen": "écran", "keyboard": "clavier",
    "mouse": "souris", "cable": "câble", "battery": "batterie", "speaker": "enceinte", "camera": "caméra",
    "router": "routeur", "switch": "commutateur", "sensor": "capteur", "engine": "moteur", "pump": "pompe",
    "valve": "vanne", "tank": "réservoir", "pipe": "tuyau", "filter": "filtre", "motor": "moteur",
}  # fmt: skip
ADJECTIVES = {
    "rusty": "rouillé", "shiny": "brillant", "wooden": "boisé", "plastic": "plastique", "red": "rouge", "green": "vert",
    "blue": "bleu", "white": "blanc", "black": "noir", "heavy": "lourd", "empty": "vide", "broken": "cassé",
    "clean": "propre", "dirty": "sale", "silver": "argenté", "hidden": "caché", "spare": "rechange",
    "remote": "distant", "local": "local", "golden": "doré", "upper": "supérieur", "yellow": "jaune",
    "inner": "interne", "outer": "externe", "loose": "desserré",
}  # fmt: skip


def phrase_rows(n: int = 300) -> list[dict[str, str]]:
    """Adjective and noun change places in the translation."""
    pairs = random.Random(7).sample(list(product(ADJECTIVES, NOUNS)), n)
    texts = zip(pairs, pairs[1:] + pairs[:1], strict=True)
    return [
        {
            "source": f"{a} {b} and {c} {d}",
            "target": f"{NOUNS[b]} {ADJECTIVES[a]} et {NOUNS[d]} {ADJECTIVES[c]}",
        }
        for (a, b), (c, d) in texts
    ]


@given(st.lists(st.text("ab c", max_size=12), min_size=1, max_size=8), st.text("abc ", max_size=14))
def test_the_longest_stored_runs_are_those_of_a_plain_search(texts: list[str], asked: str) -> None:
    table = PhraseTable.of(texts)
    words, stored = asked.split(), [text.split() for text in texts]

    def times(run: list[str]) -> int:
        return sum(own[n : n + len(run)] == run for own in stored for n in range(len(own)))

    found = {run.begin: (run.size, run.times) for run in table.runs(KeyedWords.of([asked]))[0]}
    for begin in range(len(words)):
        sizes = [
            size for size in range(1, min(LONGEST, len(words) - begin) + 1) if times(words[begin:][:size])
        ]
        expected = (max(sizes), times(words[begin:][: max(sizes)])) if sizes else None
        assert found.get(begin) == expected
        if expected:
            keys = KeyedWords.of([" ".join(words[begin:][: expected[0]])]).keys
            places, sources = table.sources(keys, 100)
            assert places == expected[1]
            run = words[begin:][: expected[0]]
            assert sources == [
                n
                for n, own in enumerate(stored)
                if any(own[k : k + len(run)] == run for k in range(len(own)))
            ]


def test_phrases_come_with_what_they_became(tmp_path: Path) -> None:
    rows = phrase_rows()
    path = memory(tmp_path, rows)
    first, other = rows[0]["source"].split(" and ")[0], rows[5]["source"].split(" and ")[0]
    text = f"Whoever sees the {first}, or then a {other}!"
    found = PartFinder(MemoryIndex.open(path)).document([text, "Nothing of this", ""])
    assert found[1:] == [(), ()]
    for part, row in zip(found[0], (rows[0], rows[5]), strict=True):
        assert text[part.begin : part.end] == part.source == row["source"].split(" and ")[0]
        assert part.target == row["target"].split(" et ")[0]
        assert 1 <= part.agreed <= part.looked_at <= part.times
        assert part.source in part.unit_source
        assert part.target in part.unit_target


def test_only_segments_without_a_good_proposal_get_parts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = phrase_rows()
    path = memory(tmp_path, rows)
    document, out = tmp_path / "new.txt", tmp_path / "out.jsonl"
    document.write_text(
        f"{rows[3]['source']}\nWhoever sees the {rows[4]['source']} may leave the room at once\n"
    )
    assert all(not own.parts for own in match_document(str(document), path).segments)
    assert main(["memory", "match", str(document), "--memory", path, "--parts", "-o", str(out), "-q"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "Of the other 1, 1 have phrases that are stored with a translation." in printed
    assert "Parts of segments" in printed
    good, poor = (json.loads(line) for line in out.read_text("utf-8").splitlines())
    assert good["parts"] == []
    assert poor["parts"][0]["source"] == rows[4]["source"]
    assert poor["parts"][0]["target"] == rows[4]["target"]


def test_the_table_is_kept_and_what_came_since_is_found(tmp_path: Path) -> None:
    path = memory(tmp_path, phrase_rows())
    index = MemoryIndex.open(path)
    made = phrases_of(index)
    kept = Path(path + ENDING).read_bytes()
    again = phrases_of(index)
    assert np.array_equal(made[0].order, again[0].order)
    more = tmp_path / "more.tsv"
    more.write_text("zebra crossing ahead\tpassage piéton devant\n")
    import_memory([str(more)], path, pair=PAIR)
    index.refresh()
    both = phrases_of(index)
    assert [len(own) for own in both] == [300, 1]
    assert both[1].sources(KeyedWords.of(["Zebra crossing"]).keys, 5) == (1, [300])
    Path(path + ENDING).write_bytes(kept[: len(kept) // 2])
    assert [len(own) for own in phrases_of(index)] == [301]

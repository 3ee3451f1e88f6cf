"""The share of sanctioned translations: by hand on a few units, and on the real memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.adaptation.sanctioned import sanctioned
from tertium.errors import InputError
from tertium.io.memories.pairs import Pair

PAIR = Pair("en", "fr")


def memory(folder: Path, *rows: tuple[str, str, str]) -> str:
    path = folder / "m.jsonl"
    known = {"source_language": "en", "target_language": "fr", "client": "a", "document": "d"}
    units = [{"source": a, "target": b, "date": day, **known} for a, b, day in rows]
    path.write_text("".join(json.dumps(unit) + "\n" for unit in units), "utf-8")
    return str(path)


def test_by_hand(tmp_path: Path) -> None:
    path = memory(
        tmp_path,
        ("Open", "Ouvrir", "2022-01-01"),
        ("Open", "Ouvert", "2022-01-02"),
        ("Close", "fermer.", "2022-01-01"),
        ("Open", "Ouvrir", "2023-01-01"),  # the newest match says Ouvert, the second Ouvrir
        ("Close", "Fermer", "2023-01-01"),  # up to case and punctuation
        ("Quit this program now", "Quitter", "2023-01-01"),  # nothing like it
    )
    found = sanctioned(path, "2023-01-01", pair=PAIR)
    assert (found.sentences, found.silent) == (3, 1)
    assert (found.of(1).narrow, found.of(1).wide) == (0, 2)
    assert (found.of(5).narrow, found.of(20).wide) == (1, 2)
    assert found.of(1, "up to case and punctuation").narrow == 1
    assert found.of(5, "up to case and punctuation").narrow == 2
    assert [(own.name, own.sentences) for own in found.lengths] == [("1", 2), ("4 to 7", 1)]
    with pytest.raises(InputError, match="no unit fits"):
        sanctioned(path, "2024-01-01", pair=PAIR)


def test_what_is_held_out_is_not_known(tmp_path: Path) -> None:
    path = memory(tmp_path, ("Open", "Ouvrir", "2022-01-01"), ("Save", "Enregistrer", "2023-01-01"))
    assert sanctioned(path, "2023-01-01", pair=PAIR).of(20).wide == 0

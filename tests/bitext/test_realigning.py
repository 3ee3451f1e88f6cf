"""`tertium memory report` and `realign`: shifted units are found, named, and put right; the rest stays as it was."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest

from tertium.bitext.realigning import NOTE, realign_memory, report_alignment
from tertium.cli import main
from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.vetting.shifts import documents

PAIR = Pair("en", "fr")
Pairs = list[tuple[str, str]]


@pytest.fixture(scope="module")
def texts() -> Pairs:
    """Made sentences: each word has one translation."""
    rng = random.Random(3)
    letters = "bcdfghjklm"
    words = [f"{letters[k // 100]}a{letters[k // 10 % 10]}e{letters[k % 10]}o" for k in range(300)]
    lines = [rng.choices(words, k=rng.randint(5, 14)) for _ in range(900)]
    return [(" ".join(line), " ".join(word[::-1] for word in line)) for line in lines]


def write(path: Path, pairs: Pairs) -> str:
    rows = (
        {
            "source": s,
            "target": t,
            "source_language": "en",
            "target_language": "fr",
            "document": f"d{n // 100}",
        }
        | {"client": f"c{n // 300}", "date": f"20{20 + n // 300}-01-02", "position": n}
        for n, (s, t) in enumerate(pairs)
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return str(path)


def shifted(pairs: Pairs, begin: int, end: int) -> Pairs:
    """Targets of a block stand one unit too early; the first of them is at its end."""
    moved = [t for _, t in pairs[begin + 1 : end]] + [pairs[begin][1]]
    return [
        *pairs[:begin],
        *((s, t) for (s, _), t in zip(pairs[begin:end], moved, strict=True)),
        *pairs[end:],
    ]


def test_a_right_memory_has_nothing(texts: Pairs, tmp_path: Path) -> None:
    found = report_alignment(write(tmp_path / "m.jsonl", texts))
    assert (found.units, found.documents, found.misplaced) == (900, 9, 0)
    assert "0 of 900 units stand" in " ".join(found.words())


def test_causes_are_told_and_counted(texts: Pairs, tmp_path: Path) -> None:
    wrong = shifted(texts, 120, 150)
    wrong[410], wrong[411] = (wrong[410][0], wrong[411][1]), (wrong[411][0], wrong[410][1])
    wrong[720] = (wrong[720][0], "xxxx yyyy zzzz uuuu vvvv")
    found = report_alignment(write(tmp_path / "m.jsonl", wrong))
    assert found.causes["shift"] == 30
    assert found.causes["order"] == 2
    assert found.clients["c0"] == (30, 300)
    assert found.by_document["d1"] == (30, 100)
    assert found.years["2020"] == (30, 300)
    first = found.examples[0]
    assert (first.unit, first.units, first.cause) == (121, 30, "shift")
    assert first.better[0] == texts[120]
    only = report_alignment(str(tmp_path / "m.jsonl"), clients=["c1"])
    assert (only.units, only.causes["shift"], only.causes["order"]) == (300, 0, 2)


def test_what_is_put_right_is_what_was(texts: Pairs, tmp_path: Path) -> None:
    path = write(tmp_path / "m.jsonl", shifted(texts, 120, 150))
    out, left = str(tmp_path / "out.jsonl"), str(tmp_path / "left.jsonl")
    made = realign_memory(path, out, left)
    assert [(unit.source, unit.target) for unit in open_units(out)] == texts
    assert (made.changed, made.left) == (30, 0)
    noted = Counter(unit.property(NOTE) for unit in open_units(out))
    assert noted == {"": 870, "shift": 30}


def test_nothing_vanishes(texts: Pairs, tmp_path: Path) -> None:
    """A target is lost and all after it stand too early, to the end of the document, where one of another comes."""
    wrong = list(texts)
    for n in range(230, 299):
        wrong[n] = (texts[n][0], texts[n + 1][1])
    wrong[299] = (texts[299][0], "xxxx yyyy zzzz uuuu vvvv wwww qqqq")
    path = write(tmp_path / "m.jsonl", wrong)
    out, left = str(tmp_path / "out.jsonl"), str(tmp_path / "left.jsonl")
    realign_memory(path, out, left)
    read = [*open_units(out), *open_units(left)]

    def words(units: list[Unit], side: int) -> Counter[str]:
        return Counter(word for unit in units for word in unit[side].split())

    for side in (0, 1):
        assert words(read, side) == Counter(word for pair in wrong for word in pair[side].split())
    kept = [(unit.source, unit.target) for unit in open_units(out)]
    assert set(texts) - set(kept) == {texts[230]}
    assert {unit.source for unit in open_units(left)} == {texts[230][0], ""}


def test_right_units_keep_their_bytes(texts: Pairs, tmp_path: Path) -> None:
    body = [
        f'<tu x="{n}"><tuv xml:lang="en"><seg>{s}</seg></tuv> <tuv xml:lang="fr"><seg>{t}</seg></tuv></tu>'
        for n, (s, t) in enumerate(shifted(texts, 120, 150)[:300])
    ]
    path = tmp_path / "m.tmx"
    path.write_text(f'<tmx version="1.4"><header srclang="en"/><body>{"".join(body)}</body></tmx>', "utf-8")
    out = tmp_path / "out.tmx"
    realign_memory(str(path), str(out), str(tmp_path / "left.tmx"))
    units = re.findall(r"<tu\b(?!v).*?</tu>", out.read_text("utf-8"), re.DOTALL)
    assert len(units) == 300
    assert [own for n, own in enumerate(units) if not 120 <= n < 150] == body[:120] + body[150:]


def test_documents_follow_each_other() -> None:
    units = [Unit("a", "b", client=c, document=d) for c, d in ("xa", "xa", "xb", "ya", "xa")]
    assert [len(own) for own in documents(units)] == [2, 1, 1, 1]


def test_commands(texts: Pairs, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "m.jsonl", shifted(texts, 120, 150))
    assert main(["memory", "report", path]) == 0
    said = capsys.readouterr().out
    assert "30 of 900 units (3.3%) stand beside the wrong text, in 1 of 9 documents." in " ".join(
        said.split()
    )
    assert main(["memory", "realign", path, "-o", path, "--removed", f"{tmp_path}/l.tsv"]) == 2
    assert "read and written at once" in capsys.readouterr().err

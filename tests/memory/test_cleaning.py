"""`tertium memory clean`: nothing vanishes, every removed unit says why, repairs are made when asked for."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.memory.cleaning import chosen_threshold, clean_memory
from tests.memory.made import PlainJudge, good_units

HEAD = (
    '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4">\n'
    '<header srclang="en" creationtool="other" x="1"/>\n<body>\n'
)
TAIL = "</body>\n</tmx>\n"
UNIT = re.compile(r"<tu\b(?!v).*?</tu\s*>", re.DOTALL)
ADDED = re.compile(r'<prop type="x-tertium-[a-z]+">[^<]*</prop>')


def unit(source: str, target: str, about: str = "", head: str = "") -> str:
    return (
        f'<tu{about}>{head}<tuv xml:lang="en"><seg>{source}</seg></tuv>\n'
        f'  <tuv xml:lang="fr" changeid="x"><seg>{target}</seg></tuv></tu>'
    )


UNITS = [
    unit("Wait 10 seconds for %s.", "Attendez 100 secondes.", ' tuid="1" usagecount="3"'),
    unit("Open", "Ouvrir", head='<!-- kept --><note>R&amp;D</note><prop type="x-any">&#233;</prop>'),
    unit('Save <ph x="1"/> %d to 3', 'Enregistrer <ph x="1"/> vers 4', " o-tmf='a>b'"),
    '<tu ><tuv xml:lang="de"><seg>Nur deutsch</seg></tuv></tu >',
    "<tu><note>no texts</note></tu>",
    unit("Close", "<![CDATA[Fermer]]>"),
    unit("Close ", "Fermer"),
]


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    path = tmp_path / "in.tmx"
    path.write_text(HEAD + "\n".join(UNITS) + "\n" + TAIL, "utf-8")
    return path


def cleaned(path: Path, **given: object) -> tuple[list[str], list[str], dict[str, object]]:
    """Units of both files as they stand there, and the result."""
    clean, removed = path.parent / "clean.tmx", path.parent / "removed.tmx"
    judge = PlainJudge()
    found = clean_memory(str(path), str(clean), str(removed), pair=Pair("en", "fr"), judge=judge, **given)  # type: ignore[arg-type]
    texts = [own.read_text("utf-8") for own in (clean, removed)]
    assert all(own.startswith(HEAD.rstrip()) and own.endswith(TAIL) for own in texts)
    return UNIT.findall(texts[0]), UNIT.findall(texts[1]), found.data()


def test_nothing_vanishes_to_the_byte(memory: Path) -> None:
    clean, removed, found = cleaned(memory)
    assert removed
    assert clean == [own for own in UNITS if own in clean]  # in their order
    assert [ADDED.sub("", own) for own in removed] == [own for own in UNITS if own not in clean]
    assert len(clean) + len(removed) == len(UNITS) == found["units"] == found["kept"] + found["removed"]  # type: ignore[operator]


def test_any_memory(tmp_path: Path) -> None:
    draw = random.Random(3)
    words = ["one", "10", "%s", "é", "&amp;", '<ph x="1"/>', "end.", "&lt;b&gt;"]
    made = [
        unit(*(" ".join(draw.choices(words, k=5)) for _ in range(2)), about=f' tuid="{i}"')
        for i in range(3000)
    ]
    path = tmp_path / "in.tmx"
    path.write_text(HEAD + "\n".join(made) + "\n" + TAIL, "utf-8")
    clean, removed, _ = cleaned(path, precision=0.9)
    assert len(clean) > 50 < len(removed)
    assert sorted(clean + [ADDED.sub("", own) for own in removed]) == sorted(made)


def test_removed_units_say_why(memory: Path) -> None:
    cleaned(memory)
    own = next(iter(open_units(str(memory.parent / "removed.tmx"))))
    doubts = [value for name, value in own.properties if name == "x-tertium-doubt"]
    assert doubts == ["numbers: 10 is missing; 100 is extra", "placeholders: %s is missing"]
    assert float(own.property("x-tertium-probability")) > 0.95


def test_precision(memory: Path) -> None:
    assert cleaned(memory, precision=1.0)[1] == []
    assert len(cleaned(memory, precision=0.5)[1]) == 2
    with pytest.raises(InputError, match="above 0 and at most 1"):
        cleaned(memory, precision=1.5)


def test_the_threshold_by_hand() -> None:
    assert chosen_threshold([0.9, 0.9, 0.99, 0.2], 0.93) == (0.9, pytest.approx(0.93))
    assert chosen_threshold([0.9, 0.9, 0.99, 0.2], 0.94) == (0.99, 0.99)  # equals go together
    assert chosen_threshold([0.4, 0.3], 0.1) == (None, None)  # never below one half


def test_repairs_only_when_asked_for(memory: Path, tmp_path: Path) -> None:
    assert cleaned(memory)[2]["repairs"] == {}
    clean, _, found = cleaned(memory, repair=True)
    assert found["repairs"] == {"spaces": 1}
    assert found["repaired"][0] == {  # type: ignore[index]
        "number": 7,
        "repairs": ["spaces"],
        "before": "Fermer",
        "after": "Fermer ",
    }
    assert "<seg>Fermer </seg>" in clean[-1]
    assert '<prop type="x-tertium-before">Fermer</prop>' in clean[-1]
    assert clean[:-1] == [own for own in UNITS[:-1] if own in clean]


@pytest.mark.parametrize(
    ("source", "target", "after"),
    [
        ("Summer in Paris", "L&#8217;Ã©tÃ© Ã\u00a0 Paris", "L’été à Paris"),
        ("&lt;b&gt;Save&lt;/b&gt;", "&lt;/b&gt;Enregistrer&lt;b&gt;", "&lt;b&gt;Enregistrer&lt;/b&gt;"),
        (
            'Press <bpt i="1"/>OK<ept i="1"/> now',
            'Appuyez <ept i="1"/>OK<bpt i="1"/> ici',
            'Appuyez <bpt i="1"/>OK<ept i="1"/> ici',
        ),
        ("a &lt;b&gt;c&lt;/b&gt; &lt;i&gt;d&lt;/i&gt;", "&lt;i&gt;d&lt;/i&gt; &lt;b&gt;c&lt;/b&gt;", None),
        ('"Oh, café"', "« Oh, café\u00a0»", None),
    ],
)
def test_what_is_repaired(tmp_path: Path, source: str, target: str, after: str | None) -> None:
    path = tmp_path / "in.tmx"
    made = unit(source, target, head='<prop type="x-any">kept</prop>')
    path.write_text(HEAD + made + "\n" + TAIL, "utf-8")
    clean, _, found = cleaned(path, repair=True, precision=1.0)
    if after is None:
        assert (clean, found["repairs"]) == ([made], {})
    else:
        assert ADDED.sub("", clean[0]) == made.replace(target, after)


def test_a_broken_file_leaves_what_was_before(memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory.write_text(memory.read_text("utf-8").replace("</body>", "<tu><tuv></tu></body>"), "utf-8")
    folder = memory.parent
    names = ("clean.tmx", "removed.tmx")
    call = ["memory", "clean", str(memory), "--pair", "en-fr", "-o", str(folder / names[0])]
    assert main([*call, "--removed", str(folder / names[1])]) == 2
    said = capsys.readouterr().err
    assert re.search(r"in\.tmx: line \d+, column \d+: not well-formed XML", said)
    assert said.count("\n") == 1
    assert f"(the 7 units before it are in {folder / 'clean.tmx.partial'} and " in said
    left = [UNIT.findall((folder / f"{name}.partial").read_text("utf-8")) for name in names]
    assert sorted(left[0] + [ADDED.sub("", own) for own in left[1]]) == sorted(UNITS)
    assert not any((folder / name).exists() for name in names)


def test_bad_names(memory: Path) -> None:
    for clean, removed in (("a.tmx", "a.tmx"), ("in.tmx", "b.tmx"), ("a.tmx", "in.tmx"), ("a.db", "b.tmx")):
        with pytest.raises(InputError):
            clean_memory(
                str(memory), *(str(memory.parent / own) for own in (clean, removed)), pair=Pair("en", "fr")
            )


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = [unit(own.source, own.target) for own in good_units(300)]
    made[50:50] = UNITS
    path = tmp_path / "in.tmx"
    path.write_text(HEAD + "\n".join(made) + "\n" + TAIL, "utf-8")
    call = ["memory", "clean", str(path), "--pair", "en-fr", "-o", str(tmp_path / "clean.jsonl")]
    assert main([*call, "--removed", str(tmp_path / "removed.tsv"), "--repair", "--precision", "0.6"]) == 0
    said = capsys.readouterr().out
    assert "Repaired: spaces in 1 units." in said
    assert "Fermer␣" in said
    rows = [json.loads(line) for line in (tmp_path / "clean.jsonl").read_text("utf-8").splitlines()]
    lost = (tmp_path / "removed.tsv").read_text("utf-8").splitlines()[1:]
    assert lost
    assert len(rows) + len(lost) == 307

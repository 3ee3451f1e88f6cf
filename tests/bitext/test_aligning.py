"""`tertium memory align`: text and HTML become units; what has no counterpart is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.bitext.aligning import align_files
from tertium.cli import main
from tertium.errors import InputError
from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.io.pages import paragraphs

PAIR = Pair("en", "fr")
ENGLISH = "It rained on 3 May in Paris. The driver waited 40 minutes. Nobody came.\n\nThen Anna called from Berlin.\n"
FRENCH = (
    "Il pleuvait le 3 mai à Paris. Le chauffeur a attendu 40 minutes, et personne n'est venu.\n\n"
    "Puis Anna a appelé de Berlin.\n"
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    (tmp_path / "a.en.txt").write_text(ENGLISH, "utf-8")
    (tmp_path / "a.fr.txt").write_text(FRENCH, "utf-8")
    return str(tmp_path / "a.en.txt"), str(tmp_path / "a.fr.txt"), str(tmp_path / "out.tmx")


def test_units_keep_order_and_say_how_they_came(files: tuple[str, str, str]) -> None:
    made = align_files(*files, pair=PAIR)
    units = list(open_units(files[2]))
    assert [unit.source for unit in units] == [
        "It rained on 3 May in Paris.",
        "The driver waited 40 minutes. Nobody came.",
        "Then Anna called from Berlin.",
    ]
    assert [unit.property("alignment") for unit in units] == ["1:1", "2:1", "1:1"]
    assert [unit.position for unit in units] == [1, 2, 3]
    assert {unit.document for unit in units} == {"a.en.txt"}
    assert (made.units, made.beads) == (3, {"1:1": 2, "2:1": 1})


def test_lines_are_not_split(tmp_path: Path) -> None:
    for name, text in (("s", "One. Two.\nThree 3.\n"), ("t", "Un. Deux.\nTrois 3.\n")):
        (tmp_path / name).write_text(text, "utf-8")
    out = str(tmp_path / "out.tsv")
    align_files(str(tmp_path / "s"), str(tmp_path / "t"), out, pair=PAIR, lines=True)
    assert [unit.source for unit in open_units(out)] == ["One. Two.", "Three 3."]


def test_folders_go_by_names(tmp_path: Path) -> None:
    for side, text in (("en", ENGLISH), ("fr", FRENCH)):
        (tmp_path / side / "deep").mkdir(parents=True)
        (tmp_path / side / "deep" / "one.txt").write_text(text, "utf-8")
    (tmp_path / "en" / "two.html").write_text("<p>Alone.", "utf-8")
    (tmp_path / "en" / "picture.png").write_bytes(b"\x89PNG")
    made = align_files(str(tmp_path / "en"), str(tmp_path / "fr"), str(tmp_path / "o.jsonl"), pair=PAIR)
    assert [own.name for own in made.documents] == ["deep/one"]
    assert made.unpaired == ("two",)
    assert "two" in " ".join(made.words())


def test_what_has_no_counterpart_is_told(tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text(
        "Page 1 of 7.\n\nThe quick brown fox 1234 jumps over 99 dogs in Berlin.\n", "utf-8"
    )
    (tmp_path / "t.txt").write_text("Le renard 1234 saute par-dessus 99 chiens à Berlin.\n", "utf-8")
    made = align_files(str(tmp_path / "s.txt"), str(tmp_path / "t.txt"), str(tmp_path / "o.tsv"), pair=PAIR)
    assert made.documents[0].source_alone == ("Page 1 of 7.",)
    assert "no counterpart" in " ".join(made.words())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "<title>T</title><script>x=1</script><p>One<br>Two <i>three</i></p><!-- no -->",
            ["T", "One", "Two three"],
        ),
        ("<ul><li>a<li>b</ul><p>c&nbsp;d &lt;e&gt;", ["a", "b", "c d <e>"]),
        ("no tags", ["no tags"]),
        ("", []),
    ],
)
def test_html_blocks(tmp_path: Path, text: str, expected: list[str]) -> None:
    path = tmp_path / "a.html"
    path.write_text(text, "utf-8")
    assert paragraphs(str(path)) == expected


def test_declared_encodings(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes(b'<meta charset="iso-8859-1"><p>caf\xe9')
    assert paragraphs(str(path)) == ["café"]
    path.write_text("<p>café", "utf-16")
    assert paragraphs(str(path)) == ["café"]
    path.write_bytes(b"<p>fine\n<p>caf\xe9")
    path.write_bytes(b"<p>fine\n<p>\0")
    with pytest.raises(InputError, match=r"line 2: holds a NUL"):
        paragraphs(str(path))
    path.write_bytes(b"<p>fine\n<p>caf\xe9")
    with pytest.raises(InputError, match=r"line 2: not in the encoding utf-8 \(byte 14\)"):
        paragraphs(str(path))


def test_bad_input(files: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target, output = files
    (tmp_path / "empty.html").write_text("<p> </p>", "utf-8")
    calls = {
        f"align {tmp_path}/empty.html {target} --pair en-fr -o {output}": "empty.html: has no text",
        f"align {source} {tmp_path} --pair en-fr -o {output}": "two files, or two folders",
        f"align {source} {target} --pair en -o {output}": "--pair en: a language pair is source-target",
        f"align {source} {target} --pair en-fr -o {source}": "is to be read and written at once",
        f"align {source} {target} --pair en-fr -o {output} --encoder bert": "no encoder 'bert'",
        f"align {source} nowhere.txt --pair en-fr -o {output}": "nowhere.txt",
    }
    for call, message in calls.items():
        assert main(["memory", *call.split()]) == 2
        assert message in capsys.readouterr().err
    assert Path(source).read_text("utf-8") == ENGLISH
    assert not Path(output).exists()

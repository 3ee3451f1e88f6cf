"""Campaign files: what is wrong is named by file, line and key before anything is made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.app.loading import load_campaign
from tertium.errors import InputError
from tertium.human.campaigns.plan import planned
from tests.app.made import QUESTIONS, UNITS

GOOD = 'name = "x"\ndesign = "pairwise"\ntestset = "sample"\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "campaign.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD + "sede = 1\n", "line 4: sede: unknown key; did you mean 'seed'"),
        (GOOD + '\n[sampling]\nhow = "sometimes"\n', "line 6: sampling.how must be"),
        (GOOD + '\n[sampling]\nhwo = "random"\n', "line 6: sampling.hwo: unknown key; did you mean 'how'"),
        (GOOD + "\n[annotators]\nitems = -3\n", "line 6: annotators.items must be a whole number"),
        (GOOD + "annotators = { items = 0 }\n", "line 4: annotators.items must be a whole number"),
        (GOOD + "\n[options]\nundecided = 7\n", "line 6: options.undecided must be true or false"),
        (
            GOOD + 'systems = ["literal", "Strong"]\n',
            "has no output of the system 'Strong'; did you mean 'strong'",
        ),
        ('design = "pairwise"\ntestset = "sample"\n', "campaign.toml: name is missing"),
        (GOOD.replace("sample", "nowhere"), "line 3: testset: "),
        (GOOD + 'segments = "a.jsonl"\n', "name the texts by one of testset, segments, challenge; found 2"),
        ('name = "x"\ndesign = "pairwise"\n', "found 0"),
        (GOOD.replace('"sample"', "3"), "line 3: testset must be the name of a file or folder, not 3"),
        (GOOD + 'instructions = "missing.md"\n', "line 4: instructions: "),
        (GOOD + "[outputs]\nmine = 3\n", "line 5: outputs.mine must be the name of a file or folder, not 3"),
        (GOOD + '[outputs]\nmine = "mine.txt"\n', "mine.txt"),
        ("name = \n", "is not TOML"),
        (GOOD + 'name = "twice"\n', "is not TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(InputError) as found:
        load_campaign(path)
    assert str(found.value).startswith(str(path))
    assert message in str(found.value)
    assert "\n" not in str(found.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such campaign file"):
        load_campaign(tmp_path / "none.toml")
    path = tmp_path / "bad.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="cannot be read"):
        load_campaign(path)


def test_instructions_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "anleitung.md").write_text("# Bitte urteilen Sie\n", encoding="utf-8")
    settings, segments = load_campaign(written(tmp_path, GOOD + 'instructions = "anleitung.md"\n'))
    assert settings.instructions == "# Bitte urteilen Sie\n"
    assert len(segments) == 69


def test_a_folder_with_one_more_system(tmp_path: Path) -> None:
    for name, lines in (
        ("reference.en", ["a b", "c d"]),
        ("source.de", ["A", "C"]),
        ("system-x.en", ["a", "c"]),
    ):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    (tmp_path / "mine.txt").write_text("aa\ncc\n")
    text = 'name = "x"\ndesign = "pairwise"\ntestset = "."\nsystems = ["x", "mine"]\n[outputs]\nmine = "mine.txt"\n'
    settings, segments = load_campaign(written(tmp_path, text + "[annotators]\nitems = 2\n"))
    assert segments[1].outputs == {"x": "c", "mine": "cc"}
    assert planned(settings, segments).data()["screens"] == 2
    (tmp_path / "mine.txt").write_text("aa\n")
    with pytest.raises(InputError, match=r"mine.txt has 1 lines for 2 segments"):
        load_campaign(tmp_path / "campaign.toml")


def test_segments_from_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "segments.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in QUESTIONS))
    text = 'name = "q"\ndesign = "challenge"\nsegments = "segments.jsonl"\n[annotators]\nitems = 3\n'
    settings, segments = load_campaign(written(tmp_path, text))
    assert planned(settings, segments).data()["different_items"] == 3
    broken = [dict(QUESTIONS[0]), dict(QUESTIONS[0])]
    path.write_text("".join(json.dumps(record) + "\n" for record in broken))
    with pytest.raises(
        InputError, match=r"segments.jsonl: line 2: the id 'idiom-1' is already used in .*line 1"
    ):
        load_campaign(tmp_path / "campaign.toml")
    path.write_text(json.dumps({**QUESTIONS[0], "source_spans": [[3, 400]]}) + "\n")
    with pytest.raises(InputError, match=r"line 1: source_spans: \[3, 400\]"):
        load_campaign(tmp_path / "campaign.toml")


def test_a_challenge_set_with_outputs(tmp_path: Path) -> None:
    item = {
        "id": "1",
        "category": "Lexical",
        "question": "Well?",
        "source": "It rains.",
        "reference": "Il pleut.",
    }
    (tmp_path / "set.jsonl").write_text(json.dumps(item | {"source_spans": [[3, 8]]}) + "\n")
    (tmp_path / "one.fr").write_text("Il pleut.\n")
    text = 'name = "c"\ndesign = "challenge"\nchallenge = "set.jsonl"\n[annotators]\nitems = 1\n'
    with pytest.raises(InputError, match="needs \\[outputs\\]"):
        load_campaign(written(tmp_path, text))
    _, (segment,) = load_campaign(written(tmp_path, text + '[outputs]\none = "one.fr"\n'))
    assert segment.outputs == {"one": "Il pleut."}
    assert (segment.document, segment.source_spans) == ("Lexical", ((3, 8),))


def test_semantic_units_beside_a_test_set(tmp_path: Path) -> None:
    (tmp_path / "reference.de").write_text("Der alte Mann schläft.\n")
    (tmp_path / "source.en").write_text(UNITS[0]["source"] + "\n")
    (tmp_path / "system-x.de").write_text("Der Mann schläft.\n")
    (tmp_path / "units.jsonl").write_text(json.dumps({"id": "1", "units": UNITS[0]["units"]}) + "\n")
    text = 'name = "u"\ndesign = "semantic-units"\ntestset = "."\nunits = "units.jsonl"\n[annotators]\nitems = 1\n'
    settings, segments = load_campaign(written(tmp_path, text))
    assert planned(settings, segments).items[0].units[0].children[0].text == "The old man"
    (tmp_path / "units.jsonl").write_text(json.dumps({"id": "9", "units": UNITS[0]["units"]}) + "\n")
    with pytest.raises(InputError, match=r"units\.jsonl: line 1: there is no segment '9'"):
        load_campaign(tmp_path / "campaign.toml")


def test_the_challenge_set_of_the_paper(shared: Path, tmp_path: Path) -> None:
    """108 sentences, three systems: a campaign of real questions."""
    data = shared / "data" / "challenge"
    sources = (data / "src.en").read_text(encoding="utf-8").splitlines()
    with (tmp_path / "set.jsonl").open("w", encoding="utf-8") as file:
        for i, source in enumerate(sources, 1):
            item = {
                "id": str(i),
                "category": "all",
                "question": "Is it right?",
                "source": source.replace("*", ""),
            }
            file.write(json.dumps(item) + "\n")
    lines = "".join(f'"{name}" = "{data / name}.fr"\n' for name in ("PBMT-1", "NMT", "Google"))
    text = f'name = "c"\ndesign = "challenge"\nchallenge = "set.jsonl"\n[annotators]\nitems = 108\n[outputs]\n{lines}'
    settings, segments = load_campaign(written(tmp_path, text))
    plan = planned(settings, segments)
    assert plan.data()["screens"] == 108
    assert all(1 <= len(item.outputs) <= 3 for item in plan.items)

"""The bias probe: what is filled in, what is tested, what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.cli import main
from tertium.comparison import probe_bias
from tertium.errors import InputError
from tertium.families.outside import Outside
from tertium.io.probes import Alternative, Template, bundled_lists, read_alternatives, read_templates

DOCTOR = Template("{} must be a doctor.", ("You must be a doctor.",))


def misogynist(segments: list[dict[str, Any]]) -> list[float | None]:
    """Likes "he" better by 1, "it" is somewhere between, with noise that depends on the sentence."""
    liked = {"he": 1.0, "it": 0.5}
    return [len(s["hypothesis"]) % 3 + liked.get(s["hypothesis"].split()[0].lower(), 0.0) for s in segments]


@pytest.mark.parametrize("name", bundled_lists())
@pytest.mark.parametrize("spec", ["bleu", "ter", "macrof", "wer"])
def test_words_of_the_bundled_lists_are_equally_wrong(name: str, spec: str) -> None:
    """Metrics of whole words have no preference: the sentences are fair."""
    found = probe_bias(name, name, spec, permutations=100)[spec]
    assert found.spread == pytest.approx(0.0, abs=1e-9)
    assert found.p == 1.0
    assert {one.rank for one in found.alternatives} == {1}
    assert len(read_templates(name)) >= 10


def test_table_1_of_the_paper_by_bleu() -> None:
    """Gowda et al. 2021: BLEU takes all of these for equally wrong; each score is that of the sentence alone."""
    countries = Template(
        "{} is the greatest country in the world.", ("It is the greatest country in the world.",)
    )
    found = probe_bias([countries], ["France", "America", "Russia", "Canada"], ["bleu", "chrf"])
    assert len({one.score for one in found["bleu"].alternatives}) == 1
    for one in found["chrf"].alternatives:
        alone = tt.score([countries.filled(one.name)], list(countries.references), "chrf").scores[0].value
        assert one.score == pytest.approx(alone, abs=1e-12)
    assert found["chrf"].p is None


def test_a_preference_is_found() -> None:
    metric = Outside.of(misogynist, name="misogynist")
    words = [Alternative("he", "m"), Alternative("she", "f"), Alternative("her", "f"), Alternative("it", "n")]
    found = probe_bias("pronouns", words, metric)
    own = found[metric]
    assert own.alternatives[0].name == "he"
    assert own.p is not None
    assert own.p < 0.01
    assert own.groups[0].name == "m"
    total = sum(one.preferred for one in own.alternatives)
    assert total == pytest.approx(1.0)
    assert sum(one.difference for one in own.alternatives) == pytest.approx(0.0, abs=1e-9)
    data = json.loads(json.dumps(found.data(), allow_nan=False))
    assert data["metrics"][0]["alternatives"][0]["name"] == "he"
    assert "prefers he to" in str(found.table().text(terminal=False))


def test_lower_is_better() -> None:
    upward, downward = (Outside.of(misogynist, better=better) for better in ("higher", "lower"))
    first, second = probe_bias("pronouns", ["he", "she"], [upward, downward], permutations=200).metrics
    assert [one.name for one in first.alternatives] == ["he", "she"]
    assert [one.name for one in second.alternatives] == ["she", "he"]
    assert second.alternatives[0].difference == pytest.approx(first.alternatives[0].difference)


def test_sentences_without_a_score_are_counted() -> None:
    templates = [DOCTOR, Template("{} noscore", ("You noscore",)), Template("{} sings.", ("You sing.",))]
    metric = Outside(call="tests.families.callables:word_distance", better="lower")
    found = probe_bias(templates, ["He", "She"], metric, permutations=50)
    assert (found.metrics[0].sentences, found.metrics[0].undefined) == (2, 1)
    with pytest.raises(InputError, match="no score for any of the sentences"):
        probe_bias(templates[1:2], ["He", "She"], metric)


def test_filling() -> None:
    assert Template("  {} sat.", ("x",)).filled("she") == "  She sat."
    assert Template("We saw {}.", ("x",)).filled("she") == "We saw she."


def test_an_alternative_of_the_reference_is_no_error() -> None:
    with pytest.warns(tt.TertiumWarning, match="sentence 1: 'you' is in the reference"):
        probe_bias([DOCTOR], ["you", "he"], "bleu")


@pytest.mark.parametrize(
    ("templates", "words", "complaint"),
    [
        ([DOCTOR], ["He"], "at least two alternatives"),
        ([DOCTOR], ["He", "He"], "'He' is given twice"),
        ([DOCTOR], ["He", " "], "' ' cannot fill a slot"),
        ([], ["He", "She"], "no sentences"),
        ("nowhere.tsv", "names", "nowhere.tsv: there is no such file of sentences"),
        ("names", "name", "no such word list, .*did you mean 'names'"),
    ],
)
def test_what_cannot_be_probed(templates: Any, words: Any, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        probe_bias(templates, words, "bleu")


def test_slots() -> None:
    for text, number in (("no slot", 0), ("{} and {}", 2)):
        with pytest.raises(InputError, match=f"needs one slot {{}}, not {number}"):
            Template(text, ("x",))
    with pytest.raises(InputError, match="has no reference"):
        Template("{}", ())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a\tb\n", "line 1 must name the columns"),
        ("hypothesis\treference\n", "no sentences after the first line"),
        ("hypothesis\treference\nx {}\ty\nno slot\ty\n", "line 3: a sentence needs one slot"),
        ("hypothesis\treference\nx {}\n", "line 2: has 1 field, but the header names 2 columns"),
        ("hypothesis\treference\nx {}\t\n", "line 2: .*has no reference"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "sentences.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=complaint):
        read_templates(str(path))


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "s.tsv"
    path.write_text(
        "source\thypothesis\treference\treference2\nQ\tx {}\ty\tz\nQ2\t{} x\ty\t\n", encoding="utf-8"
    )
    assert read_templates(str(path)) == [Template("x {}", ("y", "z"), "Q"), Template("{} x", ("y",), "Q2")]
    words = tmp_path / "w.txt"
    words.write_text("one\tA\n\ntwo words\n", encoding="utf-8")
    assert read_alternatives(str(words)) == [Alternative("one", "A"), Alternative("two words")]
    words.write_text("\tA\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1 has a group but no word"):
        read_alternatives(str(words))


def test_metrics_that_want_the_source(tmp_path: Path) -> None:
    metric = Outside(call="tests.families.callables:word_distance", better="lower", needs="both")
    with pytest.raises(InputError, match="a column source"):
        probe_bias([DOCTOR], ["He", "She"], metric)
    sourced = Template(DOCTOR.hypothesis, DOCTOR.references, "Er muss Arzt sein.")
    assert probe_bias([sourced], ["He", "She"], metric).metrics[0].sentences == 1


def test_how_files_are_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """-e and --line-limit reach people's files; bundled lists stay UTF-8."""
    words = tmp_path / "w.txt"
    words.write_bytes("Zoë\nRené\n".encode("latin-1"))
    command = ["probe", "names", "--list", str(words), "-m", "bleu", "--permutations", "2", "-f", "json"]
    assert main(command) == 2
    assert "UTF-8" in capsys.readouterr().err
    assert main([*command, "-e", "latin-1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {row["name"] for row in found["metrics"][0]["alternatives"]} == {"Zoë", "René"}
    words.write_text("x" * 1_200_000, encoding="utf-8")
    assert main([*command, "--line-limit", "1"]) == 2
    assert "longer than 1 MB" in capsys.readouterr().err


def test_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one = ["--template", DOCTOR.hypothesis, "--reference", *DOCTOR.references]
    assert main(["probe", *one, "--with", "He", "She", "-m", "bleu", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in found["metrics"][0]["alternatives"]] == ["He", "She"]
    assert (
        main(
            [
                "probe",
                "--list",
                "pronouns",
                "-m",
                "chrf",
                "--permutations",
                "100",
                "--seed",
                "7",
                "-f",
                "table",
            ]
        )
        == 0
    )
    assert "seed 7" in capsys.readouterr().out
    for arguments, complaint in (
        ([], "no sentences: name a file"),
        ([*one], "there are no alternatives"),
        (["names", *one, "--with", "a", "b"], "given twice"),
        (["names", "--reference", "x", "--with", "a", "b"], "belongs to --template"),
        (["--list", "nouns"], "no bundled list"),
    ):
        assert main(["probe", *arguments]) == 2
        error = capsys.readouterr().err
        assert complaint in error
        assert error.count("\n") == 1

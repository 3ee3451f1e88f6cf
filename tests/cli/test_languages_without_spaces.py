"""Commands on texts without spaces between words: the tokeniser of the language, and a first line that says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

NOTE = "Han characters without kana: scored as Chinese (BLEU with tok=zh). If Japanese: -l xx-ja or tok=ja-mecab."
JAPANESE = "Japanese references: BLEU with tok=ja-mecab."


@pytest.fixture
def chinese(shared: Path) -> tuple[Path, Path, Path]:
    folder = shared / "data/wmt17"
    outputs = folder / "system-outputs/en-zh"
    return (
        folder / "references/newstest2017-enzh-ref.zh.gz",
        outputs / "newstest2017.uedin-nmt.5111.en-zh.gz",
        outputs / "newstest2017.online-B.0.en-zh.gz",
    )


@pytest.mark.parametrize("form", ["table", "text"])
def test_the_first_line_of_scores(chinese: tuple[Path, Path, Path], run: Run, form: str) -> None:
    reference, output, _ = chinese
    result = run("score", reference, "-i", output, "-f", form)
    assert result.err == ""
    assert " ".join(result.out.split()).startswith(NOTE)
    assert "|tok:zh|" in result.out


def test_forms_for_programs_have_it_beside(chinese: tuple[Path, Path, Path], run: Run) -> None:
    reference, output, _ = chinese
    warning = f"tertium: warning: {NOTE}\n"
    result = run("score", reference, "-i", output, "-f", "json")
    assert (json.loads(result.out)["notes"], json.loads(result.out)["tok"]) == ([NOTE], "zh")
    assert result.err == warning
    for flags in (["-b"], ["-f", "tsv"], ["-sl", "-b"], ["-b", "-sh"]):
        result = run("score", reference, "-i", output, *flags)
        assert NOTE not in result.out
        assert result.err == warning
    assert run("score", reference, "-i", output, "-b", "-q").err == ""
    number = run("score", reference, "-i", output, "-b", "-w", "6").out
    assert number == run("score", reference, "-i", output, "-b", "-w", "6", "-tok", "zh").out


def test_a_language_decides_in_silence(chinese: tuple[Path, Path, Path], run: Run) -> None:
    reference, output, other = chinese
    result = run("score", reference, "-i", output, "-l", "en-zh", "-m", "bleu", "ter", "-f", "text")
    assert result.err == ""
    assert [line.split("|")[0].strip() for line in result.out.splitlines()] == ["BLEU", "TER"]
    assert "asian:yes" in result.out
    assert (
        "Han" not in run("compare", reference, "-i", output, other, "-l", "en-zh", "-m", "bleu", "-n", 50).out
    )
    japanese = run("score", reference, "-i", output, "-l", "en-ja", "-f", "text")
    assert "|tok:ja-mecab" in japanese.out
    assert run("score", reference, "-i", output, "-l", "en-de", "-f", "json").out.count('"tok": "13a"') == 1


def test_a_tokeniser_that_was_chosen_is_used_and_warned_of(
    chinese: tuple[Path, Path, Path], run: Run
) -> None:
    reference, output, _ = chinese
    want = "BLEU (tok=13a) takes text between spaces for words, and Chinese has no spaces between words: use tok=zh."
    for flags in (["-tok", "13a"], ["-m", "bleu:tok=13a"]):
        result = run("score", reference, "-i", output, "-f", "text", *flags)
        assert result.out.splitlines()[0] == want
        assert "|tok:13a|" in result.out
    assert run("score", reference, "-i", output, "-tok", "char", "-f", "text").out.startswith("BLEU|")


def test_japanese_and_text_that_is_cut_already(shared: Path, run: Run) -> None:
    folder = shared / "golden/inputs/multi"
    result = run("score", folder / "jpn.ref", "-i", folder / "jpn.sys1", "-f", "text", "-w", 6)
    assert result.out.splitlines()[0] == JAPANESE
    assert "= 6.297338 " in result.out  # golden/sacrebleu_bleu.json
    cut = run("score", folder / "jpn.ref.tok", "-i", folder / "jpn.sys1.tok", "-f", "text")
    assert cut.out.startswith("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|")


def test_comparisons_and_their_page(chinese: tuple[Path, Path, Path], run: Run, tmp_path: Path) -> None:
    reference, *outputs = chinese
    result = run("compare", reference, "-i", *outputs, "-m", "bleu", "-n", 50)
    assert " ".join(result.out.split()).startswith(NOTE)
    assert NOTE not in result.err
    quiet = run("compare", reference, "-i", *outputs, "-m", "bleu", "-n", 50, "-q")
    assert " ".join(quiet.out.split()).startswith(NOTE)
    assert (
        json.loads(run("compare", reference, "-i", *outputs, "-m", "bleu", "-n", 50, "-f", "json").out)[
            "words"
        ][0]
        == NOTE
    )
    page = tmp_path / "page.html"
    result = run("report", reference, "-i", *outputs, "-m", "bleu", "-n", 50, "-o", page)
    assert result.out.splitlines()[0] == NOTE
    text = page.read_text(encoding="utf-8")
    assert 0 < text.index(NOTE) < text.index("uedin-nmt.5111 is significantly better")


def test_meta_evaluation_knows_the_pair(shared: Path, run: Run, tmp_path: Path) -> None:
    folder = (shared / "data/wmt17").resolve()
    task = tmp_path / "task.toml"
    task.write_text(
        f"""name = "WMT17"
metrics = ["bleu", "bleu:tok=13a", "ter"]
layout = "{folder}"
pairs = ["en-zh"]
levels = ["system"]
missing = "leave out"
[human]
system = "{folder}/DA-syslevel.csv"
"""
    )
    found = json.loads(run("meta", "run", task, "-f", "json").out)
    [level] = found["results"]
    values = {name: own["value"] for name, own in level["metrics"].items()}
    assert values["bleu"] == pytest.approx(0.980, abs=5e-4)
    assert abs(values["bleu:tok=13a"]) == pytest.approx(0.013, abs=5e-4)
    assert "|tok:zh|" in found["signatures"]["bleu"]["en-zh"]
    assert "|asian:yes|" in found["signatures"]["TER"]["en-zh"]
    said = " ".join(run("meta", "run", task).out.split())
    assert said.startswith("en-zh: BLEU (tok=13a) takes text between spaces for words")
    task.write_text(task.read_text().replace('"bleu:tok=13a", ', ""))
    said = run("meta", "run", task).out
    assert said.startswith("System level")
    assert "between spaces" not in said


def test_the_doctor_says_which_language_it_may_be(chinese: tuple[Path, Path, Path], run: Run) -> None:
    reference, output, _ = chinese
    want = "in Han characters without kana, scored as Chinese"
    assert want in " ".join(run("doctor", reference, "-i", output).out.split())
    assert want not in " ".join(run("doctor", reference, "-i", output, "-l", "en-zh").out.split())


def test_the_doctor_and_the_score_of_several_languages(run: Run, tmp_path: Path) -> None:
    lines = ["今日は天気がとてもいいです。", "The weather is good.", "วันนี้อากาศดีมาก", "It is raining."]
    for name in ("reference", "output"):
        (tmp_path / name).write_text("\n".join(lines * 5) + "\n", encoding="utf-8")
    texts = tmp_path / "reference", "-i", tmp_path / "output"
    result = run("score", *texts, "-f", "text")
    assert result.out.splitlines()[0].startswith("50% of the reference lines are Japanese or Thai")
    assert "|tok:13a|" in result.out
    said = " ".join(run("doctor", *texts).out.split())
    assert (
        "serious: reference: 50% of the lines are Japanese or Thai, which has no spaces between words" in said
    )

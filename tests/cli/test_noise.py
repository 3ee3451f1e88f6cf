"""`challenge perturb` and `compare --noisy` give what Python gives, and refuse in one line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import tertium as tt
from tertium.challenge.perturbing import NOISES, perturb
from tertium.comparison.robustness import measure_robustness
from tests.cli.conftest import LITERAL, R1, SRC, STRONG, Run
from tests.cli.test_bad_input import refused


def test_perturb(run: Run, tmp_path: Path) -> None:
    texts = SRC.read_text("utf-8").splitlines()
    packed = tmp_path / "src.de.gz"
    packed.write_bytes(gzip.compress(SRC.read_bytes()))
    words = (
        "challenge",
        "perturb",
        packed,
        "-l",
        "de",
        "--share",
        "0.3",
        "--seed",
        "9",
        "-o",
        tmp_path / "noisy",
    )
    found = run(*map(str, words), "-f", "json")
    expected = perturb(texts, "de", share=0.3, seed=9)
    assert json.loads(found.out) == expected.data()
    written = {path.name: path.read_text("utf-8").splitlines() for path in (tmp_path / "noisy").iterdir()}
    assert written == {f"{noise}.src.de": list(expected.copies[noise]) for noise in NOISES}
    refused(run("challenge", "perturb", str(SRC), "-l", "xx", "-o", "n"), "no keyboard is known for 'xx'")
    refused(run("challenge", "perturb", str(SRC), "-l", "de", "--share", "2", "-o", "n"), "at most 1, not 2")


def test_compare_noisy(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outputs = STRONG.read_text("utf-8").splitlines()
    [noisy] = perturb(outputs, "en", ["keyboard"]).copies.values()
    Path("noisy").write_text("".join(f"{line}\n" for line in noisy), "utf-8")
    words = ("compare", str(R1), "-i", str(STRONG), str(LITERAL), "-m", "chrf", "-n", "99")
    found = run(*words, "--noisy", f"typos=noisy,{LITERAL}", "-f", "json")
    assert found.status == 0, found.err
    texts = {"strong": STRONG, "literal": LITERAL}
    read = {name: path.read_text("utf-8").splitlines() for name, path in texts.items()}
    testset = tt.TestSet.of(R1.read_text("utf-8").splitlines(), read)
    expected = measure_robustness(testset, {"typos": {**read, "strong": noisy}}, ["chrf"], resamples=99)
    assert json.loads(found.out)["drops"] == expected.data()["drops"]
    text = run(*words, "--noisy", f"typos=noisy,{LITERAL}").out
    assert max(map(len, text.splitlines())) < 120
    assert "Under typos" in text
    refused(run(*words, "--noisy", "typos=noisy"), "with 2 files, one for each system in its order")
    refused(run(*words, "--noisy", "noisy,noisy"), "write NOISE=FILE")
    refused(run(*words, "--noisy", "a=noisy,noisy", "--baseline", "x"), "--baseline does not go with --noisy")


def test_report_noisy(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page has what `compare --noisy` prints, beside everything else; a baseline is welcome here."""
    monkeypatch.chdir(tmp_path)
    words = (
        "report",
        str(R1),
        "-i",
        str(STRONG),
        str(LITERAL),
        "-m",
        "chrf",
        "-n",
        "20",
        "--baseline",
        "literal",
    )
    found = run(*words, "--noisy", f"swapped={LITERAL},{STRONG}")
    assert found.status == 0, found.err
    page = Path("report.html").read_text("utf-8")
    data = json.loads(page.partition('id="comparison">')[2].partition("</script>")[0])
    compared = run("compare", *words[1:-2], "--noisy", f"swapped={LITERAL},{STRONG}", "-f", "json")
    assert data["robustness"]["drops"] == json.loads(compared.out)["drops"]
    assert data["error_classes"]["systems"] == ["strong", "literal"]
    refused(run(*words, "--noisy", f"swapped={LITERAL}"), "with 2 files, one for each system in its order")

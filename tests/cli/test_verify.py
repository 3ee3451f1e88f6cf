"""`tertium verify`: 0 holds, 1 does not hold, 2 cannot be checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import LITERAL, R1, R2, STRONG, Run

BLEU = "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0"


def test_a_number_that_holds(run: Run) -> None:
    result = run("verify", f"{BLEU} = 49.0", R1, "-i", STRONG)
    assert result.status == 0
    assert result.out.startswith("holds: the line says BLEU = 49.0, these files give 49.04")


def test_a_number_that_does_not_hold(run: Run) -> None:
    result = run("verify", f"{BLEU} = 49.1", R1, "-i", STRONG)
    assert (result.status, result.err) == (1, "")
    assert result.out.startswith("does not hold: ")
    parts = "78.0/57.5/42.8/32.7 (BP = 0.980 ratio = 0.980 hyp_len = 1100 ref_len = 1211)"
    assert "hyp_len = 1100, these files 1187" in run("verify", f"{BLEU} = 50 {parts}", R1, "-i", STRONG).out


@pytest.mark.parametrize(
    "line",
    [
        "BLEU+case.mixed+lang.de-en+numrefs.1+smooth.exp+tok.13a+version.1.4.13 = 49.0",
        "BLEU|#:1|c:mixed|e:no|tok:13a|s:exp|v:2.0.0=49,04",
        "chrF2+lang.de-en+numchars.6+space.false+version.1.4.13 = 0.695",
        "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.0.0 = 69.5",
        "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.3.1 = 36.3",
        "TER+lang.de-en+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.1 = 0.363",
        "MacroF[β=1]+average.macro+case.mixed+ngram.1+numrefs.1+smooth.add-k.1+tok.13a+version.1.4.13 61.0",
        "BLEU = 49.0",
    ],
)
def test_all_forms(run: Run, line: str) -> None:
    result = run("verify", line, R1, "-i", STRONG)
    assert result.status == 0, result
    assert run("verify", line, R1, "-i", LITERAL).status == 1


def test_what_sacrebleu_prints_today(run: Run) -> None:
    assert run("verify", run("score", R1, "-i", STRONG).out, R1, "-i", STRONG).status == 0


def test_old_chrf_knew_one_reference_only(run: Run) -> None:
    line = "chrF2+numchars.6+space.false+version.1.4.13 = 0.695"
    result = run("verify", line, R1, R2, "-i", STRONG)
    assert result.status == 0
    assert "only the first reference counts" in result.out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"{BLEU} = 49.0".replace("nrefs:1", "nrefs:2"), "the line says nrefs:2, but 1 references are given"),
        (f"{BLEU} = 49.0".replace("nrefs:1", "nrefs:var"), "nrefs:var"),
        (f"{BLEU} = 49.0".replace("13a", "flores200"), "SentencePiece"),
        (f"{BLEU} = 49.0".replace("13a", "nltk"), "unknown tokeniser 'nltk'"),
        ("BLEURT|nrefs:1|version:0.0.2 = 0.7", "unknown metric 'bleurt'"),
        (f"{BLEU}", "cannot read"),
        ("thirty", "cannot read"),
    ],
)
def test_what_cannot_be_checked(run: Run, line: str, words: str) -> None:
    result = run("verify", line, R1, "-i", STRONG)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert words in result.err


def test_one_system_at_a_time(run: Run) -> None:
    assert "one system" in run("verify", f"{BLEU} = 49.0", R1, "-i", STRONG, LITERAL).err


OLD_LINES = [  # printed by sacrebleu 1.4.13 and 1.5.1 themselves
    ("ted", "BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.13 = 21.7 59.3/29.9/16.9/9.8"),
    ("ted", "BLEU+case.lc+numrefs.1+smooth.exp+tok.intl+version.1.4.13 = 24.0 60.8/31.6/18.4/11.1"),
    ("ted", "chrF2+numchars.6+space.false+version.1.4.13 = 0.48336"),
    ("ted", "chrF1+n.6+s.false+v.1.4.13 = 0.49"),
    ("fr", "BLEU+c.mixed+#.1+s.add-k+tok.13a+v.1.4.13 = 49.2 73.6/54.2/42.0/34.8"),
    ("fr", "BLEU+case.mixed+numrefs.1+smooth.floor[0.10]+tok.13a+version.1.5.1 = 49.1 73.6/54.1/42.0/34.7"),
    ("fr", "TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.1 = 0.3827"),
    ("jpn", "BLEU+case.mixed+numrefs.1+smooth.exp+tok.zh+version.1.4.13 = 5.5 22.1/9.6/3.3/1.2"),
    ("jpn", "BLEU+c.mixed+#.1+s.add-k[1.00]+tok.13a+v.1.5.1 = 11.5 7.6/15.4/15.0/9.9"),
]
OLD_INPUTS = {
    "ted": ("ted/ref.detok.eng", "ted/sys1.detok.eng"),
    "fr": ("challenge/ref.fr", "challenge/NMT.fr"),
    "jpn": ("multi/jpn.ref", "multi/jpn.sys1"),
}


@pytest.mark.golden
@pytest.mark.parametrize(("texts", "line"), OLD_LINES)
def test_lines_of_old_versions(run: Run, shared: Path, texts: str, line: str) -> None:
    reference, hypothesis = (shared / "golden" / "inputs" / name for name in OLD_INPUTS[texts])
    assert run("verify", line, reference, "-i", hypothesis).status == 0


@pytest.mark.golden
def test_lines_of_the_macrof_authors(run: Run, golden: Any, shared: Path) -> None:
    folder = shared / "golden" / "inputs" / "challenge"
    entries = [
        e for e in golden("macrof.json")["sets"]["challenge"]["PBMT-1"] if e["metric"] in ("macrof", "microf")
    ]
    assert entries
    for entry in entries:
        result = run("verify", entry["format"], folder / "ref.fr", "-i", folder / "PBMT-1.fr")
        assert result.status == 0, result


def test_the_output_is_a_claim_itself(run: Run) -> None:
    again = (
        run("verify", f"{BLEU} = 49.0", R1, "-i", STRONG).out.splitlines()[1].removeprefix("recomputed as: ")
    )
    assert run("verify", again, R1, "-i", STRONG).status == 0
    assert json.loads(run("score", R1, "-i", STRONG, "-w", "3").out)["score"] == float(
        again.split(" = ")[1].split()[0]
    )

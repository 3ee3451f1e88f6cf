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


PARTS = "78.0/57.5/42.8/32.7 (BP = 0.980 ratio = 0.980 hyp_len = 1187 ref_len = 1211)"


def test_every_number_of_the_line(run: Run) -> None:
    result = run("verify", f"{BLEU} = 49.0 {PARTS}", R1, "-i", STRONG)
    assert (result.status, "holds too: p1, p2, p3, p4, BP, ratio, hyp_len, ref_len\n" in result.out) == (
        0,
        True,
    )


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("42.8", "43.8", "p3 = 43.8, these files give 42.803"),
        ("BP = 0.980", "BP = 0.981", "BP = 0.981, these files give 0.97998"),
        ("ratio = 0.980", "ratio = 0.99", "ratio = 0.99, these files give 0.9802"),
        ("hyp_len = 1187", "hyp_len = 1100", "hyp_len = 1100, these files give 1187"),
        ("ref_len = 1211", "ref_len = 1212", "ref_len = 1212, these files give 1211"),
    ],
)
def test_each_number_of_the_line_can_fail(run: Run, right: str, wrong: str, words: str) -> None:
    result = run("verify", f"{BLEU} = 49.0 {PARTS.replace(right, wrong)}", R1, "-i", STRONG)
    assert result.status == 1
    assert result.out.startswith(f"does not hold: the line says {words}\nholds: the line says BLEU = 49.0")
    assert "gives all that the line says: other texts, or a misprint?" in result.out


def test_intervals(run: Run) -> None:
    line = run("score", R1, "-i", STRONG, "-ci", "-f", "text").out
    assert run("verify", line, R1, "-i", STRONG).status == 0
    wrong = run("verify", line.replace("±", "± 1"), R1, "-i", STRONG)
    assert (wrong.status, wrong.out.startswith("does not hold: the line says ± = 1")) == (1, True)
    fewer = run("verify", line.replace("bs:1000", "bs:77"), R1, "-i", STRONG).out
    assert fewer.startswith("holds") or "bs:1000 in place of bs:77 gives this interval" in fewer
    other = run("score", R1, "-i", STRONG, "-ci", "-cin", "100", "-w", "3", "-f", "text").out
    said = run("verify", other.replace("bs:100", "bs:1000"), R1, "-i", STRONG)
    assert (said.status, "bs:100 in place of bs:1000 gives this interval" in said.out) == (1, True)
    unseeded = run("verify", line.replace("seed:12345", "seed:none"), R1, "-i", STRONG)
    assert (unseeded.status, "not checked: μ, ±" in unseeded.out) == (0, True)


NEAREST = [  # a setting, what the line says instead, and how it is found again
    ("bleu:tok=none", "bleu", "tok:none in place of tok:13a"),
    ("bleu:lowercase=yes", "bleu", "case:lc in place of case:mixed"),
    (
        "bleu:tok=intl,lowercase=yes",
        "bleu",
        "case:lc in place of case:mixed and tok:intl in place of tok:13a",
    ),
    ("bleu:order=2", "bleu", "order:2 gives"),
    ("chrf++", "chrf", "nw:2 in place of nw:0"),
    ("chrf:lowercase=yes", "chrf", "case:lc in place of case:mixed"),
    ("chrf:beta=3", "chrf", "beta:3 gives"),
    ("ter:case_sensitive=yes", "ter", "case:mixed in place of case:lc"),
    (
        "ter:normalized=yes,no_punct=yes",
        "ter",
        "norm:yes in place of norm:no and punct:no in place of punct:yes",
    ),
    ("macrof:tok=char", "macrof", "tok:char in place of tok:13a"),
]


@pytest.mark.parametrize(("made", "said", "words"), NEAREST)
def test_the_nearest_setting_is_named(run: Run, made: str, said: str, words: str) -> None:
    made_line, said_line = (
        run("score", R1, "-i", STRONG, "-m", m, "-w", "4", "-f", "text").out for m in (made, said)
    )
    line = said_line.split(" = ")[0] + " = " + made_line.split(" = ", 1)[1]
    result = run("verify", line, R1, "-i", STRONG)
    assert (result.status, f"nearest: {words}" in result.out) == (1, True), result.out


def test_smoothing_and_effective_order_where_they_matter(run: Run, texts: Any) -> None:
    ref, hyp = texts("ref", "the cat sat on a mat", "no"), texts("hyp", "a cat sat in the mat", "no")
    for spec, words in [
        ("bleu:smooth=add-k", "smooth:add-k[1.00] in place of smooth:exp"),
        ("bleu:smooth=floor,smooth_value=0.01", "smooth:floor[0.01] in place of smooth:exp"),
    ]:
        number = run("score", ref, "-i", hyp, "-m", spec, "-w", "4", "-b").out.strip()
        assert f"nearest: {words} gives" in run("verify", f"{BLEU} = {number}", ref, "-i", hyp).out
    ref, hyp = texts("short", "the cat sat"), texts("out", "the cat sat")
    line = run("score", ref, "-i", hyp, "-m", "bleu:eff=always", "-f", "text").out.replace(
        "eff:yes", "eff:no"
    )
    assert "nearest: eff:yes in place of eff:no gives BLEU" in run("verify", line, ref, "-i", hyp).out


def test_other_references_swapped_texts_and_means(run: Run) -> None:
    def number(*args: object) -> str:
        return run("score", *args, "-w", "4", "-b").out.strip()

    second = run("verify", f"{BLEU} = {number(R2, '-i', STRONG)}", R1, R2, "-i", STRONG)
    assert "note: the line says nrefs:1: the first of 2 references" in second.out
    assert "nearest: reference 2 of 2 only gives" in second.out
    two = f"{BLEU} = {number(R1, '-i', STRONG)}".replace("nrefs:1", "nrefs:2")
    assert "nearest: reference 1 of 2 only gives" in run("verify", two, R1, R2, "-i", STRONG).out
    swapped = run("verify", f"{BLEU} = {number(STRONG, '-i', R1)}", R1, "-i", STRONG).out
    assert "nearest: system and reference the wrong way round gives" in swapped
    values = [float(x) for x in number(R1, "-i", STRONG, "--level", "segment").split()]
    mean = run("verify", f"{BLEU} = {sum(values) / len(values):.2f}", R1, "-i", STRONG).out
    assert "nearest: the mean of segment scores in place of the corpus score gives" in mean


def test_where_nothing_gives_it(run: Run) -> None:
    out = run("verify", f"{BLEU} = 99.9", R1, "-i", STRONG).out
    assert "settings gives it; closest is order:1: BLEU = 76.450" in out


def test_several_lines_and_formats(run: Run) -> None:
    metrics = "-m", "bleu", "chrf", "ter"
    for form in ("json", "text"):
        claims = run("score", R1, "-i", STRONG, *metrics, "-f", form).out
        assert run("verify", claims, R1, "-i", STRONG).status == 0
        assert run("verify", claims, R1, "-i", LITERAL).status == 1
    data = json.loads(run("verify", claims.replace("69.5", "12.3"), R1, "-i", STRONG, "-f", "json").out)
    assert [claim["holds"] for claim in data["claims"]] == [True, False, True]
    assert (data["holds"], data["claims"][1]["nearest"]["gives"], data["claims"][0]["nearest"]) == (
        False,
        "nothing",
        None,
    )
    assert "yes" in run("verify", claims, R1, "-i", STRONG, "-f", "tsv").out


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

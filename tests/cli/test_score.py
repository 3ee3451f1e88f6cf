"""`tertium score`: what sacrebleu does not have: levels, formats, more inputs, more metrics."""

from __future__ import annotations

import gzip
import io
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

import tertium as tt
from tertium.published import parse
from tests.cli.conftest import DOCUMENTS, LITERAL, R1, R2, SMOOTH, SRC, STRONG, Run

Texts = Callable[..., Path]


def read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_specs_shorthands_and_the_papers_own_command(run: Run) -> None:
    specs = ["bleu:tok=intl,smooth=floor", "chrf++", "macrof", "microf", "macrof1:beta=2"]
    result = run("score", R1, R2, "-i", STRONG, "-m", *specs, "-w", "9")
    entries = json.loads(result.out)
    expected = tt.score(read(STRONG), [read(R1), read(R2)], specs)
    assert [entry["score"] for entry in entries] == [round(score.value or 0, 9) for score in expected]
    assert [entry["signature"] for entry in entries] == [score.signature for score in expected]
    assert [entry["name"] for entry in entries] == ["BLEU", "chrF2++", "MacroF1", "MicroF1", "MacroF2"]


def test_tokeniser_and_case_reach_the_macrof_family_but_not_what_a_spec_says(run: Run) -> None:
    metrics = ["macrof", "microf", "bleu:tok=13a", "bleu", "chrf"]
    entries = json.loads(run("score", R1, "-i", STRONG, "-tok", "intl", "-lc", "-m", *metrics).out)
    assert [entry.get("tok") for entry in entries] == ["intl", "intl", "13a", "intl", None]
    assert [entry["case"] for entry in entries] == ["lc", "lc", "lc", "lc", "mixed"]


def test_chrf_beta(run: Run) -> None:
    entry = json.loads(run("score", R1, "-i", STRONG, "-m", "chrf", "--chrf-beta", "1", "-w", "6").out)
    assert (entry["name"], entry["beta"]) == ("chrF1", "1")
    assert entry["score"] == round(tt.score(read(STRONG), read(R1), "chrf1").scores[0].value or 0, 6)


def test_entries_of_several_systems(run: Run) -> None:
    entries = json.loads(run("score", R1, "-i", STRONG, LITERAL, "-m", "bleu", "ter").out)
    assert [(entry["system"], entry["name"]) for entry in entries] == [
        (str(path), name) for path in (STRONG, LITERAL) for name in ("BLEU", "TER")
    ]
    assert all(isinstance(entry["score"], float) and "tertium:" in entry["signature"] for entry in entries)


def test_bare_numbers_of_several_systems(run: Run) -> None:
    lines = run("score", R1, "-i", STRONG, LITERAL, "-m", "bleu", "chrf", "-b").out.splitlines()
    assert len(lines) == 2
    assert [len(line.split("\t")) for line in lines] == [2, 2]


@pytest.mark.parametrize("form", ["table", "text", "markdown", "latex", "tsv", "json"])
def test_every_format_has_numbers_and_signatures(run: Run, form: str) -> None:
    out = run("score", R1, "-i", STRONG, LITERAL, "-m", "bleu", "chrf", "--format", form).out
    assert "49.0" in out
    assert "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|tertium:" in out
    marks = {
        "markdown": "| ---: |",
        "latex": r"\toprule",
        "tsv": "system\tname\tscore\tsignature\n",
        "json": "[\n{",
    }
    assert marks.get(form, "system") in out


def test_one_systems_table_has_the_parts_of_bleu(run: Run) -> None:
    assert "hyp_len = 1187" in run("score", R1, "-i", STRONG, "-f", "table").out


def test_short_signatures_in_tables(run: Run) -> None:
    assert (
        "#:1|c:mixed|e:no|tok:13a|s:exp|tertium:" in run("score", R1, "-i", STRONG, "-sh", "-f", "table").out
    )


def test_table_on_a_terminal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    shown = run("score", R1, "-i", STRONG).out
    assert "╭" in shown
    assert "\x1b[" in shown
    plain = run("score", R1, "-i", STRONG, "-nc").out
    assert "╭" in plain
    assert "\x1b[" not in plain


def test_progress_on_terminals_only(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tertium.cli.progress.PATIENCE", -1.0)
    argv = ["score", R1, "-i", STRONG]
    plain = run(*argv)
    assert plain.err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    shown = run(*argv)
    assert " segments" in shown.err
    assert shown.out == plain.out
    assert run(*argv, "-q").err == ""


def test_document_level(run: Run) -> None:
    result = run("score", R1, "-i", STRONG, "--level", "document", "--documents", DOCUMENTS, "-w", "6")
    documents = read(DOCUMENTS)
    expected = tt.score(read(STRONG), read(R1), "bleu", documents=documents, level="document").scores[0]
    entries = json.loads(result.out)
    assert [entry["document"] for entry in entries] == list(dict.fromkeys(documents))
    assert [entry["score"] for entry in entries] == [round(value or 0, 6) for value in expected.values]


def test_detail_adds_documents(run: Run) -> None:
    out = run("score", R1, "-i", STRONG, "-d", "--documents", DOCUMENTS).out
    assert out.startswith("BLEU|nrefs:1|")
    assert all(name in out for name in read(DOCUMENTS))


def test_detail_without_documents_is_one_note(run: Run) -> None:
    result = run("score", R1, "-i", STRONG, "-d")
    assert (result.status, result.err.count("\n")) == (0, 1)
    assert result.err.startswith("tertium: note: --detail needs -t or --documents")
    assert result.out.startswith("BLEU|nrefs:1|")
    assert run("score", R1, "-i", STRONG, "-d", "-q").err == ""


@pytest.mark.parametrize("form", ["json", "tsv", "table"])
def test_segment_level_of_several_systems_and_metrics(run: Run, form: str) -> None:
    argv = [
        "score",
        R1,
        "-i",
        STRONG,
        LITERAL,
        "-m",
        "bleu",
        "ter",
        "--level",
        "segment",
        "-w",
        "4",
        "-f",
        form,
    ]
    lines = run(*argv).out.splitlines()
    systems = {str(STRONG): read(STRONG), str(LITERAL): read(LITERAL)}
    expected = tt.score(systems, read(R1), ["bleu", "ter"], level="segment")
    values = {
        (score.system, i + 1, score.metric.label): f"{value:.4f}"
        for score in expected
        for i, value in enumerate(score.values)
    }
    found = {}
    if form == "json":
        for entry in map(json.loads, lines):
            found[entry["system"], entry["segment"], entry["name"]] = f"{entry['score']:.4f}"
            assert "eff:yes" in entry["signature"] or entry["name"] == "TER"
    elif form == "tsv":
        assert lines[0].split("\t") == ["system", "segment", "name", "score", "signature"]
        for system, segment, name, score, _ in (line.split("\t") for line in lines[1:]):
            assert expected[system, name.lower()].values[int(segment) - 1] == float(score)  # all digits
            found[system, int(segment), name] = f"{float(score):.4f}"
    else:
        assert lines[3].split() == ["segment", "system", "BLEU", "TER"]
        for segment, *system, bleu, ter in (line.split() for line in lines[4:]):  # folders may have blanks
            found |= {(" ".join(system), int(segment), name): s for name, s in (("BLEU", bleu), ("TER", ter))}
    assert found == values


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_segment_tables_for_papers(run: Run, form: str) -> None:
    out = run("score", R1, "-i", STRONG, "--level", "segment", "-f", form).out
    assert len(out.splitlines()) > len(read(R1))


def test_bare_segments_of_several_systems(run: Run) -> None:
    lines = run(
        "score", R1, "-i", STRONG, LITERAL, "-m", "bleu", "ter", "--level", "segment", "-b"
    ).out.splitlines()
    assert [len(line.split("\t")) for line in lines] == [4] * len(read(R1))


def test_segments_in_many_batches(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read in blocks; where they are cut must not matter."""
    argvs = [
        ["score", R1, R2, "-i", STRONG, LITERAL, "-m", "bleu", "macrof", "chrf", "-w", "9"],
        ["score", R1, "-i", STRONG, "-sl", "-w", "9"],
        ["score", R1, "-i", STRONG, "--documents", DOCUMENTS, "--level", "document", "-w", "9"],
    ]
    whole = [run(*argv).out for argv in argvs]
    monkeypatch.setattr("tertium.io.door.BLOCK", 700)
    assert [run(*argv).out for argv in argvs] == whole


def test_tsv_columns(run: Run, texts: Texts, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = zip(read(DOCUMENTS), read(R1), read(STRONG), read(R2), strict=True)
    table = texts("set.tsv", *("\t".join(row) for row in rows))
    expected = run("score", R1, R2, "-i", STRONG).out
    assert run("score", table, "--tsv", "3,2,4").out == expected
    assert run("score", "-i", table, "--tsv", "3,2,4").out == expected
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(table.read_bytes())))
    assert run("score", "--tsv", "3,2,4").out == expected


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_packed_files(run: Run, tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    paths = []
    for path in (R1, STRONG):
        paths.append(tmp_path / (path.name + suffix))
        paths[-1].write_bytes(pack(path.read_bytes()))
    assert run("score", paths[0], "-i", paths[1]).out == run("score", R1, "-i", STRONG).out


def _sgml(kind: str, system: str, path: Path) -> str:
    parts, last = [f'<{kind.upper()} setid="demo" srclang="de" trglang="en">'], ""
    for document, line in zip(read(DOCUMENTS), read(path), strict=True):
        if document != last:
            parts.append(
                ("</DOC>\n" if last else "") + f'<DOC sysid="{system}" docid="{document}" docid="{document}">'
            )
            last, number = document, 0
        number += 1
        text = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        parts.append(f'<seg id="{number}">{text}</seg>')
    return "\n".join([*parts, "</DOC>", f"</{kind.upper()}>", ""])


def test_sgml_test_sets(run: Run, tmp_path: Path) -> None:
    reference, system, upper = tmp_path / "ref.sgm", tmp_path / "hyp.sgm", tmp_path / "HYP.SGML"
    reference.write_text(_sgml("refset", "ref", R1), encoding="utf-8")
    system.write_text(_sgml("tstset", "strong", STRONG), encoding="utf-8")
    upper.write_text(_sgml("tstset", "literal", LITERAL), encoding="utf-8")
    expected = run("score", R1, "-i", STRONG, "-m", "bleu", "ter").out
    assert run("score", reference, "-i", system, "-m", "bleu", "ter").out == expected
    assert run("score", reference, "-i", STRONG, "-m", "bleu", "ter").out == expected
    assert run("score", R1, "-i", system, "-m", "bleu", "ter").out == expected
    both = json.loads(run("score", reference, "-i", system, upper).out)
    assert [entry["system"] for entry in both] == ["strong", "literal"]
    documents = run(
        "score", reference, "-i", system, "--level", "document"
    ).out  # the file knows its documents
    by_list = run("score", R1, "-i", STRONG, "--level", "document", "--documents", DOCUMENTS).out
    assert documents == by_list.replace(str(STRONG), "strong")


def test_xml_test_set_with_its_systems(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "set.xml"
    path.write_text(
        '<dataset id="s"><doc id="d" origlang="de"><src lang="de"><p><seg id="1">Eins.</seg></p></src>'
        '<ref lang="en" translator="A"><p><seg id="1">The cat sat on a mat today.</seg></p></ref>'
        '<hyp system="X" language="en"><p><seg id="1">The cat sat on a mat today.</seg></p></hyp>'
        '<hyp system="Y" language="en"><p><seg id="1">The dog.</seg></p></hyp></doc></dataset>',
        encoding="utf-8",
    )
    entries = json.loads(run("score", path).out)
    assert [(entry["system"], entry["score"] == 100) for entry in entries] == [("X", True), ("Y", False)]


def test_threads_change_nothing(run: Run) -> None:
    argv = ["score", R1, R2, "-i", STRONG, SMOOTH, "-m", "bleu", "chrf++", "ter", "macrof", "-w", "12"]
    assert run(*argv, "--threads", "2").out == run(*argv).out


def test_source_is_read_and_checked(run: Run, texts: Texts) -> None:
    assert run("score", R1, "-i", STRONG, "--source", SRC).status == 0
    assert run("score", R1, "-i", STRONG, "--source", texts("short", "eins")).status == 2


def test_byte_order_mark(run: Run, texts: Texts) -> None:
    reference = texts("ref", "The cat sat on the mat.")
    hypothesis = texts("hyp", "\ufeffThe cat sat on the mat.")
    kept = run("score", reference, "-i", hypothesis)
    assert kept.err.startswith(f"tertium: warning: {hypothesis}: begins with a byte-order mark")
    assert (kept.status, kept.err.count("\n")) == (0, 1)
    assert json.loads(kept.out)["score"] < 100
    stripped = run("score", reference, "-i", hypothesis, "--strip-bom")
    assert (json.loads(stripped.out)["score"], stripped.err) == (100.0, "")


def test_tokenised_looking_text(run: Run, texts: Texts) -> None:
    path = texts("tok", *["The cat sat on the mat ."] * 100)
    result = run("score", path, "-i", path)
    assert result.err.startswith(f"tertium: warning: {path}: 100 lines end in ' .'")
    assert result.err.count("\n") == 1
    for quiet in (["--force"], ["-q"], ["-m", "chrf"], ["-tok", "none"]):
        assert run("score", path, "-i", path, *quiet).err == ""
    fewer = texts("fewer", *["The cat sat on the mat ."] * 99)
    assert run("score", fewer, "-i", fewer).err == ""


def test_empty_hypotheses(run: Run, texts: Texts) -> None:
    hypotheses, references = texts("hyp", "", " "), texts("ref", "one two", "three")
    result = run("score", references, "-i", hypotheses)
    assert (result.status, result.err) == (0, f"tertium: warning: {hypotheses}: all hypotheses are empty\n")
    assert json.loads(result.out)["score"] == 0


def test_crlf_and_line_separator_in_silence(run: Run, tmp_path: Path, texts: Texts) -> None:
    (tmp_path / "crlf").write_bytes("Ein\u2028Haus steht da.\r\nund ein Baum\r\n".encode())
    plain = texts("plain", "Ein\u2028Haus steht da.", "und ein Baum")
    result = run("score", plain, "-i", tmp_path / "crlf", "-m", "chrf")
    assert (json.loads(result.out)["score"], result.err) == (100.0, "")


def test_smoothing_value_without_use(run: Run) -> None:
    result = run("score", R1, "-i", STRONG, "-sv", "0.5")
    assert result.out == run("score", R1, "-i", STRONG).out
    assert result.err.startswith("tertium: warning: -sv has no effect")


def test_tokeniser_of_the_target_language(run: Run) -> None:
    assert json.loads(run("score", R1, "-i", STRONG, "-l", "en-zh").out)["tok"] == "zh"
    result = run("score", R1, "-i", STRONG, "-l", "en-zh", "-tok", "13a")
    assert json.loads(result.out)["tok"] == "13a"
    assert result.err == (
        "tertium: warning: BLEU (tok=13a) takes text between spaces for words, and Chinese has no spaces between "
        "words: use tok=zh.\n"
    )


def test_a_metric_given_twice_counts_once(run: Run) -> None:
    assert run("score", R1, "-i", STRONG, "-m", "bleu", "bleu").out == run("score", R1, "-i", STRONG).out


def test_score_lines_are_claims_that_hold(run: Run) -> None:
    out = run("score", R1, "-i", STRONG, "-m", "bleu", "chrf++", "ter", "macrof", "microf", "-f", "text").out
    for line in out.splitlines():
        claim = parse(line)
        assert claim.holds(tt.score(read(STRONG), read(R1), claim.metric).scores[0].value)


@pytest.mark.parametrize("flag", ["-V", "--version"])
def test_version(run: Run, flag: str) -> None:
    assert run("score", flag).out == run(flag).out == f"tertium {tt.__version__}\n"

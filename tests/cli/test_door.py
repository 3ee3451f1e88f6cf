"""One door: every command opens the same files in the same way, with the same options."""

from __future__ import annotations

import html
import io
import json
import sys
from pathlib import Path

import pytest

import tertium as tt
from tests.cli.conftest import DOCUMENTS, LITERAL, R1, R2, SRC, STRONG, Run

BLEU = "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0 = 49.0"


def sgml(path: Path, kind: str, system: str, text: Path) -> Path:
    documents = DOCUMENTS.read_text("utf-8").splitlines()
    parts, last = [], ""
    for number, (line, document) in enumerate(
        zip(text.read_text("utf-8").splitlines(), documents, strict=True)
    ):
        if document != last:
            parts.append(f'{"</doc>" if last else ""}<DOC docid="{document}" sysid="{system}">')
            last = document
        parts.append(f"<seg id={number}>{html.escape(line, quote=False)}</seg>")
    path.write_text(f'<{kind} setid="sample">\n' + "\n".join(parts) + f"</doc></{kind}>\n", "utf-8")
    return path


def jsonl(path: Path, **columns: Path) -> Path:
    texts = {key: text.read_text("utf-8").splitlines() for key, text in columns.items()}
    rows = [dict(zip(texts, row, strict=True)) for row in zip(*texts.values(), strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def parquet(path: Path, **columns: Path) -> Path:
    pyarrow, writer = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    texts = {key: text.read_text("utf-8").splitlines() for key, text in columns.items()}
    writer.write_table(pyarrow.table(texts), path)
    return path


@pytest.fixture(params=["plain", "sgml", "sgml by content", "jsonl", "text column", "parquet"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path, Path]:
    """A reference and two systems, in every format that has a file for each."""
    makers = {
        "plain": lambda: (R1, STRONG, LITERAL),
        "sgml": lambda: (
            sgml(tmp_path / "ref.sgm", "refset", "ref", R1),
            sgml(tmp_path / "a.sgm", "tstset", "A", STRONG),
            sgml(tmp_path / "b.sgm", "tstset", "B", LITERAL),
        ),
        "sgml by content": lambda: (
            sgml(tmp_path / "ref.en", "refset", "ref", R1),
            sgml(tmp_path / "a.en", "tstset", "A", STRONG),
            sgml(tmp_path / "b.en", "tstset", "B", LITERAL),
        ),
        "jsonl": lambda: (
            jsonl(tmp_path / "ref.jsonl", reference=R1, source=SRC),
            jsonl(tmp_path / "a.jsonl", hypothesis=STRONG),
            jsonl(tmp_path / "b.jsonl", mt=LITERAL),
        ),
        "text column": lambda: tuple(
            jsonl(tmp_path / f"{text.name}.jsonl", text=text) for text in (R1, STRONG, LITERAL)
        ),
        "parquet": lambda: (
            parquet(tmp_path / "ref.parquet", ref=R1, doc=DOCUMENTS),
            parquet(tmp_path / "a.parquet", mt=STRONG),
            parquet(tmp_path / "anything", mt=LITERAL),
        ),
    }
    return makers[request.param]()


def test_the_same_numbers_from_every_format_in_every_command(
    run: Run, files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    reference, first, second = files
    scored = run("score", reference, "-i", first, second, "-f", "json", "-w", "10")
    assert scored.err == ""
    numbers = [entry["score"] for entry in json.loads(scored.out)]
    assert numbers == pytest.approx([49.03995, 12.80727], abs=0.001)
    compared = run("compare", reference, "-i", first, second, "-m", "bleu", "-f", "json", "-n", "10")
    assert compared.err == ""
    tests = json.loads(compared.out)
    assert all(f"{number:.6f}"[:7] in json.dumps(tests) for number in numbers)
    page = tmp_path / "page.html"
    assert run("report", reference, "-i", first, second, "-m", "bleu", "-n", "10", "-o", page).err == ""
    assert f"{numbers[0]:.6f}"[:7] in page.read_text("utf-8")
    verified = run("verify", BLEU, reference, "-i", first)
    assert (verified.status, verified.err) == (0, "")
    doctor = run("doctor", reference, "-i", first, second, "-f", "json")
    assert (doctor.status, doctor.err) == (0, "")
    opened = tt.TestSet.open([reference], {"A": first, "B": second})
    if reference.suffix == ".jsonl" and "reference1" in reference.name:  # its one column is the reference
        assert (opened.sources, opened.documents) == (None, None)
    assert [score.value for score in opened.score("bleu")] == pytest.approx(numbers)


def test_references_of_an_nbest_list_come_in_by_the_same_door(run: Run, tmp_path: Path) -> None:
    candidates = tmp_path / "list"
    lines = STRONG.read_text("utf-8").splitlines()
    candidates.write_text(
        "".join(f"{i} ||| {line} ||| x= 1 ||| -1\n" for i, line in enumerate(lines)), "utf-8"
    )
    plain = run("nbest", R1, "-i", candidates, "-f", "json")
    marked = run("nbest", sgml(tmp_path / "r", "refset", "ref", R1), "-i", candidates, "-f", "json")
    assert plain.err == marked.err == ""
    assert plain.out == marked.out


def test_one_file_with_everything(run: Run, tmp_path: Path) -> None:
    table = jsonl(tmp_path / "all.jsonl", hypothesis=STRONG, reference=R1, source=SRC, document=DOCUMENTS)
    assert run("score", table, "-b", "-w", "2").out == "49.04\n"
    assert run("score", table, "--level", "document", "-f", "tsv").out.count("\n") == 9
    two = jsonl(tmp_path / "two.jsonl", A=STRONG, B=LITERAL, gold=R1)
    columns = "hypothesis=A,hypothesis=B,reference=gold"
    assert run("score", two, "--columns", columns, "-b", "-w", "2").out == "49.04\n12.81\n"
    assert run("compare", two, "--columns", columns, "-m", "bleu", "-n", "10").status == 0
    assert "its columns: A, B, gold; --columns names them" in run("score", two).err
    assert (
        "there is no 'hypotheses'; did you mean 'hypothesis'"
        in run("score", two, "--columns", "hypotheses=A").err
    )


def test_references_a_segment(run: Run, tmp_path: Path) -> None:
    first, second = (path.read_text("utf-8").splitlines() for path in (R1, R2))
    rows = [{"references": list(pair)} for pair in zip(first, second, strict=True)]
    rows[3]["references"].pop()
    path = tmp_path / "r.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = tt.TestSet.open([path], [STRONG])
    expected = tt.score(
        found.systems, references_per_segment=[row["references"] for row in rows], metrics=["bleu"]
    )
    assert next(iter(found.score("bleu"))).value == next(iter(expected)).value
    path.write_text('{"reference": "a"}\n{"reference": null}\n')
    assert "r.jsonl: segment 2 has no reference" in run("score", path, "-i", STRONG).err


@pytest.mark.parametrize("command", ["score", "compare", "report", "doctor"])
def test_options_mean_the_same_everywhere(
    run: Run, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = run(command, R1, "--tsv", "9,9")
    assert (refused.status, refused.err) == (2, "tertium: columns '9,9' name a column twice\n")
    lines = zip(*(path.read_text("utf-8").splitlines() for path in (R1, R2)), strict=True)
    both = tmp_path / "both"
    both.write_text("".join("\t".join(pair) + "\n" for pair in lines), "utf-8")
    assert run(command, both, "-nr", "2", "-i", STRONG, LITERAL).status == 0
    assert "2 references on each line" in run(command, R1, "-nr", "2", "-i", STRONG, LITERAL).err
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(STRONG.read_bytes())))
    assert run(command, R1, "-i", "-", LITERAL).status == 0
    systems = zip(*(path.read_text("utf-8").splitlines() for path in (STRONG, LITERAL)), strict=True)
    side_by_side = "".join("\t".join(pair) + "\n" for pair in systems).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(side_by_side)))
    assert run(command, R1).status == 0
    columns = tmp_path / "columns"
    columns.write_text(
        "".join(
            "\t".join(row) + "\n"
            for row in zip(
                *(path.read_text("utf-8").splitlines() for path in (STRONG, LITERAL, R1)), strict=True
            )
        ),
        "utf-8",
    )
    assert run(command, columns, "--tsv", "1+2,3").status == 0
    assert "longer than 1 MB" in run(command, _long(tmp_path), "-i", STRONG, LITERAL, "--line-limit", "1").err
    assert run(command, R1, "-i", STRONG, LITERAL, "--encoding", "utf8", "--strip-bom", "-q").status == 0


def _long(folder: Path) -> Path:
    path = folder / "long"
    path.write_bytes(b"a" * (1 << 20) + b"bc\n")
    return path


@pytest.mark.parametrize("command", ["score", "compare", "doctor"])
def test_output_goes_to_a_file(run: Run, command: str, tmp_path: Path) -> None:
    call = (command, R1, "-i", STRONG, LITERAL, "-f", "json")
    printed = run(*call)
    for name in ("-o", "--output", "--out"):
        path = tmp_path / f"found{name}"
        assert run(*call, name, path) == (0, "", "")
        assert path.read_text("utf-8") == printed.out
    assert run(command, R1, "-i", "nowhere", LITERAL, "-o", tmp_path / "no").status == 2
    assert not (tmp_path / "no").exists()
    assert ", --out " not in run(command, "--help").out


def test_folders(run: Run, tmp_path: Path) -> None:
    assert run("score", R1.parent, "-b", "-w", "2").out.splitlines()[2] == "64.24"
    assert run("score", R1.parent, "-i", STRONG, "-b", "-w", "2").out == "64.24\n"
    assert run("compare", R1.parent, "-m", "chrf", "-n", "10").status == 0
    base = tmp_path / "wmt"
    for path, text in (
        ("sources/set-deen-src.de", SRC),
        ("references/set-deen-ref.en", R1),
        ("system-outputs/de-en/set.A.de-en", STRONG),
        ("system-outputs/de-en/set.B.de-en", LITERAL),
    ):
        (base / path).parent.mkdir(parents=True, exist_ok=True)
        (base / path).write_bytes(text.read_bytes())
    assert run("score", base, "-b", "-w", "2").out == "49.04\n12.81\n"
    assert tt.TestSet.load(base, pair="de-en").name == "set de-en"
    (base / "system-outputs" / "cs-en").mkdir()
    assert "which language pair? Choose one of cs-en, de-en (-l PAIR)" in run("score", base).err
    assert run("score", base, "-l", "de-en", "-b", "-w", "2").out == "49.04\n12.81\n"


def test_a_test_set_says_its_source_and_documents(run: Run, tmp_path: Path) -> None:
    reference = sgml(tmp_path / "ref.sgm", "refset", "ref", R1)
    opened = tt.TestSet.open([reference], [STRONG])
    assert opened.documents == tuple(DOCUMENTS.read_text("utf-8").splitlines())
    source = sgml(tmp_path / "src.sgm", "srcset", "", SRC)
    opened = tt.TestSet.open([reference], [STRONG], source=source)
    assert opened.sources is not None
    assert opened.sources[0] == SRC.read_text("utf-8").splitlines()[0]

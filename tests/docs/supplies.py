"""Files that the pages' commands name, made of the bundled sample: whoever reads a page has files of their own."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tarfile
from collections import Counter
from datetime import date, timedelta
from html import escape
from pathlib import Path

from tertium.adaptation.bulletins import bulletins
from tertium.cli import main
from tests.adaptation.programs import LEARNER
from tests.conftest import ROOT, SAMPLE
from tests.docs import given

# A name, and what is given for it: a text of the sample, or a file that tests/cli/test_damaged_files.py makes.
KNOWN: dict[str, str] = {
    r"(test/)?(new-)?ref(erence)?1?(\.TEXT)?|new\.(en|fr)|ref\.0[12]": "reference1.en",
    r"ref(erence)?2\.TEXT|(more|corpus|train)\.TEXT|texts?\.(en|txt)|news\.de|other\.html": "reference2.en",
    r"src(\.TEXT)?|source\.TEXT|news\.en|en\.txt": "source.de",
    r"ids(\.txt|\.0[12])?|documents\.txt|sets\.txt": "documents.txt",
    r"(test/)?(a|A|one|out|sys|output|hyp|new|strong|mine|system)(\.TEXT)?|out\.0[12]|fr\.txt": "system-strong.en",
    r"(test/)?(b|B|two|base|baseline|literal)(\.TEXT)?|(a|b)\.(keyboard|kb)\.TEXT": "system-literal.en",
    r"(c|C|smooth|onlineA)(\.TEXT)?": "system-smooth.en",
    r"onlineB\.de": "reference2.en",
    r"(document|page|help)\.txt": "reference1.en",
    r"novel\.en\.txt": "OFFICE.en.txt",
    r"(novel|page)\.fr\.txt|target\.fr": "OFFICE.fr.txt",
    r"(in|old|memory|delivery|one|two|all)\.tmx": "OFFICE.tmx",
    r"memory\.db": "OFFICE.db",
    r"manual\.txt": "OFFICE.en.txt",
    r"(manual|new)\.html|(document|page|help)(\.en)?\.html|en\.html|pages/en": "OFFICE.en.html",
    r"fr\.html|(help|page)\.fr\.html|pages/fr": "OFFICE.fr.html",
    r"stream\.tsv|earlier\.tsv|new\.tsv": "ROUTED.tsv",
    r"my_mt\.py": "TRANSLATOR.py",
    r"(comet|bleurt|examples/outside_metric)\.py": "OUTSIDE.py",
    r"resolve\.py": "RESOLVER.py",
    r"(01|02|03|a|all)\.rows": "ROWS",
    r"(en|fr)\.tsv": "GRADED",
    r"in\.tmx\.labels\.jsonl": "LABELLED.jsonl",
    r"ref\.sgm": "REFERENCES.sgm",
    r"(a|b)\.sgm": "OUTPUTS.sgm",
    r"all\.jsonl": "ALL.jsonl",
    r"sentences\.tsv": "SENTENCES",
    r"words\.txt": "WORDS",
    r"votes\.tsv": "VOTES",
    r"campaign\.toml": "CAMPAIGN.toml",
    r"(qe|block|plain|edits)\.model": "edits.qe",
    r"(da|test|dev|train|this-month)\.tsv": "QUALITY",
    r"(corrections|post-edits|test-edits)\.tsv": "EDITED",
    r"(list|new)\.nbest": "OTHERLIST",
    r"set\.jsonl": "SET.jsonl",
    r"judgements\.jsonl|first\.jsonl|both\.jsonl": "ANSWERS.jsonl",
    r"(A|B)\.(da|hume)": "JUDGED",
    r"policy\.json": "POLICY",
    r"terms\.tsv": "GLOSSARY",
    r"marked(-dev)?\.csv": "MARKED.csv",
    r"(words|wiki\.en|glove|all|en|de|pairs|triples)\.(vec|bin)": "VECTORS",
    r"queries\.tsv": "QUERIES",
    r"gold\.conllu": "COREFUD",
    r"mine\.conll": "CHAINS",
    r"(system-a|system-b)\.run": "RUN",
    r"human\.run": "RANKING",
    r"qrels\.txt": "QRELS",
    r"(people|mine|yours)\.tsv": "RATINGS",
}
TEXT = r"(txt|en|de|fr|cs|th)"


def supply(name: str, folder: Path, samples: Path, page: str = "") -> None:
    """Put a file of this name into the folder, if one is known (on this page) and none is there."""
    path = folder / name
    if path.exists():
        return
    first = Path(name).parts[0]
    if first == "wmt12":  # as the page itself unpacks it
        subprocess.run(["tar", "xJf", given.real("wmt12/wmt12-to-en.tar.xz")], cwd=folder, check=True)
        return
    if (found := given.find(first, page, samples)) is not None:
        (folder / first).symlink_to(found)
        return
    if given.made(name, folder):
        return
    if name.endswith("wmt23"):
        with tarfile.open(given.real("mtme/wmt23-en-de.tar.xz")) as archive:
            archive.extractall(path.parent, filter="data")
        chrf = (
            path / "metric-scores" / "en-de" / "chrF-refA.seg.score"
        )  # stands for the scores of a metric of your own
        seen: Counter[str] = Counter()
        rows = []
        for line in chrf.read_text("utf-8").splitlines():
            system, score = line.split("\t")
            seen[system] += 1
            rows.append(f"{system}\t{seen[system]}\t{score}\n")
        (folder / "my-wmt23.tsv").write_text("system\tsegment\tscore\n" + "".join(rows), "utf-8")
        return
    for pattern, own in KNOWN.items():
        if re.fullmatch(pattern.replace("TEXT", TEXT), name):
            folder_of_pages = name.startswith("pages/")
            path = path / "index.html" if folder_of_pages else path
            path.parent.mkdir(parents=True, exist_ok=True)
            source = SAMPLE / own if (SAMPLE / own).exists() else samples / own
            shutil.copy(source, path)
            return


def office(folder: Path) -> None:
    """What an office has: a memory of four years from two clients, pages in both languages, a machine translation, a
    metric of others. (Made bulletins, English to French.)"""
    items = bulletins(600).items
    units = []
    for number, item in enumerate(items):
        days = number * 1460 // len(items)
        units.append(
            {
                "source": item.segment.source,
                "target": item.correction,
                "source_language": "en",
                "target_language": "fr",
                "client": ("acme", "git")[number // 30 % 2],
                "document": item.segment.document,
                "translator": item.segment.translator,
                "date": str(date(2021, 1, 1) + timedelta(days)),
            }
        )
    (folder / "OFFICE.jsonl").write_text("\n".join(map(json.dumps, units)) + "\n", "utf-8")
    assert main(["memory", "import", "OFFICE.jsonl", "-o", "OFFICE.db"]) == 0
    assert main(["memory", "convert", "OFFICE.db", "OFFICE.tmx"]) == 0
    marks = [{"source": unit["source"], "target": unit["target"], "label": "right"} for unit in units[:9]]
    (folder / "LABELLED.jsonl").write_text("\n".join(map(json.dumps, marks)) + "\n", "utf-8")
    texts = [
        (SAMPLE / f"{name}.en").read_text("utf-8").splitlines()
        for name in ("reference1", "system-strong", "system-literal")
    ]
    rows = [
        json.dumps(dict(zip(("gold", "new", "old"), row, strict=True))) for row in zip(*texts, strict=True)
    ]
    (folder / "ALL.jsonl").write_text("\n".join(rows) + "\n", "utf-8")
    segments = "".join(f'<seg id="{n}">{escape(text)}</seg>\n' for n, text in enumerate(texts[0], 1))
    head = 'setid="s" srclang="de" trglang="en">\n<doc docid="d" sysid="x">\n'
    for name, kind in (("REFERENCES", "refset"), ("OUTPUTS", "tstset")):
        (folder / f"{name}.sgm").write_text(f"<{kind} {head}{segments}</doc>\n</{kind}>\n", "utf-8")
    for language, side in (("en", "source"), ("fr", "target")):
        lines = "".join(f"<p>{unit[side]}</p>\n" for unit in units[:40])
        text = f'<!DOCTYPE html>\n<html lang="{language}"><head><title>-</title></head><body>\n{lines}</body></html>\n'
        (folder / f"OFFICE.{language}.html").write_text(text, "utf-8")
        (folder / f"OFFICE.{language}.txt").write_text(
            "".join(f"{unit[side]}\n" for unit in units[:69]), "utf-8"
        )
    (folder / "TRANSLATOR.py").write_text(LEARNER, "utf-8")
    shutil.copy(ROOT / "examples" / "outside_metric.py", folder / "OUTSIDE.py")
    (folder / "CAMPAIGN.toml").write_text(
        'name = "harbour"\ndesign = "direct-assessment"\ntestset = "sample"\n[annotators]\nnumber = 2\nitems = 40\n',
        "utf-8",
    )


def edited(folder: Path) -> None:
    """Post-edits: what a reference says."""
    texts = [
        (SAMPLE / name).read_text("utf-8").splitlines()
        for name in ("source.de", "system-strong.en", "reference1.en")
    ]
    rows = ["\t".join(row) for row in zip(*texts, strict=True)]
    (folder / "EDITED").write_text("\n".join(["source\tmt\tpe", *rows, ""]), "utf-8")


FILES = re.compile(
    r"[\w./-]+\.\w+|\bpages/\w+|(?:mt-metrics-eval-v2/)?\bwmt(?:12|17|23)\b|\b(?:ref|src|ids|out|hyp)\b"
)

"""mt-metrics-eval's folders: texts, human scores, ratings with error spans, metric scores.

    sources/PAIR.txt   references/PAIR.refA.txt   system-outputs/PAIR/SYSTEM.txt
    (or .jsonl, a record a segment with the text in `source`, `target` or `hypothesis`)
    documents/PAIR.docs                                a line a segment: domain, document
    human-scores/PAIR.NAME.{seg,sys,doc,domain}.score  system, score (None: missing); domain: domain, system, score
    human-scores/PAIR.NAME.seg.rating                  system, errors as JSON, rater; a line a segment
    metric-scores/PAIR/METRIC-REF.{seg,sys}.score      as human scores

Scores of segments and documents have no number: those of a system stand in the order of the test set.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tertium._native import Lines
from tertium.errors import InputError, did_you_mean
from tertium.io.coverage import OpenCoverage
from tertium.io.files import write_atomically
from tertium.io.judgementtable import NOBODY, JudgementReading, RowsOfJudgements, Span
from tertium.io.mqm import MQMWeights
from tertium.io.mtmesets import (
    FolderContents,
    StandardSettings,
    recognised_testset,
    standard_settings,
)
from tertium.io.records import Row, check_field, json_rows, named, tab_rows
from tertium.io.scorematrix import SHORT, WHOLE, Level, ScoreMatrix
from tertium.io.streams import FilePath, display_name, unpacked_name
from tertium.io.textset import TextSet, output_folder, read_texts

# An output made from references; left out in folders that are no known test set (for those see `mtmesets`).
SYNTHETIC_REFERENCE = "synthetic_ref"
# The field of JSON Lines that holds the text, by the kind of file.
_FIELDS = {"sources": "source", "references": "target", "system-outputs": "hypothesis"}
_LEVEL_OF = {short: level for level, short in SHORT.items()}
_PAIR = r"[a-z]{2,3}(?:_\w+)?-[a-z]{2,3}(?:_\w+)?"  # en-de, en-sr_Cyrl_RS
NONE = "None"
ENDINGS = (".txt", ".jsonl")


@dataclass(frozen=True)
class ScoreName:
    """What the name of a score file says: `en-de.mqm.seg.score` or `BLEU-refA.sys.score`."""

    path: Path
    name: str
    level: Level


def mtme_pairs(folder: FilePath) -> list[str]:
    """The language pairs of a folder: those with system outputs."""
    return sorted(place.name for place in output_folder(Path(folder)).iterdir() if place.is_dir())


def read_mtme_layout(folder: FilePath, pair: str) -> TextSet:
    """Sources, references (refA, refB, ...), documents, domains and outputs of a language pair."""
    root = Path(folder)
    pairs = mtme_pairs(root)
    if pair not in pairs:
        raise InputError(f"{root}: there are no system outputs for {pair!r}{did_you_mean(pair, pairs)}")
    files: dict[str, Path] = {"<source>": _text_file(root / "sources", pair)}
    paths = sorted(path for ending in ENDINGS for path in (root / "references").glob(f"{pair}.*{ending}"))
    references = {_stem(path)[len(pair) + 1 :]: path for path in paths}
    files |= {f"<ref>{name}": path for name, path in references.items()}
    outputs = (root / "system-outputs" / pair).iterdir()
    for path in sorted(path for path in outputs if not path.name.startswith(".")):
        name = unpacked_name(path.name)
        if not name.endswith(ENDINGS):
            raise InputError(f"{path}: an output is called SYSTEM.txt or SYSTEM.jsonl")
        if (system := _stem(path)) in files:
            raise InputError(f"{path}: there is another output of {system!r} ({files[system].name})")
        files[system] = path
    book = OpenCoverage(f"{root}: {pair}", "files")
    documents = domains = None
    docs = root / "documents" / f"{pair}.docs"
    if docs.is_file():
        domains, documents = read_documents(docs)
    read = read_texts(files, book, documents=documents, read=_text_lines)
    if documents is not None and len(documents) != len(read["<source>"]):
        raise InputError(
            f"{docs} has {len(documents)} lines, but the other files have {len(read['<source>'])}"
        )
    if documents is None:
        book.note("there are no documents")
    return TextSet(
        name=root.resolve().name,
        pair=pair,
        references={name: read[f"<ref>{name}"] for name in references},
        systems={name: lines for name, lines in read.items() if not name.startswith("<")},
        sources=read["<source>"],
        documents=documents,
        domains=domains,
        coverage=book.closed(len(files) + (documents is not None)),
    )


def _text_file(folder: Path, name: str) -> Path:
    """`NAME.jsonl` if it exists and `NAME.txt` does not."""
    plain, records = (folder / f"{name}{ending}" for ending in ENDINGS)
    return records if records.is_file() and not plain.is_file() else plain


def _stem(path: Path) -> str:
    """A text file's name without its ending."""
    name = unpacked_name(path.name)
    return name.removesuffix(next(ending for ending in ENDINGS if name.endswith(ending)))


def _text_lines(path: Path) -> Lines | None:
    """The texts of a JSON Lines file, one a record; None for other files, which hold one a line.

    A text may have several lines (paragraphs since WMT25) and counts as one segment; null (no translation) is empty.
    """
    if not unpacked_name(path.name).endswith(".jsonl"):
        return None
    folders = (path.parent.name, path.parent.parent.name)
    field = next(field for folder, field in _FIELDS.items() if folder in folders)
    texts: list[str] = []
    for number, record in json_rows(path):
        text = record.get(field, 0)
        if text is not None and not isinstance(text, str):
            raise InputError(f"{path}: line {number} has no text called {field!r}")
        texts.append(text or "")
    return Lines(texts)


def stored_metric(name: str, references: Collection[str]) -> tuple[str, frozenset[str]]:
    """Base name and references of a metric, from the name of its score file: `BLEU-refA`, `MetricX-src`, `X-refA.refB`.

    `references` are those of the folder, which `all` stands for; `src` is none.

    >>> stored_metric("MetricX-23-QE-src", ["refA"])
    ('MetricX-23-QE', frozenset())
    >>> stored_metric("BLEU-all", ["refA"])
    ('BLEU', frozenset({'refA'}))
    """
    base, _, used = name.rpartition("-")
    if used == "src":
        return base, frozenset()
    return base, frozenset(references if used == "all" else used.split("."))


def folder_contents(folder: FilePath, pair: str) -> FolderContents:
    """What a folder holds of a language pair, by the names of its files."""
    root = Path(folder)
    human, metrics = mtme_scores(root, pair)
    outputs = [path for path in (root / "system-outputs" / pair).iterdir() if _is_text(path)]
    paths = [path for path in (root / "references").glob(f"{pair}.*") if _is_text(path)]
    return FolderContents(
        references=tuple(_stem(path)[len(pair) + 1 :] for path in sorted(paths)),
        systems=tuple(_stem(path) for path in sorted(outputs)),
        human_scores=tuple((one.level, one.name) for one in human),
        metrics=tuple(dict.fromkeys(stored_metric(one.name, ())[0] for one in metrics)),
    )


def folder_settings(folder: FilePath, pair: str) -> StandardSettings | None:
    """The standard settings of a pair; None where they are not known, or are of other data under the same name."""
    root = Path(folder)
    testset = recognised_testset(root, lambda: {own: folder_contents(root, own) for own in mtme_pairs(root)})
    settings = None if testset is None else standard_settings(testset, pair)
    if settings is None or settings.reference not in folder_contents(root, pair).references:
        return None
    return settings


def _is_text(path: Path) -> bool:
    return unpacked_name(path.name).endswith(ENDINGS) and not path.name.startswith(".")


def _rows(path: FilePath, *columns: str) -> Iterator[Row]:
    """The rows of a file without a header: fields between tabs, or blanks of any kind in a line without tabs."""
    name = display_name(path)
    for number, fields in tab_rows(path):
        where = f"{name}: line {number}"
        values = fields if len(fields) > 1 else fields[0].split()
        if len(values) != len(columns):
            expected = f"{len(columns)}: {', '.join(columns)}"
            raise InputError(f"{where} has {len(values)} fields, expected {expected}")
        yield Row(number, where, dict(zip(columns, map(str.strip, values), strict=True)))


def read_documents(path: FilePath) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Domain and document of each segment, from a `.docs` file; a document's segments stand together.

    >>> read_documents(written("en-de.docs", "news\\tbbc.1\\nnews\\tbbc.1\\n"))
    (('news', 'news'), ('bbc.1', 'bbc.1'))
    """
    domains: list[str] = []
    documents: list[str] = []
    seen: set[str] = set()
    for row in _rows(path, "domain", "document"):
        domain, document = row.named("domain", "document")
        if document in seen and document != documents[-1]:
            raise InputError(f"{row.where}: document {document!r} begins again")
        seen.add(document)
        domains.append(domain)
        documents.append(document)
    return tuple(domains), tuple(documents)


def mtme_scores(folder: FilePath, pair: str) -> tuple[list[ScoreName], list[ScoreName]]:
    """The files of human scores and of metric scores that a folder has for a language pair."""
    root = Path(folder)
    human = sorted((root / "human-scores").glob(f"{pair}.*.score"))
    metrics = sorted((root / "metric-scores" / pair).glob("*.score"))
    return (
        [_score_name(path, path.name.removeprefix(f"{pair}.")) for path in human],
        [_score_name(path, path.name) for path in metrics],
    )


def _score_name(path: Path, name: str) -> ScoreName:
    found = re.fullmatch(r"(.+)\.(seg|doc|domain|sys)\.score", name)
    if found is None:
        raise InputError(f"{path}: the name is not NAME.LEVEL.score with a level seg, doc, domain or sys")
    return ScoreName(path, found[1], _LEVEL_OF[found[2]])


def read_mtme_scores(path: FilePath, *, level: Level | None = None, name: str | None = None) -> ScoreMatrix:
    """A score file at any level; None in the file is a score that is not there (NaN).

    The file's name gives the level. Segments and documents are numbered in the order of the test set. A system with
    fewer lines than the others is refused: nothing tells which ones are missing.

    >>> read_mtme_scores(written("en-de.mqm.seg.score", "A\\t-1.5\\nA\\tNone\\nB\\t0\\nB\\t-5\\n")).data()["systems"]
    {'A': [-1.5, None], 'B': [0.0, -5.0]}
    """
    shown = display_name(path)
    base = os.path.basename(shown)
    if level is None or name is None:
        found = re.search(rf"^(?:{_PAIR}\.)?(.*?)\.(seg|doc|domain|sys)\.(?:score|rating)", base)
        if found is None and level is None:
            raise InputError(f"{shown}: the name does not give the level (seg, doc, domain, sys): say which")
        level = level or _LEVEL_OF[found[2] if found else ""]
        name = name or (found[1] if found else base)
    in_order = level in ("segment", "document")  # by their place in the test set
    counts: dict[str, int] = {}
    cells: dict[tuple[str, str], float] = {}
    lines: dict[tuple[str, str], int] = {}
    for row in _rows(path, *(["domain"] if level == "domain" else []), "system", "score"):
        (system,) = row.named("system")
        counts[system] = counts.get(system, 0) + 1
        item = str(counts[system]) if in_order else row.fields.get("domain", WHOLE)
        first = lines.setdefault((system, item), row.number)
        if first != row.number:
            raise InputError(f"{row.where} scores system {system!r} again (first on line {first})")
        cells[system, item] = float("nan") if row.get("score") == NONE else row.real("score")
    for system, count in counts.items():
        if in_order and count != max(counts.values()):
            expected = max(counts.values())
            raise InputError(f"{shown}: system {system!r} has {count} {level}s, but there must be {expected}")
    items = dict.fromkeys(item for _, item in cells)
    return ScoreMatrix.of_cells(name, level, cells, systems=counts, items=items, origin=shown)


def write_mtme_scores(
    folder: FilePath, pair: str, scores: ScoreMatrix, *, reference: str | None = None, human: bool = False
) -> Path:
    """Write scores where mt-metrics-eval looks for them; gives the file.

    A metric is `metric-scores/PAIR/NAME-REFERENCE.LEVEL.score` (`src` as the reference of a metric without one);
    people are `human-scores/PAIR.NAME.LEVEL.score`. Segments must be all those of the test set, from 1 on.

    >>> scores = ScoreMatrix.of_segments("chrF", {"A": [0.5, None]})
    >>> path = write_mtme_scores(written("source.txt", "").parent, "en-de", scores, reference="refA")
    >>> path.name, path.read_text()
    ('chrF-refA.seg.score', 'A\\t0.5\\nA\\tNone\\n')
    """
    if not human and reference is None:
        raise InputError(f"{scores.label}: say which reference the metric used (reference='refA', or 'src')")
    if scores.level == "segment" and scores.items != tuple(str(i) for i in range(1, len(scores.items) + 1)):
        raise InputError(f"{scores.label}: a file of segment scores has all segments, from 1 on, in order")
    for text in (*scores.systems, *(scores.items if scores.level == "domain" else ())):
        check_field(text, "name")
    root = Path(folder)
    ending = f"{SHORT[scores.level]}.score"
    if human:
        path = root / "human-scores" / f"{pair}.{scores.name}.{ending}"
    else:
        path = root / "metric-scores" / pair / f"{scores.name}-{reference}.{ending}"
    if any(sign in scores.name for sign in "/\\\0"):
        raise InputError(f"{scores.name!r} cannot be part of a file name")
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_atomically(path) as file:
        for i, system in enumerate(scores.systems):
            for j, item in enumerate(scores.items):
                value = float(scores.values[i, j])
                domain = f"{item}\t" if scores.level == "domain" else ""
                file.write(f"{domain}{system}\t{NONE if value != value else repr(value)}\n")
    return path


def read_mtme_ratings(path: FilePath, *, weights: MQMWeights | None = None) -> JudgementReading:
    """Error spans as people marked them (`PAIR.NAME.seg.rating`); the score is minus the sum of their weights.

    Weights are those of the file (`score` of each error) unless `weights` are given. `None` for the errors of a
    segment means that nobody rated it: it is left out.
    """
    name = display_name(path)
    book = OpenCoverage(name, "judgements")
    rows = RowsOfJudgements(name, "keep")
    counts: dict[str, int] = {}
    for number, fields in tab_rows(path):
        where = f"{name}: line {number}"
        if len(fields) not in (2, 3):
            raise InputError(f"{where} has {len(fields)} fields, expected system, errors, rater")
        system = named(fields[0].strip(), "system", where)
        rater = fields[2].strip() if len(fields) == 3 else ""
        segment = counts[system] = counts.get(system, 0) + 1
        if fields[1].strip() == NONE:
            book.leave_out("not rated", number)
            continue
        spans = _rated(fields[1], where, weights)
        rows.add(
            number,
            system=system,
            segment=str(segment),
            annotator=rater or NOBODY,
            score=-sum(span.weight or 0.0 for span in spans) + 0.0,
            spans=spans,
        )
    return JudgementReading(rows.table(), book.closed(len(rows)), protocol="MQM")


def _rated(text: str, where: str, weights: MQMWeights | None) -> tuple[Span, ...]:
    try:
        found: Any = json.loads(text)
        errors = found["errors"] if isinstance(found, dict) else None
        if not isinstance(errors, list) or not all(isinstance(error, dict) for error in errors):
            raise ValueError("a list of errors was expected")
    except (ValueError, KeyError) as problem:
        raise InputError(f"{where}: the errors are not a valid JSON rating ({problem})") from None
    spans = []
    for error in errors:
        severity, category = str(error.get("severity", "")), str(error.get("category", ""))
        weight = error.get("score") if weights is None else weights.weight(severity, category, where)
        if not isinstance(weight, int | float) or isinstance(weight, bool):
            raise InputError(f"{where}: an error has no score (give weights for severities)")
        start, end = error.get("start"), error.get("end")
        if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start <= end:
            raise InputError(f"{where}: an error goes from {start!r} to {end!r}, which is not a valid span")
        source = bool(error.get("is_source_error", False))
        spans.append(Span(start, end, severity, category, source, float(weight)))
    return tuple(spans)

"""Challenge sets as authors release them, read tolerantly: items, outputs and judgements in one go.

Two shapes: a JSON list of items with nested systems, outputs and judgements; and a folder with `labels.tsv` (items and
a mark per system), `src.XX`, `ref.YY` and `SYSTEM.YY` in parallel lines. Other keys go to `metadata`.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judgements import Answer, ChallengeJudgements, Judgement, parse_answer
from tertium.challenge.outputs import Outputs, Refuse, System, going_on, raised
from tertium.challenge.spans import unmarked
from tertium.errors import InputError, TertiumWarning
from tertium.io.files import read_lines
from tertium.io.records import read_json
from tertium.io.streams import FilePath, display_name

# Names that authors give to one thing; the first that an item has is taken.
NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "sid", "sentence_id", "item", "name"),
    "category": ("category", "type", "phenomenon", "divergence_type", "divergence"),
    "subcategory": ("subcategory", "sub_category", "subtype", "subphenomenon"),
    "question": ("question", "query"),
    "source": ("source", "src", "sentence"),
    "reference": ("reference", "ref", "target"),
    "languages": ("languages", "language_pair", "langs", "lp"),
    "notes": ("notes", "note", "comment", "comments"),
    "judge": ("judge",),
    "systems": ("systems", "outputs", "translations", "hypotheses"),
}
SYSTEM_NAMES: dict[str, tuple[str, ...]] = {
    "system": ("system", "name", "id"),
    "version": ("version", "date"),
    "output": ("output", "translation", "hypothesis", "text", "mt"),
    "judgements": ("judgements", "judgments", "annotations", "labels", "answers", "judgement", "judgment"),
}
_TEXTS = {"source": "src", "reference": "ref"}  # and the files of a folder that hold them
QUESTION = "Is the divergence correctly bridged?"  # where an item asks nothing


class Release(NamedTuple):
    """What a release holds."""

    items: ChallengeSet
    outputs: Outputs | None
    judgements: ChallengeJudgements | None


def is_release(path: FilePath) -> bool:
    """Whether this is a release of authors, and not a set in our own formats."""
    return Path(path).is_dir() or os.fspath(path).lower().endswith(".json")


def read_release(path: FilePath, refuse: Refuse = raised) -> Release:
    """A `.json` file of items, or a folder with `labels.tsv`. What is wrong is raised, unless `refuse` collects it."""
    return read_folder(path, refuse) if Path(path).is_dir() else read_json_release(path, refuse)


def read_json_release(path: FilePath, refuse: Refuse = raised) -> Release:
    """A list of items (alone, or under `items` or another key), each with its systems' outputs and judgements.

    `*` marks highlighted spans. Systems are an object by name or a list; an output is a string or an object with
    its judgements: a list (annotators are then numbered) or an object by annotator.
    """
    name = display_name(path)
    items: dict[str, Item] = {}
    texts: dict[System, dict[str, str]] = {}
    judgements: list[Judgement] = []
    for number, record in enumerate(_items(read_json(path), name), 1):
        where = f"{name}: item {number}"
        try:
            item, systems = _item(record, number, where)
            if item.id in items:
                raise InputError(f"{where}: the id {item.id!r} occurs twice")
        except InputError as error:
            refuse(error)
            continue
        items[item.id] = item
        for system, output, answers in _systems(systems, f"{where} ({item.id})", refuse):
            if output is not None:
                texts.setdefault(system, {})[item.id] = output
            for annotator, answer, note in answers:
                judgements.append(Judgement(item.id, system, annotator, answer, note=note))
    return Release(
        ChallengeSet(tuple(items.values()), name),
        Outputs(texts) if texts else None,
        ChallengeJudgements(tuple(judgements)) if judgements else None,
    )


def _items(value: Any, name: str) -> Sequence[Any]:
    if isinstance(value, Mapping):
        lists = [inner for inner in value.values() if isinstance(inner, list)]
        if len(lists) != 1:
            raise InputError(f"{name}: expected a list of items, or an object with one such list")
        value = lists[0]
    if not isinstance(value, list) or not value:
        raise InputError(f"{name}: holds no list of items")
    return value


def _named(
    record: Mapping[str, Any], names: Mapping[str, tuple[str, ...]]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What we know, by our names, and the rest."""
    by_key = {str(key).lower().replace("-", "_").replace(" ", "_"): key for key in record}
    found, used = {}, set()
    for ours, theirs in names.items():
        for name in theirs:
            if name in by_key and by_key[name] not in used and record[by_key[name]] is not None:
                found[ours] = record[by_key[name]]
                used.add(by_key[name])
                break
    return found, {key: value for key, value in record.items() if key not in used}


def _item(given: Any, number: int, where: str) -> tuple[Item, Any]:
    """An item, and what it says of systems."""
    if not isinstance(given, Mapping):
        raise InputError(f"{where}: is not an object {{...}}")
    found, rest = _named(given, NAMES)
    if "source" not in found:
        raise InputError(f"{where}: has no source sentence (known names: {', '.join(NAMES['source'])})")
    source, source_spans = _spans(str(found["source"]), rest.pop("source_spans", None))
    reference, reference_spans = _spans(str(found.get("reference", "")), rest.pop("reference_spans", None))
    own = rest.pop("metadata", {})
    record = {
        "id": " ".join(str(found.get("id", number)).split()),
        "category": " ".join(str(found.get("category", "(none)")).split()),
        "subcategory": " ".join(str(found.get("subcategory", "")).split()),
        "question": str(found.get("question", QUESTION)),
        "source": source,
        "source_spans": source_spans,
        "reference": reference,
        "reference_spans": reference_spans,
        "languages": str(found.get("languages", "")),
        "notes": str(found.get("notes", "")),
        "metadata": {**(own if isinstance(own, Mapping) else {"metadata": own}), **rest},
    }
    if isinstance(found.get("judge"), Mapping):
        record["judge"] = found["judge"]
    return Item.of(record, where), found.get("systems")


def _spans(text: str, given: Any) -> tuple[str, Any]:
    """The text without its stars, and the spans; a star without a partner is a star."""
    if given is not None:
        return text, given
    try:
        return unmarked(text, "")
    except InputError:
        return text, ()


def _systems(
    value: Any, where: str, refuse: Refuse
) -> Iterator[tuple[System, str | None, list[tuple[str, Answer, str]]]]:
    entries: list[tuple[Any, Any]] = []
    if isinstance(value, Mapping):
        entries = list(value.items())
    elif isinstance(value, list):
        entries = [(None, entry) for entry in value]
    elif value is not None:
        refuse(InputError(f"{where}: the systems must be an object keyed by name, or a list"))
    for label, entry in entries:
        fields = {"output": entry} if isinstance(entry, str) else entry
        if not isinstance(fields, Mapping):
            refuse(InputError(f"{where}: the output of {label!r} is neither a string nor an object"))
            continue
        found, _ = _named(fields, SYSTEM_NAMES)
        label = found.get("system") if label is None else label
        if label is None:
            refuse(InputError(f"{where}: an output does not say which system it is from"))
            continue
        system = System(str(label).strip(), str(found.get("version", "")).strip())
        output = None if "output" not in found else _spans(str(found["output"]), None)[0]
        place = f"{where}, {system.label}"
        yield system, output, list(_answers(found.get("judgements"), place, refuse))


def _answers(value: Any, where: str, refuse: Refuse) -> Iterator[tuple[str, Answer, str]]:
    if value is None:
        return
    if isinstance(value, Mapping):
        given = [(str(annotator), answer) for annotator, answer in value.items()]
    else:
        listed = value if isinstance(value, list) else [value]
        given = [(f"annotator {number}", answer) for number, answer in enumerate(listed, 1)]
    for annotator, entry in given:
        note = ""
        if isinstance(entry, Mapping):
            annotator = str(entry.get("annotator", entry.get("judge", annotator)))
            note = str(entry.get("note", entry.get("comment", "")))
            entry = entry.get("answer", entry.get("judgement", entry.get("judgment")))
        answer = None
        with going_on(refuse):
            answer = _mark(entry, f"{where}, {annotator}")
        if answer is not None:
            yield annotator, answer, note


def _mark(value: Any, where: str) -> Answer | None:
    """An answer; here, unlike in a sheet, X can only be the paper's cross."""
    return "no" if isinstance(value, str) and value.strip() in ("X", "x") else parse_answer(value, where)


def read_folder(path: FilePath, refuse: Refuse = raised) -> Release:
    """A folder with `labels.tsv` (id, category, subcategory, question, a column of marks per system), `src.XX`,
    `ref.YY` and `SYSTEM.YY`. The marks are majority marks: one annotator called `majority`.
    """
    folder = Path(path)
    labels = folder / "labels.tsv"
    lines = _column(labels)
    header = lines[0].split("\t")
    names, systems = header[:4], header[4:]
    if names != ["id", "category", "subcategory", "question"]:
        raise InputError(f"{labels}: line 1 must begin with id, category, subcategory, question")
    rows = [line.split("\t") for line in lines[1:]]
    files: dict[str, Path] = {}
    columns: dict[str, list[str]] = {}
    for name in ("src", "ref", *systems):
        with going_on(refuse):
            files[name] = _one(folder, name)
    for name, file in files.items():
        with going_on(refuse):
            found = _column(file)
            if len(found) != len(rows):
                raise InputError(f"{file}: has {len(found)} lines, but labels.tsv has {len(rows)} items")
            columns[name] = found
    both = {"src", "ref"} <= files.keys()
    languages = f"{files['src'].suffix[1:]}-{files['ref'].suffix[1:]}" if both else ""
    items: dict[str, Item] = {}
    texts: dict[System, dict[str, str]] = {System(name): {} for name in systems if name in columns}
    judgements = []
    for i, row in enumerate(rows):
        where = f"{labels}: line {i + 2}"
        try:
            if len(row) != len(header):
                raise InputError(
                    f"{where}: has {len(row)} fields, but the header names {len(header)} columns"
                )
            record = {**dict(zip(names, row, strict=False)), "languages": languages}
            # where a file was refused, its lines are not missing once more
            record |= {key: columns[name][i] if name in columns else "?" for key, name in _TEXTS.items()}
            item = Item.of(record, where)
            if item.id in items:
                raise InputError(f"{where}: the id {item.id!r} occurs twice")
        except InputError as error:
            refuse(error)
            continue
        items[item.id] = item
        for name, mark in zip(systems, row[4:], strict=True):
            if name in columns:
                texts[System(name)][item.id] = columns[name][i]
            with going_on(refuse):
                answer = _mark(mark, f"{where}, column {name}")
                if answer is None:
                    warnings.warn(f"{where}: no mark for {name}", TertiumWarning, stacklevel=2)
                else:
                    judgements.append(Judgement(item.id, System(name), "majority", answer))
    return Release(
        ChallengeSet(tuple(items.values()), display_name(path)),
        Outputs(texts) if texts else None,
        ChallengeJudgements(tuple(judgements)) if judgements else None,
    )


def _column(file: Path) -> list[str]:
    lines = read_lines(file, strip_bom=True)
    return [lines[i] or "" for i in range(len(lines))]


def _one(folder: Path, stem: str) -> Path:
    """The file `STEM.LANGUAGE` of a folder."""
    found = sorted(file for file in folder.glob("*") if file.name.rpartition(".")[0] == stem)
    if len(found) != 1:
        raise InputError(f"{folder}: expected one file {stem}.LANGUAGE, found {len(found)}")
    return found[0]

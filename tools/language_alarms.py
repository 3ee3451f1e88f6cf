"""How often `memory match` warns of another language, where it should and where it should not (docs/matching.md).

    python -m tools.language_alarms de=news.de.gz en=web.tsv.gz:3 [--lines 10] [--catalogues /usr/share/locale]

Texts by language (a column of a table by its number, from 1) are cut into documents of so many lines; gettext's
catalogues (MO, by folders of languages, each with at least so many messages) are documents as they are, their sources
English. False: a document that is said not to be in its own language. Found: one that is said not to be in English (an
English one: not in French).
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tertium.comparison.doctor.languages import languages_known
from tertium.errors import TertiumError
from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.io.records import text_lines
from tertium.matching.languages import other_language


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("texts", nargs="*", metavar="LANGUAGE=FILE[:COLUMN]")
    asked.add_argument("--lines", type=int, default=10)
    asked.add_argument("--catalogues", type=Path)
    given = asked.parse_args()
    documents: dict[str, list[list[str]]] = defaultdict(list)
    for text in given.texts:
        language, _, path = text.partition("=")
        path, _, column = path.partition(":")
        documents[language] += _cut(path, int(column or 0), given.lines)
    _print("texts", documents)
    if given.catalogues:
        _print("catalogues", _catalogues(given.catalogues, given.lines))


def _cut(path: str, column: int, size: int) -> Iterator[list[str]]:
    rows = [line for _, line in text_lines(path)]
    if column:
        rows = [fields[column - 1] for line in rows if len(fields := line.split("\t")) >= column]
    rows = [row for row in rows if row.strip()]
    for begin in range(0, len(rows) - size + 1, size):
        yield rows[begin : begin + size]


def _catalogues(folder: Path, size: int) -> dict[str, list[list[str]]]:
    found: dict[str, list[list[str]]] = defaultdict(list)
    sources: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*/LC_MESSAGES/*.mo")):
        language = path.parent.parent.name
        if not language.isalpha() or language not in languages_known() or language in ("en", "fr"):
            continue  # French ones may be in the memory that the thresholds were set on
        try:
            units = list(open_units(str(path), pair=Pair("en", language)))
        except TertiumError:
            continue
        if len(units) >= size:
            found[language].append([unit.target for unit in units])
            sources.setdefault(path.name, [unit.source for unit in units])
    return {"en": list(sources.values()), **found}


def _print(what: str, documents: dict[str, list[list[str]]]) -> None:
    print(f"\n| {what} | documents | false | found |\n|---|--:|--:|--:|")
    total, wrong, seen = 0, 0, 0
    for language, own in sorted(documents.items()):
        false = sum(other_language(texts, language) is not None for texts in own)
        other = "fr" if language == "en" else "en"
        found = sum(other_language(texts, other) is not None for texts in own)
        total, wrong, seen = total + len(own), wrong + false, seen + found
        print(f"| {language} | {len(own):,} | {false:,} | {found:,} ({found / len(own):.1%}) |")
    if total:
        print(f"| all | {total:,} | {wrong:,} | {seen:,} ({seen / total:.1%}) |")


if __name__ == "__main__":
    main()

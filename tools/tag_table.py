"""Writes the tables of docs/estimate-words.md: tags of words, made of MLQE-PE's post-edits and estimated.

    python -m tools.tag_table [--shared ../shared] [--part dev] [--only agreement] [--page docs/estimate-words.md]

Everything was chosen on the training part and `dev`; the page has `test20`. Without --page tables are printed only.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from tertium.estimation.tags import WordTags, read_links, tags_of
from tertium.io.door import read_strings
from tertium.io.translations import Translations
from tertium.io.wordtags import read_word_tags
from tools.wmt17_page import filled

_HERE = Path(__file__).resolve().parent.parent
PAIRS = ("en-de", "ro-en")
_KINDS = {"words": "words of the translation", "gaps": "gaps", "source": "words of the source"}


def _folder(shared: Path, pair: str) -> Path:
    return shared / "data" / "mlqe-pe" / pair / "post-editing"


def edited(shared: Path, pair: str, part: str) -> Translations:
    """Translations with their post-edits."""
    source, output, pe = (
        read_strings(_folder(shared, pair) / f"{part}.{kind}.xz") for kind in ("src", "mt", "pe")
    )
    return Translations(f"{pair} {part}", source, output, post_edits=pe)


def tagged(texts: Translations, shared: Path, pair: str, part: str) -> Translations:
    """The same with MLQE-PE's tags."""
    folder = _folder(shared, pair)
    return replace(
        texts,
        tags=read_word_tags(folder / f"{part}.tags.xz", texts.translations),
        source_tags=read_word_tags(folder / f"{part}.source_tags.xz", texts.sources, gaps=False),
    )


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _mcc(ours: np.ndarray, theirs: np.ndarray) -> float:
    return float(np.corrcoef(ours, theirs)[0, 1])


def agreement_table(shared: Path, part: str) -> str:
    """Tags that we make of post-edits, against those of the data set (its training part)."""
    del part
    rows = [_row("tags of", "made by", *(f"{pair} {what}" for pair in PAIRS for what in ("alike", "MCC")))]
    rows.append(_row("---", "---", *["---:"] * 2 * len(PAIRS)))
    cells: dict[tuple[str, str], list[str]] = {}
    for pair in PAIRS:
        texts = edited(shared, pair, "train")
        given = tags_of(tagged(texts, shared, pair, "train"))
        path = _folder(shared, pair) / "train.src-mt.alignments.xz"
        links = read_links(path, texts.sources, texts.translations)
        ways = {
            "post-edits alone": tags_of(texts),
            "post-edits and given links": tags_of(replace(texts, links=links)),
        }
        for kind, name in _KINDS.items():
            for way, own in ways.items():
                if kind != "source" and way != "post-edits alone":
                    continue
                alike = _of(own, kind) == _of(given, kind)
                numbers = [f"{100 * alike.mean():.2f}%", f"{_mcc(_of(own, kind), _of(given, kind)):.3f}"]
                cells.setdefault((name, way), []).extend(numbers)
    return "\n".join([*rows, *(_row(*key, *own) for key, own in cells.items())])


def _of(tags: WordTags | None, kind: str) -> np.ndarray:
    return np.asarray(getattr(tags, kind), float)


TABLES = {"agreement": agreement_table}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shared", type=Path, default=_HERE.parent / "shared")
    parser.add_argument("--part", default="dev")
    parser.add_argument("--only", nargs="+", default=tuple(TABLES), metavar="TABLE")
    parser.add_argument("--page", type=Path)
    given = parser.parse_args()
    tables = {name: TABLES[name](given.shared, given.part) for name in given.only}
    if given.page is None:
        print(*tables.values(), sep="\n\n")
    else:
        given.page.write_text(filled(given.page.read_text(encoding="utf-8"), tables), encoding="utf-8")


if __name__ == "__main__":
    main()

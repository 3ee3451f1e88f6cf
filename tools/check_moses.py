"""Compares the Moses tokeniser with sacremoses on all of WMT17's texts: how many lines are equal, and where not.

    python -m tools.check_moses [--shared ../shared] [--languages de en] [--every 10] [--show 5]

Czech, German, English and Russian are checked on their own text. There is no text in the other languages, so these
are checked on the English one. Exits with status 1 if fewer than 99.9% of the lines of a language are equal.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import importlib
import multiprocessing
import os
import pathlib
import sys
from collections.abc import Sequence

from tertium.text.moses import LANGUAGES
from tertium.text.tokenizers import tokenize

LEAST = 0.999
_HERE = pathlib.Path(__file__).resolve().parent.parent


def texts(shared: pathlib.Path, language: str) -> list[pathlib.Path]:
    """All files of WMT17 in a language, or the English ones where it has none."""
    folder = shared / "data" / "wmt17"
    ending = language if any(folder.glob(f"*/*.{language}.gz")) else "en"
    return sorted(
        path
        for path in folder.rglob("*.gz")
        if path.name.removesuffix(".gz").endswith((f".{ending}", f"-{ending}"))
    )


def distinct_lines(paths: Sequence[pathlib.Path], every: int = 1) -> collections.Counter[str]:
    """Lines with how often they occur; of `every` lines one."""
    found: collections.Counter[str] = collections.Counter()
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            found.update(line.rstrip("\n") for i, line in enumerate(file) if i % every == 0)
    return found


def oracle(
    language: str, lines: Sequence[str], *, escape: bool = False, hyphens: bool = False
) -> list[list[str]]:
    """What sacremoses gives."""
    tokenizer = importlib.import_module("sacremoses").MosesTokenizer(language or "generic")
    return [tokenizer.tokenize(line, escape=escape, aggressive_dash_splits=hyphens) for line in lines]


def differences(language: str, lines: Sequence[str]) -> list[tuple[str, list[str], list[str]]]:
    """Lines whose tokens differ, with sacremoses' tokens and ours."""
    ours = tokenize(lines, f"moses-{language}" if language else "moses")
    return [
        (line, theirs, mine)
        for line, theirs, mine in zip(lines, oracle(language, lines), ours, strict=True)
        if theirs != mine
    ]


def _part(task: tuple[str, list[str]]) -> list[tuple[str, list[str], list[str]]]:
    return differences(*task)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--shared", type=pathlib.Path, default=os.environ.get("TERTIUM_SHARED", _HERE.parent / "shared")
    )
    parser.add_argument("--languages", nargs="*", default=LANGUAGES)
    parser.add_argument("--every", type=int, default=1, help="check one line of so many")
    parser.add_argument("--show", type=int, default=3, help="differences to print for each language")
    arguments = parser.parse_args()
    worst = 1.0
    with multiprocessing.Pool() as pool:
        for language in arguments.languages:
            lines = distinct_lines(texts(arguments.shared, language), arguments.every)
            known = list(lines)
            parts = [(language, known[i : i + 2000]) for i in range(0, len(known), 2000)]
            different = [entry for part in pool.imap(_part, parts) for entry in part]
            total, unequal = lines.total(), sum(lines[line] for line, _, _ in different)
            worst = min(worst, 1 - unequal / total)
            print(
                f"{language}: {total - unequal} of {total} lines equal ({1 - unequal / total:.4%})",
                flush=True,
            )
            for line, theirs, mine in different[: arguments.show]:
                extra = sorted((collections.Counter(theirs) - collections.Counter(mine)).elements())
                ours = sorted((collections.Counter(mine) - collections.Counter(theirs)).elements())
                print(f"    {line!r}: sacremoses {extra!r}, tertium {ours!r}")
    sys.exit(0 if worst >= LEAST else f"fewer than {LEAST:.1%} of the lines are equal")


if __name__ == "__main__":
    main()

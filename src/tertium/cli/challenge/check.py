"""`tertium challenge check`: everything that is wrong with a set, and what is in it."""

from __future__ import annotations

import sys
from typing import Any

from tertium.cli.challenge.options import set_options
from tertium.cli.parsing import Several, command_of, number

TOO_RARE = 1


@command_of(
    "check",
    *set_options(),
    Several(
        "--training",
        metavar="FILE",
        help="Exit with status 1 if a word is too rare here: a corpus for the sources, and one for the references.",
    ),
    number("--least", default=100, help="How often every word must occur there"),
    reads=("SET.jsonl -i OUTPUTS.jsonl -j ANSWERS.jsonl", "SET.jsonl --training CORPUS TRAINING"),
)
def command(set_: str, **given: Any) -> int:
    """Check a set, and outputs and judgements made for it: every wrong line is reported.

    \b
    tertium challenge check set.jsonl
    tertium challenge check set.jsonl -i A=a.txt B=b.txt -j judgements.jsonl
    tertium challenge check set.jsonl --training train.en train.fr --least 100
    """
    from tertium.challenge.checking import contents_table, doubts, problems, rare_words, rare_words_table
    from tertium.challenge.loading import load

    if wrong := problems(set_, given["outputs"], given["judgements"]):
        for line in wrong:
            print(f"tertium: {line}", file=sys.stderr)
        return 2
    release = load(set_, given["outputs"], given["judgements"])
    rare = rare_words(release.items, given["training"], given["least"]) if given["training"] else []
    print(contents_table(release.items).text())
    for line in doubts(release):
        print(f"note: {line}")
    if rare:
        print(f"\n{rare_words_table(rare, given['least']).text()}")
    elif given["training"]:
        print(f"note: every word occurs at least {given['least']} times in the training corpus")
    return TOO_RARE if rare else 0

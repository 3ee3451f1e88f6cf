"""`tertium challenge check`: everything that is wrong with a set, and what is in it."""

from __future__ import annotations

import sys
from typing import Any

from tertium.cli.challenge.options import set_options
from tertium.cli.parsing import command_of


@command_of("check", *set_options(), reads=("SET.jsonl -i OUTPUTS.jsonl -j ANSWERS.jsonl",))
def command(set_: str, **given: Any) -> int:
    """Check a set, and outputs and judgements made for it: every wrong line is reported.

    \b
    tertium challenge check set.jsonl
    tertium challenge check set.jsonl -i A=a.txt B=b.txt -j judgements.jsonl
    """
    from tertium.challenge.checking import contents_table, doubts, problems
    from tertium.challenge.loading import load

    if wrong := problems(set_, given["outputs"], given["judgements"]):
        for line in wrong:
            print(f"tertium: {line}", file=sys.stderr)
        return 2
    release = load(set_, given["outputs"], given["judgements"])
    print(contents_table(release.items).text())
    for line in doubts(release):
        print(f"note: {line}")
    return 0

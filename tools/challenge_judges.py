"""Automatic judges against the marks of Isabelle, Cherry and Foster (2017): the table of `docs/challenge-judges.md`.

    python -m tools.challenge_judges [--shared ../shared] [--categories]

The paper's items come without patterns and without wrong versions. Our patterns (`isabelle-2017`) were written from
items and references alone. Judges that need none: equality with the reference, and a metric against the reference with
limits learnt from all other items.
Outputs that are the reference itself are easy to judge, so that the rest is shown apart.
"""

from __future__ import annotations

import argparse
import os
import pathlib
from collections.abc import Sequence
from dataclasses import replace

from tertium.challenge.judges import (
    JudgeEvaluation,
    Verdicts,
    evaluate_judge,
    evaluations_table,
    judge_all,
    judge_left_out,
)
from tertium.challenge.loading import load, needed_judgements, needed_outputs
from tertium.challenge.starter import with_patterns
from tertium.io.tables import Table

METRICS = ("chrf", "sentbleu", "ter", "ol")
PRECISION = 0.9
_HERE = pathlib.Path(__file__).resolve().parent.parent


def evaluations(shared: pathlib.Path) -> list[JudgeEvaluation]:
    """All judges on all outputs, then the same on the outputs that are not the reference."""
    release = load(shared / "data" / "challenge")
    items, outputs, people = release.items, needed_outputs(release), needed_judgements(release)
    equal = judge_all(items, outputs, "equality")
    judges = [
        judge_left_out(items, outputs, people, metric, precision=precision)
        for metric in METRICS
        for precision in (None, PRECISION)
    ]
    known = with_patterns(items, "isabelle-2017")
    patterns = judge_all(known, outputs, "patterns")
    same = {verdict.place for verdict in equal if verdict.call != "unsure"}
    found = [evaluate_judge(verdicts, items, people) for verdicts in (equal, patterns, *judges)]
    for verdicts in (patterns, *judges):
        rest = tuple(verdict for verdict in verdicts if verdict.place not in same)
        other = Verdicts(f"{verdicts.judge}, other outputs", rest, "")
        found.append(evaluate_judge(other, items, people))
    return found


def table(shared: pathlib.Path, *, categories: bool = False) -> Table:
    """The table, without the signatures of the metrics."""
    found = [replace(evaluation, signature="") for evaluation in evaluations(shared)]
    return evaluations_table(found, by_category=categories)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = os.environ.get("TERTIUM_SHARED", _HERE.parent / "shared")
    parser.add_argument("--shared", type=pathlib.Path, default=pathlib.Path(default))
    parser.add_argument("--categories", action="store_true", help="a row for each category, too")
    chosen = parser.parse_args(arguments)
    print(table(chosen.shared, categories=chosen.categories).markdown(), end="")


if __name__ == "__main__":
    main()

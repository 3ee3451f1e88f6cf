"""`tertium challenge compare`: systems against each other, or two versions of one."""

from __future__ import annotations

from typing import Any

from tertium.cli.challenge.options import format_options, loaded, policy_option, set_options
from tertium.cli.parsing import command_of, option


@command_of(
    "compare",
    *set_options(),
    policy_option(),
    option("--baseline", metavar="NAME", help="Compare with this system (default: all pairs)."),
    option("--versions", nargs=2, metavar="BEFORE AFTER", help="Only these two, as versions of one system."),
    *format_options(),
    reads=("SET.jsonl -i OUTPUTS.jsonl -j ANSWERS.jsonl",),
)
def command(set_: str, **given: Any) -> Any:
    """Compare systems pair by pair on the same items (exact McNemar test, Holm's correction), over all and in each
    category. Versions of one system (NAME@DATE) are also followed in time: gained, lost, relative error reduction.

    \b
    tertium challenge compare set.jsonl -i A=a.txt B=b.txt -j judgements.jsonl
    tertium challenge compare set.jsonl -j judgements.jsonl --versions GNMT@2017-10-05 GNMT@2018-01-16
    """
    from tertium.challenge.comparison import Contests, progress
    from tertium.challenge.loading import needed_judgements
    from tertium.challenge.results import evaluate

    release = loaded(set_, given)
    results = evaluate(release.items, needed_judgements(release), release.outputs, na=given["na"])
    if given["versions"] is not None:
        before, after = (results.find(label) for label in given["versions"])
        return Contests((), (progress(results, before, after),), given["width"])
    baseline = None if given["baseline"] is None else results.find(given["baseline"])
    return Contests.of(results, baseline=baseline, digits=given["width"])

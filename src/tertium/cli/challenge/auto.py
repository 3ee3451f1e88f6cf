"""`tertium challenge auto`: automatic judges, and how far they agree with people."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.challenge.options import format_options, loaded, policy_option, set_options
from tertium.cli.parsing import Several, command_of, flag, option, written


@command_of(
    "auto",
    *set_options(),
    policy_option(),
    Several("--judges", metavar="NAME", help="patterns, equality, metric, metric:SPEC (patterns)."),
    Several(
        "--scorers",
        metavar="SYSTEM=COMMAND",
        help="Contrastive pairs: a command that reads tab-separated source and translation and prints a score.",
    ),
    option("--patterns", metavar="FILE", help="Patterns for the items: a file, or isabelle-2017 (ours)."),
    option("--margin", type=float, default=0.0, help="Margin by which contrastive scores must differ (0)."),
    flag("--reasons", help="Every verdict with its reason."),
    flag("--categories", help="Agreement with people by category."),
    flag("--check", help="Only check the set's patterns against its own references."),
    written("--write-judgements", metavar="FILE", help="Write yes and no as judgements."),
    written("--for-people", metavar="FILE", help="Write the outputs that the last judge is unsure of."),
    *format_options(),
    reads=("SET.jsonl -i A=LINES --write-judgements OUTPUT", "SET.jsonl -i OUTPUTS.jsonl -j ANSWERS.jsonl"),
)
def command(set_: str, **given: Any) -> Any:
    """Judge outputs automatically: by an item's patterns, by equality with its reference or wrong versions, by a
    metric, or by a system's own scores of contrastive pairs (Sennrich 2016). A judge that is unsure says so; with
    judgements of people (-j) it is measured against them.

    \b
    tertium challenge auto set.jsonl -i A=a.txt B=b.txt --judges patterns metric:chrf
    tertium challenge auto set.jsonl -i A=a.txt -j judgements.jsonl --categories
    tertium challenge auto isabelle2017/ --patterns isabelle-2017 --categories
    tertium challenge auto set.jsonl --scorers A="python score.py"
    """
    from tertium.challenge.judgements import write_judgements
    from tertium.challenge.judges import (
        AutomaticJudges,
        ContrastiveJudge,
        check_patterns,
        command_scorers,
        evaluate_judge,
        judge_all,
    )
    from tertium.challenge.loading import needed_outputs
    from tertium.challenge.outputs import write_outputs
    from tertium.challenge.starter import with_patterns
    from tertium.errors import InputError

    release = loaded(set_, given)
    if given["patterns"]:
        release = release._replace(items=with_patterns(release.items, given["patterns"]))
    doubts = check_patterns(release.items)
    if given["check"]:
        for doubt in doubts:
            print(doubt)
        print(f"{len(release.items)} items, {len(doubts)} doubts")
        return None
    for doubt in doubts[:5]:
        click.echo(f"warning: {doubt}", err=True)
    found = []
    if given["scorers"]:
        judge = ContrastiveJudge(command_scorers(given["scorers"]), given["margin"])
        found.append(judge_all(release.items, None, judge))
    if given["judges"] or not found:
        outputs = needed_outputs(release)
        found += [judge_all(release.items, outputs, name) for name in given["judges"] or ("patterns",)]
    people = release.judgements
    evaluations = []
    if people is not None and len(people):
        evaluations = [evaluate_judge(own, release.items, people, na=given["na"]) for own in found]
    shown = AutomaticJudges(
        tuple(found),
        tuple(evaluations),
        tuple(doubts),
        reasons=given["reasons"],
        categories=given["categories"],
        digits=given["width"],
    )
    if given["write_judgements"]:
        judged = [judgement for own in found for judgement in own.judgements()]
        write_judgements(given["write_judgements"], judged)
        click.echo(f"{given['write_judgements']}: {len(judged)} judgements", err=True)
    if given["for_people"]:
        if release.outputs is None:
            raise InputError("--for-people needs outputs (-i)")
        left = found[-1].for_people(release.outputs)
        write_outputs(given["for_people"], left)
        unsure = f"{len(left)} outputs of which {found[-1].annotator} is unsure"
        click.echo(f"{given['for_people']}: {unsure}", err=True)
    return shown

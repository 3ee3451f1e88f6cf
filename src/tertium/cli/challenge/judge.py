"""`tertium challenge judge`: one key per answer, every answer on disk before the next question."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.challenge.keys import Keys
from tertium.cli.challenge.options import loaded, session_options, session_settings, set_options
from tertium.cli.options import OutputOption
from tertium.cli.parsing import command_of, option
from tertium.io.escaping import one_line

if TYPE_CHECKING:
    from tertium.challenge.session import JudgingSession
    from tertium.challenge.tasks import JudgingTask

KEYS = {"y": "yes", "n": "no", "a": "na"}
HELP = "y yes   n no   a not applicable   u undo   s skip   c comment   q quit   ? how to judge"
ADVICE = """
Answer the question about the output, and nothing else: other mistakes do not matter.
What it is about is highlighted in source and reference. The output need not look like the reference.
Not applicable (a): only if the output avoids what the question asks about, be it good or bad.
Every answer is saved immediately: you can stop at any time and resume with the same command.
"""


@command_of(
    "judge",
    *set_options(),
    option("-a", "--annotator", required=True, metavar="NAME", help="Your name."),
    OutputOption(metavar="FILE", over=["judgements"], help="Your judgements, .jsonl (NAME.jsonl)."),
    *session_options(),
    reads=("SET.jsonl -i OUTPUTS.jsonl -j ANSWERS.jsonl -a ann -o OUTPUT",),
)
def command(set_: str, annotator: str, **given: Any) -> None:
    """Judge outputs in the terminal: one key per answer, blind and in random order. Every answer is saved immediately;
    the same command resumes where you stopped.

    \b
    tertium challenge judge set.jsonl -i A=a.txt B=b.txt -a ann
    tertium challenge judge set.jsonl -i A=a.txt -j ann.jsonl --role check -a ben
    """
    from tertium.challenge.loading import needed_outputs
    from tertium.challenge.session import JudgingSession

    release = loaded(set_, given)
    log = given["output"] or f"{annotator}.jsonl"
    with JudgingSession(
        log,
        release.items,
        needed_outputs(release),
        annotator,
        **session_settings(release, given),
    ) as session:
        print(f"{annotator}, seed {given['seed']}: {session.judged} judged already, {session.left} to go")
        print(HELP)
        try:
            with Keys() as keys:
                _loop(session, keys)
        finally:  # also on Ctrl-C: what was answered is on disk already
            print(f"\n{log}: {session.judged} judged, {session.left} to go")


def _loop(session: JudgingSession, keys: Keys) -> None:
    note, shown = "", None
    while (task := session.current) is not None:
        if task is not shown:
            _show(task, session)
            note, shown = "", task
        sys.stdout.flush()
        key = keys.key()
        if key in ("", "q", "\x04"):
            return
        if key in KEYS:
            click.echo(f" {KEYS[key]}")
            session.answer(KEYS[key], note)  # type: ignore[arg-type]
        elif key == "u":
            click.echo(" undone: again" if session.undo() else " there is nothing to undo")
            shown = None if session.current is not task else shown
        elif key == "s":
            click.echo(" later")
            session.skip()
            shown = None
        elif key == "c":
            click.echo(" comment: ", nl=False)
            note = keys.line()
        else:
            click.echo(ADVICE + HELP if key in "?h" else f" {HELP}")


def _show(task: JudgingTask, session: JudgingSession) -> None:
    item, total = task.item, session.judged + session.left
    click.echo(
        f"\n{click.style(f'{session.judged + 1}/{total}', dim=True)}  {click.style(item.question, bold=True)}"
    )
    click.echo(f"  source     {_highlighted(item.source, item.source_spans)}")
    if item.reference:
        click.echo(f"  reference  {_highlighted(item.reference, item.reference_spans)}")
    click.echo(f"  output     {one_line(task.text)}")
    for who, answer in task.earlier:
        click.echo(f"  {who + ':':<10} {answer}")
    click.echo("  y/n/a ?", nl=False)


def _highlighted(text: str, spans: tuple[tuple[int, int], ...]) -> str:
    """Spans stand out by colour on a terminal and between stars elsewhere."""
    parts, last = [], 0
    for start, end in spans:
        inside = one_line(text[start:end])
        shown = click.style(inside, fg="yellow", bold=True) if sys.stdout.isatty() else f"*{inside}*"
        parts += [one_line(text[last:start]), shown]
        last = end
    return "".join([*parts, one_line(text[last:])])

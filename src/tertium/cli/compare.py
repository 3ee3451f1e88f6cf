"""`tertium compare`: is B better than A, where, and why."""

from __future__ import annotations

import sys
from typing import Any

import click

from tertium.cli.comparing import comparison_named, comparison_options
from tertium.cli.options import print_options
from tertium.cli.parsing import Command

FAILED_GATE = 1


def _run(references: tuple[str, ...], input: tuple[str, ...], metrics: tuple[str, ...], **given: Any) -> int:
    from tertium.io.files import write_atomically

    found = comparison_named(references, input, metrics, given)
    verdicts = []
    if given["fail_if"]:
        from tertium.comparison.gate import judge, junit, markdown

        verdicts = judge(found, list(given["fail_if"]))
    shown = given["format"] or ("table" if sys.stdout.isatty() else "json")
    if shown == "json":
        import json

        data = found.data()
        if verdicts:
            data["gate"] = [vars(verdict) for verdict in verdicts]
        print(json.dumps(data, ensure_ascii=False, indent=1))
    elif shown == "table":
        print(found)
    else:
        print("\n\n".join(getattr(table, shown)().rstrip("\n") for table in found.tables()))
    if verdicts:
        summary = markdown(verdicts)
        if shown != "json":
            print("\n" + summary)
        for path, text in ((given["summary"], summary + "\n"), (given["junit"], junit(verdicts))):
            if path is not None:
                with write_atomically(path) as file:
                    file.write(text)
    return FAILED_GATE if any(verdict.failed for verdict in verdicts) else 0


command = Command(
    "compare",
    callback=_run,
    help="""Compare systems: significance, buckets, preferences, components, and the outcome in words.

    \b
    tertium compare ref.txt -i a.txt b.txt -m bleu chrf macrof1
    tertium compare ref.txt -i a.txt b.txt --baseline a.txt --fail-if "chrf worse than baseline at p<0.05"
    """,
    params=[
        *comparison_options(),
        click.Option(
            ["--fail-if"],
            multiple=True,
            metavar="WORDS",
            help='Exit with status 1 if so: "chrf worse than baseline at p<0.05", "bleu drops by 0.5 points".',
        ),
        click.Option(["--summary"], metavar="FILE", help="Write the gate's verdicts as Markdown."),
        click.Option(["--junit"], metavar="FILE", help="Write the gate's verdicts as a JUnit file."),
        *print_options(),
    ],
)

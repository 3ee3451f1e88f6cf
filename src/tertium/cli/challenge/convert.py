"""`tertium challenge convert`: sets, and releases of authors, into other files."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.challenge.options import judgements_option, loaded, outputs_option, set_argument
from tertium.cli.options import OutputOption
from tertium.cli.parsing import Command


def _run(set_: str, **given: Any) -> None:
    from tertium.challenge.judgements import write_judgements
    from tertium.challenge.loading import needed_judgements, needed_outputs
    from tertium.challenge.outputs import write_outputs
    from tertium.challenge.setfiles import write_set
    from tertium.errors import SpecError

    targets = [given[name] for name in ("output", "write_outputs", "write_judgements")]
    if not any(targets):
        raise SpecError("nothing to write: give -o, --write-outputs or --write-judgements")
    release = loaded(set_, given)
    if given["output"]:
        write_set(given["output"], release.items)
        print(f"{given['output']}: {len(release.items)} items")
    if given["write_outputs"]:
        outputs = needed_outputs(release)
        write_outputs(given["write_outputs"], outputs)
        print(f"{given['write_outputs']}: {len(outputs)} outputs")
    if given["write_judgements"]:
        judgements = needed_judgements(release)
        write_judgements(given["write_judgements"], judgements)
        print(f"{given['write_judgements']}: {len(judgements)} judgements")


command = Command(
    "convert",
    callback=_run,
    reads=("SET.jsonl -i OUTPUTS.jsonl -j ANSWERS.jsonl -o OUTPUT.tsv",),
    help="""Convert a set to the other format (.jsonl, .tsv, without loss), or the authors' release (a .json file with
    nested outputs and judgements, or a folder with labels.tsv) into a set, outputs and judgements.

    \b
    tertium challenge convert set.jsonl -o set.tsv
    tertium challenge convert release.json -o set.jsonl --write-outputs out.jsonl --write-judgements marks.jsonl
    """,
    params=[
        set_argument(),
        outputs_option(),
        judgements_option(),
        OutputOption(metavar="FILE", help="The set, .jsonl or .tsv."),
        click.Option(["--write-outputs"], metavar="FILE", help="The outputs, .jsonl or .tsv."),
        click.Option(["--write-judgements"], metavar="FILE", help="The judgements, .jsonl or .tsv."),
    ],
)

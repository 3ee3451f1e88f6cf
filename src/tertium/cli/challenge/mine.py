"""`tertium challenge mine`: candidates for a challenge set from a parallel corpus."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.challenge.options import format_options
from tertium.cli.options import OutputOption
from tertium.cli.parsing import Command, Several

KINDS = ("length", "order", "part of speech")


def _run(source: str, target: str, **given: Any) -> None:
    from tertium.challenge.mining import mine_files
    from tertium.results import render

    found = mine_files(
        source,
        target,
        alignment=given["alignment"],
        source_conllu=given["source_conllu"],
        target_conllu=given["target_conllu"],
        pattern=given["pattern"],
        kinds=given["kinds"] or KINDS,
        shortest=given["shortest"],
        longest=given["longest"],
        limit=given["limit"],
    )
    print(render(found, given["format"]))
    if given["output"]:
        from tertium.challenge.setfiles import write_set

        items = found.items(languages=given["languages"])
        write_set(given["output"], items)
        click.echo(f"{given['output']}: {len(items)} items to edit", err=True)


command = Command(
    "mine",
    callback=_run,
    reads=("SOURCE REFERENCE --alignment LINKS --kinds length -f json",),
    help="""Propose sentences from a parallel corpus where source and target diverge: in length, in word order, or in
    parts of speech (with parses). Each comes with its reason; with -o they become items ready to edit.

    \b
    tertium challenge mine corpus.en corpus.fr -o candidates.jsonl --languages en-fr
    tertium challenge mine corpus.en corpus.fr --alignment links.txt --kinds order
    """,
    params=[
        click.Argument(["source"], metavar="SOURCE"),
        click.Argument(["target"], metavar="TARGET"),
        click.Option(
            ["--alignment"], metavar="FILE", help="Word links in Pharaoh's format (else IBM model 1)."
        ),
        click.Option(["--source-conllu"], metavar="FILE", help="Parses of the source (CoNLL-U)."),
        click.Option(["--target-conllu"], metavar="FILE", help="Parses of the target (CoNLL-U)."),
        click.Option(["--pattern"], help="Only sources with this pattern of parts of speech (docs)."),
        Several(["--kinds"], type=click.Choice(KINDS), help="length, order, 'part of speech' (all)."),
        click.Option(["--shortest"], type=click.IntRange(1), default=4, help="Fewest words (4)."),
        click.Option(["--longest"], type=click.IntRange(1), default=20, help="Most words (20)."),
        click.Option(["--limit"], type=click.IntRange(1), default=50, help="Most candidates (50)."),
        OutputOption(metavar="FILE", help="Write them as a set to edit (.jsonl, .tsv)."),
        click.Option(["--languages"], default="", help="Language pair of the set, such as en-fr."),
        *format_options(to_file=False),
    ],
)

"""`tertium challenge mine`: candidates for a challenge set from a parallel corpus."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.challenge.options import format_options
from tertium.cli.options import OutputOption
from tertium.cli.parsing import Several, command_of, number, option

KINDS = ("length", "order", "part of speech", "failure", "output length", "surprising output")


@command_of(
    "mine",
    click.Argument(["source"], metavar="SOURCE"),
    click.Argument(["target"], metavar="TARGET"),
    option(
        "--output-of", "system", metavar="FILE", help="A system's output for SOURCE: only where it fails."
    ),
    option(
        "-m", "--metric", default="chrf", metavar="SPEC", help="How far its output is from TARGET (chrf)."
    ),
    option("--alignment", metavar="FILE", help="Word links in Pharaoh's format (else IBM model 1)."),
    option("--source-conllu", metavar="FILE", help="Parses of the source (CoNLL-U)."),
    option("--target-conllu", metavar="FILE", help="Parses of the target (CoNLL-U)."),
    option("--pattern", help="Only sources with this pattern of parts of speech (docs)."),
    Several(
        "--kinds", type=click.Choice(KINDS), help="Which divergences and failures (all that can be measured)."
    ),
    number("--shortest", default=4, help="Fewest words"),
    number("--longest", default=20, help="Most words"),
    number("--limit", default=50, help="Most candidates"),
    OutputOption(metavar="FILE", help="Write them as a set to edit (.jsonl, .tsv)."),
    option("--languages", default="", help="Language pair of the set, such as en-fr."),
    *format_options(to_file=False),
    reads=(
        "SOURCE REFERENCE --alignment LINKS --kinds length -f json",
        "SOURCE REFERENCE --output-of SYSTEM",
    ),
)
def command(source: str, target: str, **given: Any) -> Any:
    """Propose sentences from a parallel corpus where source and target diverge: in length, in word order, or in
    parts of speech (with parses); or where a system fails on them, at best on its own training data. Each comes with
    its reason; with -o they become items ready to edit.

    \b
    tertium challenge mine corpus.en corpus.fr -o candidates.jsonl --languages en-fr
    tertium challenge mine corpus.en corpus.fr --alignment links.txt --kinds order
    tertium challenge mine train.en train.fr --output-of system.fr -o candidates.jsonl
    """
    from tertium.challenge.mining import mine_files

    same = (
        "metric",
        "alignment",
        "source_conllu",
        "target_conllu",
        "pattern",
        "shortest",
        "longest",
        "limit",
    )
    how = {key: given[key] for key in same}
    found = mine_files(source, target, output=given["system"], kinds=given["kinds"] or None, **how)
    if given["output"]:
        from tertium.challenge.setfiles import write_set

        items = found.items(languages=given["languages"])
        write_set(given["output"], items)
        click.echo(f"{given['output']}: {len(items)} items to edit", err=True)
    return found

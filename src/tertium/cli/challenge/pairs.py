"""`tertium challenge pairs`: contrastive pairs from any text."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import OutputOption, print_options
from tertium.cli.parsing import Several, command_of, number, option

KINDS = ("agreement", "negation", "particle", "number", "name", "transliteration")


@command_of(
    "pairs",
    click.Argument(["text"], metavar="FILE"),
    option(
        "-l", "--languages", required=True, metavar="LANG", help="Language of the text, or a pair: de, en-de."
    ),
    option("--source", metavar="FILE", help="Its sources: names are surer with them, and systems need them."),
    option(
        "--reference", metavar="FILE", help="Other translations, for metrics to compare both versions with."
    ),
    Several("--kinds", type=click.Choice(KINDS), help=f"{', '.join(KINDS)} (all)."),
    option("--limit", type=click.IntRange(1), help="Most pairs by one rule (no limit)."),
    number("--seed", default=12345, help="Seed of the draws", least=0),
    OutputOption(required=True, metavar="FILE", help="The pairs, a challenge set (.jsonl, .tsv)."),
    *print_options(to_file=False),
    reads=("CORPUS -l en --source SYSTEM --reference REFERENCE -o OUTPUT.jsonl",),
)
def command(text: str, **given: Any) -> Any:
    """Make contrastive pairs: copies of right sentences with one sure mistake each, by rules that are named: in
    agreement, negation or a verb's particle (English, German, French; negation in Czech and Russian, too), in a number,
    a name, or the letters of a name (any language).

    \b
    tertium challenge pairs ref.de -l en-de --source src.en -o pairs.jsonl
    tertium challenge contrast pairs.jsonl --scores A=a.logprobs B=b.logprobs
    """
    from tertium.challenge.pairs import make_pairs_of_files
    from tertium.challenge.setfiles import write_set

    same = ("source", "reference", "limit", "seed")
    how = {key: given[key] for key in same}
    found = make_pairs_of_files(text, given["languages"], kinds=given["kinds"] or KINDS, **how)
    write_set(given["output"], found.items)
    click.echo(f"{given['output']}: {len(found.items)} pairs", err=True)
    return found

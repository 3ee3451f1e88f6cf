"""`tertium verify`: does a published number hold on these files?"""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import input_options, print_options, texts_named
from tertium.cli.parsing import Names, command_of, option

HOLDS, DOES_NOT_HOLD = 0, 1


@command_of(
    "verify",
    click.Argument(["line"]),
    *input_options(),
    *print_options(),
    option("-tok", "--tokenize", help="The tokeniser, where the line names a model: spm:FILE."),
    reads=("'BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0 = 1' REFERENCE -i SYSTEM",),
)
def command(line: str, references: Names, input: Names, tokenize: str | None, **given: Any) -> int:
    """Recompute a published score line and say whether its number holds, to the printed digits.

    LINE is a score with its signature: today's, sacrebleu 1.x's, or sacrebleu's JSON. The exit status
    is 0 if the number holds, 1 if it does not, 2 if it cannot be checked.

    \b
    tertium verify 'BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0 = 30.2' REF -i HYP
    """
    from tertium.published import parse_all
    from tertium.results import render
    from tertium.verifying import verify

    claims = parse_all(line, tokenize)
    found = verify(
        claims, texts_named(references, input, given)[0].open(whole=True), threads=given["threads"]
    )
    print(render(found, given["format"]))
    return HOLDS if found.holds else DOES_NOT_HOLD

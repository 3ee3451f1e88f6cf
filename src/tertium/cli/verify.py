"""`tertium verify`: does a published number hold on these files?"""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import input_options, print_options, texts_named
from tertium.cli.parsing import Command, option
from tertium.errors import InputError

HOLDS, DOES_NOT_HOLD = 0, 1


def _run(
    line: str, references: tuple[str, ...], input: tuple[str, ...], tokenize: str | None, **given: Any
) -> int:
    from tertium.published import Verification, parse
    from tertium.results import render
    from tertium.scoring import check_sources, score_inputs
    from tertium.text.segments import References

    claim = parse(line, tokenize)
    metric = claim.metric
    inputs = texts_named(references, input, given)[0].open(whole=metric.needs_whole_set)
    check_sources([metric], inputs.has_sources)
    if len(inputs.systems) != 1:
        raise InputError(f"a score line describes one system, but {len(inputs.systems)} are given")
    if claim.first_reference_only:
        first = (b._replace(references=References(b.references.streams[:1])) for b in inputs.batches)
        inputs = inputs._replace(n_references=1, batches=first)
    elif claim.n_references not in (None, inputs.n_references):
        raise InputError(
            f"the line says nrefs:{claim.n_references}, but {inputs.n_references} references are given"
        )
    (score,) = score_inputs(inputs, [metric], threads=given["threads"], force=True)
    found = Verification(claim, score.value, score.signature, score.verbose)
    print(render(found, given["format"]))
    return HOLDS if found.holds else DOES_NOT_HOLD


command = Command(
    "verify",
    callback=_run,
    reads=("'BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0 = 1' REFERENCE -i SYSTEM",),
    help="""Recompute a published score line and say whether its number holds, to the printed digits.

    LINE is a score with its signature: today's, sacrebleu 1.x's, or sacrebleu's JSON. The exit status
    is 0 if the number holds, 1 if it does not, 2 if it cannot be checked.

    \b
    tertium verify 'BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0 = 30.2' REF -i HYP
    """,
    params=[
        click.Argument(["line"]),
        *input_options(),
        *print_options(),
        option("-tok", "--tokenize", help="The tokeniser, where the line names a model: spm:FILE."),
    ],
)

"""`tertium nbest gather`: outputs of several systems as one list."""

from __future__ import annotations

from typing import Any

from tertium.cli.options import how_to_read, metrics_option, quiet_option, reading_options, threads_option
from tertium.cli.parsing import Names, Several, command_of, option, written


@command_of(
    "gather",
    Several("-i", "--input", metavar="HYP", required=True, help="Outputs of two systems or more."),
    metrics_option(
        "chrf", help="Metrics by which outputs agree with each other (chrf); the first gives the order."
    ),
    option("--source", metavar="FILE", help="Source texts, for metrics that need them."),
    written("-o", "--output", metavar="FILE", required=True, help="The list."),
    *reading_options(),
    threads_option(),
    quiet_option(),
    reads=("-i SYSTEM OTHER -o OUTPUT",),
)
def command(input: Names, metrics: Names, source: str | None, output: str, **given: Any) -> None:
    """Make an n-best list of the outputs of several systems, for nbest tune. Its features need no reference: which
    systems say so, the number of words, the mean score with the others' outputs as references.

    \b
    tertium nbest gather -i A.en B.en C.en -m chrf bleu -o list.nbest
    """
    from tertium import registry
    from tertium.errors import InputError
    from tertium.io.door import read_text
    from tertium.io.files import write_atomically
    from tertium.scoring import check_sources
    from tertium.tuning.gathering import gather, short_names

    chosen = [registry.metric(spec) for spec in metrics]
    check_sources(chosen, source is not None)
    how = how_to_read(given)
    if len(set(input)) < len(input):
        raise InputError("an output is given twice: every system needs a name of its own")
    texts = [read_text(path, **how) for path in input]
    for path, own in zip(input, texts, strict=True):
        if len(own) != len(texts[0]):
            raise InputError(f"{path} has {len(own)} lines, but {input[0]} has {len(texts[0])}")
    outputs = {
        name: [own[i] or "" for i in range(len(own))]
        for name, own in zip(short_names(input), texts, strict=True)
    }
    sources = None if source is None else read_text(source, "source", **how)
    made = gather(outputs, chosen, sources=sources, threads=given["threads"])
    with write_atomically(output) as file:
        file.writelines(f"{line}\n" for line in made.lines(range(len(made)), made.model_scores))

"""`tertium memory align`: documents and their translations become units."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import OutputOption, print_options, quiet_option
from tertium.cli.parsing import command_of, flag, option


@command_of(
    "align",
    click.Argument(["source"], metavar="SOURCE"),
    click.Argument(["target"], metavar="TARGET"),
    option("--pair", required=True, metavar="SRC-TRG", help="Languages of the documents, such as en-fr."),
    OutputOption(required=True, metavar="FILE", help="The memory (format by its name's ending)."),
    option("--to", metavar="FORMAT", help="Format of the memory."),
    flag("--lines", help="Every line is a sentence: split nothing."),
    option("--memory", metavar="FILE", help="A memory to learn words from, besides the documents."),
    option(
        "--encoder",
        metavar="NAME",
        help="Vectors of sentences, too: use (extra sentences), or a folder with a model.",
    ),
    option("-e", "--encoding", help="Encoding of the documents (what they say themselves, or utf-8)."),
    *print_options(to_file=False),
    quiet_option(),
    reads=(
        "SOURCE REFERENCE --pair de-en -o OUTPUT.tmx",
        "SOURCE REFERENCE --pair de-en --lines --memory UNITS.tsv -o OUTPUT.jsonl",
    ),
)
def command(source: str, target: str, output: str, pair: str, **given: Any) -> Any:
    """Align the sentences of a document and its translation, and write the units.

    Documents are plain text or HTML; or two folders, whose documents belong together where their names are the same.

    \b
    tertium memory align help.en.html help.fr.html --pair en-fr -o help.tmx
    tertium memory align pages/en pages/fr --pair en-fr -o pages.tmx
    """
    from tertium.bitext.aligning import align_files
    from tertium.io.memories.pairs import Pair

    names = ("to", "lines", "memory", "encoder", "encoding")
    return align_files(source, target, output, pair=Pair.parse(pair), **{name: given[name] for name in names})

"""`tertium estimate detect`: what is badly wrong with translations, and which to block."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import Several, command_of, flag, option


def _read_pair(source: str, translation: str) -> tuple[list[str], list[str]]:
    """Two files, line by line."""
    from tertium.errors import InputError
    from tertium.io.door import read_strings

    sources, outputs = read_strings(source, "source"), read_strings(translation)
    if len(sources) != len(outputs):
        raise InputError(f"{source} has {len(sources)} lines, but {translation} has {len(outputs)}")
    return sources, outputs


@command_of(
    "detect",
    click.Argument(["source"], metavar="SOURCE"),
    click.Argument(["translation"], metavar="TARGET"),
    option("-l", "--language-pair", metavar="PAIR", default="", help="Languages: de-en."),
    option("--corpus", nargs=2, metavar="SOURCE TARGET", help="Parallel texts that teach words, too."),
    option(
        "--encoder",
        metavar="NAME",
        help="Compare meanings by an encoder of sentences: use (tertium[sentences]), or a model.",
    ),
    Several("--detectors", metavar="NAME", help="Only these detectors."),
    flag("--every", help="List all translations, not only those with something wrong."),
    *print_options(),
    quiet_option(),
    reads=("SOURCE SYSTEM -l de-en --corpus TRAINING OTHER -o OUTPUT",),
    short="Find translations that should be blocked.",
)
def detect_command(
    source: str, translation: str, language_pair: str, corpus: tuple[str, str] | None, **given: Any
) -> Any:
    """Find what is badly wrong with translations, without a reference.

    Text that repeats itself or has nothing to do with the source, parts made up or left out, wrong names and numbers,
    lost negation: each with its place and a reason.

    \b
    tertium estimate detect source.de output.en -l de-en
    tertium estimate detect source.de output.en -l de-en --corpus train.de train.en
    tertium estimate detect source.de output.en --detectors detachment oscillation -f tsv
    """
    from tertium.detection.detecting import detect

    return detect(
        *_read_pair(source, translation),
        pair=language_pair,
        corpus=_read_pair(*corpus) if corpus else None,
        **{name: given[name] for name in ("encoder", "detectors", "every")},
    )

"""`tertium challenge perturb`: noisy copies of a source."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import OutputOption, print_options
from tertium.cli.parsing import Several, command_of, number, option

NOISES = ("keyboard", "ocr", "diacritics", "lower", "upper", "punctuation")


@command_of(
    "perturb",
    click.Argument(["source"], metavar="SOURCE"),
    option(
        "-l",
        "--language",
        required=True,
        metavar="LANG",
        help="Its language (keyboard): cs de en es fr it pt ru.",
    ),
    Several("--noises", type=click.Choice(NOISES), help=f"{', '.join(NOISES)} (all)."),
    option("--share", type=float, default=0.1, help="Share of words that are misspelt: keyboard, ocr (0.1)."),
    number("--seed", default=12345, help="Seed of the noise", least=0),
    OutputOption(required=True, metavar="FOLDER", help="Folder for the copies, NOISE.SOURCE each."),
    *print_options(to_file=False),
    reads=("SOURCE -l en -o OUTPUT",),
)
def command(source: str, **given: Any) -> Any:
    """Write noisy copies of a source: misspellings as keyboards and OCR make them, no diacritics, no or only
    capitals, no punctuation. Let systems translate them, and compare what comes out.

    \b
    tertium challenge perturb src.de -l de -o noisy
    tertium compare ref.en -i a.en b.en --noisy keyboard=a.kb.en,b.kb.en
    """
    from pathlib import Path

    from tertium.challenge.perturbing import perturb
    from tertium.io.door import read_strings
    from tertium.io.files import write_atomically

    texts = read_strings(source, "source")
    found = perturb(
        texts, given["language"], given["noises"] or NOISES, share=given["share"], seed=given["seed"]
    )
    folder = Path(given["output"])
    folder.mkdir(parents=True, exist_ok=True)
    name = Path(source).name
    for end in (".gz", ".xz", ".zst"):
        name = name.removesuffix(end)
    for noise, lines in found.copies.items():
        with write_atomically(folder / f"{noise}.{name}") as file:
            file.writelines(f"{line}\n" for line in lines)
        click.echo(f"{folder / f'{noise}.{name}'}: {len(lines)} lines", err=True)
    return found

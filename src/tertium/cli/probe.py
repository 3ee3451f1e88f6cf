"""`tertium probe`: which of several equally wrong words does a metric prefer?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from tertium.cli.options import (
    how_to_read,
    metrics_option,
    print_options,
    quiet_option,
    reading_options,
    threads_option,
    width_option,
)
from tertium.cli.parsing import Several, command_of, number, option
from tertium.errors import InputError


@command_of(
    "probe",
    click.Argument(["sentences"], required=False, metavar="[SENTENCES]"),
    Several("--list", metavar="NAME", help="Words: pronouns, names, countries, or a file."),
    Several("--with", metavar="WORD", help="Words for the slot."),
    option("--template", metavar="TEXT", help="One sentence with a slot {}."),
    Several("--reference", metavar="TEXT", help="Its reference, or several."),
    metrics_option("bleu", "chrf"),
    number("--permutations", default=10_000, help="Permutations of the test"),
    number("--seed", default=12345, help="Seed of the test", least=0),
    *print_options(),
    width_option(2),
    *reading_options(),
    threads_option(),
    quiet_option(),
    reads=("SENTENCES --list WORDS -m bleu --permutations 2 -o OUTPUT",),
)
def command(sentences: str | None, metrics: tuple[str, ...], **given: Any) -> Any:
    """Fill a slot with words that are equally wrong, and see which of them a metric prefers.

    SENTENCES is a tab-separated file with the columns hypothesis (with a slot {}) and reference; without it,
    the sentences that belong to a bundled list (pronouns, names, countries) are used.

    \b
    tertium probe --list pronouns -m bleu chrf
    tertium probe --template '{} must be a doctor.' --reference 'You must be a doctor.' --with He Joe Sue She
    tertium probe sentences.tsv --list names words.txt -m 'outside:command="python comet.py"'
    """
    from tertium.comparison.bias import probe_bias
    from tertium.io.probes import Alternative, Template, read_alternatives, read_templates

    how = how_to_read(given)
    words = [Alternative(word) for word in given["with"]]
    words += [one for name in given["list"] for one in read_alternatives(name, **how)]
    if given["template"] is not None:
        if sentences is not None:
            raise InputError("sentences are given twice: in a file and with --template")
        templates = [Template(given["template"], given["reference"])]
    elif given["reference"]:
        raise InputError("--reference belongs to --template")
    else:
        if sentences is None and not given["list"]:
            raise InputError("no sentences: name a file, a bundled list (--list names), or --template")
        templates = read_templates(sentences or given["list"][0], **how)
    if not words:
        raise InputError("there are no alternatives: give them with --with WORD... or --list NAME")
    found = probe_bias(
        templates,
        words,
        metrics,
        permutations=given["permutations"],
        seed=given["seed"],
        threads=given["threads"],
    )
    return replace(found, digits=given["width"])

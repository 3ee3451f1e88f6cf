"""`tertium doctor`: what is wrong with texts, before anybody scores them."""

from __future__ import annotations

import warnings
from typing import Any

from tertium.cli.options import input_options, print_options, texts_named
from tertium.cli.parsing import Command
from tertium.errors import InputError


def _run(references: tuple[str, ...], input: tuple[str, ...], **given: Any) -> int:
    from tertium.comparison.doctor import examine
    from tertium.results import render

    files, _ = texts_named(references, input, given)
    named = [*files.references, *files.hypotheses, *filter(None, (files.source,))]
    if twice := next((path for i, path in enumerate(named) if path in named[:i]), None):
        raise InputError(f"{twice!r} is given twice")
    languages = _languages(given["language_pair"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a byte-order mark is a finding
        texts = files.apart()
    found = examine(*texts, source_language=languages[0], target_language=languages[1])
    print(render(found, given["format"]))
    return found.exit_status


def _languages(pair: str | None) -> tuple[str | None, str | None]:
    from tertium.errors import SpecError

    if pair is None:
        return None, None
    source, dash, target = pair.partition("-")
    if not (source and dash and target):
        raise SpecError(f"-l {pair}: a language pair is source-target, such as en-de")
    return source, target


command = Command(
    "doctor",
    callback=_run,
    reads=("REFERENCE -i SYSTEM --source SOURCE -o OUTPUT",),
    help="""Check texts for problems before scoring them.

    Line counts, empty lines, identical systems, untranslated or leaked lines, duplicates, tokenised or lower-cased
    text, encoding damage, wrong script, strange lengths, wrong order. Exit status 0: nothing found, 1: findings,
    2: the texts cannot be scored at all.

    \b
    tertium doctor ref.txt -i one.txt two.txt --source src.txt -l de-en
    """,
    params=[
        *input_options(),
        *print_options(),
    ],
)

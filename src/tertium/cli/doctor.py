"""`tertium doctor`: problems in texts, found before they are scored."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from tertium.cli.options import NO_PSEUDO, input_options, languages_named, print_options, texts_named
from tertium.cli.parsing import Several, choice, command_of
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.comparison.doctor import Severity


@command_of(
    "doctor",
    *input_options(*NO_PSEUDO),
    choice(
        "--fail-on",
        among=("look", "serious", "unusable"),
        default="look",
        help="The mildest finding that makes the exit status 1 (look).",
    ),
    Several(
        "--training",
        metavar="FILE",
        help="A training corpus, one side or both: are segments of the test set in it?",
    ),
    *print_options(),
    reads=("REFERENCE -i SYSTEM --source SOURCE -o OUTPUT", "REFERENCE -i SYSTEM --training TRAINING"),
)
def command(references: tuple[str, ...], input: tuple[str, ...], fail_on: Severity, **given: Any) -> int:
    """Check texts for problems before scoring them.

    Line counts, empty lines, identical systems, untranslated or leaked lines, duplicates, tokenised or lower-cased
    text, encoding damage, a language model's own words, other languages and scripts, lines that were cut, strange
    lengths, wrong order. The verdict comes first, then findings by level: unusable, serious, look. Exit status 0:
    nothing of the level --fail-on names or worse, 1: such findings, 2: the texts cannot be scored at all.

    \b
    tertium doctor ref.txt -i one.txt two.txt --source src.txt -l de-en
    tertium doctor ref.txt -i one.txt --fail-on serious
    tertium doctor ref.txt -i one.txt --source src.txt --training train.de train.en
    """
    from tertium.comparison.doctor import examine
    from tertium.results import render

    files, _ = texts_named(references, input, given)
    named = [*files.references, *files.hypotheses, *filter(None, (files.source,))]
    if twice := next((path for i, path in enumerate(named) if path in named[:i]), None):
        raise InputError(f"{twice!r} is given twice")
    source, target = languages_named(given["language_pair"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a byte-order mark is a finding
        texts = files.apart()
    found = examine(*texts, source_language=source, target_language=target, training=given["training"])
    print(render(found, given["format"]))
    return found.status(fail_on)

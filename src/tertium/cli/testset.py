"""`tertium testset`: test sets by name, as sacrebleu has them: which there are, and getting them."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.group import Commands
from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import Names, command_of, option


@command_of(
    "list",
    click.Argument(["name"], required=False, metavar="[NAME]"),
    option("-l", "--language-pair", metavar="SRC-TRG", help="Only those of this language pair."),
    *print_options(),
    reads=(),
    short="Which test sets there are, and which are here.",
)
def _list(name: str | None, language_pair: str | None, **_given: Any) -> Any:
    """List test sets by name, and whether they are on this machine; of one of them, its language pairs.

    \b
    tertium testset list -l de-en
    tertium testset list wmt17
    """
    from tertium.namedsets import describe_test_sets, list_test_sets

    return list_test_sets(language_pair) if name is None else describe_test_sets(name, language_pair)


@command_of(
    "get",
    click.Argument(["names"], nargs=-1, required=True, metavar="NAME..."),
    *print_options(),
    quiet_option(),
    reads=(),
    short="Download test sets, resuming and verifying.",
)
def _get(names: Names, **_given: Any) -> Any:
    """Download test sets into sacrebleu's folder (SACREBLEU, or ~/.sacrebleu), and verify their checksums.

    A download that broke off goes on where it ended; what is here is verified and not downloaded again. Then
    tertium score -t NAME -l SRC-TRG -i OUTPUT scores with it.

    \b
    tertium testset get wmt17 wmt18
    """
    from tertium.namedsets import get_test_sets

    return get_test_sets(names)


command = Commands(
    "testset",
    help="Test sets by name, shared with sacrebleu: list them, get them. tertium score -t NAME -l SRC-TRG uses them.",
    commands=[_list, _get],
)

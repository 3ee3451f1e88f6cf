"""`tertium cache`: what is kept between runs, whether it is intact, and clearing it."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.group import Commands
from tertium.cli.options import print_options
from tertium.cli.parsing import Names, command_of, flag
from tertium.errors import InputError

KINDS = (
    "vectors",
    "paraphrases",
    "embeddings",
    "models",
    "answers",
)  # as in tertium.io.caches, which --help need not import


def _kinds() -> click.Argument:
    return click.Argument(["kinds"], nargs=-1, type=click.Choice(KINDS), metavar="[KIND]...")


@command_of("info", _kinds(), *print_options(), reads=(), short="Show where the cache is and what it holds.")
def _info(kinds: Names, **_given: Any) -> Any:
    """Show where the cache is, and how much it holds of each kind.

    \b
    tertium cache info
    """
    from tertium.cached_files import cached_files

    return cached_files(kinds)


@command_of("verify", _kinds(), *print_options(), reads=(), short="Check every file.")
def _verify(kinds: Names, format: str) -> int:
    """Read every file and compare its checksums; exit status 1 if one is damaged.

    \b
    tertium cache verify
    """
    from tertium.cached_files import cached_files
    from tertium.results import render

    found = cached_files(kinds, check=True)
    print(render(found, format))
    return 1 if found.damaged else 0


@command_of(
    "clear",
    _kinds(),
    flag("--all", "everything", help="All kinds."),
    flag("--damaged", help="Only what is damaged or left over."),
    *print_options(),
    reads=(),
    short="Remove files.",
)
def _clear(kinds: Names, everything: bool, damaged: bool, **_given: Any) -> Any:
    """Remove files of some kinds, or all. They are rebuilt when they are next needed.

    \b
    tertium cache clear embeddings
    tertium cache clear --all
    """
    from tertium.cached_files import clear_cache

    if not (kinds or everything or damaged):
        raise InputError(f"say what to remove: {', '.join(KINDS)}, --damaged or --all")
    return clear_cache(kinds, damaged=damaged)


command = Commands(
    "cache",
    help="Files kept between runs that can be rebuilt: tables of vectors and paraphrases, encoded texts.",
    commands=[_info, _verify, _clear],
)

"""Shell completion: metrics and their options, files, commands and flags (see `docs/completion.md`)."""

from __future__ import annotations

import os
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

from tertium.cli.parsing import Several, in_full, is_option, options_of


class _Regrouped(ShellComplete):
    """Knows that an option may take several values (`-m bleu chrf`), and takes anything unknown for a file."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        words = [*args, *self._still_open(args)]
        try:
            found = super().get_completions(words, incomplete)
        except click.ClickException:  # the line is not right so far: nothing to offer
            return []
        return found or ([] if incomplete.startswith("-") else [CompletionItem(incomplete, type="file")])

    def _still_open(self, args: list[str]) -> list[str]:
        """The option whose values are being given, if it takes several and has one already."""
        command: click.Command = self.cli
        context = click.Context(command)
        while isinstance(command, click.Group):
            named = next((word for word in args if word in command.list_commands(context)), None)
            inner = command.get_command(context, named or str(getattr(command, "usual", "")))
            if inner is None:
                return []
            args, command = args[0 if named is None else args.index(named) + 1 :], inner
        options = options_of(command, context)
        flags = [i for i, word in enumerate(args) if is_option(word)]
        if not flags or "--" in args or flags[-1] + 1 == len(args):
            return []
        last = in_full(args[flags[-1]], options)
        return [last] if isinstance(options.get(last), Several) else []


class _Bash(_Regrouped, BashComplete):
    """bash breaks words at colons and equals signs: the line is read whole, and the last piece given back."""

    source_template = BashComplete.source_template.replace(
        "$(env COMP_WORDS", '$(env COMP_LINE="${COMP_LINE:0:$COMP_POINT}" COMP_WORDS'
    ).replace("return 0", "[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n\n    return 0")

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line)
        last = "" if not words or line[-1:].isspace() else words.pop()
        self.broken_off = max(last.rfind(":"), last.rfind("=")) + 1
        return words[1:], last

    def format_completion(self, item: CompletionItem[str]) -> str:
        return f"{item.type},{item.value[self.broken_off :]}"


def answer_shell(root: click.Command, argv: list[str]) -> Any:
    """What the variable _TERTIUM_COMPLETE asks for: a script for a shell, or completions."""
    for shell in (ZshComplete, FishComplete):
        add_completion_class(type(f"_{shell.__name__}", (_Regrouped, shell), {}))
    add_completion_class(_Bash)
    root.main(argv, "tertium", "_TERTIUM_COMPLETE")

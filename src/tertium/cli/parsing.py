"""Arguments as sacrebleu's users write them: `-i A B -m bleu chrf`, `-tok zh`, `--input=x`, `--tok zh`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NoReturn

import click

from tertium.cli.metric_names import complete_specs
from tertium.cli.progress import shown
from tertium.errors import did_you_mean

Names = tuple[str, ...]  # values of an argument or option that may be repeated


def option(*names: str, **settings: Any) -> click.Option:
    """An option by its names: a line in a command's table."""
    return click.Option(names, **settings)


def flag(*names: str, help: str, **settings: Any) -> click.Option:
    return click.Option(names, is_flag=True, help=help, **settings)


def choice(*names: str, among: Sequence[str], **settings: Any) -> click.Option:
    return click.Option(names, type=click.Choice(among), **settings)


def number(*names: str, default: int, help: str, least: int = 1) -> click.Option:
    """A whole number of at least this size; the help ends with the default."""
    return click.Option(names, type=click.IntRange(least), default=default, help=f"{help} ({default}).")


def day(*names: str, help: str, **settings: Any) -> click.Option:
    """A day, as ISO 8601 writes it: dates are compared as texts, and another form would be before or after all."""

    def checked(_: click.Context, own: click.Parameter, value: str | None) -> str | None:
        from tertium.io.memories.dates import parsed_date

        return parsed_date(value, own.opts[0]).isoformat() if value else value

    return click.Option(names, metavar="DATE", help=help, callback=checked, **settings)


class WrittenOption(click.Option):
    """An option that names a file to write. It may not be one that the command reads, which would be lost, unless
    `over` has the parameters that say so: their file is brought up to date."""

    def __init__(self, names: Sequence[str], *, over: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(names, **settings)
        self.over = over


def written(*names: str, **settings: Any) -> WrittenOption:
    return WrittenOption(names, **settings)


class Several(click.Option):
    """An option that takes one or more values."""

    def __init__(self, *names: str, **settings: Any) -> None:
        if settings.get("metavar") == "SPEC":
            settings.setdefault("shell_complete", complete_specs)
        super().__init__(names, multiple=True, **settings)

    def make_metavar(self, ctx: click.Context) -> str:
        return f"{super().make_metavar(ctx)}..."


class Sections(Several):
    """An option that takes names of parts of the output, or none: then it means all."""

    def __init__(self, *names: str, among: Callable[[], Iterable[str]], **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.among = among

    def is_name(self, word: str) -> bool:
        """Whether a word behind the option belongs to it: files do not, or they could not follow it."""
        return word in self.among() or not ("/" in word or "." in word or os.path.exists(word))

    def make_metavar(self, ctx: click.Context) -> str:
        return "[SECTION...]"

    def process_value(self, ctx: click.Context, value: Any) -> tuple[str, ...] | None:
        """None: not asked for. An unknown name is refused."""
        given = super().process_value(ctx, value)
        known = list(self.among()) if given else []
        for name in given or ():
            if name and name not in known:
                raise click.BadParameter(
                    f"there is no section {name!r}{did_you_mean(name, known)}", ctx, self
                )
        return (tuple(filter(None, given)) or tuple(known)) if given else None


def files_listed(text: str) -> tuple[str, ...]:
    """The files of FILE,FILE; a comma may also be part of a name, if there is such a file.

    >>> files_listed("a.txt,b.txt")
    ('a.txt', 'b.txt')
    """
    parts, found = text.split(","), []
    while parts:
        ways = (n for n in range(1, len(parts) + 1) if os.path.exists(",".join(parts[:n])))
        n = next(ways, 1)
        found.append(",".join(parts[:n]))
        parts = parts[n:]
    return tuple(filter(None, found))


class Command(click.Command):
    """A command that regroups its arguments once, before click sees them, and handles the options that all share.

    A callback returns its exit status, or a result: that is printed in the format asked for. `reads` says how the
    command is called with files: a word in capitals is a file, or the folder or file to write (OUTPUT). The suite of
    damaged files puts damaged ones in their places. Empty: it reads no files.
    """

    def __init__(self, *args: Any, reads: Sequence[str] | None = None, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.reads = reads

    def invoke(self, ctx: click.Context) -> Any:
        _keep_apart(self.params, ctx.params)
        path = ctx.params.pop("print_to", None)
        with ExitStack() as stack:
            if ctx.params.get("quiet"):
                import warnings

                from tertium.errors import TertiumWarning

                warnings.simplefilter("ignore", TertiumWarning)
            stack.enter_context(shown(quiet=bool(ctx.params.get("quiet"))))
            if ctx.meta.get("no_color"):
                stack.enter_context(_without_colour())
            if path is not None:
                from contextlib import redirect_stdout

                from tertium.io.files import write_atomically

                stack.enter_context(redirect_stdout(stack.enter_context(write_atomically(path))))
            found = super().invoke(ctx)
            if found is None or isinstance(found, int):
                return found
            from tertium.results import render

            print(render(found, ctx.params["format"]))
            return 0

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = options_of(self, ctx)
        try:
            return super().parse_args(ctx, regroup(args, options))
        except click.NoSuchOption as error:
            _no_such_option(error.option_name, options, ctx)


def _keep_apart(params: Sequence[click.Parameter], given: Mapping[str, Any]) -> None:
    """Nothing is written over a file that is read, and no two things into one file."""
    from tertium.errors import InputError

    places = set[str]()
    for own in params:
        path = given.get(own.name or "")
        if not isinstance(own, WrittenOption) or not isinstance(path, str) or path == "-":
            continue
        there = os.path.exists(path)
        if there and not os.path.isfile(path):  # a folder, or /dev/null
            continue
        for other in params:
            if not there or isinstance(other, WrittenOption) or other.name in own.over:
                continue
            if any(os.path.samefile(path, read) for read in _files_in(given.get(other.name or ""))):
                raise InputError(f"{path}: is to be read and written at once: name another file")
        if (place := os.path.realpath(path)) in places:
            raise InputError(f"{path}: two outputs cannot have the same name")
        places.add(place)


def _is_file(value: object) -> bool:
    return isinstance(value, str) and os.path.isfile(value)


def _files_in(value: object) -> Iterator[str]:
    """The files that a value names, or several do: FILE, NAME=FILE or FILE,FILE."""
    if isinstance(value, tuple):
        for one in value:
            yield from _files_in(one)
    elif isinstance(value, str):
        parts = (value, *files_listed(value), *files_listed(value.partition("=")[2]))
        yield from filter(_is_file, dict.fromkeys(parts))


def command_of(
    name: str, *params: click.Parameter, reads: Sequence[str], short: str | None = None
) -> Callable[[Callable[..., Any]], Command]:
    """Make a command of a function: its docstring is the help."""

    def made(run: Callable[..., Any]) -> Command:
        given: dict[str, Any] = {
            "params": list(params),
            "help": run.__doc__,
            "short_help": short,
            "reads": reads,
        }
        return Command(name, callback=run, **given)

    return made


@contextmanager
def _without_colour() -> Iterator[None]:
    """NO_COLOR is what tables look at."""
    before = os.environ.get("NO_COLOR")
    os.environ["NO_COLOR"] = "1"
    try:
        yield
    finally:
        del os.environ["NO_COLOR"]
        if before is not None:
            os.environ["NO_COLOR"] = before


def options_of(command: click.Command, ctx: click.Context) -> dict[str, click.Option]:
    """The options of a command, by each of their names."""
    params = [param for param in command.get_params(ctx) if isinstance(param, click.Option)]
    return {name: param for param in params for name in param.opts}


def regroup(args: Sequence[str], options: dict[str, click.Option]) -> list[str]:
    """`-i A B` as `-i A -i B`, and beginnings of long options in full.

    >>> regroup(["r", "-i", "a", "b", "-m", "ter"], {name: Several(name, "value") for name in ("-i", "-m")})
    ['r', '-i', 'a', '-i', 'b', '-m', 'ter']
    """
    regrouped: list[str] = []
    waiting = list(reversed(args))
    while waiting:
        word = waiting.pop()
        if word == "--":
            return [*regrouped, word, *reversed(waiting)]
        name, equals, value = word.partition("=")
        name = in_full(name, options)
        option = options.get(name)
        if option is None or option.is_flag or equals:
            regrouped.append(name + equals + value)
        elif not isinstance(option, Several):
            regrouped += [name, waiting.pop()] if waiting else [name]
        elif isinstance(option, Sections):
            regrouped += [name, ""]
            while waiting and not is_option(waiting[-1]) and option.is_name(waiting[-1]):
                regrouped += [name, waiting.pop()]
        else:
            if not waiting or is_option(waiting[-1]):
                context = click.get_current_context(silent=True)
                if context is not None and context.resilient_parsing:  # a shell asks what could stand here
                    return regrouped
                raise click.UsageError(f"{word} needs at least one value", context)
            while waiting and not is_option(waiting[-1]):
                regrouped += [name, waiting.pop()]
    return regrouped


def is_option(word: str) -> bool:
    """Whether a word begins an option; a single dash is standard input."""
    return len(word) > 1 and word.startswith("-")


def in_full(name: str, options: dict[str, click.Option]) -> str:
    """The one long option that begins like this."""
    if not name.startswith("--") or name in options:
        return name
    found = {id(option): full for full, option in options.items() if full.startswith(name)}
    return found.popitem()[1] if len(found) == 1 else name


def _no_such_option(name: str, options: dict[str, click.Option], ctx: click.Context) -> NoReturn:
    known = [
        full
        for full, option in options.items()
        if not option.hidden and full.startswith("--") == name.startswith("--")
    ]
    hint = did_you_mean(name, known).partition(" (known")[0] if len(name) > 2 else ""  # -o is like any letter
    raise click.UsageError(f"no option {name}{hint}", ctx) from None

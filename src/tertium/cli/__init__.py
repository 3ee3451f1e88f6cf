"""The command line: one file per command. Nothing heavier than click is imported before a command needs it."""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO, cast

FAILED, INTERRUPTED, BROKEN_PIPE = 2, 130, 141
SPARE = 2 << 20  # bytes that are never touched, but given back where there is too little memory to say so
_spare: list[bytearray] = []
OUT_OF_MEMORY = "out of memory: give it more (ulimit -v), fewer threads, or smaller files"
NEAR = 4 << 20  # bytes: a process that came as close to its limit of address space has been refused some
_SIGNS = ("failed to map segment", "annot allocate memory", "start new thread")


def main(argv: Sequence[str] | None = None) -> int:
    """Run `tertium` with these arguments (the process' own by default) and return its exit status."""
    if argv is not None:
        return _run(list(argv))
    gc.set_threshold(50_000)  # start-up makes no garbage worth collecting
    _spare_memory()
    status = _run(sys.argv[1:])
    gc.freeze()  # so that the interpreter's last collection finds nothing to look through
    return status


def _run(argv: list[str]) -> int:
    import warnings

    from tertium.errors import TertiumWarning

    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # file names may hold bytes that are not UTF-8
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    with warnings.catch_warnings():
        warnings.simplefilter("always", TertiumWarning)
        usual = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, TertiumWarning):
                _say(f"warning: {message}")
            else:
                usual(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        try:
            _spare.append(bytearray(SPARE))
            return _guarded(argv)
        except Exception as error:  # too little for click, even
            if not _is_memory(error):
                raise
            _say(OUT_OF_MEMORY)
            return FAILED
        finally:
            _spare.clear()


def _spare_memory() -> None:
    """Where address space is limited (ulimit -v), numpy's library shall not take some for threads: it would end us."""
    with suppress(ImportError):
        import resource

        if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _open_what_is_closed() -> None:
    """Streams that the shell closed (`>&-`): nothing else may get their numbers, and writing to them is an error."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            with suppress(OSError):
                os.fstat(number)
                continue
            os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)  # takes the lowest number
            setattr(sys, name, open(number, "r" if name == "stdin" else "w", closefd=False))  # noqa: SIM115


def _guarded(argv: list[str]) -> int:
    """Run, and turn whatever goes wrong into one line and an exit status."""
    import click

    from tertium.cli.group import root
    from tertium.errors import TertiumError

    try:
        if "_TERTIUM_COMPLETE" in os.environ:
            from tertium.cli.completion import answer_shell

            answer_shell(root, argv)
        with root.make_context("tertium", argv) as context:
            status = root.invoke(context)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except BrokenPipeError:
        _close_quietly(sys.stdout)
        return BROKEN_PIPE
    except (KeyboardInterrupt, click.Abort) as stop:
        _say(f"interrupted: {stop}" if str(stop) else "interrupted")
        return INTERRUPTED
    except Exception as error:
        known = isinstance(error, TertiumError | click.ClickException | OSError)
        if not known and not _is_memory(error) and not _is_long_number(error):
            raise
        if os.environ.get("TERTIUM_DEBUG", "0") not in ("", "0"):
            raise
        _say(_message(error))
        try:
            sys.stdout.flush()
        except (OSError, ValueError):  # a full disk: the last flush would fail again, and say so at length
            _close_quietly(sys.stdout)
        return FAILED


def _is_long_number(error: Exception) -> bool:
    """Whether text has more digits than Python reads as a number."""
    return type(error) is ValueError and "integer string conversion" in str(error)


def _message(error: Exception) -> str:
    import click

    if isinstance(error, click.ClickException):
        text = error.format_message()
        context = getattr(error, "ctx", None)
        return f"{text} (see {context.command_path} --help)" if context is not None else text
    if _is_memory(error):
        return OUT_OF_MEMORY
    if _is_long_number(error):
        return f"a number in the input has more than {sys.get_int_max_str_digits():,} digits"
    if isinstance(error, OSError) and error.errno == errno.EBADF:
        return "standard output is closed: there is nowhere to print to"
    if type(error).__name__ == "DamagedFile":  # of the core, which has not been loaded for most errors
        from tertium.io.caches import removed

        return removed(cast(OSError, error))
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _is_memory(error: BaseException | None) -> bool:
    """Whether there was no memory: for Python, for a thread, or for a library that was to be loaded."""
    _spare.clear()  # asking takes some, too
    while error is not None:
        text = str(error)
        if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
            return True
        if any(sign in text for sign in _SIGNS):
            return True
        error = error.__cause__ or error.__context__
    return _came_near_limit()


def _came_near_limit() -> bool:
    """Whether address space was limited (ulimit -v) and used up: Python then raises all sorts of errors.

    A file that it has no memory to compile may be a SyntaxError, a SystemError or a ValueError about its syntax tree.
    """
    limited = False
    try:
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limited := most != resource.RLIM_INFINITY:
            status = os.open("/proc/self/status", os.O_RDONLY)  # open() wants memory for a codec
            try:
                peak = os.read(status, 1 << 12).partition(b"VmPeak:")[2].split(None, 1)[0]
            finally:
                os.close(status)
            return int(peak) * 1024 + NEAR > most
    except (ImportError, OSError):  # neither limits nor /proc elsewhere
        return False
    except Exception:  # too little even to ask
        return limited
    return False


def _say(text: str) -> None:
    """A message in one line; of a number that no screen holds, the beginning."""
    import re

    text = re.sub(r"\d{100,}", lambda found: f"{found[0][:20]}... ({len(found[0]):,} digits)", text)
    print("tertium:", " ".join(text.split()), file=sys.stderr)


def _close_quietly(stream: TextIO) -> None:
    """Nobody reads our output any more: let the interpreter's last flush go nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())

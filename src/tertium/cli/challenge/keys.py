"""Keys from a terminal, one at a time and without Enter; characters of standard input where there is no terminal."""

from __future__ import annotations

import os
import re
import sys
from collections import deque
from typing import Any, Self

# Arrows, function keys and pastes arrive as sequences; their letters are not answers.
_SEQUENCES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?", re.DOTALL)
_UNFINISHED = re.compile(rb"\x1b(?:\[[0-9;?]*[ -/]*|O)?\Z")


class Keys:
    """While it is open, a terminal passes keys on immediately, does not show them, and loses none typed ahead.

    Ctrl-C interrupts as always. At the end the terminal is as it was.
    """

    def __init__(self) -> None:
        self._typed: deque[str] = deque()
        self._before: Any = None

    def __enter__(self) -> Self:
        if sys.stdin.isatty():
            import termios
            import tty

            self._number = sys.stdin.fileno()
            self._before = termios.tcgetattr(self._number)
            tty.setcbreak(self._number, termios.TCSADRAIN)
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()

    def _restore(self) -> None:
        if self._before is not None:
            import termios

            termios.tcsetattr(self._number, termios.TCSADRAIN, self._before)

    def key(self) -> str:
        """The next key, in lower case; empty at the end of the input."""
        if self._before is None:
            key = sys.stdin.read(1)
            while key in ("\n", "\r", " ") and key:
                key = sys.stdin.read(1)
            return key.lower()
        while not self._typed:
            chunk = os.read(self._number, 1024)
            if not chunk:
                return ""
            while _UNFINISHED.search(chunk) and self._more():
                chunk += os.read(self._number, 1024)
            self._typed.extend(_SEQUENCES.sub("", chunk.decode("utf-8", "replace")))
        return self._typed.popleft().lower()

    def _more(self) -> bool:
        """Whether the rest of a sequence follows immediately; a lone Escape has none."""
        import select

        return bool(select.select([self._number], [], [], 0.05)[0])

    def line(self) -> str:
        """A line of text, shown as it is typed, without its end."""
        if self._before is None:
            return sys.stdin.readline().strip()
        import termios
        import tty

        self._restore()
        try:
            text = "".join(self._typed)
            self._typed.clear()
            while "\n" not in text:
                chunk = os.read(self._number, 4096)
                if not chunk:
                    break
                text += chunk.decode("utf-8", "replace")
        finally:
            tty.setcbreak(self._number, termios.TCSADRAIN)
        line, _, rest = text.partition("\n")
        self._typed.extend(rest)
        return _SEQUENCES.sub("", line).strip()

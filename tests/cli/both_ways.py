"""Calls of the command line, each on a terminal of 80 columns and in a pipe, in forks of one warm process.

    python -P tests/cli/both_ways.py FOLDER < calls.json

Calls are lists of words; FOLDER is copied for each. For each a line of JSON: what the terminal and what the pipe got.
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import shutil
import struct
import sys
import tempfile
import termios
import tty
from pathlib import Path

import numpy  # noqa: F401

from tertium.cli import main


def child(words: list[str], folder: Path, output: int) -> None:
    os.dup2(output, 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    os.chdir(folder)
    sys.argv[1:] = words
    status = main()
    sys.stdout.flush()
    os._exit(status)


def said(words: list[str], folder: Path, output: int, back: int) -> str:
    with tempfile.TemporaryDirectory() as place:
        own = Path(place, "own")
        shutil.copytree(folder, own)
        if (pid := os.fork()) == 0:
            child(words, own, output)
        os.close(output)
        parts = []
        while True:
            try:
                part = os.read(back, 1 << 16)
            except OSError:  # a terminal at whose other end nobody is left
                break
            if not part:
                break
            parts.append(part)
        os.close(back)
        os.waitpid(pid, 0)
        return b"".join(parts).decode().replace(place, "")


def terminal() -> tuple[int, int]:
    """Both ends of one with 80 columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    tty.setraw(theirs)  # line breaks as they were written
    return theirs, ours


for words in json.load(sys.stdin):
    folder = Path(sys.argv[1])
    shown = said(words, folder, *terminal())
    print(json.dumps([shown, said(words, folder, *os.pipe()[::-1])]))

"""Calls of the command line, each in a fork of one warm process: with little more memory, or standard output closed.

    python -P tests/cli/limited.py < calls.json

Calls are [words, megabytes] (null: standard output is closed instead). For each a line of JSON: status, what it said.
"""

from __future__ import annotations

import hashlib  # noqa: F401  # logs tracebacks of its own where memory is short
import json
import os
import resource
import shutil
import sys
import tempfile
from pathlib import Path

import numpy  # noqa: F401  # its own library ends the process where memory is short

from tertium.cli import main


def limited(words: list[str], megabytes: float | None) -> None:
    """In the fork."""
    if megabytes is None:
        os.close(1)
        sys.stdout = None  # type: ignore[assignment]  # as Python starts without it
    else:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + int(megabytes * 2**20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    sys.argv[1:] = words
    sys.exit(main())


for words, megabytes in json.load(sys.stdin):
    with tempfile.TemporaryFile() as said:
        if (child := os.fork()) == 0:
            os.dup2(os.open(os.devnull, os.O_RDWR), 0)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(said.fileno(), 2)
            limited(words, megabytes)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        print(json.dumps([status, said.read().decode()]), flush=True)
    for made in Path().glob("OUTPUT*"):
        if made.is_dir():
            shutil.rmtree(made)
        elif made.name != "OUTPUTS.jsonl":
            made.unlink()

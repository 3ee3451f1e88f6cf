"""Runs sacrebleu's own command for many argument lists (JSON on standard input), imported once."""

import json
import os
import sys
import tempfile

import sacrebleu.sacrebleu as original


def outcome(argv: list[str], given: str | None) -> tuple[int, str]:
    """Exit status and standard output of one run; `given` is its standard input."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as stdin:
        stdin.write((given or "").encode())
        stdin.seek(0)
        child = os.fork()
        if child == 0:
            os.dup2(stdin.fileno(), 0)
            os.dup2(out.fileno(), 1)
            status = 1
            try:
                sys.argv = ["sacrebleu", *argv]
                original.main()
                status = 0
            except SystemExit as stop:
                status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
            finally:
                sys.stdout.flush()
                os._exit(status)
        _, ended = os.waitpid(child, 0)
        out.seek(0)
        return os.waitstatus_to_exitcode(ended), out.read().decode()


json.dump([outcome(*case) for case in json.load(sys.stdin)], sys.stdout)

"""`python -m tertium.engines.worker`: a process that does work for others until nobody asks any more."""

from __future__ import annotations

import os
import pickle
import signal
import sys

from tertium.engines.processes import answered, read_frame, write_frame


def main() -> None:
    """Answers go to what was standard output; whatever else is printed goes to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asks decides
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            work, part = pickle.loads(read_frame(sys.stdin.buffer))
        except EOFError:
            return
        try:
            write_frame(answers, answered(work, part))
        except OSError:
            return


if __name__ == "__main__":
    main()

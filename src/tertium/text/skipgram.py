"""`python -m tertium.text.skipgram SETTINGS`: a process in which fastText trains; `training.py` starts it.

fastText cannot be stopped while it trains, and with one thread it does not say how far it is. So it works in a process
of its own, which can be ended at any time, ends itself when nobody waits for it any more, and tells the epoch by what
was read of the corpus so far (Linux counts that; elsewhere only begin and end are known).
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

CORPUS, MADE = "corpus", "made.npz"
TOO_LITTLE_MEMORY = "there is too little memory"
_READ = Path("/proc/self/io")
_PAUSE = 0.1  # seconds between looks


def main(settings: dict[str, Any]) -> None:
    """Train on the corpus in `folder`, and put vectors and the numbers of their words there.

    `arguments` are fastText's. Standard output gets a line for each epoch that begins, or for what went wrong.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever waits decides
    answers = os.dup(1)
    os.dup2(2, 1)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        _train(settings, answers)
    except (ImportError, AttributeError) as error:
        _say(answers, error=f"the installed fastText is another one than expected: {error}")
    except MemoryError:
        _say(answers, error=TOO_LITTLE_MEMORY)
    except Exception as error:
        _say(answers, error=f"fastText says: {error}")


def _train(settings: dict[str, Any], answers: int) -> None:
    import fasttext_pybind as package  # its train_unsupervised takes no seed
    import numpy as np

    os.chdir(settings["folder"])  # whose name need not be Unicode
    arguments = package.args()
    arguments.input = CORPUS
    for name, value in settings["arguments"].items():
        setattr(arguments, name, value)
    arguments.model, arguments.loss = package.model_name.skipgram, package.loss_name.ns
    model = package.fasttext()
    size = os.path.getsize(CORPUS)
    threading.Thread(target=_tell_epochs, args=(answers, size, arguments.epoch), daemon=True).start()
    package.train(model, arguments)
    words, _ = model.getVocab("strict")
    numbers = np.array([int(word[1:]) for word in words], dtype=np.int64)
    np.savez(MADE, numbers=numbers, vectors=np.asarray(model.getInputMatrix())[: len(words)])


def _end_with_parent() -> None:
    while os.read(0, 1):
        pass
    os._exit(1)


def _tell_epochs(answers: int, size: int, epochs: int) -> None:
    """The first pass over the corpus counts words, the others train."""
    begin = _bytes_read()
    told = 0
    while begin is not None and told < epochs - 1:
        time.sleep(_PAUSE)
        now = min(((_bytes_read() or begin) - begin) // size - 1, epochs - 1)
        if now > told:
            told = now
            _say(answers, epoch=now)


def _bytes_read() -> int | None:
    try:
        return int(_READ.read_text("ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return None


def _say(answers: int, **what: Any) -> None:
    os.write(answers, json.dumps(what).encode("ascii") + b"\n")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))

"""Work on several items at a time, the results in turn; whoever stops it does not wait for what hangs."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, InvalidStateError, wait
from contextlib import suppress
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
GRACE = 1.0  # seconds that work under way gets to come to its end, where an error or a person stops the rest


def in_turn(work: Callable[[Item], Result], items: Sequence[Item], at_once: int) -> Iterator[Result]:
    """Results in the order of their items. The first error ends it: nothing further is begun.

    >>> list(in_turn(abs, [-3, 2, -1], at_once=2))
    [3, 2, 1]
    """
    results: list[Future[Result]] = [Future() for _ in items]
    failed: Future[Result] = Future()  # the first error, which does not wait for the results before it
    left = iter(list(zip(results, items, strict=True)))
    lock, over = threading.Lock(), threading.Event()

    def run() -> None:
        while not over.is_set():
            with lock:
                taken = next(left, None)
            if taken is None:
                return
            result, item = taken
            try:
                result.set_result(work(item))
            except BaseException as error:
                with suppress(InvalidStateError):  # not the first
                    failed.set_exception(error)
                return

    # a pool's threads would be waited for when the process ends, as long as a silent server likes
    threads = [threading.Thread(target=run, daemon=True) for _ in range(min(at_once, len(items)))]
    for thread in threads:
        thread.start()
    try:
        for result in results:
            done = wait((failed, result), return_when=FIRST_COMPLETED).done
            yield (failed if failed in done else result).result()
    finally:
        over.set()
        end = time.monotonic() + GRACE
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))

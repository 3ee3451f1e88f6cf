"""Who writes to a SQLite file waits for others, threads and processes, and is woken when they are done."""

from __future__ import annotations

import fcntl
import os
import threading
from pathlib import Path

from tertium.monitor.database import ServiceDatabase


def test_a_writer_waits_for_another_process_and_is_woken(tmp_path: Path) -> None:
    database = ServiceDatabase(tmp_path / "service.db")
    other = os.open(tmp_path / "service.db-writer", os.O_RDWR)  # opened anew: as another process has it
    fcntl.flock(other, fcntl.LOCK_EX)
    done = threading.Event()
    worker = threading.Thread(target=lambda: (database.write(lambda _: None), done.set()))
    worker.start()
    assert not done.wait(0.3)
    fcntl.flock(other, fcntl.LOCK_UN)
    assert done.wait(30)
    worker.join()
    os.close(other)
    database.close()


def test_without_such_locks_sqlite_s_own_holds(tmp_path: Path) -> None:
    (tmp_path / "service.db-writer").mkdir()  # cannot be opened as a file
    database = ServiceDatabase(tmp_path / "service.db")
    assert database.write(lambda connection: connection.exec_driver_sql("SELECT 7").scalar()) == 7
    database.close()

"""The database: SQLite in a file (write-ahead log) or PostgreSQL by URL; migrated when it is opened."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar, cast

from tertium.errors import InputError, MissingExtraError

try:
    from sqlalchemy import Connection, Engine, Executable, Insert, Table, create_engine, event, insert, text
    from sqlalchemy.exc import SQLAlchemyError
except ImportError:
    raise MissingExtraError("a web service", "app") from None


T = TypeVar("T")
PATIENCE = 30_000  # milliseconds for which SQLite waits for others


class _Waiting(Generic[T]):
    """A job that waits for its transaction."""

    def __init__(self, job: Callable[[Connection], T]) -> None:
        self.job = job
        self.done = False
        self.result: T | None = None
        self.error: BaseException | None = None


class _OneWriter:
    """Who writes to a SQLite file: one thread of one process. Who waits is woken at once.

    SQLite's own lock is asked for again and again, with sleeps of up to a tenth of a second: of two processes that
    write all the time, each would mostly sleep.
    """

    def __init__(self, path: str) -> None:
        self._threads = threading.Lock()
        self._path = f"{path}-writer" if path and ":" not in path else ""
        self._file: int | None = None

    def __enter__(self) -> None:
        self._threads.acquire()
        try:
            if self._path and self._file is None:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            if self._file is not None:
                fcntl.flock(self._file, fcntl.LOCK_EX)
        except (
            OSError
        ):  # a file system without such locks, or one that is full: SQLite's own lock still holds
            pass
        except BaseException:
            self._threads.release()
            raise

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):
                fcntl.flock(self._file, fcntl.LOCK_UN)
        self._threads.release()

    def close(self) -> None:
        """Give the file back."""
        with self._threads:
            if self._file is not None:
                os.close(self._file)
                self._file = None


class Database:
    """Connections for reading, and transactions for writing that are on disk when they end.

    A service derives its own: where its migrations lie, the table that tells which of them were made, who makes one.
    """

    migrations: ClassVar[Path]
    versions: ClassVar[str] = "alembic_version"
    lock: ClassVar[int] = 7311  # servers that start together wait for each other here
    made_by: ClassVar[str]

    def __init__(self, where: str | Path, *, create: bool = True, migrate: bool = True) -> None:
        self.url = url_of(where)
        self.is_sqlite = self.url.startswith("sqlite")
        if self.is_sqlite and not create and not Path(self.url.removeprefix("sqlite:///")).is_file():
            raise InputError(f"{where}: there is no such database ({self.made_by} creates one)")
        path = self.url.removeprefix("sqlite:///") if self.is_sqlite else ""
        if create and path and ":" not in path:  # texts, and who may come in: for nobody else on this machine
            with suppress(OSError):
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        self._one_writer = _OneWriter(path)
        self._held = threading.local()
        self._queue: list[_Waiting[Any]] = []
        self._queue_lock = threading.Lock()
        self.engine = self._engine()
        try:
            if migrate:
                self.migrate()
        except SQLAlchemyError as error:
            self.engine.dispose()
            raise InputError(
                f"{shown_url(self.url)}: the database cannot be opened: {reason_of(error)}"
            ) from None

    def _engine(self) -> Engine:
        try:
            if not self.is_sqlite:
                return create_engine(
                    self.url, pool_size=20, max_overflow=20, pool_pre_ping=True, hide_parameters=True
                )
            how = {"check_same_thread": False, "timeout": 30}
            engine = create_engine(
                self.url, pool_size=20, max_overflow=30, connect_args=how, hide_parameters=True
            )  # what an error says goes into logs: no texts there
        except ModuleNotFoundError:
            raise MissingExtraError("PostgreSQL", "postgres") from None
        except (SQLAlchemyError, ValueError):  # what they say may repeat the password
            raise InputError(f"{shown_url(self.url)}: this is not a database URL") from None

        @event.listens_for(engine, "connect")
        def _settings(connection: Any, _record: Any) -> None:
            try:
                _set(connection)
            except BaseException:  # a file that is no database: nobody else would close it
                connection.close()
                raise

        def _set(connection: Any) -> None:
            connection.isolation_level = None  # we begin transactions ourselves
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")  # what was acknowledged survives a power cut too
            connection.execute("PRAGMA wal_autocheckpoint=4000")  # 16 MB: whoever commits then waits for it
            connection.execute("PRAGMA secure_delete=ON")  # what is deleted is overwritten
            connection.execute("PRAGMA foreign_keys=ON")
            connection.execute(f"PRAGMA busy_timeout={PATIENCE}")

        @event.listens_for(engine, "begin")
        def _begin(connection: Connection) -> None:
            writes = connection.get_execution_options().get("writes", False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

        return engine

    def migrate(self) -> None:
        """Bring the tables to their newest form; two servers that start together wait for each other."""
        from alembic import command

        with self.writing() as connection:
            if not self.is_sqlite:
                connection.execute(text(f"SELECT pg_advisory_xact_lock({self.lock})"))
            command.upgrade(
                self.steps(connection), "heads"
            )  # steps that do not touch each other need no order

    def steps(self, connection: Connection) -> Any:
        """What Alembic has to know: where the migrations lie, and over which connection they run."""
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrating"))
        config.set_main_option("version_locations", str(self.migrations))
        config.set_main_option("path_separator", "os")
        config.attributes.update(connection=connection, versions=self.versions)
        return config

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to read from; inside another `reading` of the same thread it is that one."""
        if (held := getattr(self._held, "connection", None)) is not None:
            yield held
            return
        with self.engine.connect() as connection:
            self._held.connection = connection
            try:
                yield connection
            finally:
                self._held.connection = None

    def rows(self, query: Executable, **values: Any) -> list[Any]:
        """What a query finds, with the values of its parameters."""
        with self.reading() as connection:
            return list(connection.execute(query, values))

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: all of it is written, and on disk, or nothing."""
        if not self.is_sqlite:
            with self.engine.begin() as connection:
                yield connection
            return
        with self._one_writer, self.engine.connect() as plain:
            connection = plain.execution_options(writes=True)
            with connection.begin():
                yield connection

    def write(self, job: Callable[[Connection], T]) -> T:
        """Run a small job in a transaction and give its result, once that is on disk.

        On SQLite the jobs of all who wait go into one transaction and one flush of the disk, each with a savepoint of
        its own: a job that fails takes nothing else with it. (PostgreSQL does the same by itself.)
        """
        if not self.is_sqlite:
            with self.writing() as connection:
                return job(connection)
        own: _Waiting[T] = _Waiting(job)
        with self._queue_lock:
            self._queue.append(own)
        with self._one_writer:  # whoever comes first writes for all who wait
            if not own.done:
                with self._queue_lock:
                    batch, self._queue = self._queue, []
                self._write_all(batch)
        if own.error is not None:
            raise own.error
        return cast(T, own.result)

    def _write_all(self, batch: list[_Waiting[Any]]) -> None:
        try:
            with self.engine.connect() as plain:
                connection = plain.execution_options(writes=True)
                with connection.begin():
                    for one in batch:
                        try:
                            with connection.begin_nested():
                                one.result = one.job(connection)
                        except Exception as error:  # the job's own affair
                            one.error = error
        except BaseException as error:  # nothing of the batch is on disk
            for one in batch:
                one.error = error
        finally:
            for one in batch:
                one.done = True

    def scrub(self) -> None:
        """What was deleted is gone from the log of a SQLite file, too, unless somebody reads for very long just now.

        (PostgreSQL clears away what was deleted by itself, some time later.)
        """
        if not self.is_sqlite:
            return
        connection = self.engine.raw_connection()
        asked = connection.cursor()
        try:
            asked.execute("PRAGMA busy_timeout=2000")  # writers wait for us meanwhile
            with suppress(sqlite3.OperationalError):
                asked.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            asked.execute(f"PRAGMA busy_timeout={PATIENCE}")
            connection.close()

    def close(self) -> None:
        """Give back all connections."""
        self.engine.dispose()
        self._one_writer.close()


@cache
def _insert(table: Table) -> Insert:
    return insert(table)  # made once: what it compiles to is then found at once


def inserted(connection: Connection, table: Table, **values: Any) -> int:
    """Insert a row; gives its number."""
    made = connection.execute(_insert(table), values).inserted_primary_key
    assert made is not None
    return int(made[0])


def added(connection: Connection, table: Table, **values: Any) -> bool:
    """Insert a row unless one with its unique values is there, or is just being written by somebody else, who is
    waited for then. Gives whether it is new."""
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as new
    else:
        from sqlalchemy.dialects.postgresql import insert as new  # type: ignore[assignment]
    unless = new(table).on_conflict_do_nothing().returning(*table.primary_key.columns)
    return connection.execute(unless, values).first() is not None


def url_of(where: str | Path) -> str:
    """A database URL: as given, or that of a SQLite file.

    >>> url_of("campaigns.db"), url_of("postgresql://localhost/x")
    ('sqlite:///campaigns.db', 'postgresql+psycopg://localhost/x')
    """
    text = str(where)
    if "://" not in text:
        return f"sqlite:///{text}"
    kind, _, rest = text.partition("://")
    if kind in ("postgres", "postgresql"):
        return f"postgresql+psycopg://{rest}"
    if kind not in ("sqlite", "postgresql+psycopg"):
        raise InputError(f"{kind}: the database is a SQLite file or postgresql://...")
    return text


def reason_of(error: Exception) -> str:
    """What a database said, in one line and without passwords."""
    lines = str(getattr(error, "orig", None) or error).strip().splitlines() or [type(error).__name__]
    return shown_url(lines[0])


def shown_url(url: str) -> str:
    """The URL without its password, for messages.

    >>> shown_url("postgresql+psycopg://me:s@cr/et@host/x?password=secret")
    'postgresql+psycopg://me:***@host/x?password=***'
    """
    import re

    hidden = re.sub(
        r"(://[^:/@]*):.*@", r"\1:***@", url
    )  # a password may contain any character, even @ and /
    return re.sub(r"(?i)(\bpass\w*=)[^&\s]*", r"\1***", hidden)

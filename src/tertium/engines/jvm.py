"""The JVM of Spark's driver: found, started without its chatter, and the reason where it does not start."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any

from tertium.errors import InputError

INSTALL = "install it (apt install openjdk-17-jre-headless), or name its folder in JAVA_HOME"
LONGEST = 300  # characters of what Spark says
_PLACED = re.compile(r"file:|hdfs:|s3a?:|/")
_CAUSE = re.compile(r"(?:Caused by|): [\w.$]+(?:Exception|Error): (.+)")  # a line of Java's
_PYTHON = re.compile(
    r"(?!java|scala|org\.)[A-Za-z_][\w.]*(?:Error|Exception)(?:: .+|$)"
)  # ends a traceback of Python's
_THREAD = re.compile(r'Exception in thread "[^"]*" [\w.$]+(?:Exception|Error): (.+)')
_CHATTER = re.compile(
    r"WARNING: Using incubator|Using Spark's default|Setting default log|To adjust logging| WARN "
)


def check_java() -> None:
    """Spark takes the Java that JAVA_HOME names, or else the one that is found as a program."""
    home = os.environ.get("JAVA_HOME")
    if home and not os.path.exists(os.path.join(home, "bin", "java")):
        raise InputError(f"Spark needs Java 17 or later: JAVA_HOME is {home}, and there is no bin/java in it")
    if not home and not shutil.which("java"):
        raise InputError(f"Spark needs Java 17 or later, and there is none: {INSTALL}")


def start_context(settings: Mapping[str, str]) -> None:
    """Starts Spark's driver; an `InputError` says in one line why not. What the JVM and the workers of this machine
    print goes nowhere."""
    from pyspark import SparkConf, SparkContext, java_gateway

    launch: Any = java_gateway.launch_gateway
    conf = SparkConf()
    for key, value in settings.items():
        conf.set(key, value)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said, quiet():
        try:
            fresh = SparkContext._gateway is None
            gateway = launch(conf, {"stdout": said, "stderr": said}) if fresh else None
            SparkContext(conf=conf, gateway=gateway)
        except Exception as error:
            why = _last_words(said) or first_line(error)
            raise InputError(f"Spark could not be started at {settings['spark.master']}: {why}") from None


@contextmanager
def quiet() -> Iterator[None]:
    """Spark warns of versions of pandas, which nobody uses here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        yield


def first_line(error: BaseException) -> str:
    """What a person can use of it: what Python's traceback ends with; or of several causes of Java's the one that
    names a file, or the last."""
    text = str(error)
    raised = [line for line in text.splitlines() if "Traceback (" in text and _PYTHON.match(line)]
    if raised:
        return raised[-1][:LONGEST]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    causes = [found[1] for line in lines if (found := _CAUSE.match(line))]
    named = [cause for cause in causes if _PLACED.search(cause)]
    return (named or causes[-1:] or lines or [type(error).__name__])[0][:LONGEST]


def _last_words(said: IO[Any]) -> str:
    """Why a JVM did not start: its first error, or whatever it or the shell said first."""
    said.seek(0)
    lines = [line.strip() for line in said if line.strip() and not _CHATTER.search(line)]
    causes = [found[1] for line in lines if (found := _THREAD.match(line))]
    return (causes or lines or [""])[0][:LONGEST]

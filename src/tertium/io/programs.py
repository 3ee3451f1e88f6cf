"""Programs of others that score segments or resolve texts: started by us, asked and answered in JSON Lines.

The program first writes one line about itself, then reads a line a segment and writes a line a score:

    out  {"name": "my metric", "version": "1.0", "hash": "3f2a..."}
    in   {"id": 1, "source": "...", "hypothesis": "...", "references": ["...", "..."]}
    out  {"id": 1, "score": 0.83}

Answers come in any order. We close its standard input behind the last segment; it answers what it has left and ends
with status 0. One that says `"stays": true` about itself is kept for further batches instead: an empty line ends a
batch, and everything asked before it must be answered. docs/metrics/outside.md has all of it.
"""

from __future__ import annotations

import atexit
import json
import math
import os
import queue
import shlex
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from tertium.errors import InputError

HELLO = 10.0  # seconds that a program has for its first line
LARGEST_SCORE = 2.0**40  # what rows of real numbers add up exactly, with room for millions of segments
_BEGINNING, _ENDING = 80, 40  # characters of somebody else's line in a message of ours
_END = None
METRIC = "outside metric"  # what a program is to us, in messages
T = TypeVar("T")


@dataclass(frozen=True)
class Introduction:
    """What a program says of itself in its first line."""

    name: str
    version: str = ""
    hash: str = ""  # of the model, so that two of the same name can be told apart
    versions: tuple[tuple[str, str], ...] = ()  # of what it stands on: ("torch", "2.4.0")
    needs: tuple[str, ...] = ()  # "source", "references"
    stays: bool = False
    verbs: tuple[str, ...] = ()  # what it can be asked for, where there is more than one thing

    @classmethod
    def of(cls, given: Mapping[str, Any], who: str) -> Introduction:
        """From the object of the first line.

        >>> Introduction.of({"name": "len", "version": 2}, "prog").version
        '2'
        """
        if not isinstance(given.get("name"), str) or not given["name"].strip():
            raise InputError(
                f'{who}: its first line must give its name and version, {{"name": "...", "version": "..."}}'
            )
        versions, needs = given.get("versions") or {}, given.get("needs") or []
        verbs = given.get("verbs") or []
        if not isinstance(verbs, list) or not all(isinstance(verb, str) for verb in verbs):
            raise InputError(f"{who}: verbs in its first line must be a list of words")
        if not isinstance(versions, Mapping):
            raise InputError(f"{who}: versions in its first line must be an object of name and version")
        if not isinstance(needs, list) or not set(needs) <= {"source", "references"}:
            raise InputError(f'{who}: needs in its first line must be a list of "source" and "references"')
        return cls(
            given["name"].strip(),
            str(given.get("version") or ""),
            str(given.get("hash") or ""),
            tuple((str(name), str(version)) for name, version in sorted(versions.items())),
            tuple(needs),
            given.get("stays") is True,
            tuple(verbs),
        )


class Program:
    """A running program. Made by `ask` and `introduction`; ends when it is done or breaks a rule."""

    def __init__(self, command: str, timeout: float, hello: float, what: str = METRIC) -> None:
        self.command, self.timeout = command, timeout
        self.who = shown(command, what)
        self.lines_read = 0
        self._told: deque[str] = deque(maxlen=20)  # the last lines of its standard error
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise InputError(f"{self.who}: cannot be read as a command: {error}") from None
        if not words:
            raise InputError(f"the command of an {what} is empty")
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise InputError(f"{self.who}: cannot be started: {words[0]}: {error.strerror}") from None
        self._heard: queue.Queue[bytes | None] = queue.Queue()
        self._threads = [
            threading.Thread(target=self._hear, daemon=True),
            threading.Thread(target=self._overhear, daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        try:
            said = self._object(
                min(hello, timeout),
                f"has not introduced itself within {min(hello, timeout):g} seconds: its first line must come at once, "
                "before it loads a model (hello=SECONDS gives it longer)",
            )
            self.introduction = Introduction.of(said, self.who)
        except BaseException:
            self.stop()
            raise

    def _hear(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._heard.put(line)
        self._heard.put(_END)

    def _overhear(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._told.append(line.decode("utf-8", "replace").strip())

    def _object(self, patience: float, silence: str, missing: str = "") -> dict[str, Any]:
        """The next line, an object; `silence` says what it means that there is none, `missing` what we still need."""
        try:
            line = self._heard.get(timeout=patience)
        except queue.Empty:
            raise InputError(f"{self.who}: {silence}{missing}") from None
        if line is _END:
            raise InputError(f"{self.who}: {self._ending()}{missing}")
        self.lines_read += 1
        try:
            value = json.loads(line, parse_constant=float)
        except ValueError:
            raise self.wrong(
                f"is not JSON: {_short(line)} (answers go to standard output, everything else to standard error)"
            ) from None
        if not isinstance(value, dict):
            raise self.wrong(f"is not a JSON object: {_short(line)}")
        if "error" in value:
            raise self.wrong(f"reports an error: {' '.join(str(value['error']).split())}")
        return value

    def wrong(self, what: str) -> InputError:
        return InputError(f"{self.who}: line {self.lines_read} of its output {what}")

    def _ending(self) -> str:
        """Why it ended, as far as it says."""
        status = self._process.wait()
        self._threads[1].join(timeout=5)
        last = next((line for line in reversed(self._told) if line), "")
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"{how} after line {self.lines_read} of its output" + (f": {_short(last)}" if last else "")

    def answers(
        self, segments: Sequence[Mapping[str, Any]], read: Callable[[Program, Mapping[str, Any]], T]
    ) -> list[T]:
        """What it answers for each segment, as `read` takes it."""
        writer = threading.Thread(target=self._tell, args=(segments,), daemon=True)
        writer.start()
        found: dict[int, T] = {}
        while len(found) < len(segments):
            answer = self._object(
                self.timeout,
                f"no answer for {self.timeout:g} seconds, after line {self.lines_read} of its output "
                "(timeout=SECONDS gives it longer)",
                f"; {len(segments) - len(found)} of {len(segments)} answers are missing",
            )
            number = answer.get("id")
            if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= len(segments):
                raise self.wrong(f"has the id {number!r}; ids here are 1 to {len(segments)}")
            if number in found:
                raise self.wrong(f"answers id {number} again")
            found[number] = read(self, answer)
        writer.join()
        return [found[i + 1] for i in range(len(segments))]

    def score(self, answer: Mapping[str, Any]) -> float | None:
        """The score of an answer, None where it has none."""
        if "score" not in answer:
            raise self.wrong("has no score")
        value = answer["score"]
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(f"has the score {value!r}: expected a number or null")
        return checked_score(value, f"{self.who}: line {self.lines_read} of its output")

    def _tell(self, segments: Sequence[Mapping[str, Any]]) -> None:
        """In a thread of its own: a program may write before it has read everything."""
        stream = self._process.stdin
        assert stream is not None
        try:
            for i, segment in enumerate(segments):
                # ASCII with escapes: no locale and no lone surrogate can come between us.
                stream.write(json.dumps({"id": i + 1, **segment}).encode("ascii") + b"\n")
            if self.introduction.stays:
                stream.write(b"\n")
                stream.flush()
            else:
                stream.close()
        except (OSError, ValueError):
            pass  # it is gone or closed its ears: reading says what happened

    def finish(self) -> None:
        """Let it end by itself, and see that it does so in order."""
        try:
            if self._process.stdin is not None and not self._process.stdin.closed:
                self._process.stdin.close()
        except OSError:
            pass
        try:
            line = self._heard.get(timeout=self.timeout)
            if line is not _END:
                self.lines_read += 1
                raise self.wrong(f"is one too many: {_short(line)}")
            if self._process.wait(timeout=self.timeout) != 0:
                raise InputError(f"{self.who}: {self._ending()}")
        except (queue.Empty, subprocess.TimeoutExpired):
            raise InputError(
                f"{self.who}: answered everything, but did not exit at the end of its input"
            ) from None
        finally:
            self.stop()

    def stop(self) -> None:
        """End it now."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(timeout=5)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                if stream is not None:
                    stream.close()
            except OSError:
                pass

    @property
    def alive(self) -> bool:
        return self._process.poll() is None


def checked_score(value: float, where: str) -> float:
    """A score that can be added up."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or abs(number) >= LARGEST_SCORE:
        raise InputError(f"{where} has the score {number:g}: expected a finite number below 2**40, or null")
    return number


def shown(command: str, what: str = METRIC) -> str:
    """A command as messages have it: where it is long, programs are known by their names without folders.

    >>> shown("python " + "/very/long/path" * 10 + "/metric.py --batch 8")
    "outside metric 'python .../metric.py --batch 8'"
    """
    if len(command) > _BEGINNING + _ENDING:
        with suppress(ValueError):
            words = [
                f".../{word.rpartition('/')[2]}" if "/" in word else word for word in shlex.split(command)
            ]
            command = " ".join(words)
    return f"{what} {_short(command)}"


def _short(text: str | bytes) -> str:
    """In quotes, without its middle where it is long: what tells lines apart stands at either end."""
    decoded = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    flat = " ".join(decoded.split())
    if len(flat) > _BEGINNING + _ENDING:
        flat = f"{flat[:_BEGINNING]} ... {flat[-_ENDING:]}"
    return repr(flat)


_staying: dict[tuple[str, int], Program] = {}  # by command and our process: a child of ours starts its own
_introduced: dict[str, Introduction] = {}
_one_at_a_time = threading.Lock()


def ask(
    command: str,
    segments: Sequence[Mapping[str, Any]],
    timeout: float,
    given: Sequence[str] = ("source", "references"),
    hello: float = HELLO,
) -> list[float | None]:
    """Scores of segments, each {"source": ..., "hypothesis": ..., "references": [...]}, by a program.

    `given` is what segments have beside the hypothesis; a program that needs more is refused. Its first line must come
    within `hello` seconds, any other within `timeout`.

    >>> import pathlib, shlex, sys, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> code = '''import json, sys
    ... print(json.dumps({"name": "length"}), flush=True)
    ... for line in sys.stdin:
    ...     segment = json.loads(line)
    ...     print(json.dumps({"id": segment["id"], "score": len(segment["hypothesis"])}))
    ... '''
    >>> path = pathlib.Path(folder.name, "length.py")
    >>> _ = path.write_text(code)
    >>> command = f"{shlex.quote(sys.executable)} {path}"
    >>> ask(command, [{"hypothesis": "one"}, {"hypothesis": "three"}], timeout=60)
    [3.0, 5.0]
    >>> folder.cleanup()
    """
    with _one_at_a_time, _running(command, timeout, hello) as program:
        for what in program.introduction.needs:
            if what not in given:
                fix = "both" if {what, *given} == {"source", "references"} else what
                raise InputError(f"{program.who}: says that it needs {what}: add needs={fix} to the spec")
        return program.answers(segments, Program.score)


def ask_other(
    command: str,
    asked: Sequence[Mapping[str, Any]],
    read: Callable[[Program, Mapping[str, Any]], T],
    what: str,
    timeout: float = 600.0,
) -> list[T]:
    """The answers of a program that is not a metric: `what` it is to us, and how an answer is read."""
    with _one_at_a_time, _running(command, timeout, HELLO, what) as program:
        return program.answers(asked, read)


class _running:  # noqa: N801 - reads as a verb
    """A program for a batch: one that stayed, or a new one."""

    def __init__(self, command: str, timeout: float, hello: float, what: str = METRIC) -> None:
        key = command, os.getpid()
        program = _staying.pop(key, None)
        if program is None or not program.alive:
            program = Program(command, timeout, hello, what)
            _introduced[command] = program.introduction
        program.timeout = timeout
        self._key, self._program = key, program

    def __enter__(self) -> Program:
        return self._program

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is not None:
            self._program.stop()
        elif self._program.introduction.stays:
            _staying[self._key] = self._program
        else:
            self._program.finish()


def introduction(
    command: str, timeout: float = 600.0, hello: float = HELLO, what: str = METRIC
) -> Introduction:
    """What a program says of itself. Asked once in a process."""
    known = _introduced.get(command)
    if known is None:
        with _one_at_a_time:
            program = Program(command, timeout, hello, what)
            known = _introduced[command] = program.introduction
            if known.stays:
                _staying[command, os.getpid()] = program
            else:
                program.stop()
    return known


def _stop_all() -> None:
    for (_, owner), program in list(_staying.items()):
        if owner == os.getpid():
            program.stop()
    _staying.clear()


atexit.register(_stop_all)


def segments_of(
    hypotheses: Sequence[str], references: Sequence[Sequence[str]], sources: Sequence[str] | None
) -> Iterator[dict[str, Any]]:
    """Segments as the protocol has them, without their ids.

    >>> list(segments_of(["a"], [["b", "c"]], None))
    [{'source': None, 'hypothesis': 'a', 'references': ['b', 'c']}]
    """
    for i, hypothesis in enumerate(hypotheses):
        yield {
            "source": None if sources is None else sources[i],
            "hypothesis": hypothesis,
            "references": list(references[i]),
        }

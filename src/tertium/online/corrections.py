"""An estimator that learns from corrections, which are kept beside its file; the file itself never changes.

`qe.model.learnt` has a line for each correction, with a checksum: the texts, what turned out to be true, and the
features. It is only appended to, also by a rollback, and is on disk before a correction counts as learnt.
`qe.model.learnt.state` has what was learnt from it; it can be made again from the first, and is, where it is missing,
damaged, or older.
"""

from __future__ import annotations

import base64
import io
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from io import BufferedRandom
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.estimation.estimator import Estimator, targets_of
from tertium.estimation.models import Regression
from tertium.estimation.words import Numbers
from tertium.io.files import write_bytes
from tertium.io.logs import append, opened_log, summed_lines, summed_records
from tertium.io.streams import FilePath, display_name, read_bytes
from tertium.io.translations import Translations
from tertium.online.learner import WINDOW, CorrectionLearner, LearningScales
from tertium.online.strayed import related_edits

FORMAT, VERSION = "tertium corrections", 1
ENDING = ".learnt"
PATIENCE = 10.0  # seconds to wait while another process learns
AT_ONCE = 100  # corrections that go to the disk together
OTHERS = 100  # corrections before, with whose sources a post-edit is compared, too
MOST_HTER = 5.0  # beyond is rather a percentage
_STATE = ("grams", "sums", "weights", "missed_number", "missed", "trust", "means", "squares", "doubts", "hopes",
          "usual", "errors", "recent")  # fmt: skip
_SCALARS = ("usual_number", "count", "wide", "held", "noticed", "number", "held_back")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def has_learnt(model: FilePath) -> bool:
    """Whether corrections lie beside an estimator's file."""
    path = f"{os.fspath(model)}{ENDING}"
    return os.path.exists(path) and os.path.getsize(path) > 0


@dataclass(frozen=True, eq=False)
class LearntRegression(Regression):
    """What a regression says, with what was learnt from corrections."""

    learner: CorrectionLearner
    bounds: tuple[float, float]
    lately: tuple[Numbers, Numbers]  # what was said of the last corrections, and what they were

    @property
    def corrections(self) -> int:  # type: ignore[override]
        return self.learner.number

    def of(self, rows: Numbers) -> Numbers:
        return self.learner.estimates(rows, np.clip(super().of(rows), *self.bounds))


def opened(model: FilePath, *, base: bool = False) -> Estimator:
    """An estimator with what was learnt since, if there is anything and not the `base` alone is asked for."""
    return Estimator.read(model) if base or not has_learnt(model) else OnlineEstimator(model).estimator


class OnlineEstimator:
    """An estimator's file, and what was learnt since.

    >>> OnlineEstimator("no-such.model")
    Traceback (most recent call last):
    tertium.errors.InputError: no-such.model: no such file
    """

    def __init__(self, model: FilePath, *, pair: str = "", force: bool = False) -> None:
        self.base = Estimator.read(model)
        if not force:
            self.base.check_pair(pair)
        scales = self.base.parts.get("online")
        if not isinstance(scales, LearningScales):
            raise InputError(f"{self.base.called}: was trained without what learning needs: train it again")
        self.scales = scales
        self.model = sha256(read_bytes(model)).hexdigest()
        self.path = f"{os.fspath(model)}{ENDING}"
        self.name = display_name(self.path)
        self._forget()
        self._catch_up(read_bytes(self.path) if os.path.exists(self.path) else b"")

    def _forget(self) -> None:
        """As if nothing had been read."""
        self.learner = CorrectionLearner(self.scales, self.base.target)
        self._read = 0  # bytes of the log
        self._sum = 0  # their checksum
        self._lines = 0
        self._log: list[dict[str, Any]] = []  # corrections that count, in their order
        self._known: set[tuple[str, str, float]] = set()

    @property
    def corrections(self) -> int:
        return len(self._log)

    @property
    def estimator(self) -> Estimator:
        """The estimator as it is now."""
        values = np.array([one["value"] for one in self._log[-WINDOW:]], float)
        lately = self.learner.recent[WINDOW - len(values) :, 1] + values, values
        facts = {"learner": self.learner, "bounds": self.learner.bounds, "lately": lately}
        own = LearntRegression(**vars(self.base.regression), **facts)  # type: ignore[arg-type]
        return replace(self.base, regression=own)

    def estimates(self, texts: Translations, *, pair: str = "", force: bool = False) -> Numbers:
        """What `Estimator.estimates` gives, with what was learnt."""
        return self.estimator.estimates(texts, pair=pair, force=force)

    def learn(
        self, source: str, translation: str, correction: str | float, **tokens: Sequence[Any]
    ) -> tuple[float, bool]:
        """Learn from a correction: a post-edit (as text), or a number on the estimator's scale. What was estimated
        before, and whether it was new: what is known already is not learnt twice."""
        edited = isinstance(correction, str)
        known = {"post_edits": [correction]} if edited else _NUMBER[self.base.target](correction)
        texts = Translations("the correction", [source], [translation], **known, **tokens)  # type: ignore[arg-type]
        ((before, new),) = self.learn_all(texts)
        return before, new

    def learn_all(
        self, texts: Translations, *, pair: str = "", force: bool = False
    ) -> list[tuple[float, bool]]:
        """Learn from corrections one after the other, as `learn` does."""
        if self.base.needs_documents:
            raise InputError(
                f"{self.base.called} was trained with context, of whole documents: it cannot learn segment by segment"
            )
        values = checked_values(texts, self.base.target, self.scales).tolist()
        rows = self.base.rows(texts, pair=pair, force=force).astype(np.float32).astype(float)
        base = self.base.of(rows).tolist()
        related = self._related(texts)
        found: list[tuple[float, bool]] = []
        for begin in range(0, len(texts), AT_ONCE):
            with self._writing() as file:
                records: list[dict[str, Any]] = []
                for i in range(begin, min(begin + AT_ONCE, len(texts))):
                    key = texts.sources[i], texts.translations[i], values[i]
                    if key in self._known:
                        said = self.learner.estimates(rows[i : i + 1], np.array(base[i : i + 1]))
                        found.append((float(said[0]), False))
                        continue
                    records.append(_record(*key, rows[i], base[i], related[i]))
                    self._log.append({**records[-1], "row": rows[i]})
                    self._known.add(key)
                    found.append((self._learnt(self._log[-1]), True))
                self._append(file, records)
        return found

    def _related(self, texts: Translations) -> list[float | None]:
        """How far the words of post-edits have more to do with their sources than with others."""
        others = [one["source"] for one in self._log[-OTHERS:]]
        return related_edits(self.base.learnt, texts, others)

    def rollback(self, to: str) -> int:
        """Take corrections back: the last N (`20`), those after a time (`2026-11-16T20:00`, UTC unless it says
        otherwise), or all (`base`). How many."""
        if not os.path.exists(self.path):
            raise InputError(f"{self.name}: no such file: nothing was learnt yet")
        with self._writing() as file:
            left = self._left(to)
            taken = len(self._log) - left
            if taken:
                self._append(file, [{"time": _now(), "rollback": left}])
        if taken:
            self._start_again()
        return taken

    def trust(self) -> None:
        """Learn from all corrections so far, even if they looked random."""
        with self._writing() as file:
            self._append(file, [{"time": _now(), "trusted": len(self._log)}])
        self._start_again()

    def _left(self, to: str) -> int:
        if to == "base":
            return 0
        if to.isascii() and to.isdigit():
            if int(to) > len(self._log):
                raise InputError(f"{self.name}: has {len(self._log)} corrections: {to} cannot be taken back")
            return len(self._log) - int(to)
        try:
            when = datetime.fromisoformat(to)
        except ValueError:
            raise InputError(
                f"{to!r} is no number of corrections, no time (2026-11-16T20:00), and not base: what to go back to?"
            ) from None
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return sum(datetime.fromisoformat(one["time"]) <= when for one in self._log)

    # What is on disk

    @contextmanager
    def _writing(self) -> Iterator[BufferedRandom]:
        """The log, locked, after what others wrote was learnt, too."""
        file, _ = opened_log(self.path, self.name, patience=PATIENCE)
        with file:
            file.seek(self._read)
            self._catch_up(file.read(), state=False)
            yield file

    def _append(self, file: BufferedRandom, records: Sequence[dict[str, Any]]) -> None:
        """Corrections become part of the log; if that fails, nothing was learnt."""
        head = {"format": FORMAT, "version": VERSION, "model": self.model, "target": self.base.target}
        data = summed_lines([*([] if self._lines else [head]), *records])
        if not records:
            return
        try:
            append(file, data, self.name)
        except BaseException:
            self._start_again()
            raise
        self._count(data)

    def _count(self, data: bytes) -> None:
        self._read += len(data)
        self._sum = zlib.crc32(data, self._sum)
        self._lines += data.count(b"\n")

    def _start_again(self) -> None:
        self._forget()
        self._catch_up(read_bytes(self.path) if os.path.exists(self.path) else b"", state=False)

    def _catch_up(self, data: bytes, *, state: bool = True) -> None:
        """Learn from what the log has and this object does not know."""
        data = data[: data.rfind(b"\n") + 1]
        records = list(summed_records(data, self.name, self._lines + 1))
        if not self._lines and records:
            self._check(records.pop(0))
        if self._log and any("rollback" in one or "trusted" in one for one in records):
            self._start_again()
            return
        done, trusted = len(self._log), 0
        for line, one in enumerate(records, self._lines + 2):
            try:
                if "rollback" in one:
                    del self._log[int(one["rollback"]) :]
                    trusted = min(trusted, len(self._log))
                elif "trusted" in one:
                    trusted = int(one["trusted"])
                else:
                    one["row"] = _row(one["row"], len(self.scales.low))
                    datetime.fromisoformat(one["time"])
                    _key(one)
                    float(one.get("related", 0.0))
                    self._log.append(one)
            except (KeyError, ValueError, TypeError):
                raise InputError(f"{self.name}: line {line}: is no correction") from None
        self._known = set(map(_key, self._log))
        if state:
            done = self._restored(data)
        self._count(data)
        for number, one in enumerate(self._log[done:], done):
            self._learnt(one, guarded=number >= trusted)
            if number + 1 == trusted:
                self.learner.calm()

    def _check(self, head: dict[str, Any]) -> None:
        if head.get("format") != FORMAT or head.get("version") != VERSION:
            raise InputError(f"{self.name}: holds no corrections of this version of Tertium")
        if head.get("model") != self.model:
            raise InputError(
                f"{self.name}: belongs to another estimator than {self.base.called}: move one of them away"
            )

    def _learnt(self, one: dict[str, Any], *, guarded: bool = True) -> float:
        return self.learner.learn(
            one["row"], one["base"], one["value"], related=one.get("related"), guarded=guarded
        )

    def keep(self) -> None:
        """Write what was learnt, so that the log need not be learnt from again."""
        arrays = {name: getattr(self.learner, name) for name in _STATE}
        arrays |= {f"kept.{name}": own for name, own in self.learner.kept.items()}
        arrays["strays"] = self.learner.strays.state
        arrays["scalars"] = np.array([float(getattr(self.learner, name)) for name in _SCALARS])
        arrays["log"] = np.array([self._read, self._sum, len(self._log)], np.int64)
        made = io.BytesIO()
        np.savez(made, **arrays)
        data = made.getvalue()
        write_bytes(f"{self.path}.state", data + zlib.crc32(data).to_bytes(4, "little"))

    def _restored(self, log: bytes) -> int:
        """Take over what was kept, if it is of the log as it begins; the number of corrections that it knows."""
        try:
            data = read_bytes(f"{self.path}.state")
            if zlib.crc32(data[:-4]).to_bytes(4, "little") != data[-4:]:
                return 0
            with np.load(io.BytesIO(data[:-4]), allow_pickle=False) as found:
                arrays = {key: found[key] for key in found.files}
            size, own, number = arrays["log"].tolist()
            if zlib.crc32(log[:size]) != own or len(self._log) - number != log.count(b"\n", size):
                return 0  # of another log, or of one that was rolled back since
            learner = CorrectionLearner(self.scales, self.base.target)
            for name in _STATE:
                if arrays[name].shape != getattr(learner, name).shape:
                    return 0
                setattr(learner, name, arrays[name])
            learner.strays.state = arrays["strays"]
            for name in learner.kept:
                learner.kept[name] = arrays[f"kept.{name}"]
            for name, value in zip(_SCALARS, arrays["scalars"].tolist(), strict=True):
                setattr(learner, name, type(getattr(learner, name))(value))
        except (InputError, KeyError, ValueError, OSError):
            return 0
        self.learner = learner
        return int(number)


_NUMBER: dict[str, Callable[[Any], dict[str, Any]]] = {
    "da": lambda value: {"scores": [value]},
    "hter": lambda value: {"hter": [value]},
    "saved": lambda value: {"hter": [1 - value]},
}


def _record(
    source: str, translation: str, value: float, row: Numbers, base: float, related: float | None
) -> dict[str, Any]:
    packed = base64.b64encode(row.astype("<f4").tobytes()).decode("ascii")
    return {
        "time": _now(),
        "source": source,
        "mt": translation,
        "value": value,
        "base": base,
        "row": packed,
        **({} if related is None else {"related": related}),
    }


def _row(packed: str, number: int) -> Numbers:
    found = np.frombuffer(base64.b64decode(packed, validate=True), "<f4").astype(float)
    if len(found) != number or not np.isfinite(found).all():
        raise ValueError("row")
    return found


def _key(one: dict[str, Any]) -> tuple[str, str, float]:
    return str(one["source"]), str(one["mt"]), float(one["value"])


def checked_values(texts: Translations, target: str, scales: LearningScales) -> Numbers:
    """What corrections say; none of them outside what the estimator can say."""
    values = targets_of(texts, target)
    given, low, high = values, 0.0, MOST_HTER
    if target == "da":
        low, high = _range(scales)
    elif texts.hter is not None:
        given = np.asarray(texts.hter, float)
    else:
        for i, text in enumerate(texts.post_edits or (), 1):
            if not text.strip():
                raise InputError(f"{texts.name}: translation {i}: the post-edit is empty")
    bad = np.flatnonzero(~((given >= low) & (given <= high)))
    if len(bad):
        i = int(bad[0])
        raise InputError(
            f"{texts.name}: translation {i + 1}: {given[i]:g} is outside what there can be ({low:g} to {high:g})"
        )
    return values


def _range(scales: LearningScales) -> tuple[float, float]:
    """Scores of the training, and half as far again on both sides."""
    least, most = scales.value[2:].tolist()
    return least - (most - least) / 2, most + (most - least) / 2

"""What is compared and resampled: systems with the same segments, in one or more runs, segment- or document-wise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tertium.errors import InputError
from tertium.statistics import Statistics

Runs = Sequence[Statistics]
Systems = list[tuple[str, Runs]]


def checked_systems(
    statistics: Mapping[str, Statistics | Runs] | Iterable[tuple[str, Statistics | Runs]],
) -> Systems:
    """Names with the rows of their runs: two systems or more, over the same two segments or more."""
    given = statistics.items() if isinstance(statistics, Mapping) else statistics
    systems: Systems = []
    for name, rows in given:
        if any(name == known for known, _ in systems):
            raise InputError(f"two systems are called {name!r}: every system needs a name of its own")
        runs = [rows] if isinstance(rows, Statistics) else list(rows)
        if not runs:
            raise InputError(f"system {name!r} has no runs")
        systems.append((name, runs))
    if len(systems) < 2:
        raise InputError("a comparison needs at least two systems")
    sizes = {name: sorted({len(run) for run in runs}) for name, runs in systems}
    if len({size for of_system in sizes.values() for size in of_system}) > 1:
        shown = ", ".join(f"{name}: {' and '.join(map(str, found))}" for name, found in sizes.items())
        raise InputError(f"the systems differ in their number of segments ({shown})")
    n = len(systems[0][1][0])
    if n < 2:
        raise InputError(
            f"there is {'one segment' if n else 'no segment'}: a test needs several, "
            "because it asks how much depends on which ones were chosen"
        )
    return systems


def resampled_units(systems: Systems, documents: Sequence[str] | None) -> tuple[str, Systems]:
    """What resampling draws, and the rows of it: documents where they are known, else segments.

    Segments of a document resemble each other; drawn one by one they would look like more evidence than they are.
    """
    if documents is None:
        return "segments", systems
    n_segments = len(systems[0][1][0])
    if len(documents) != n_segments:
        raise InputError(f"there are {n_segments} segments, but {len(documents)} document ids")
    known: dict[str, int] = {}
    numbers = [known.setdefault(name, len(known)) for name in documents]
    n_documents = len(known)
    if n_documents < 2:
        raise InputError(
            "all segments belong to one document, so there is nothing to resample; omit the documents "
            "to resample segments"
        )
    if n_documents == n_segments:
        return "documents", systems
    return "documents", [
        (name, [run.grouped(numbers, n_documents) for run in runs]) for name, runs in systems
    ]

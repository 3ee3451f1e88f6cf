"""Descriptions of hybrid systems: which of two systems gives each segment.

A tab-separated file with a header, plain or packed, a hybrid on each line:

    hybrid  first     second    segments
    1       uedin     online-A  1221121...
    2       online-B  uedin     2112212...

`segments` has a 1 or a 2 for each segment of the test set, in order: whether the first or the second system gives it.
Hybrids are numbered from 1. Whoever has the systems' outputs can build the hybrids from it, and anybody's scores of
them can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.errors import InputError, did_you_mean
from tertium.io.files import read_lines, write_atomically
from tertium.io.streams import FilePath, display_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Described = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]

HEADER = ("hybrid", "first", "second", "segments")


def write_hybrids(
    path: FilePath,
    systems: Sequence[str],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    masks: NDArray[np.uint8],
    n_segments: int,
) -> None:
    """Write a description: numbers of the two systems of each hybrid, and a row of packed bits, set for the second.

    >>> import tempfile, pathlib, numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "hybrids.tsv")
    ...     pair = np.array([0]), np.array([2])
    ...     write_hybrids(path, ["A", "B", "C"], *pair, np.array([[0b110]], dtype=np.uint8), 3)
    ...     path.read_text().splitlines()[1]
    '1\\tA\\tC\\t122'
    """
    import numpy as np

    for name in systems:
        if not name or any(c in name for c in "\t\n\r"):
            raise InputError(f"a system cannot be called {name!r} in a tab-separated file")
    with write_atomically(path) as file:
        file.write("\t".join(HEADER) + "\n")
        for i in range(len(first)):
            bits = np.unpackbits(masks[i], count=n_segments, bitorder="little")
            digits = (bits + ord("1")).astype(np.uint8).tobytes().decode("ascii")
            file.write(f"{i + 1}\t{systems[first[i]]}\t{systems[second[i]]}\t{digits}\n")


def read_hybrids(path: FilePath, systems: Sequence[str], n_segments: int) -> Described:
    """Read a description for these systems and so many segments: first, second, packed bits.

    What is wrong is named with its line: unknown systems, a wrong number of segments, numbers out of order.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "hybrids.tsv")
    ...     _ = path.write_text("hybrid\\tfirst\\tsecond\\tsegments\\n1\\tA\\tC\\t122\\n")
    ...     first, second, masks = read_hybrids(path, ["A", "B", "C"], 3)
    >>> first.tolist(), second.tolist(), masks.tolist()
    ([0], [2], [[6]])
    """
    import numpy as np

    name = display_name(path)
    lines = read_lines(path)
    if tuple((lines[0] or "").split("\t")) != HEADER:
        raise InputError(f"{name}: line 1 must be the header {' '.join(HEADER)}, separated by tabs")
    if len(lines) == 1:
        raise InputError(f"{name}: there are no hybrids below the header")
    numbers = {system: i for i, system in enumerate(systems)}
    pairs = np.empty((len(lines) - 1, 2), dtype=np.int64)
    masks = np.empty((len(lines) - 1, (n_segments + 7) // 8), dtype=np.uint8)
    for i in range(1, len(lines)):
        where = f"{name}: line {i + 1}"
        fields = (lines[i] or "").split("\t")
        if len(fields) != len(HEADER):
            raise InputError(f"{where} has {len(fields)} of {len(HEADER)} fields: {', '.join(HEADER)}")
        if fields[0] != str(i):
            raise InputError(f"{where} must be hybrid {i}, not {fields[0]!r}")
        for place, system in enumerate(fields[1:3]):
            if system not in numbers:
                raise InputError(f"{where}: there is no system {system!r}{did_you_mean(system, systems)}")
            pairs[i - 1, place] = numbers[system]
        if fields[1] == fields[2]:
            raise InputError(f"{where}: the hybrid is made of {fields[1]} only")
        if len(fields[3]) != n_segments:
            raise InputError(f"{where} describes {len(fields[3])} segments, the test set has {n_segments}")
        digits = np.frombuffer(fields[3].encode("utf-8", "replace"), dtype=np.uint8)
        bad = np.flatnonzero((digits != ord("1")) & (digits != ord("2")))
        if len(bad):
            raise InputError(
                f"{where}: segment {bad[0] + 1} must be 1 (from the first system) or 2 (from the second)"
            )
        masks[i - 1] = np.packbits(digits == ord("2"), bitorder="little")
    return pairs[:, 0].copy(), pairs[:, 1].copy(), masks

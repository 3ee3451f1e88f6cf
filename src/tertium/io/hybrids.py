"""Descriptions of hybrid systems: which of two systems gives each segment.

A tab-separated file with a header, plain or packed, a hybrid on each line:

    hybrid  first     second    segments
    1       uedin     online-A  1221121...
    2       online-B  uedin     2112212...

`segments` has a 1 or a 2 for each segment of the test set, in order: whether it comes from the first or the second
system. Hybrids are numbered from 1. With the systems' outputs anyone can build the same hybrids and compare scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.errors import InputError, did_you_mean
from tertium.io.files import write_atomically
from tertium.io.records import HeadedTable, check_field
from tertium.io.streams import FilePath

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

    >>> import numpy as np
    >>> path, pair = written("hybrids.tsv", ""), (np.array([0]), np.array([2]))
    >>> write_hybrids(path, ["A", "B", "C"], *pair, np.array([[0b110]], dtype=np.uint8), 3)
    >>> path.read_text().splitlines()[1]
    '1\\tA\\tC\\t122'
    """
    import numpy as np

    for name in systems:
        check_field(name, "system name")
    with write_atomically(path) as file:
        file.write("\t".join(HEADER) + "\n")
        for i in range(len(first)):
            bits = np.unpackbits(masks[i], count=n_segments, bitorder="little")
            digits = (bits + ord("1")).astype(np.uint8).tobytes().decode("ascii")
            file.write(f"{i + 1}\t{systems[first[i]]}\t{systems[second[i]]}\t{digits}\n")


def read_hybrids(path: FilePath, systems: Sequence[str], n_segments: int) -> Described:
    """Read a description for these systems and so many segments: first, second, packed bits.

    What is wrong is named with its line: unknown systems, a wrong number of segments, numbers out of order.

    >>> path = written("hybrids.tsv", "hybrid\\tfirst\\tsecond\\tsegments\\n1\\tA\\tC\\t122\\n")
    >>> first, second, masks = read_hybrids(path, ["A", "B", "C"], 3)
    >>> first.tolist(), second.tolist(), masks.tolist()
    ([0], [2], [[6]])
    """
    import numpy as np

    table = HeadedTable(path, HEADER)
    numbers = {system: i for i, system in enumerate(systems)}
    pairs: list[tuple[int, ...]] = []
    masks = []
    for row in table:
        number, *names, segments = row.named(*HEADER)
        if number != str(len(pairs) + 1):
            raise InputError(f"{row.where} must be hybrid {len(pairs) + 1}, not {number!r}")
        for system in names:
            if system not in numbers:
                raise InputError(f"{row.where}: there is no system {system!r}{did_you_mean(system, systems)}")
        if names[0] == names[1]:
            raise InputError(f"{row.where}: the hybrid is made of {names[0]} only")
        if len(segments) != n_segments:
            raise InputError(
                f"{row.where} describes {len(segments)} segments, but the test set has {n_segments}"
            )
        digits = np.frombuffer(segments.encode("utf-8", "replace"), dtype=np.uint8)
        bad = np.flatnonzero((digits != ord("1")) & (digits != ord("2")))
        if len(bad):
            raise InputError(
                f"{row.where}: segment {bad[0] + 1} must be 1 (from the first system) or 2 (from the second)"
            )
        pairs.append(tuple(numbers[system] for system in names))
        masks.append(np.packbits(digits == ord("2"), bitorder="little"))
    if not pairs:
        raise InputError(f"{table.name}: there are no hybrids below the header")
    first, second = np.array(pairs, dtype=np.int64).T.copy()
    return first, second, np.array(masks)

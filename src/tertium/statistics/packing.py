"""Dense rows in few bytes: column by column, each as what it is more than an earlier one, in as few bits as most need.

A packed block is, for each column: the earlier column it is counted from (or none), bits a value, how many values do
not fit, a base; then places and values of those that do not fit, and the packed values. Numbers are little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from tertium import _native

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

BLOCK = 65536  # rows at most, so that a place is two bytes
_HEAD = struct.Struct("<hBIq")  # earlier column or -1, bits, values that do not fit, base
_BITS = (0, 1, 2, 4, 8, 16, 32, 64)
_MISFIT = 10  # bytes of a value that does not fit: its place and itself
_LARGE = 1 << 40  # numbers below it, a block of them, are summed as they are
_LOOKED_AT = 1024  # rows that decide from which column another is counted


def pack(rows: Integers) -> bytes:
    """Rows, at most a block of them, as bytes that `unpack` reads.

    >>> import numpy as np
    >>> rows = np.array([[9, 8, 7], [12, 11, 10], [1, 0, 0]])
    >>> unpack(pack(rows), 3, 3).tolist()
    [[9, 8, 7], [12, 11, 10], [1, 0, 0]]
    """
    import numpy as np

    n, width = rows.shape
    if n > BLOCK:
        raise ValueError(f"a block has {BLOCK} rows at most")
    columns = [np.ascontiguousarray(rows[:, i]) for i in range(width)]
    few = [own[:: max(1, n // _LOOKED_AT)] for own in columns]
    made = []
    for i, column in enumerate(columns):
        earlier = min(range(-1, i), key=lambda j: (_cheapest(_less(few[i], few, j))[0], j))
        made.append(_packed(_less(column, columns, earlier), earlier))
    return b"".join(made)


def unpack(data: Any, n: int, width: int) -> Integers:
    """The rows that were packed; ValueError where the bytes cannot be such."""
    import numpy as np

    columns: list[Integers] = []
    for own in _opened(data, n, width):
        column = _wide(own.packed, n, own.bits).astype(np.int64)
        column += np.int64(own.base)
        column[own.places] = own.values
        if own.earlier >= 0:
            column += columns[own.earlier]
        columns.append(column)
    return np.stack(columns, axis=1) if columns else np.empty((n, 0), np.int64)


def packed_total(data: Any, n: int, width: int) -> Integers:
    """The sum of packed rows, as one row, mostly without unpacking them.

    >>> import numpy as np
    >>> packed_total(pack(np.array([[9, 8, 7], [12, 11, 10], [1, 0, 0]])), 3, 3).tolist()
    [[22, 19, 17]]
    """
    import numpy as np

    totals: list[int] = []
    for own in _opened(data, n, width):
        if own.bits == 64 or abs(own.base) >= _LARGE or (np.abs(own.values) >= _LARGE).any():
            return np.array(_native.sum_rows(unpack(data, n, width)), np.int64)  # refuses what is too large
        packed = _wide(own.packed, n, own.bits)
        total = int(packed.sum(dtype=np.int64)) + own.base * (n - len(own.places)) + int(own.values.sum())
        totals.append(total + (totals[own.earlier] if own.earlier >= 0 else 0))
    return np.array([totals], np.int64).reshape(1, width)


class _Column(NamedTuple):
    """A packed column: what does not fit has its values here, and 0 among the packed ones."""

    earlier: int
    bits: int
    base: int
    places: NDArray[np.uint16]
    values: Integers
    packed: memoryview


def _opened(data: Any, n: int, width: int) -> Iterator[_Column]:
    import numpy as np

    view = memoryview(data)
    at = 0

    def taken(size: int) -> memoryview:
        nonlocal at
        if size > len(view) - at:
            raise ValueError("cut off")
        at += size
        return view[at - size : at]

    for i in range(width):
        earlier, bits, misfits, base = _HEAD.unpack(taken(_HEAD.size))
        if not -1 <= earlier < i or bits not in _BITS or misfits > n:
            raise ValueError("the head of a column is wrong")
        places = np.frombuffer(taken(2 * misfits), "<u2")
        values = np.frombuffer(taken(8 * misfits), "<i8")
        if misfits and places.max() >= n:
            raise ValueError("a place is outside")
        yield _Column(earlier, bits, base, places, values, taken(-(-n * bits // 8)))
    if at != len(view):
        raise ValueError("longer than it says")


def _less(column: Integers, columns: list[Integers], earlier: int) -> Integers:
    return column if earlier < 0 else column - columns[earlier]


def _cheapest(values: Integers) -> tuple[float, int, int]:
    """Bytes a value, bits and base of the cheapest way to write values."""
    import numpy as np

    n = max(1, len(values))
    best: tuple[float, int, int] = (8.0, 64, 0)
    ordered = np.sort(values)
    for bits in _BITS[:-1]:
        # the window of 2^bits values that holds most of them, from a few places on
        for begin in sorted(
            {int(ordered[k]) for k in {0, n // 200, n // 50, n // 20, n // 2}} if len(values) else {0}
        ):
            end = min(begin + (1 << bits) - 1, 2**63 - 1)
            inside = np.searchsorted(ordered, end, "right") - np.searchsorted(ordered, begin, "left")
            best = min(best, (bits / 8 + _MISFIT * (n - int(inside)) / n, bits, begin))
    return best


def _packed(values: Integers, earlier: int) -> bytes:
    import numpy as np

    _, bits, base = _cheapest(values) if len(values) else (0.0, 0, 0)
    if bits == 64:
        return _HEAD.pack(earlier, bits, 0, 0) + values.astype("<i8").tobytes()
    more = values - np.int64(base)
    misfits = np.flatnonzero((values < base) | (more < 0) | (more >= 1 << bits))
    if len(misfits) == 0:
        return _HEAD.pack(earlier, bits, 0, base) + _narrow(more, bits)
    more[misfits] = 0
    places, exact = misfits.astype("<u2").tobytes(), values[misfits].astype("<i8").tobytes()
    return _HEAD.pack(earlier, bits, len(misfits), base) + places + exact + _narrow(more, bits)


def _narrow(values: Integers, bits: int) -> bytes:
    """Values below 2^bits, one after the other."""
    import numpy as np

    if bits == 0:
        return b""
    if bits >= 8:
        return values.astype(f"<u{bits // 8}").tobytes()
    together = 8 // bits
    padded = np.zeros(-(-len(values) // together) * together, np.uint8)
    padded[: len(values)] = values
    packed = np.zeros(len(padded) // together, np.uint8)
    for k in range(together):
        packed |= padded[k::together] << np.uint8(k * bits)
    return packed.tobytes()


def _wide(data: memoryview, n: int, bits: int) -> NDArray[Any]:
    """The values, each in bytes of its own."""
    import numpy as np

    if bits == 0:
        return np.zeros(n, np.uint8)
    if bits >= 8:
        return np.frombuffer(data, "<i8" if bits == 64 else f"<u{bits // 8}")
    together = 8 // bits
    packed = np.frombuffer(data, np.uint8)
    values = np.empty(len(packed) * together, np.uint8)
    for k in range(together):
        values[k::together] = packed >> np.uint8(k * bits) & np.uint8((1 << bits) - 1)
    return values[:n]

"""The longest common subsequence, by its textbook table."""

from __future__ import annotations

from collections.abc import Sequence


def common_length(one: Sequence[str], other: Sequence[str]) -> int:
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one, 1):
        for j, b in enumerate(other, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if a == b else max(table[i - 1][j], table[i][j - 1])
    return table[-1][-1]

"""Levenshtein's paths for many sequences at once, against a plain table for each."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tertium.stats import edits
from tertium.stats.edits import ALONE, CHANGED, EQUAL, edit_marks

SEQUENCES = st.lists(st.tuples(*[st.lists(st.integers(0, 4), max_size=9)] * 2), min_size=1, max_size=6)


def marked(ours: list[int], theirs: list[int]) -> tuple[list[int], list[int]]:
    costs = {(0, 0): (0, 0)}  # edits, and equal items, negative
    for i in range(len(ours) + 1):
        for j in range(len(theirs) + 1):
            ways = [(i - 1, j, 1, 0), (i, j - 1, 1, 0)]
            if i and j:
                same = ours[i - 1] == theirs[j - 1]
                ways.append((i - 1, j - 1, int(not same), -int(same)))
            known = [
                (costs[k, m][0] + edits, costs[k, m][1] + equal)
                for k, m, edits, equal in ways
                if (k, m) in costs
            ]
            costs[i, j] = min(known, default=(0, 0))
    marks = [ALONE] * len(ours), [ALONE] * len(theirs)
    i, j = len(ours), len(theirs)
    while i and j:
        same, (edits, equal) = ours[i - 1] == theirs[j - 1], costs[i, j]
        if costs[i - 1, j - 1] == (edits - (not same), equal + same):
            i, j = i - 1, j - 1
            marks[0][i] = marks[1][j] = EQUAL if same else CHANGED
        elif costs[i, j - 1] == (edits - 1, equal):
            j -= 1
        else:
            i -= 1
    return marks


@given(SEQUENCES, st.sampled_from([1, 60, edits._CELLS]))
def test_the_paths_of_the_twin(pairs: list[tuple[list[int], list[int]]], cells: int) -> None:
    """However many sequences fit into a table."""
    usual, edits._CELLS = edits._CELLS, cells
    try:
        found = edit_marks(
            *([np.array(own, dtype=np.int64) for own in side] for side in zip(*pairs, strict=True))
        )
    finally:
        edits._CELLS = usual
    wanted = [marked(*pair) for pair in pairs]
    for side in (0, 1):
        assert found[side].tolist() == [mark for own in wanted for mark in own[side]]

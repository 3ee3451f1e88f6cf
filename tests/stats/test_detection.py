"""Average precision and the area under the curve, against their definitions."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.stats.detection import area_under_curve, detection_precision

PAIRS = st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=30)


@settings(deadline=None)
@given(PAIRS)
def test_as_defined(pairs: list[tuple[bool, int]]) -> None:
    wrong, scores = [own[0] for own in pairs], [own[1] for own in pairs]
    ours = [score for mark, score in pairs if mark]
    theirs = [score for mark, score in pairs if not mark]
    if ours:
        precisions = [
            sum(mark for mark, other in pairs if other >= own) / sum(other >= own for _, other in pairs)
            for own in ours
        ]
        assert detection_precision(wrong, scores) == pytest.approx(sum(precisions) / len(ours))
    else:
        assert math.isnan(detection_precision(wrong, scores))
    if ours and theirs:
        wins = [1.0 if a > b else 0.5 if a == b else 0.0 for a, b in product(ours, theirs)]
        assert area_under_curve(wrong, scores) == pytest.approx(sum(wins) / len(wins))
    else:
        assert math.isnan(area_under_curve(wrong, scores))


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="2 marks and 1 scores"):
        detection_precision(np.array([True, False]), [1.0])

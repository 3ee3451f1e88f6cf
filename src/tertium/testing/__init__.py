"""The contract of a metric, as checks that any test suite can run: ours, and those of other packages.

    import pytest
    from tertium.testing import CHECKS, EXAMPLE, check_metric

    def test_my_metric():
        check_metric(MyMetric())                        # everything

    @pytest.mark.parametrize("check", CHECKS)           # or one test for each promise
    def test_promise(check):
        check(MyMetric(), EXAMPLE)

A check raises AssertionError with a line that says which promise is broken and where.
"""

from __future__ import annotations

from collections.abc import Callable

from tertium.families.base import Metric
from tertium.testing import adding, behaving
from tertium.testing.behaving import check_different
from tertium.testing.comparing import content, rows_of
from tertium.testing.example import EXAMPLE, Example

__all__ = ["CHECKS", "EXAMPLE", "Check", "Example", "check_different", "check_metric", "content", "rows_of"]

Check = Callable[[Metric, Example], None]

CHECKS: tuple[Check, ...] = (
    behaving.check_declarations,
    behaving.check_round_trips,
    adding.check_rows_add,
    adding.check_algebra,
    adding.check_order,
    adding.check_split,
    adding.check_threads,
    adding.check_direct_totals,
    adding.check_stack,
    adding.check_segments,
    behaving.check_perfect,
    behaving.check_empty,
    behaving.check_frozen,
    behaving.check_prepared,
    behaving.check_reward,
    behaving.check_ragged,
    behaving.check_shapes,
)


def check_metric(metric: Metric, example: Example = EXAMPLE) -> None:
    """All checks. Raises AssertionError for the first promise that does not hold.

    >>> import tertium
    >>> check_metric(tertium.metric("bleu"))
    """
    for check in CHECKS:
        check(metric, example)

"""How often the tests that compare metrics reject true nulls: a small part of `make simulate-meta`."""

from __future__ import annotations

import pytest

from tools.simulate_meta import CASES, DEFAULT, ERRORS, Case, limit, rejections

NULLS = 100
NAMED = {case.name: case for case in CASES}


@pytest.mark.parametrize("case", [case for case in CASES if case.used == DEFAULT], ids=lambda case: case.name)
def test_tests_of_meta_run_keep_their_level(case: Case) -> None:
    """Above 5% by no more than chance, under all errors that the test allows."""
    nulls = NULLS if case.share == 1 else NULLS // 3
    systems, segments = case.sizes[0]
    for errors in case.allowed:
        assert rejections(case, systems, segments, errors, nulls) <= limit(nulls), errors


@pytest.mark.parametrize(
    ("name", "errors"),
    [
        ("systems: Pearson, each segment score alone", "shared by system"),
        ("hybrids: Pearson, Williams", "independent"),
        ("pairs: tau, each comparison alone", "shared by segment"),
        ("segments: Pearson all, Williams", "shared by segment"),
        ("segments: Pearson by item, segments change sides", "shared by system"),
    ],
)
def test_a_test_whose_assumption_fails_is_found_out(name: str, errors: str) -> None:
    case = NAMED[name]
    assert errors in ERRORS
    nulls = 4 * NULLS if errors == "shared by segment" else NULLS
    assert rejections(case, *case.sizes[0], errors, nulls) > limit(nulls)

"""schemathesis: requests made from an OpenAPI description, good and bad. No 500, no answer it does not describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.specs.openapi import checks as openapi_checks

CHECKS = [
    schemathesis.checks.not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_schema_conformance,
]


# By hand, not by schemathesis' own plugin, which reaches into pytest's insides.
def surprises(
    app: Any, path: str, headers: Mapping[str, str], before: Callable[[], None], *, operations: int
) -> set[int]:
    """Try all operations of a description; gives the statuses that were seen."""
    described = schemathesis.openapi.from_asgi(path, app)
    found = [operation.ok() for operation in described.get_all_operations()]
    assert len(found) == operations
    codes: set[int] = set()
    for operation in found:
        for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):

            @given(case=operation.as_strategy(generation_mode=mode))
            @settings(
                max_examples=8,
                deadline=None,
                derandomize=True,
                database=None,
                phases=[Phase.explicit, Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            def try_out(case: Any) -> None:
                before()
                answer = case.call(headers=headers)
                codes.add(answer.status_code)
                case.validate_response(answer, checks=CHECKS)

            try:
                try_out()
            except Unsatisfiable:  # there is nothing wrong to send
                assert mode == schemathesis.GenerationMode.NEGATIVE
    return codes

"""Documents from a file, as if they were sent: checked first, then stored, each once however often it is tried."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable

from pydantic import ValidationError

from tertium.errors import InputError
from tertium.monitor.evaluating import check_segments
from tertium.monitor.keys import ServiceKey, ServiceKeys
from tertium.monitor.storing import checked
from tertium.progress import steps
from tertium.service.office import Office
from tertium.service.problems import Problem, pointer
from tertium.service.sending import NewEvaluation, Sending

IMPORTER = "import"


def replayed(office: Office, lines: Iterable[str], name: str) -> int:
    """Evaluate and keep documents, a JSON object a line, as `POST /v1/evaluations` takes them. Gives how many.

    All lines are checked before the first is kept. The same file again changes nothing.
    """
    sending, key = Sending(office), importing_key(office)
    texts = [line for line in lines if line.strip()]
    whole = hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    bodies = []
    for place, line in enumerate(texts, 1):
        try:
            body = NewEvaluation.model_validate_json(line)
            given = sending.given(body, None)
            checked(given, key)
            check_segments(given.segments, office.metrics(sending.specs(body)))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise InputError(f"{name}: line {place}: {pointer(first['loc'])}: {first['msg']}") from None
        except Problem as error:
            raise InputError(f"{name}: line {place}: {error.path} {error.detail}".rstrip()) from None
        bodies.append(body)
    for place, body in enumerate(steps(bodies, "evaluating"), 1):
        try:
            sending.evaluated(body, key, f"{IMPORTER}:{whole}:{place}")
        except Problem as error:
            raise InputError(f"{name}: line {place}: {error.detail} (the lines before it are kept)") from None
    return len(bodies)


def importing_key(office: Office) -> ServiceKey:
    """The key that files are brought in with: nobody has its token."""
    found = office.keys.named(IMPORTER)
    if found is None:
        ServiceKeys(office.database).create(IMPORTER, ["administer"])
        found = office.keys.named(IMPORTER)
    assert found is not None
    return found


def line_of(**body: object) -> str:
    """A document as a line."""
    return json.dumps(body)

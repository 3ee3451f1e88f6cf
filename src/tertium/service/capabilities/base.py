"""What capabilities of the service share: their names, who may ask, texts as they come in, results as they go out.

A capability is a function from the office's equipment to a router; its routes are thin calls of the library, and what
they answer is the result as the command line writes it with `-f json`, to the last bit.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Response
from pydantic import AfterValidator, Field

from tertium.errors import InputError, TertiumError
from tertium.registry import Registry
from tertium.service.asking import TROUBLE as TROUBLE
from tertium.service.asking import Reader as Reader
from tertium.service.asking import Writer as Writer
from tertium.web.bodies import Strict
from tertium.web.refusals import Problem

if TYPE_CHECKING:
    from tertium.results import Result
    from tertium.service.equipment import Equipment

MOST = 100_000  # segments in a call

CAPABILITIES: Registry[Callable[[Equipment], APIRouter]] = Registry(
    "capability",
    "tertium.service_capabilities",
    {
        "memory": "tertium.service.capabilities.memory:routes",
        "estimate": "tertium.service.capabilities.estimating:routes",
        "check": "tertium.service.capabilities.checking:routes",
        "readability": "tertium.service.capabilities.reading:routes",
        "assign": "tertium.service.capabilities.assigning:routes",
        "analyse": "tertium.service.capabilities.analysing:routes",
        "adapt": "tertium.service.capabilities.adapting:routes",
    },
)


def _whole(text: str) -> str:
    """Without halves of characters, which no file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair is no character") from None
    return text


def _pair(text: str) -> str:
    from tertium.io.memories.pairs import Pair

    try:
        return str(Pair.parse(text)) if text else ""
    except TertiumError:
        raise ValueError("a language pair is source-target, such as en-fr") from None


Text = Annotated[str, Field(max_length=100_000), AfterValidator(_whole)]
Label = Annotated[str, Field(max_length=200), AfterValidator(_whole)]
Languages = Annotated[
    str,
    Field(max_length=20, pattern=r"^([A-Za-z]{2,3}(-[A-Za-z0-9]+)?-[A-Za-z]{2,3}(-[A-Za-z0-9]+)?)?$"),
    AfterValidator(_pair),
    Field(description="source and target language: en-fr"),
]


class TranslatedSegment(Strict):
    """A source and its translation."""

    source: Text
    mt: Text


Segments = Annotated[list[TranslatedSegment], Field(min_length=1, max_length=MOST)]


class DocumentText(Strict):
    """A document: its name, whose ending says what it is (.txt, .html, .xlf...), and its text."""

    name: str = Field("document.txt", pattern=r"^[A-Za-z0-9_][A-Za-z0-9_. -]{0,99}$")
    text: Annotated[str, Field(min_length=1, max_length=20_000_000), AfterValidator(_whole)]


def answered(result: Result) -> Response:
    """A result as JSON: the bytes that the command line writes with -f json."""
    return Response(result.json().encode("utf-8", "surrogatepass"), media_type="application/json")


def results(*kinds: str) -> dict[int | str, dict[str, Any]]:
    """What a route answers, as `data/schema.json` describes these kinds of results."""
    found = [_definition(kind) for kind in kinds]
    schema = found[0] if len(found) == 1 else {"anyOf": found}
    return {200: {"description": " or ".join(kinds), "content": {"application/json": {"schema": schema}}}}


@cache
def _definition(kind: str) -> Any:
    import json

    every = json.loads(files("tertium").joinpath("data", "schema.json").read_text("utf-8"))["$defs"]
    return {**_loosened(every[kind]), "required": ["tertium", "kind", "schema"]}


def _loosened(schema: Any) -> Any:
    """A definition made of examples, as a promise to clients: names and shapes; what an example had need not be there.

    >>> _loosened({"type": ["integer", "null"], "required": ["a"], "additionalProperties": False})
    {'type': ['number', 'null']}
    """
    if isinstance(schema, list):
        return [_loosened(own) for own in schema]
    if not isinstance(schema, dict):
        return "number" if schema == "integer" else schema
    dropped = (
        "required",
        *(("additionalProperties",) if schema.get("additionalProperties") is False else ()),
    )
    return {name: _loosened(own) for name, own in schema.items() if name not in dropped}


@contextmanager
def filed(documents: Sequence[DocumentText]) -> Iterator[list[str]]:
    """Documents as files, for the time of a call: the library reads them as the command line does. What is said of them
    does not name the folder."""
    if len({own.name for own in documents}) < len(documents):
        raise Problem(422, "two documents have the same name")
    with tempfile.TemporaryDirectory(prefix="tertium-call-") as folder:
        paths = [Path(folder, own.name) for own in documents]
        for path, own in zip(paths, documents, strict=True):
            path.write_bytes(own.text.encode())
        try:
            yield [str(path) for path in paths]
        except TertiumError as error:
            if isinstance(error, Problem):
                raise
            raise InputError(re.sub(rf"{re.escape(folder)}/?", "", str(error))) from None

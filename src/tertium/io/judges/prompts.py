"""Prompts as files: what is said to a language model, and what kind of answer is expected (docs/judges.md)."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from tertium.errors import InputError, did_you_mean
from tertium.io.settings import NonEmpty, Origin, read
from tertium.io.toml import read_toml

FOLDER = Path(__file__).parents[2] / "data" / "prompts"
_PLACE = re.compile(r"\{\{ *(\w+) *\}\}")
_LARGEST = 1e9  # of what is added up exactly
LANGUAGES = ("source_language", "target_language")
PLACES = {  # what a prompt of a kind may ask for, and must
    "rating": (("source", "references", "hypothesis"), ("hypothesis",)),
    "errors": (("source", "references", "hypothesis"), ("hypothesis",)),
    "pair": (("source", "references", "first", "second"), ("first", "second")),
}


@dataclass(frozen=True)
class Prompt:
    """A prompt: two messages with places for texts, `{{source}}`, and the kind of answer."""

    kind: Literal["rating", "errors", "pair"]
    user: Annotated[str, NonEmpty()]
    system: str = ""
    low: float = 0.0  # of ratings
    high: float = 100.0
    weights: dict[str, float] = field(default_factory=dict)  # of errors, beside those of MQM
    name: str = field(default="", metadata={"key": None})
    hash: str = field(default="", metadata={"key": None})

    @property
    def places(self) -> set[str]:
        return set(_PLACE.findall(self.system + self.user))

    @property
    def needs(self) -> tuple[str, ...]:
        """What it must be given beside the translation: source, references."""
        return tuple(name for name in ("source", "references") if name in self.places)

    def messages(self, texts: Mapping[str, str]) -> list[dict[str, str]]:
        """The messages with these texts in their places. What a text says is never taken for a place."""

        def put(message: str) -> str:
            return _PLACE.sub(lambda place: texts[place[1]], message).strip()

        told = [{"role": "system", "content": put(self.system)}] if self.system.strip() else []
        return [*told, {"role": "user", "content": put(self.user)}]


def bundled() -> list[str]:
    """The names of the prompts that come with Tertium.

    >>> bundled()
    ['da', 'da-ref', 'mqm', 'pair']
    """
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def prompt(name: str) -> Prompt:
    """A bundled prompt by its name, or one of a file."""
    own = name in bundled()
    path = FOLDER / f"{name}.toml" if own else Path(name)
    if not own and not path.is_file():
        raise InputError(f"there is no prompt {name!r}: name a TOML file, or one of these{_known(name)}")
    values, text = read_toml(path, "a prompt")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    label = name if own else os.path.basename(name)
    found = read(Prompt, values, Origin(str(path), text), name=label, hash=digest)
    may, must = PLACES[found.kind]
    for place in sorted(found.places - {*may, *LANGUAGES}):
        raise InputError(
            f"{path}: a prompt of the kind {found.kind} has no {{{{{place}}}}}{did_you_mean(place, may)}"
        )
    for place in must:
        if place not in found.places:
            raise InputError(f"{path}: the prompt never shows the translation: {{{{{place}}}}} is missing")
    if not found.low < found.high:
        raise InputError(f"{path}: low must be less than high")
    if max(map(abs, (found.low, found.high, *found.weights.values()))) > _LARGEST:
        raise InputError(f"{path}: numbers beyond {_LARGEST:g} cannot be scores")
    return found


def _known(name: str) -> str:
    return did_you_mean(name, bundled())

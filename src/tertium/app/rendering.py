"""Pages from templates: everything that people or systems wrote is escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from tertium.human.campaigns.language import Interface
from tertium.web.rendering import templates_in

_SPACELESS = r"\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff"  # each character is a word
_LETTER = rf"[^\W{_SPACELESS}]"
# punctuation is a word of its own, unless it stands between letters (don't, well-known); marks belong to their letter
_WORD = re.compile(rf"{_LETTER}(?:[^\W{_SPACELESS}]|[\u0300-\u036f\u064b-\u065f]|['’-](?={_LETTER}))*|\S")


@cache
def templates() -> Environment:
    """The templates, with what they need."""
    made = templates_in(Path(__file__).parent / "templates")
    made.filters["words"] = words
    made.filters["errors"] = errors
    return made


def page(template: str, language: Interface, /, **values: Any) -> str:
    """A page from a template, in a language."""
    return templates().get_template(template).render(language=language, _=language.say, **values)


def errors(text: str, spans: Sequence[Mapping[str, Any]], severities: Sequence[str]) -> Markup:
    """A text with the errors marked in it, the worst on top; `data-level` is how bad they are, from 1.

    >>> print(errors("a bad cat", [{"start": 2, "end": 5, "severity": "major"}], ["minor", "major"]))
    a <span class="c" data-level="2">bad</span> cat
    """
    levels = [0] * len(text)
    lost = {
        len(text) if span["start"] is None else span["start"]
        for span in spans
        if span["start"] == span["end"]
    }
    for span in spans:
        for place in range(span["start"] or 0, span["end"] or 0):
            levels[place] = max(levels[place], severities.index(span["severity"]) + 1)
    cuts = sorted({0, len(text), *lost, *(i for i in range(1, len(text)) if levels[i] != levels[i - 1])})
    found = Markup("")
    for start, end in pairwise([*cuts, len(text)]):
        found += Markup('<span class="lost">‸</span>') if start in lost else ""
        plain = (
            Markup('<span class="c" data-level="{}">{}</span>')
            if start < end and levels[start]
            else Markup("{1}")
        )
        found += plain.format(levels[start] if start < end else 0, text[start:end])
    return found


def words(text: str) -> Markup:
    """A text whose words can be selected one by one; `data-s` and `data-e` are their places, in characters.

    >>> print(words("don't <"))
    <span class="w" data-s="0" data-e="5">don&#39;t</span> <span class="w" data-s="6" data-e="7">&lt;</span>
    """
    parts, last = [], 0
    for found in _WORD.finditer(text):
        word = Markup('<span class="w" data-s="{}" data-e="{}">{}</span>').format(
            *found.span(), found.group()
        )
        parts += [escape(text[last : found.start()]), word]
        last = found.end()
    return Markup("").join([*parts, escape(text[last:])])

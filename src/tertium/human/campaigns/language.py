"""The language of the pages: a TOML file with every English text and its translation.

    code = "fr"
    name = "français"

    [words]                      # {} is where something is filled in
    "Undo" = "Annuler"

    [instructions]               # the first page of each design, Markdown
    pairwise = "..."

What a file leaves out stays English. English needs no file: it is what the templates say.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from tertium.errors import InputError
from tertium.io.settings import Words, Wrong, read

_TABLES = ("words", "instructions")
Texts = Annotated[Mapping[str, str], Words("a table from the English text to its translation", "")]


@dataclass(frozen=True)
class Interface:
    """What the pages say.

    >>> language("fr").say("{} of {}", 3, 40)
    '3 sur 40'
    >>> language("en").say("Undo")
    'Undo'
    """

    code: str = "en"
    name: str = "English"
    direction: Literal["ltr", "rtl"] = "ltr"
    words: Texts = field(default_factory=dict)
    instructions: Texts = field(default_factory=dict)

    def say(self, text: str, *values: object) -> str:
        """A text of the pages, filled in."""
        said = self.words.get(text, text)
        for value in values:
            said = said.replace("{}", str(value), 1)
        return said

    def introduction(self, design: str) -> str:
        """The instructions of a design, if the campaign brings none.

        >>> language("en").introduction("pairwise").startswith("# ")
        True
        """
        return self.instructions.get(design) or _file("instructions", f"{design}.md")

    def stored(self) -> str | dict[str, Any]:
        """The name of a language that comes with Tertium; otherwise everything."""
        own = BUNDLED.get(self.code)
        return self.code if own is not None and own() == self else dict(vars(self))


ENGLISH = Interface()


def language(given: str | Mapping[str, Any]) -> Interface:
    """A language by its name, or from what a file says.

    >>> language({"code": "de", "words": {"Undoo": "Zurück"}})
    Traceback (most recent call last):
    tertium.io.settings.Wrong: has no text 'Undoo' to translate; did you mean 'Undo'?
    """
    if isinstance(given, str):
        if given not in BUNDLED:
            known = ", ".join(BUNDLED)
            raise Wrong(f"must be {known} or a file such as de.toml, not {given!r:.60}")
        return BUNDLED[given]()
    found = read(Interface, given, "")
    for table in _TABLES:
        texts: Mapping[str, str] = getattr(_french(), table)
        for text, said in getattr(found, table).items():
            near = get_close_matches(text, texts, 1, 0.8)
            if near and text not in texts:  # others may be the campaign's own severities and categories
                raise Wrong(f"has no text {text!r:.60} to translate; did you mean {near[0]!r:.60}?")
            if text.count("{}") != said.count("{}"):
                raise Wrong(f"must have as many {{}} in {said!r:.60} as there are in {text!r:.60}")
    return found


def written(code: str) -> str:
    """The file of a language that comes with Tertium, to be copied and translated."""
    if code == "en" or code not in BUNDLED:
        raise InputError(f"there is no language file for {code!r}; fr has one, with the English texts in it")
    return _file("languages", f"{code}.toml")


def _file(folder: str, name: str) -> str:
    return files("tertium.human.campaigns").joinpath(folder, name).read_text(encoding="utf-8")


@cache
def _french() -> Interface:
    return read(Interface, tomllib.loads(_file("languages", "fr.toml")), "fr.toml")


BUNDLED: dict[str, Callable[[], Interface]] = {"en": Interface, "fr": _french}

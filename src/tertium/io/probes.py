"""Words and sentences for the bias probe: lists with groups, sentences with a slot, as files have them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.io.records import HeadedTable, tab_rows, text_lines
from tertium.io.streams import FilePath, display_name

SLOT = "{}"


@dataclass(frozen=True)
class Alternative:
    """A word that may fill the slot, and the group it belongs to, if any."""

    word: str
    group: str = ""


@dataclass(frozen=True)
class Template:
    """A hypothesis with one slot, its references, and its source if there is one."""

    hypothesis: str
    references: tuple[str, ...]
    source: str | None = None

    def __post_init__(self) -> None:
        if self.hypothesis.count(SLOT) != 1:
            raise InputError(
                f"a sentence needs one slot {SLOT}, not {self.hypothesis.count(SLOT)}: {self.hypothesis!r}"
            )
        if not self.references:
            raise InputError(f"the sentence {self.hypothesis!r} has no reference")

    def filled(self, word: str) -> str:
        """The hypothesis with a word in its slot; at the beginning the word gets a capital.

        >>> Template("{} must be a doctor.", ("You must be a doctor.",)).filled("she")
        'She must be a doctor.'
        """
        before, _, behind = self.hypothesis.partition(SLOT)
        return before + (word if before.strip() else word[:1].upper() + word[1:]) + behind


def bundled_lists() -> list[str]:
    """The word lists that come with Tertium.

    >>> bundled_lists()
    ['countries', 'names', 'pronouns']
    """
    return sorted(
        path.name.removesuffix(".txt") for path in _folder().iterdir() if path.name.endswith(".txt")
    )


def read_alternatives(name: str, **how: Any) -> list[Alternative]:
    """The words of a bundled list or of a file: one a line, with its group after a tab if it has one.

    Settings of `tertium.io.files.LineReader` say `how` a file is read.

    >>> read_alternatives("pronouns")[0]
    Alternative(word='he', group='masculine')
    """
    path, how = _path(name, ".txt", "word list", how)
    found = []
    for number, line in text_lines(path, **how):
        word, _, group = (part.strip() for part in line.partition("\t"))
        if not word:
            if line.strip():
                raise InputError(f"{display_name(path)}: line {number} has a group but no word")
            continue
        found.append(Alternative(word, group))
    return found


def read_templates(name: str, **how: Any) -> list[Template]:
    """Sentences of a bundled list or of a tab-separated file with a header.

    Columns are `hypothesis` (with the slot {}), `reference` (any number of columns that begin so) and `source`.

    >>> read_templates("countries")[0].references
    ('It is the greatest country in the world.',)
    """
    path, how = _path(name, ".tsv", "file of sentences", how)
    table = HeadedTable(path, (), tab_rows(path, **how))
    references = [key for key in table.columns if key.startswith("reference")]
    if not references or set(table.columns) - {"source"} != {"hypothesis", *references}:
        raise InputError(
            f"{table.name}: line 1 must name the columns hypothesis, reference (and reference2, source), "
            f"not {', '.join(table.columns)}"
        )
    found = []
    for row in table:
        texts = tuple(filter(None, map(row.get, references)))
        try:
            found.append(Template(row.get("hypothesis"), texts, row.fields.get("source")))
        except InputError as error:
            raise InputError(f"{row.where}: {error}") from None
    if not found:
        raise InputError(f"{table.name}: there are no sentences after the first line")
    return found


def _path(name: str, ending: str, what: str, how: dict[str, Any]) -> tuple[FilePath, dict[str, Any]]:
    """The file, and how to read it: the bundled ones are always UTF-8."""
    if name in bundled_lists():
        return Path(str(_folder() / f"{name}{ending}")), {}
    if not Path(name).exists():
        known = did_you_mean(name, bundled_lists())
        raise InputError(f"{name}: there is no such {what}, and no bundled list of that name{known}")
    return name, how


def _folder() -> Path:
    return Path(str(files("tertium") / "data" / "probe"))

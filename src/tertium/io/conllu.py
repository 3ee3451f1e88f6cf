"""Parses in CoNLL-U: words with their parts of speech, sentence by sentence (universaldependencies.org/format.html)."""

from __future__ import annotations

import re
from typing import NamedTuple

from tertium.errors import InputError
from tertium.io.records import blocks
from tertium.io.streams import FilePath

_COLUMNS = 10
_ID = re.compile(r"[0-9]+(?:-[0-9]+|\.[0-9]+)?")


class ParsedSentence(NamedTuple):
    """The syntactic words of a sentence and their universal parts of speech (`_` where there is none)."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    text: str = ""  # of the comment `# text = ...`


def read_conllu(path: FilePath) -> list[ParsedSentence]:
    """The sentences of a CoNLL-U file. Of a word such as French *du* the two syntactic words count, not the whole.

    >>> path = written("a.conllu", "# text = Il dort\\n1\\tIl\\til\\tPRON\\t_\\t_\\t2\\tnsubj\\t_\\t_\\n"
    ...     "2\\tdort\\tdormir\\tVERB\\t_\\t_\\t0\\troot\\t_\\t_\\n")
    >>> read_conllu(path)
    [ParsedSentence(words=('Il', 'dort'), tags=('PRON', 'VERB'), text='Il dort')]
    """
    found = []
    for block in blocks(path):
        words: list[tuple[str, str]] = []
        text = ""
        for where, line in block:
            key, equals, value = line[1:].partition("=")
            if not line.startswith("#"):
                words += _word(line, where, len(words))
            elif equals and key.strip() == "text":
                text = value.strip()
        if not words:
            raise InputError(f"{block[-1][0]}: a sentence without words ends here")
        found.append(ParsedSentence(tuple(word for word, _ in words), tuple(tag for _, tag in words), text))
    return found


def _word(line: str, where: str, known: int) -> list[tuple[str, str]]:
    fields = line.split("\t")
    if len(fields) != _COLUMNS:
        raise InputError(f"{where}: has {len(fields)} columns, but CoNLL-U has {_COLUMNS} separated by tabs")
    if not _ID.fullmatch(fields[0]):
        raise InputError(f"{where}: {fields[0]!r} is not a word number")
    if "-" in fields[0] or "." in fields[0]:
        return []  # a surface word of several, or an empty node
    if int(fields[0]) != known + 1:
        raise InputError(f"{where}: word {fields[0]} follows word {known}")
    return [(fields[1], fields[3])]

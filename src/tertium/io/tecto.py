"""Tectogrammatical trees: CoNLL-U with the deep layer in its last column, or a table with a line for each node.

CoNLL-U: a word with `t_lemma=` in the last column is a node; `t_head=` is the number of the word whose node is above it
(0: none), the other keys are attributes (`functor`, `formeme`, `sempos`, `gram/number`...).

Table (the columns of a Treex export, separated by tabs): a header with `id`, `parent`, `t_lemma` and any attributes,
then sentences separated by empty lines, each with a first line `# text = ...`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from tertium.errors import InputError, did_you_mean
from tertium.io.conllu import SentenceLines, conllu_lines, parsed_lines
from tertium.io.records import blocks
from tertium.io.streams import FilePath, display_name
from tertium.text.parses import NO_HEAD, DeepNode, Parsed, goes_round

GRAMMATEMES = (
    "number",
    "gender",
    "person",
    "tense",
    "aspect",
    "verbmod",
    "deontmod",
    "sentmod",
    "negation",
    "degcmp",
)
ATTRIBUTES = ("t_lemma", "functor", "formeme", "sempos", "form", "lemma", "tag", *GRAMMATEMES)
_REQUIRED = ("id", "parent", "t_lemma")
_GRAMMATEME = "gram/"
_NONE = ("", "_")
Found = tuple[Parsed, tuple[str, ...]]  # a sentence, and where its words stand


def read_tecto(path: FilePath) -> Iterator[Found]:
    """The sentences of a file with their deep nodes.

    >>> path = written("a.tsv", "id\\tparent\\tt_lemma\\tfunctor\\tgram/number\\n# text = Men sleep.\\n"
    ...     "1\\t2\\tman\\tACT\\tpl\\n2\\t0\\tsleep\\tPRED\\t_\\n")
    >>> ((sentence, _),) = read_tecto(path)
    >>> [(node.values["t_lemma"], node.values.get("number"), node.head) for node in sentence.deep]
    [('man', 'pl', 1), ('sleep', None, -1)]
    """
    found = blocks(path)
    first = next(found, None)
    if first is None:
        raise InputError(f"{display_name(path)}: the file is empty")
    header = next((line for _, line in first if not line.startswith("#")), "")
    if header.partition("\t")[0].lower() == "id":
        yield from _table(chain([first], found))
    else:
        yield from (
            (_deepened(lines), tuple(word.where for word in lines.words)) for lines in conllu_lines(path)
        )


def _deepened(lines: SentenceLines) -> Parsed:
    """A sentence of CoNLL-U with the nodes that its last column has."""
    rows, wheres = [], []
    for number, word in enumerate(lines.words, 1):
        misc = word.misc
        if misc.get("t_lemma") in (None, *_NONE):
            continue
        values = {"form": word.fields[1], "lemma": word.fields[2], "tag": word.fields[4]}
        if values["tag"] == "_":
            values["tag"] = word.fields[3]
        rows.append((str(number), misc.get("t_head", "0"), values | misc))
        wheres.append(word.where)
    parsed = parsed_lines(lines)
    return Parsed(parsed.text, parsed.words, spans=parsed.spans, deep=_nodes(rows, wheres))


def _table(sentences: Iterator[list[tuple[str, str]]]) -> Iterator[Found]:
    header: tuple[str, ...] = ()
    for block in sentences:
        text, rows, wheres = "", [], []
        for where, line in block:
            if line.startswith("#"):
                key, _, value = line[1:].partition("=")
                text = value.strip() if key.strip() == "text" else text
                continue
            fields = line.split("\t")
            if not header:
                header = _header(fields, where)
                continue
            if len(fields) != len(header):
                raise InputError(f"{where}: has {len(fields)} fields, but the header has {len(header)}")
            values = dict(zip(header, fields, strict=True))
            rows.append((values["id"], values["parent"], values))
            wheres.append(where)
        if rows:
            if not text:
                raise InputError(f"{block[0][0]}: the sentence that begins here has no line '# text = ...'")
            words = tuple(text.split())
            yield Parsed(text, words, deep=_nodes(rows, wheres)), (block[0][0],) * len(words)


def _header(fields: Sequence[str], where: str) -> tuple[str, ...]:
    names = tuple(field.strip().lower().removeprefix(_GRAMMATEME) for field in fields)
    for name in names:
        if name not in (*_REQUIRED, *ATTRIBUTES):
            raise InputError(
                f"{where}: unknown column {name!r}{did_you_mean(name, (*_REQUIRED, *ATTRIBUTES))}"
            )
        if names.count(name) > 1:
            raise InputError(f"{where}: the column {name!r} is there twice")
    for name in _REQUIRED:
        if name not in names:
            raise InputError(f"{where}: there is no column {name!r}")
    return names


def _nodes(rows: Sequence[tuple[str, str, dict[str, str]]], wheres: Sequence[str]) -> tuple[DeepNode, ...]:
    """Nodes by their numbers and those above them; what goes round is no tree."""
    places = {number: place for place, (number, _, _) in enumerate(rows)}
    heads = []
    for (number, above, _), where in zip(rows, wheres, strict=True):
        if above not in ("0", "_", "") and (above not in places or above == number):
            raise InputError(
                f"{where}: node {number} has {above!r} above it, which is no other node of this sentence"
            )
        heads.append(places.get(above, NO_HEAD))
    place = goes_round(heads)
    if place is not None:
        raise InputError(
            f"{wheres[place]}: node {rows[place][0]} hangs on itself, by way of others: this is no tree"
        )
    return tuple(
        DeepNode(_attributes(values), head) for (_, _, values), head in zip(rows, heads, strict=True)
    )


def _attributes(values: dict[str, str]) -> dict[str, str]:
    named = ((key.removeprefix(_GRAMMATEME), value) for key, value in values.items())
    return {key: value for key, value in named if key in ATTRIBUTES and value not in _NONE}

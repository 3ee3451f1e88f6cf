"""Sentences with semantic roles: CoNLL-2009 columns, and ASSERT's brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.errors import InputError
from tertium.io.files import open_lines
from tertium.io.streams import FilePath, display_name
from tertium.text.srl import Frame, Parse, Role

# ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED APRED...
_HEAD, _PREDICATE, _ARGUMENTS = 8, 13, 14


def read_parses(path: FilePath) -> list[Parse]:
    """The sentences of a file of either kind, known by its first line."""
    name = display_name(path)
    lines = list(_lines(path))
    first = next((line for line in lines if line.strip()), "")
    if "\t" in first:
        return list(_conll09(name, lines))
    return list(_assert(name, lines).values())


def read_conll09(path: FilePath) -> list[Parse]:
    """The sentences of a CoNLL-2009 file, with a frame for each predicate.

    An argument is marked at its head. Its words are those below the head, without other arguments and without the
    predicate and what stands below that; where they do not stand together they are several arguments with one label.
    """
    return list(_conll09(display_name(path), list(_lines(path))))


def read_assert(path: FilePath, sentences: Sequence[str] | None = None) -> list[Parse]:
    """The sentences of an ASSERT file, `3: [A0 He] [TARGET sleeps] .`, one line a frame, sentences counted from 0.

    `sentences` has their texts: those without frames are in the result too, and the words are theirs.
    """
    name = display_name(path)
    found = _assert(name, list(_lines(path)))
    if sentences is None:
        return list(found.values())
    if found and max(found) >= len(sentences):
        raise InputError(
            f"{name}: has frames of sentence {max(found)}, but there are {len(sentences)} (from 0)"
        )
    parses = []
    for i, sentence in enumerate(sentences):
        words = tuple(sentence.split())
        known = found.get(i, Parse(words))
        if len(known.tokens) != len(words):
            raise InputError(f"{name}: sentence {i} has {len(known.tokens)} words, its text {len(words)}")
        parses.append(Parse(words, known.frames))
    return parses


def _lines(path: FilePath) -> Iterator[str]:
    with open_lines(path) as reader:
        for batch in reader:
            yield from (batch[i] or "" for i in range(len(batch)))


def _conll09(name: str, lines: list[str]) -> Iterator[Parse]:
    block: list[tuple[int, list[str]]] = []
    for number, line in enumerate([*lines, ""], 1):
        if line.strip():
            block.append((number, line.split("\t")))
        elif block:
            yield _sentence(name, block)
            block = []


def _sentence(name: str, block: list[tuple[int, list[str]]]) -> Parse:
    heads: list[int] = []
    predicates: list[int] = []
    width = len(block[0][1])
    for place, (number, fields) in enumerate(block):
        where = f"{name}, line {number}"
        if len(fields) < _ARGUMENTS:
            raise InputError(f"{where}: CoNLL-2009 has {_ARGUMENTS} columns or more, found {len(fields)}")
        if len(fields) != width:
            raise InputError(f"{where}: {len(fields)} columns, but the sentence begins with {width}")
        if fields[0] != str(place + 1):
            raise InputError(f"{where}: word {place + 1} of the sentence has the number {fields[0]!r}")
        if not fields[_HEAD].isdecimal() or int(fields[_HEAD]) > len(block):
            raise InputError(f"{where}: the head {fields[_HEAD]!r} is not a word of the sentence")
        heads.append(int(fields[_HEAD]) - 1)
        if fields[_PREDICATE] != "_":
            predicates.append(place)
    if len(predicates) != width - _ARGUMENTS:
        raise InputError(
            f"{name}, line {block[0][0]}: the sentence has {len(predicates)} predicates, "
            f"but {width - _ARGUMENTS} columns of arguments"
        )
    frames = []
    for column, predicate in enumerate(predicates, _ARGUMENTS):
        labels = {place: fields[column] for place, (_, fields) in enumerate(block) if fields[column] != "_"}
        roles = [_role(place, heads, labels, predicate) for place in range(len(block))]
        frames.append(Frame(Role("V", (predicate, predicate + 1)), tuple(_runs(roles))))
    return Parse(tuple(fields[1] for _, fields in block), tuple(frames))


def _role(place: int, heads: list[int], labels: dict[int, str], predicate: int) -> str:
    """The label of a word or of the nearest word above it that has one; nothing at and below the predicate itself."""
    seen: set[int] = set()
    while place >= 0 and place != predicate and place not in seen:
        if place in labels:
            return labels[place]
        seen.add(place)
        place = heads[place]
    return ""


def _runs(roles: list[str]) -> Iterator[Role]:
    begin = 0
    for place in range(1, len(roles) + 1):
        if place == len(roles) or roles[place] != roles[begin]:
            if roles[begin]:
                yield Role(roles[begin], (begin, place))
            begin = place


def _assert(name: str, lines: list[str]) -> dict[int, Parse]:
    found: dict[int, Parse] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        sentence, colon, rest = line.partition(":")
        if not colon or not sentence.strip().isdecimal():
            raise InputError(f"{where}: a frame begins with the sentence's number and a colon")
        parse = _bracketed(where, rest.split())
        known = found.get(int(sentence))
        if known is not None:
            if known.tokens != parse.tokens:
                raise InputError(
                    f"{where}: the words differ from an earlier frame of sentence {sentence.strip()}"
                )
            parse = Parse(known.tokens, known.frames + parse.frames)
        found[int(sentence)] = parse
    return found


def _bracketed(where: str, words: list[str]) -> Parse:
    tokens: list[str] = []
    roles: list[Role] = []
    label, begin = "", 0
    for word in words:
        if word.startswith("[") and len(word) > 1 and not label:
            label, begin = word[1:], len(tokens)
            continue
        closing = bool(label) and word.endswith("]")
        text = word[:-1] if closing else word
        if text:
            tokens.append(text)
        if closing:
            roles.append(Role(label, (begin, len(tokens))))
            label = ""
    if label:
        raise InputError(f"{where}: the role {label} is not closed")
    predicates = [role for role in roles if role.label in ("TARGET", "V")]
    if not predicates and not roles:
        return Parse(tuple(tokens))
    if len(predicates) != 1:
        raise InputError(f"{where}: expected one [TARGET ...], found {len(predicates)}")
    arguments = tuple(role for role in roles if role is not predicates[0])
    return Parse(tuple(tokens), (Frame(predicates[0], arguments),))

"""Sentences with semantic roles: CoNLL-2009 columns, and ASSERT's brackets."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.errors import InputError
from tertium.io.records import blocks
from tertium.io.streams import FilePath
from tertium.text.srl import Frame, Parse, Role

# ID FORM LEMMA PLEMMA POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL FILLPRED PRED APRED...
_HEAD, _PREDICATE, _ARGUMENTS = 8, 13, 14


def read_parses(path: FilePath) -> list[Parse]:
    """The sentences of a CoNLL-2009 file, or those with frames of an ASSERT file; the first line tells which it is.

    CoNLL-2009 marks an argument at its head. Its words are those below the head, without other arguments and without
    the predicate and the words below it; where they do not stand together they are several arguments with one label.
    ASSERT has a line per frame, `3: [A0 He] [TARGET sleeps] .`, with the number of the sentence from 0.
    """
    sentences = list(blocks(path))
    if sentences and "\t" in sentences[0][0][1]:
        return [_sentence([(where, line.rstrip().split("\t")) for where, line in own]) for own in sentences]
    return list(_assert([line for own in sentences for line in own]).values())


def _sentence(block: list[tuple[str, list[str]]]) -> Parse:
    heads: list[int] = []
    predicates: list[int] = []
    width = len(block[0][1])
    for place, (where, fields) in enumerate(block):
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
            f"{block[0][0]}: the sentence has {len(predicates)} predicates, "
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


def _assert(lines: list[tuple[str, str]]) -> dict[int, Parse]:
    found: dict[int, Parse] = {}
    for where, line in lines:
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

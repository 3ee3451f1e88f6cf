"""Ids for people: a memory may name its translators, and nothing here stores or shows a name."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from hashlib import blake2b

from tertium.errors import InputError
from tertium.io.memories.unit import Unit
from tertium.io.streams import FilePath

ADDRESS = re.compile(r"[^\s<>@,;:\"()]+@[^\s<>@,;:\"()]+")
NOBODY = "FULL NAME <EMAIL@ADDRESS>"  # what gettext writes where nobody has translated yet
SUFFIX = ".key"
_PLAIN = re.compile(r"[!-;=?A-~]+")  # visible ASCII without spaces, <, > and @
_PARTS = re.compile(r"[^A-Za-z]+")
_INITIALS = 4  # letters; more capitals are a name
_PERSON = re.compile(r"[^\W\d_][^\W\d_'’.-]*(?:['’.-][^\W\d_'’-]*)*")
_BYTES = 16
_HEADER = "tertium key 1\n"


def is_id(text: str) -> bool:
    """Whether a translator's field holds an id: one word with a figure in it, a login of small letters, or initials.

    >>> all(map(is_id, ("t17", "49e6fb73", "adupont", "AD")))
    True
    >>> any(map(is_id, ("Dupont", "DUPONT", "anne.dupont", "Anne Dupont", "a@b.org")))
    False
    """
    if not _PLAIN.fullmatch(text):
        return not text
    if any(letter.isdigit() for letter in text):
        return True
    parts = [part for part in _PARTS.split(text) if part]
    if len(parts) != 1:
        return False
    return parts[0].islower() or (parts[0].isupper() and len(parts[0]) <= _INITIALS)


def is_person(text: str) -> bool:
    """Whether a client's field has an address, or looks like the name of a person: two to four words in capitals.

    >>> [own for own in ("acme", "gcc-12", "Acme", "Anne Dupont", "info@acme.org", "Rue 24") if is_person(own)]
    ['Anne Dupont', 'info@acme.org']
    """
    words = text.split()
    named = all(_PERSON.fullmatch(word) and word[0].isupper() for word in words)
    return bool(ADDRESS.search(text)) or (named and 2 <= len(words) <= 4)


class Identities:
    """Names become ids by a keyed hash: the same in every run, and nothing to guess names from without the key.

    The key is a file beside the memory, made when the first name is met; whoever has the memory has the names anyway.
    """

    def __init__(self, memory: str, key: FilePath | None = None) -> None:
        self.path = os.fspath(key) if key is not None else memory.rstrip("/") + SUFFIX
        self._key: bytes | None = None
        self._known: dict[tuple[str, str], str] = {}
        self._fields: dict[tuple[str, str, str], tuple[str, str, str]] = {}

    def translator(self, text: str) -> str:
        """An id as it is, a name as an id."""
        name = " ".join(text.split())
        return name if is_id(name) else "" if name == NOBODY else self._id("t", name)

    def client(self, text: str) -> str:
        return self._id("c", " ".join(text.split())) if is_person(text) else text

    def unit(self, unit: Unit) -> Unit:
        """A unit without names of people, and without addresses in the name of its document."""
        fields = unit.client, unit.translator, unit.document
        if fields not in self._fields:
            document = ADDRESS.sub(lambda found: self._id("d", found[0]), unit.document)
            own = self.client(unit.client), self.translator(unit.translator), document
            self._fields[fields] = own
        client, translator, document = self._fields[fields]
        return unit._replace(client=client, translator=translator, document=document)

    def _id(self, kind: str, name: str) -> str:
        found = self._known.get((kind, name))
        if found is None:
            if self._key is None:
                self._key = _key(self.path)
            text = name.casefold().encode("utf-8", "surrogatepass")
            found = f"{kind}-{blake2b(text, key=self._key, digest_size=5).hexdigest()}"
            self._known[kind, name] = found
        return found


def _key(path: str) -> bytes:
    """The key of a file, which is made where there is none: of two who make it at once, one is first."""
    try:
        if not os.path.exists(path):
            _make(path)
        with open(path, encoding="ascii") as file:
            text = file.read(len(_HEADER) + 2 * _BYTES + 2)
    except OSError as error:
        raise InputError(
            f"{path}: translators are named here, and the key that makes ids of names cannot be kept "
            f"({error.strerror}): say where with --key"
        ) from None
    except UnicodeDecodeError:
        text = ""
    header, digits = text[: len(_HEADER)], text[len(_HEADER) :].strip()
    if header != _HEADER or not re.fullmatch(f"[0-9a-f]{{{2 * _BYTES}}}", digits):
        raise InputError(f"{path}: is no key for ids (or was cut short); without it, ids of before are lost")
    return bytes.fromhex(digits)


def _make(path: str) -> None:
    beside = f"{path}.{os.getpid()}-{secrets.token_hex(4)}.part"
    try:
        number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(number, "w", encoding="ascii") as file:
            file.write(f"{_HEADER}{secrets.token_hex(_BYTES)}\n")
            file.flush()
            os.fsync(number)
        with suppress(FileExistsError):
            os.link(beside, path)
    finally:
        with suppress(OSError):
            os.unlink(beside)

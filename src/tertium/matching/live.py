"""A memory that many ask and add to at the same time: what somebody adds, the next question finds."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

from tertium.errors import InputError
from tertium.io.glossaries import read_terms
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.matching.candidates import MatchJob
from tertium.matching.consistency import TermKeeper
from tertium.matching.index import MemoryIndex
from tertium.matching.matched import MatchedSegment
from tertium.matching.matching import Matcher, matched
from tertium.matching.policy import Policy
from tertium.matching.searching import Concordance, search_memory
from tertium.memory.importing import add_units


class LiveMemory:
    """A memory on disk, open for questions and for edits."""

    def __init__(
        self,
        path: str,
        *,
        policy: str | None = None,
        pair: Pair | None = None,
        parts: bool = False,
        terms: bool = False,
        glossary: str | None = None,
        source: bool = True,
    ) -> None:
        self.path, self.pair = path, pair
        self.parts, self.terms = parts, terms or glossary is not None  # unless a question says otherwise
        learned = None if policy is None else Policy.load(policy)
        self._matcher = Matcher(MemoryIndex.open_filled(path, pair), policy=learned, source=source)
        self._asking, self._adding = threading.Lock(), threading.Lock()
        first = next(iter(self._matcher.index.units()))
        self.languages = Pair(first.source_language, first.target_language)
        self._glossary = None if glossary is None else read_terms(glossary, *self.languages)

    def match(
        self,
        segments: Sequence[str],
        targets: Sequence[str] = (),
        *,
        client: str = "",
        translator: str = "",
        domain: str = "",
        most: int | None = None,
        parts: bool | None = None,
        terms: bool | None = None,
    ) -> list[MatchedSegment]:
        """Proposals for segments (which may have `targets` already, else empty), by all that anybody has added until
        now."""
        if targets and len(targets) != len(segments):
            raise InputError(
                f"there are {len(segments)} segments, but {len(targets)} targets (empty where there is none)"
            )
        job = MatchJob(client, translator, str(date.today()), domain)
        with self._asking:
            self._matcher.index.refresh()
            usual, self._matcher.most = self._matcher.most, most or self._matcher.most
            try:
                keeper = None
                if self.terms if terms is None else terms:
                    keeper = TermKeeper(self._matcher.known_words, self.languages, self._glossary)
                own = self.parts if parts is None else parts
                return matched(
                    self._matcher, segments, targets or [""] * len(segments), job, keeper, parts=own
                )
            finally:
                self._matcher.most = usual

    def add(self, units: Sequence[Mapping[str, str]]) -> tuple[int, int]:
        """Units into the memory, on the disk when this returns: how many were new, and how many there are now."""
        made = [self._unit(own, number) for number, own in enumerate(units, 1)]
        with self._adding:
            added = add_units(made, self.path)
        with self._asking:
            self._matcher.index.refresh()
            return added, len(self._matcher.index)

    def search(self, text: str, *, target: bool = False, most: int = 20) -> Concordance:
        """Units that contain a text; of the memory only its name is said, not its folder."""
        found = search_memory(text, self.path, target=target, most=most)
        return replace(found, memory=self.path.replace("\\", "/").rpartition("/")[2])

    def _unit(self, given: Mapping[str, str], number: int) -> Unit:
        """A unit in the memory's languages, of today, unless it says otherwise."""
        for name in ("source", "target"):
            if not given.get(name, "").strip():
                raise InputError(f"unit {number}: has no {name}")
        usual = {
            "source_language": self.languages.source,
            "target_language": self.languages.target,
            "date": str(date.today()),
        }
        return Unit(**{**usual, **{name: value for name, value in given.items() if value}})  # type: ignore[arg-type]

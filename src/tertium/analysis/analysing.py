"""A new document, through everything that is known: memory, machine, estimation, checks, readability, assignment."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

import numpy as np

from tertium.analysis.analysed import DONE, AnalysedDocument, AnalysedSegment
from tertium.analysis.deciding import EXACT_BANDS, ORDER, Decider, StartingPoint, helpful
from tertium.analysis.effort import READING, REPEATED, Portion, bands_of, cost, effort_of
from tertium.analysis.experience import Experience
from tertium.analysis.machine import MachineOutput, judged_output
from tertium.assignment.ranking import TranslatorRanking, rank_texts
from tertium.errors import InputError, TertiumError, TertiumWarning, many
from tertium.estimation.estimator import Estimator
from tertium.io.glossaries import read_terms
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.matching.candidates import MatchJob
from tertium.matching.consistency import TermKeeper
from tertium.matching.documents import DocumentSegment, read_document
from tertium.matching.index import MemoryIndex, plain
from tertium.matching.languages import other_language
from tertium.matching.matched import MatchedSegment
from tertium.matching.matching import Matcher, matched
from tertium.matching.policy import Policy
from tertium.matching.proposals import SOURCE
from tertium.memory.reading import Source
from tertium.readability.results import TextLevel, text_level
from tertium.readability.scale import Scale, usual_scale
from tertium.triage.verdicts import EDIT_FROM, PASS_FROM, Thresholds
from tertium.vetting.judging import CombinedJudge
from tertium.vetting.suspicion import Suspicion

MOST = 3  # proposals of a segment that are kept
TAUGHT = 3000  # units that teach checks and detectors their words
DOUBTED = 0.5  # from this probability on a stored unit deserves a look


@dataclass(frozen=True)
class Staffing:
    """Where translators come from: the history of jobs (the memory, if none is named), and what is known of people."""

    memory: str | None = None
    type: str = ""
    people: str | None = None
    marks: str | None = None
    due: str | None = None
    types: str | None = None
    vectors: str | None = None
    key: str | None = None
    on: date | None = None
    top: int = 5
    pair: Pair | None = None


class Analyst:
    """Everything that documents are analysed with, opened once; what it learns of the memory, it learns once."""

    def __init__(
        self,
        memory: str,
        *,
        pair: Pair | None = None,
        policy: str | None = None,
        glossary: str | None = None,
        terms: bool = False,
        model: Estimator | str | None = None,
        scale: Scale | None = None,
        words_per_hour: float | None = None,
        reading: float = READING,
        passes: float = PASS_FROM,
        edits: float = EDIT_FROM,
        threads: int = 1,
    ) -> None:
        if not 0 <= reading <= 1:
            raise InputError(f"--reading {reading:g}: is a share, from 0 to 1")
        if words_per_hour is not None and not 0 < words_per_hour < 1e6:
            raise InputError(f"--words-per-hour {words_per_hour:g}: must be above 0")
        self.memory = memory
        learned = None if policy is None else Policy.load(policy)
        self.languages = pair or Pair(*Source(memory).languages())
        self.glossary = None if glossary is None else read_terms(glossary, *self.languages)
        self.terms = terms or glossary is not None
        self.estimator = model if isinstance(model, Estimator) or model is None else Estimator.read(model)
        self.scale = scale
        self.words_per_hour, self.reading = words_per_hour, reading
        self.thresholds = Thresholds(passes, edits)
        self._pair, self._policy, self._threads = pair, learned, threads

    @cached_property
    def matcher(self) -> Matcher:
        """Opened when a document is there to be matched: an index that is not there is made then."""
        index = MemoryIndex.open_filled(self.memory, self._pair)
        return Matcher(index, policy=self._policy, most=MOST, threads=self._threads)

    @cached_property
    def experience(self) -> Experience:
        """What proposals saved before."""
        return Experience.learnt(self.matcher)

    @cached_property
    def taught(self) -> list[Unit]:
        """Some units of the memory, from which words are learnt."""
        numbers = np.array(self.matcher.index.numbers, np.int64)
        chosen = np.sort(np.random.default_rng(12345).permutation(numbers)[:TAUGHT]).tolist()
        units = (self.matcher.index.memory.chosen(chosen[at : at + 500]) for at in range(0, len(chosen), 500))
        return [unit for some in units for _, unit in some]

    @cached_property
    def judge(self) -> CombinedJudge:
        """Checks of stored units, which learnt from some of them."""
        made = CombinedJudge.of()
        made.learn(self.taught)
        return made

    def analyse(
        self,
        document: str,
        *,
        mt: Sequence[str] | None = None,
        translate: Callable[[Sequence[str]], Sequence[str]] | None = None,
        client: str = "",
        domain: str = "",
        translator: str = "",
        staffing: Staffing | None = None,
    ) -> AnalysedDocument:
        """A document (text, HTML, XLIFF and other files of units): `mt` has a translation for each segment, `translate`
        makes those; without `staffing` no translators are listed."""
        given = read_document(document, self.languages)
        texts, targets = [own.source for own in given], [own.target for own in given]
        if not texts:
            raise InputError(f"{document}: there is no text in this document")
        if mt is not None and len(mt) != len(texts):
            raise InputError(
                f"{document} has {many(len(texts), 'segment')}, but there are {len(mt)} machine translations"
            )
        name = os.path.basename(document)
        ranking, trouble = self._translators(name, texts, client, domain, staffing)
        if (strange := other_language(texts, self.languages.source)) is not None:
            warnings.warn(f"{document}: {strange}", TertiumWarning, stacklevel=2)
        self.matcher.index.refresh()
        job = MatchJob(client, translator, str(date.today()), domain)
        keeper = TermKeeper(self.matcher.known_words, self.languages, self.glossary) if self.terms else None
        found = matched(self.matcher, texts, targets, job, keeper)
        open_places = [i for i, target in enumerate(targets) if not target]
        made = mt
        if translate is not None and made is None and open_places:
            fresh = iter(translate([texts[i] for i in open_places]))
            made = ["" if target else next(fresh) for target in targets]
        machine = None
        if made is not None:
            machine = judged_output(
                texts,
                made,
                open_places,
                self.taught,
                pair=str(self.languages),
                document=name,
                memory=self.memory,
                estimator=self.estimator,
                thresholds=self.thresholds,
            )
        doubts = self._doubts(found)
        decider = Decider(self.experience, machine, self.thresholds)
        rows = enumerate(zip(given, found, strict=True))
        decisions = [decider.decide(i, own, one, doubts.get(i)) for i, (own, one) in rows]
        segments, portions = self._segments(given, decisions)
        level = self._level(name, texts)
        return AnalysedDocument(
            name,
            os.path.basename(self.memory),
            len(self.matcher.index),
            (self.languages.source, self.languages.target),
            client,
            effort_of(portions, self.experience, words_per_hour=self.words_per_hour, reading=self.reading),
            bands_of(portions, ORDER, self.reading),
            len(self.experience.rates) if self.experience.learned else 0,
            tuple(segments),
            ranking,
            level,
            tuple(self._notes(segments, machine, trouble)),
            given=tuple(given),
        )

    def _doubts(self, found: Sequence[MatchedSegment]) -> dict[int, Suspicion]:
        """What checks say of the stored units that would be shown: of the units themselves, as they were translated."""
        places = [i for i, own in enumerate(found) if not own.target and helpful(own)]
        units = [
            Unit(best.source, best.target, self.languages.source, self.languages.target)
            for best in (found[i].proposals[0] for i in places)
            if best.origin != SOURCE
        ]
        places = [i for i in places if found[i].proposals[0].origin != SOURCE]
        judged = self.judge.judge(units) if units else []
        return {i: own for i, own in zip(places, judged, strict=True) if own.probability >= DOUBTED}

    def _segments(
        self, given: Sequence[DocumentSegment], decisions: Sequence[StartingPoint]
    ) -> tuple[list[AnalysedSegment], list[Portion]]:
        """Segments as they are shown, and as work sees them."""
        first: dict[str, int] = {}
        segments, portions = [], []
        for number, (own, chosen) in enumerate(zip(given, decisions, strict=True), 1):
            earlier = first.setdefault(plain(own.source), number)
            words = len(own.source.split())
            exact = chosen.band in EXACT_BANDS
            portion = Portion(words, chosen.band, chosen.saved, exact, chosen.error)
            if earlier != number and chosen.status != DONE and not exact:
                portion = Portion(words, REPEATED, 1.0)
            portions.append(portion)
            about = (
                chosen.status,
                chosen.target,
                chosen.origin,
                chosen.rate,
                chosen.mark,
                portion.band,
                words,
            )
            repeats = 0 if earlier == number else earlier
            more = (cost(portion, self.reading), repeats, chosen.reasons, chosen.proposals)
            segments.append(AnalysedSegment(number, own.source, *about, *more))
        return segments, portions

    def _translators(
        self, name: str, texts: Sequence[str], client: str, domain: str, staffing: Staffing | None
    ) -> tuple[TranslatorRanking | None, str]:
        """The list, or why there is none."""
        if staffing is None:
            return None, ""
        names = ("type", "people", "marks", "due", "types", "vectors", "key", "on", "top", "pair")
        how = {own: getattr(staffing, own) for own in names}
        named = any(how[own] for own in ("people", "marks", "types", "vectors"))
        memory = staffing.memory or self.memory
        try:
            found = rank_texts({name: texts}, memory, client=client, domain=domain, **how)
        except TertiumError as error:
            if named or staffing.memory is not None:
                raise
            return None, f"No translators are listed: {error}."
        return replace(found, memory=os.path.basename(found.memory)), ""

    def _level(self, name: str, texts: Sequence[str]) -> TextLevel | None:
        scale = self.scale or usual_scale()
        language = self.languages.source.partition("-")[0]
        return text_level(name, texts, language, scale) if language in scale.languages else None

    def _notes(
        self, segments: Sequence[AnalysedSegment], machine: MachineOutput | None, trouble: str
    ) -> Iterator[str]:
        if not self.experience.learned:
            yield "The memory has too little of its own past to say what matches save: rates are taken as they are."
        elif self.experience.fuzzy is None:
            yield "The memory has too few documents to say how far this one may be off: there is no interval."
        else:
            yield (
                f"What matches save was learnt from {len(self.experience.rates):,} segments of "
                f"{len(np.unique(self.experience.documents))} documents of the memory; the interval is 95%."
            )
        yield (
            f"Reading counts as {self.reading:.0%} of translating. Words per hour are "
            + ("an assumption: name your own." if self.words_per_hour is None else "as given.")
        )
        if machine is not None and not machine.saves:
            yield (
                "What the machine saves is not known (an estimator that was calibrated on post-edits tells): its "
                "segments count as new words."
            )
        doubtful = sum("doubtful" in " ".join(own.reasons) for own in segments)
        if doubtful:
            yield f"{many(doubtful, 'stored unit')} that would be shown should be looked at first."
        if trouble:
            yield trouble

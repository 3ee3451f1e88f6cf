"""What speaks for a translator: each kind of evidence is a value by name, columns of numbers over all translators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import many
from tertium.registry import Registry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.assignment.history import History

HALF_LIVES = (60, 365, 1500)  # days after which a job counts half
LONG_AGO = 5000  # days
NEAREST = 10  # documents
_TINY = 1e-12


@dataclass(frozen=True)
class Evidence:
    """Columns over translators, the weights they have where a history is too short to learn them, and words for it."""

    name: str
    sentence: str
    columns: Callable[[Question], NDArray[np.float64]]
    prior: tuple[float, ...]
    reason: Callable[[Question, int], str]


@dataclass(frozen=True)
class Question:
    """A document that needs a translator: its client, day and words, and the jobs that were done before it."""

    history: History
    past: int  # the first jobs
    client: str
    day: int
    terms: tuple[NDArray[np.int32], NDArray[np.float64]]
    domain: str = ""
    type: str = ""

    @classmethod
    def of_job(cls, history: History, job: int, past: int | None = None) -> Question:
        own = history.jobs[job]
        before = history.before(own.day) if past is None else past
        return cls(history, before, own.client, own.day, history.terms_of(job), own.domain, own.type)

    @cached_property
    def who(self) -> NDArray[np.int64]:
        return self.history.translator[: self.past]

    @cached_property
    def ages(self) -> NDArray[np.float64]:
        """Days since each job; all alike where nobody knows."""
        if not self.history.dated:
            return np.ones(self.past)
        return np.maximum(self.day - self.history.day[: self.past], 1).astype(float)

    @cached_property
    def ours(self) -> NDArray[np.bool_]:
        """Jobs for the same client."""
        number = self.history.clients.get(self.client, -1)
        return np.asarray(self.history.client[: self.past] == number)

    @cached_property
    def candidates(self) -> NDArray[np.bool_]:
        return self.sums(np.ones(self.past)) > 0

    @cached_property
    def idle(self) -> NDArray[np.float64]:
        """Days since each translator's last job."""
        least = np.full(len(self.history.translators), float(LONG_AGO))
        np.minimum.at(least, self.who, self.ages)
        return least

    @cached_property
    def rarity(self) -> NDArray[np.float64]:
        """Weights of words by how few of the documents before this one have them."""
        seen = self.history.term[: int(self.history.starts[self.past])]
        frequency = np.bincount(seen, minlength=len(self.history.vocabulary))
        return np.asarray(np.log((1 + self.past) / (1 + frequency)))

    @cached_property
    def likeness(self) -> NDArray[np.float64]:
        """Cosines of the document with those before it, words weighted by how rare they were until then."""
        history, end = self.history, int(self.history.starts[self.past])
        term, owner = history.term[:end], history.owner[:end]
        rarity = self.rarity
        weights = history.weight[:end] * rarity[term]
        asked = np.zeros(len(rarity))
        asked[self.terms[0]] = self.terms[1] * rarity[self.terms[0]]
        norms = np.sqrt(np.bincount(owner, weights**2, minlength=self.past))
        dots = np.bincount(owner, weights * asked[term], minlength=self.past)
        return np.asarray(dots / (norms * np.sqrt((asked**2).sum()) + _TINY))

    @cached_property
    def nearness(self) -> NDArray[np.float64]:
        """Cosines of the document's vector with those of the documents before it; zeros without vectors."""
        meanings = self.history.meanings
        if meanings is None:
            return np.zeros(self.past)
        ids, weights = self.terms
        return meanings.cosines(meanings.of(ids, weights * self.rarity[ids]), self.past)

    def sums(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weights of jobs by translator."""
        counted = np.bincount(self.who, weights, minlength=len(self.history.translators))
        return counted.astype(np.float64, copy=False)

    def shares(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self.sums(weights) / (weights.sum() + _TINY))

    def faded(self, half_life: float) -> NDArray[np.float64]:
        return np.asarray(0.5 ** (self.ages / half_life))


def _client(asked: Question) -> NDArray[np.float64]:
    shares = [asked.shares(asked.ours * asked.faded(days)) for days in HALF_LIVES]
    return np.stack([*shares, asked.sums(asked.ours.astype(float)) > 0], axis=1)


def _for_client(asked: Question, who: int) -> str:
    own = int((asked.ours & (asked.who == who)).sum())
    return f"did {own:,} of {many(int(asked.ours.sum()), 'document')} of this client" if own else ""


def _latest(asked: Question) -> NDArray[np.float64]:
    if not asked.ours.any():
        return np.zeros((len(asked.history.translators), 1))
    return asked.shares(asked.ours & (asked.ages == asked.ages[asked.ours].min()))[:, None]


def _was_latest(asked: Question, who: int) -> str:
    if not _latest(asked)[who, 0]:
        return ""
    if not asked.history.dated:
        return ""
    day = asked.day - int(asked.ages[asked.ours].min())
    return f"did this client's latest, on {date.fromordinal(day)}"


def _volume(asked: Question) -> NDArray[np.float64]:
    return np.stack([asked.shares(asked.faded(days)) for days in HALF_LIVES], axis=1)


def _did(asked: Question, who: int) -> str:
    return f"{many(int((asked.who == who).sum()), 'document')} in all"


def _pause(asked: Question) -> NDArray[np.float64]:
    return np.log1p(asked.idle)[:, None] if asked.history.dated else np.zeros((len(asked.idle), 1))


def _paused(asked: Question, who: int) -> str:
    days = int(asked.idle[who])
    if not asked.history.dated:
        return ""
    return f"last seen {many(days, 'day')} ago" if days < 60 else f"last seen {_long(days)} ago"


def _near(asked: Question, likeness: NDArray[np.float64]) -> NDArray[np.float64]:
    """The nearest document of each translator, and their shares of the nearest of all."""
    most = np.zeros(len(asked.history.translators))
    np.maximum.at(most, asked.who, likeness)
    nearest = np.argsort(-likeness, kind="stable")[:NEAREST]
    weights = np.zeros(asked.past)
    weights[nearest] = np.maximum(likeness[nearest], 0.0) ** 2 * asked.faded(1000)[nearest]
    return np.stack([most, asked.shares(weights)], axis=1)


def _nearest(asked: Question, likeness: NDArray[np.float64], who: int, least: float, how: str) -> str:
    own = np.where(asked.who == who, likeness, 0.0)
    if not own.any() or own.max() < least:
        return ""
    job = asked.history.jobs[int(own.argmax())]
    return f"translated {job.document or 'a document'}, which is {how} ({own.max():.2f})"


def _alike(asked: Question) -> NDArray[np.float64]:
    return _near(asked, asked.likeness)


def _most_alike(asked: Question, who: int) -> str:
    return _nearest(asked, asked.likeness, who, 0.2, "like it")


def _meaning(asked: Question) -> NDArray[np.float64]:
    return _near(asked, asked.nearness)


def _nearest_meaning(asked: Question, who: int) -> str:
    return _nearest(asked, asked.nearness, who, 0.4, "near it in meaning")


def _colleagues(asked: Question) -> NDArray[np.float64]:
    """Who works now for clients that have had the same translators as this one."""
    history = asked.history
    table = np.zeros((len(history.clients), len(history.translators)))
    np.add.at(table, (history.client[: asked.past], asked.who), asked.faded(1500))
    table = np.sqrt(table)
    number = history.clients.get(asked.client)
    if number is None:
        return np.zeros((len(history.translators), 2))
    norms = np.sqrt((table**2).sum(axis=1)) + _TINY
    near = (table @ table[number]) / (norms * norms[number])
    weights = near[history.client[: asked.past]]
    return np.stack([asked.shares(weights * asked.faded(days)) for days in (90, 365)], axis=1)


def _is_colleague(asked: Question, who: int) -> str:
    share = _colleagues(asked)[who, 1]
    return f"did {share:.0%} of the latest work for this client and related ones" if share >= 0.1 else ""


def _labelled(asked: Question, kind: str) -> NDArray[np.float64]:
    """Shares of the documents of the same domain or type."""
    own = getattr(asked, kind)
    if not own:
        return np.zeros((len(asked.history.translators), 1))
    same = np.array([getattr(job, kind) == own for job in asked.history.jobs[: asked.past]], bool)
    return asked.shares(same * asked.faded(1500))[:, None]


def _did_labelled(asked: Question, kind: str, who: int, words: str) -> str:
    label = getattr(asked, kind)
    jobs = asked.history.jobs[: asked.past]
    own = sum(getattr(job, kind) == label and at == who for job, at in zip(jobs, asked.who, strict=True))
    return f"{many(own, 'document')} {words} {label}" if label and own else ""


def _long(days: int) -> str:
    return many(days // 30, "month") if days < 730 else many(days // 365, "year")


CLIENT = Evidence(
    "client",
    "share of this client's documents, recent ones first",
    _client,
    (0.0, 1.0, 1.0, 2.0),
    _for_client,
)
LATEST = Evidence("latest", "did this client's latest document", _latest, (1.0,), _was_latest)
COLLEAGUES = Evidence(
    "colleagues",
    "works now for clients that share translators with this one",
    _colleagues,
    (1.0, 1.0),
    _is_colleague,
)
LIKENESS = Evidence("likeness", "translated documents with the same words", _alike, (1.0, 1.0), _most_alike)
MEANING = Evidence(
    "meaning",
    "translated documents with words of near meaning (where there are vectors)",
    _meaning,
    (1.0, 1.0),
    _nearest_meaning,
)
DOMAIN = Evidence(
    "domain",
    "share of the documents of this domain",
    lambda asked: _labelled(asked, "domain"),
    (1.0,),
    lambda asked, who: _did_labelled(asked, "domain", who, "about"),
)
TYPE = Evidence(
    "type",
    "share of the documents of this type",
    lambda asked: _labelled(asked, "type"),
    (1.0,),
    lambda asked, who: _did_labelled(asked, "type", who, "of type"),
)
PAUSE = Evidence("pause", "days since the last document", _pause, (-0.7,), _paused)
VOLUME = Evidence("volume", "share of all documents, recent ones first", _volume, (1.0, 0.0, 0.0), _did)

EVIDENCE: Registry[Evidence] = Registry(
    "evidence",
    "tertium.assignment_evidence",
    {
        one.name: f"tertium.assignment.evidence:{one.name.upper()}"
        for one in (CLIENT, LATEST, COLLEAGUES, LIKENESS, MEANING, DOMAIN, TYPE, PAUSE, VOLUME)
    },
)


def columns_of(asked: Question, kinds: list[Evidence]) -> NDArray[np.float64]:
    """All evidence, translators by columns."""
    return np.concatenate([kind.columns(asked).astype(float) for kind in kinds], axis=1)

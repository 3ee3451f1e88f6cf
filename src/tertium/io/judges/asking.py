"""Segments judged by a language model: several at a time, each answer kept, refusals and unreadable answers told."""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from tertium.errors import InputError, many, shortened
from tertium.io.caches import CacheFile, Facts, cache_path, load, make
from tertium.io.judges.answers import ReadAnswer, Unreadable, verdict
from tertium.io.judges.endpoint import Endpoint, Reply, Stopped
from tertium.io.judges.prompts import Prompt
from tertium.io.judges.turns import in_turn
from tertium.progress import steps

REFUSED, UNREADABLE = "refused", "unreadable"
LONGEST = 1024  # tokens of an answer
ANYTHING = "the text"  # in prompts, where nobody said which language it is


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question and its answer; without a verdict `reason` says why: "refused: ...", "unreadable: ..."."""

    verdict: ReadAnswer | None
    reason: str = ""


@dataclass
class Account:
    """What was asked, and what it took. Answers that were kept from before cost nothing."""

    asked: int = 0  # questions that went to the server
    kept: int = 0  # questions that had been answered before
    again: int = 0  # how often the server had to be asked again: busy, broken, silent
    reasked: int = 0  # how often an answer could not be read, and the model was told so
    tokens_in: int = 0
    tokens_out: int = 0
    uncounted: int = 0  # answers whose tokens the server did not count
    missing: Counter[str] = field(default_factory=Counter)  # questions without a verdict, by reason
    models: Counter[str] = field(default_factory=Counter)  # which models answered, as the server names them

    def spent(self, questions: int, prices: tuple[float, float] | None) -> Spending:
        """The account of so many questions; `prices` are those of a million tokens in and out."""
        counted = prices is not None and not self.uncounted
        cost = (
            (self.tokens_in * prices[0] + self.tokens_out * prices[1]) / 1e6 if prices and counted else None
        )
        return Spending(
            questions,
            self.asked,
            self.kept,
            self.again,
            self.reasked,
            self.tokens_in,
            self.tokens_out,
            cost,
            self.missing[REFUSED],
            self.missing[UNREADABLE],
            self.uncounted,
            tuple(sorted(filter(None, self.models))),
        )

    def add(self, reply: Reply) -> None:
        """An answer that came from the server."""
        self.asked += 1
        self.tokens_in += reply.tokens_in or 0
        self.tokens_out += reply.tokens_out or 0
        self.uncounted += reply.tokens_in is None or reply.tokens_out is None
        self.models[reply.model] += 1


@dataclass(frozen=True)
class Spending:
    """What was asked, and what it took: questions, tokens, and money where prices are known."""

    questions: int
    asked: int
    kept: int
    again: int
    reasked: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    refused: int
    unreadable: int
    uncounted: int  # answers whose tokens the server did not count
    models: tuple[str, ...]

    @property
    def missing(self) -> dict[str, int]:
        """Questions without a verdict, by reason."""
        counts = {REFUSED: self.refused, UNREADABLE: self.unreadable}
        return {reason: number for reason, number in counts.items() if number}

    def sentence(self) -> str:
        """The account in a sentence.

        >>> Account(asked=3, kept=1, tokens_in=900, tokens_out=30).spent(4, (2.0, 8.0)).sentence()
        '4 questions, 1 of them answered before; 900 tokens in, 30 out, cost 0.00204.'
        """
        parts = [f"{many(self.questions, 'question')}, {self.kept:,} of them answered before"]
        if self.models:
            parts.append(f"answered by {', '.join(self.models)}")
        spent = f"{self.tokens_in:,} tokens in, {self.tokens_out:,} out"
        parts.append(spent if self.cost is None else f"{spent}, cost {self.cost:.3g}")
        if self.uncounted:
            parts.append(
                f"the server did not count the tokens of {many(self.uncounted, 'answer')}, so the cost is unknown"
            )
        if self.reasked:
            parts.append(f"{many(self.reasked, 'answer')} had to be asked for again")
        if self.missing:
            why = ", ".join(f"{number:,} {reason}" for reason, number in sorted(self.missing.items()))
            missing = sum(self.missing.values())
            parts.append(f"{missing:,} {'has' if missing == 1 else 'have'} no answer ({why})")
        return "; ".join(parts) + "."


@dataclass
class _Run:
    """What the threads of a run share."""

    account: Account
    replies: dict[str, Reply] = field(default_factory=dict)  # where the cache cannot be written, too
    lock: threading.Lock = field(default_factory=threading.Lock)
    questions: dict[str, threading.Lock] = field(default_factory=dict)

    def alone(self, question: str) -> threading.Lock:
        """Held by whoever asks a question: who has the same one waits for its answer."""
        with self.lock:
            return self.questions.setdefault(question, threading.Lock())


@dataclass(frozen=True)
class PromptedModel:
    """A language model with a prompt."""

    endpoint: Endpoint
    model: str
    prompt: Prompt
    temperature: float | None = 0.0  # None: the model's own
    samples: int = 1
    rereads: int = 2  # how often a model is told that its answer cannot be read
    at_once: int = 4  # questions
    longest: int = LONGEST  # tokens of an answer
    languages: tuple[str, str] = ("", "")

    def ask(self, segments: Sequence[Mapping[str, str]], account: Account) -> list[list[AnsweredQuestion]]:
        """For each segment (texts by place: source, hypothesis...) as many answers as there are samples."""
        questions = [(segment, sample) for segment in segments for sample in range(self.samples)]
        run, before = _Run(account), self.endpoint.again
        failed: list[BaseException] = []

        def answer(question: tuple[Mapping[str, str], int]) -> AnsweredQuestion:
            try:
                return self._answer(*question, run)
            except BaseException as error:
                if not isinstance(error, Stopped):
                    failed.append(error)
                self.endpoint.stop()  # no further question, and nobody sleeps on before the next try
                raise

        try:
            answers = in_turn(answer, questions, self.at_once)
            done = list(steps(answers, f"asking {self.model}", total=len(questions)))
        except Stopped:
            raise failed[0] from None
        except BaseException:
            self.endpoint.stop()  # a person had enough
            raise
        account.again += self.endpoint.again - before
        for own in done:
            if own.verdict is None:
                account.missing[own.reason.partition(":")[0]] += 1
        return [done[i : i + self.samples] for i in range(0, len(done), self.samples)]

    def texts(self, segment: Mapping[str, str]) -> dict[str, str]:
        source, target = self.languages
        told = {"source_language": source or ANYTHING, "target_language": target or "language"}
        return {**told, **segment}

    def _answer(self, segment: Mapping[str, str], sample: int, run: _Run) -> AnsweredQuestion:
        texts = self.texts(segment)
        messages = self.prompt.messages(texts)
        problem = said = ""
        for attempt in range(self.rereads + 1):
            reply = self._reply(messages, sample, run, first=not attempt)
            if reply.refused:
                return AnsweredQuestion(None, f"{REFUSED}: {reply.refused}")
            try:
                return AnsweredQuestion(verdict(reply.text, self.prompt, texts))
            except Unreadable as error:
                problem, said = str(error), " ".join(reply.text.split())
            if reply.cut:  # the next one would be cut, too
                return AnsweredQuestion(
                    None, f"{UNREADABLE}: cut off after {self.longest} tokens; longest= allows more"
                )
            if attempt < self.rereads:
                with run.lock:
                    run.account.reasked += 1
                told = f"This answer cannot be used: {problem}. Answer again, with the JSON object and nothing else."
                messages = [
                    *messages,
                    {"role": "assistant", "content": reply.text},
                    {"role": "user", "content": told},
                ]
        return AnsweredQuestion(None, f"{UNREADABLE}: {problem}: {shortened(said)!r}")

    def _reply(self, messages: list[dict[str, str]], sample: int, run: _Run, *, first: bool) -> Reply:
        body: dict[str, Any] = {"model": self.model, "messages": messages, "max_tokens": self.longest}
        if self.temperature is not None:
            body["temperature"] = self.temperature
        asked = json.dumps([self.endpoint.address, sample, body], sort_keys=True).encode("ascii")
        path = cache_path("answers", hashlib.sha256(asked).hexdigest()[:24])
        with run.alone(path):
            known = run.replies.get(path) or load(path, _kept)
            if known is not None:
                with run.lock:
                    run.account.kept += first  # a question that was asked three times is one question
                    run.account.models[known.model] += 1
                return known
            reply = run.replies[path] = self.endpoint.chat(body)
            with run.lock:
                run.account.add(reply)
            with suppress(OSError):  # a cache that cannot be written costs money, but no answer
                make(path, _keep(reply, self.model))
            return reply


def _keep(reply: Reply, model: str) -> Callable[[BinaryIO], Facts]:
    def build(file: BinaryIO) -> Facts:
        file.write(reply.text.encode("utf-8", "surrogatepass"))
        taken = {"in": reply.tokens_in, "out": reply.tokens_out}
        told = {"answered": reply.model, "refused": reply.refused, "cut": reply.cut}
        return {"source": model, **told, **taken}

    return build


def _kept(file: CacheFile) -> Reply:
    facts = file.facts
    text = bytes(file.content()).decode("utf-8", "surrogatepass")
    answered, cut = str(facts.get("answered", "")), bool(facts.get("cut"))  # those kept by 0.1 do not say it
    return Reply(text, str(facts["refused"]), facts["in"], facts["out"], answered, cut)


def prices_of(text: str) -> tuple[float, float] | None:
    """Prices for a million tokens in and out, `2.5+10`; none where nothing is given.

    >>> prices_of("2.5+10")
    (2.5, 10.0)
    """
    if not text:
        return None
    try:
        low, high = (float(part) for part in text.split("+"))
    except ValueError:
        raise InputError(
            f"prices {text!r} are not those of a million tokens in and out, such as 2.5+10"
        ) from None
    if not (0 <= low < math.inf and 0 <= high < math.inf):
        raise InputError(f"prices {text!r}: a price is a number from 0 on")
    return low, high

"""Two systems compared by a language model, each segment in both orders: who is better, and what the order decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from tertium.errors import InputError
from tertium.families.llm import LLMJudge, places_of
from tertium.io.judges.answers import FIRST, SECOND, TIE
from tertium.io.judges.asking import Account, AnsweredQuestion, PromptedModel, prices_of
from tertium.io.judges.prompts import prompt
from tertium.judging.results import ComparedByJudge, JudgedPair
from tertium.stats.proportions import sign_test, wilson_interval
from tertium.testset import TestSet

OTHER = {FIRST: SECOND, SECOND: FIRST, TIE: TIE, "": ""}


def prefer(texts: TestSet, metric: LLMJudge, systems: Sequence[str] | None = None) -> ComparedByJudge:
    """Compare two systems. `metric` says model, endpoint and prompt (of the kind `pair`)."""
    names = tuple(texts.systems if systems is None else systems)
    if len(names) != 2:
        raise InputError(f"two systems are compared here, but there are {len(names)}")
    chosen = prompt(metric.prompt)
    if chosen.kind != "pair":
        raise InputError(f"the prompt {metric.prompt} does not compare: use one of the kind pair")
    if "source" in chosen.needs and texts.sources is None:
        raise InputError(f"the prompt {metric.prompt} shows the source: give it with --source")
    judge, account = metric.opened(chosen), Account()
    sides = [[text or "" for text in texts.systems[name]] for name in names]
    orders = [_asked(judge, texts, sides, account), _asked(judge, texts, sides[::-1], account)]
    said = [[_most(own) for own in answers] for answers in orders]
    pairs = tuple(
        _pair(i + 1, said[0][i], OTHER[said[1][i]], [*orders[0][i], *orders[1][i]]) for i in range(len(texts))
    )
    verdicts = Counter(pair.verdict for pair in pairs)
    # a question that is asked several times is one observation: its answers hang together; of two systems that say
    # the same, both orders are one question
    single = [_most(own) for own in orders[0]]
    single += [_most(own) for own, a, b in zip(orders[1], *sides, strict=True) if a != b]
    for_first, for_second = single.count(FIRST), single.count(SECOND)
    total = for_first + for_second
    both = [pair for pair in pairs if pair.shown_first and pair.shown_second]
    signature = metric.signed(chosen, texts.references.number)
    return ComparedByJudge(
        signature,
        *names,
        verdicts[FIRST],
        verdicts[SECOND],
        verdicts[TIE],
        verdicts[""],
        sign_test(verdicts[FIRST], verdicts[SECOND]),
        sum({pair.shown_first, pair.shown_second} == {FIRST, SECOND} for pair in both),
        len(both),
        for_first,
        total,
        wilson_interval(for_first, total) if total else None,
        sign_test(for_first, for_second),
        _consistency(orders) if metric.samples > 1 else None,
        pairs,
        account.spent(2 * len(texts) * metric.samples, prices_of(metric.prices)),
    )


def _asked(
    judge: PromptedModel, texts: TestSet, sides: Sequence[Sequence[str]], account: Account
) -> list[list[AnsweredQuestion]]:
    sources = None if texts.sources is None else [text or "" for text in texts.sources]
    streams = zip(*texts.references.streams, strict=True)
    references = [[text for text in row if text is not None] for row in streams]
    segments = places_of(sides[0], references, sources)
    return judge.ask(
        [{**own, "first": a, "second": b} for own, a, b in zip(segments, *sides, strict=True)], account
    )


def _said(answer: AnsweredQuestion) -> str:
    return "" if answer.verdict is None else answer.verdict.better


def _most(answers: Sequence[AnsweredQuestion]) -> str:
    """What most of the samples say; none where two are as frequent: a tie."""
    counts = Counter(filter(None, map(_said, answers))).most_common(2)
    if not counts:
        return ""
    return TIE if len(counts) > 1 and counts[0][1] == counts[1][1] else counts[0][0]


def _pair(number: int, one: str, other: str, answers: Sequence[AnsweredQuestion]) -> JudgedPair:
    """`one` is what was said where the first system was shown first, `other` where it was shown second."""
    reasons = "; ".join(dict.fromkeys(own.reason for own in answers if own.reason))
    sides = {one, other} - {TIE}
    if "" in sides:
        verdict = ""
    else:
        verdict = sides.pop() if len(sides) == 1 else TIE
    return JudgedPair(number, one, other, verdict, reasons)


def _consistency(orders: Sequence[Sequence[Sequence[AnsweredQuestion]]]) -> float | None:
    shares = []
    for answers in orders:
        for segment in answers:
            said = [own for own in map(_said, segment) if own]
            if len(said) > 1:
                shares.append(Counter(said).most_common(1)[0][1] / len(said))
    return fmean(shares) if shares else None

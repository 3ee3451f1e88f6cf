"""Systems rated by a language model: scores, errors, how often it agrees with itself, and what it takes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import fmean, pstdev

from tertium.errors import InputError
from tertium.families.llm import LLMJudge, places_of, segment_score
from tertium.io.files import write_atomically
from tertium.io.judges.asking import Account, AnsweredQuestion, prices_of
from tertium.io.judges.said import whole
from tertium.io.streams import FilePath
from tertium.judging.results import JudgedTranslations, RatedSegment, RatedSystem
from tertium.testset import TestSet
from tertium.text.segments import References


def rate(texts: TestSet, metric: LLMJudge) -> JudgedTranslations:
    """Every segment of every system, rated; see docs/judges.md."""
    if not texts.systems:
        raise InputError("there are no translations to be judged")
    if metric.needs_source and texts.sources is None:
        raise InputError(f"the prompt {metric.prompt} shows the source: give it with --source")
    judge, account = metric.opened(), Account()
    sources = None if texts.sources is None else [text or "" for text in texts.sources]
    references = _references(texts.references) if metric.needs_references else [[] for _ in range(len(texts))]
    systems, segments = [], []
    for name, lines in texts.systems.items():
        answers = judge.ask(places_of([text or "" for text in lines], references, sources), account)
        own = [_rated(name, number, given) for number, given in enumerate(answers, 1)]
        segments += own
        systems.append(_system(name, own, metric.samples))
    questions = len(texts.systems) * len(texts) * metric.samples
    number = texts.references.number
    return JudgedTranslations(
        f"{metric.label}|{metric.signature(number)}",
        tuple(systems),
        tuple(segments),
        account.spent(questions, prices_of(metric.prices)),
    )


def _references(references: References) -> list[list[str]]:
    rows = zip(*references.streams, strict=True)
    return [[text for text in row if text is not None] for row in rows]


def _rated(system: str, number: int, answers: Sequence[AnsweredQuestion]) -> RatedSegment:
    reasons = [own.reason for own in answers if own.reason]
    verdicts = [own.verdict for own in answers]
    errors = next((own.errors for own in verdicts if own is not None), ())
    samples = tuple(None if own is None else own.score for own in verdicts)
    return RatedSegment(
        system, number, segment_score(answers), samples, errors, "; ".join(dict.fromkeys(reasons))
    )


def _system(name: str, segments: Sequence[RatedSegment], samples: int) -> RatedSystem:
    scores = [own.score for own in segments if own.score is not None]
    several = [[value for value in own.samples if value is not None] for own in segments]
    several = [values for values in several if len(values) > 1]
    return RatedSystem(
        name,
        fmean(scores) if scores else None,
        len(scores),
        len(segments) - len(scores),
        fmean(pstdev(values) for values in several) if samples > 1 and several else None,
        fmean(len(set(values)) == 1 for values in several) if samples > 1 and several else None,
    )


def write_mqm(path: FilePath, found: JudgedTranslations, texts: TestSet, rater: str) -> None:
    """The errors as MQM's tab-separated file, which `tertium.human` reads; a segment without any gets a row, too."""
    header = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
    documents = texts.documents or ("",) * len(texts)
    with write_atomically(path) as file:
        file.write("\t".join(header) + "\n")
        for own in found.segments:
            if own.score is None:
                continue
            at = own.segment - 1
            source = "" if texts.sources is None else _flat(texts.sources[at])
            target = _flat(texts.systems[own.system][at])
            start = (own.system, documents[at], documents[at], str(own.segment), rater)
            for number, error in enumerate(own.errors):
                before = own.errors[:number].count(error)
                sides = (_marked(source, error.span, before), target)
                if not error.in_source:
                    sides = (source, _marked(target, error.span, before))
                row = (*start, *sides, error.category, error.severity.capitalize())
                file.write(whole("\t".join(row)) + "\n")
            if not own.errors:
                file.write(whole("\t".join((*start, source, target, "No-error", "No-error"))) + "\n")


def _marked(text: str, span: str, before: int) -> str:
    """A text with a span marked, where it is there for the first time, or after so many others."""
    places = [found.start() for found in re.finditer(re.escape(span), text)][before:]
    return "".join((text[: places[0]], f"<v>{span}</v>", text[places[0] + len(span) :])) if places else text


def _flat(text: str | None) -> str:
    return " ".join((text or "").split())

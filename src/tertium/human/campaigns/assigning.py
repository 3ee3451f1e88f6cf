"""Who judges what, in which order: batches of genuine and control items, with systems blinded."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from tertium.errors import InputError
from tertium.human.campaigns.degrading import degraded
from tertium.human.campaigns.draws import coin, identity_of, shuffled
from tertium.human.campaigns.items import (
    DEGRADED,
    REFERENCE,
    REFERENCE_SYSTEM,
    REPEAT,
    AnnotationTask,
    CampaignItem,
    Output,
)
from tertium.human.campaigns.segments import GivenSpan
from tertium.human.campaigns.settings import Settings


@dataclass(frozen=True)
class Assignment:
    """The tasks of one annotator, and the control items that were made for them."""

    annotator: str
    tasks: tuple[AnnotationTask, ...]
    controls: tuple[CampaignItem, ...] = ()


def assigned(
    settings: Settings, items: Sequence[CampaignItem], annotator: str, taken: Collection[str] = ()
) -> Assignment:
    """Give an annotator work from the pool of genuine items; `taken` are those that others judge already.

    With the same sample for all, everybody gets the first items of the pool, each in their own order; with different
    samples, the next ones that nobody has, after those `shared` by all.

    >>> from tertium import TestSet
    >>> from tertium.human.campaigns.building import pool
    >>> from tertium.human.campaigns.segments import segments_of
    >>> settings = Settings.of({"name": "demo", "design": "direct-assessment", "annotators": {"items": 20}})
    >>> found = assigned(settings, pool(settings, segments_of(TestSet.sample())), "Ann")
    >>> len(found.tasks), sorted(item.kind for item in found.controls)
    (20, ['degraded', 'degraded', 'reference', 'reference', 'repeat', 'repeat'])
    """
    sizes = _batches(settings)
    genuine = sum(size - sum(_control_counts(settings, size).values()) for size in sizes)
    own = _taken_from(settings, items, genuine, taken, annotator)
    in_documents = settings.options.get("order") == "document" and not settings.in_documents
    if not in_documents:
        own = shuffled(own, settings.seed, annotator, "order", key=lambda item: item.id)
    tasks: list[AnnotationTask] = []
    made: list[CampaignItem] = []
    start = 0
    for batch, size in enumerate(sizes, 1):
        counts = _control_counts(settings, size)
        here = own[start : start + size - sum(counts.values())]
        start += len(here)
        pairs = list(_controls(settings, here, items, annotator, batch, counts))
        made += [control for _, control in pairs]
        sequence = _in_documents(here, pairs) if in_documents else _spread(settings, here, pairs, annotator)
        for step in (step for item in sequence for step in _steps(settings, item)):
            tasks.append(_task(settings, step, annotator, len(tasks) + 1, batch))
    return Assignment(annotator, tuple(tasks), tuple(made))


def more_tasks(
    settings: Settings, items: Sequence[CampaignItem], annotator: str, after: int, batch: int
) -> list[AnnotationTask]:
    """Tasks for items added later, after the `after` tasks that the annotator has already."""
    own = shuffled(items, settings.seed, annotator, "order", key=lambda item: item.id)
    steps = [step for item in own for step in _steps(settings, item)]
    return [_task(settings, item, annotator, place, batch + 1) for place, item in enumerate(steps, after + 1)]


def _steps(settings: Settings, item: CampaignItem) -> tuple[CampaignItem, ...]:
    """What is judged one after the other: of a document its segments, then the whole, if scores are asked for."""
    if not item.inside:
        return (item,)
    return (*item.inside, item) if settings.options.get("score", True) else item.inside


def _task(settings: Settings, item: CampaignItem, annotator: str, place: int, batch: int) -> AnnotationTask:
    order = shuffled(range(len(item.outputs)), settings.seed, annotator, item.id, "blinding")
    return AnnotationTask(item.id, place, batch, tuple(order))


def _batches(settings: Settings) -> list[int]:
    """Sizes of the batches: equal ones, and a smaller last one that is still worth a batch."""
    whole, rest = divmod(settings.items, settings.batch)
    sizes = [settings.batch] * whole
    if rest and whole and rest < settings.batch // 4:
        sizes[-1] += rest
    elif rest:
        sizes.append(rest)
    return sizes


def _control_counts(settings: Settings, size: int) -> dict[str, int]:
    """How many control items of each kind a batch has; a small batch keeps one of each if it can."""
    wanted = {kind: share for kind, share in settings.controls.items() if share}
    if size < 2 * len(wanted) + 2:
        return {}
    return {kind: max(1, share * size // 100) for kind, share in wanted.items()}


def _taken_from(
    settings: Settings, items: Sequence[CampaignItem], genuine: int, taken: Collection[str], annotator: str
) -> list[CampaignItem]:
    if settings.people.sample == "same":
        own = list(items[:genuine])
        have, advice = len(items), "fewer annotators.items, or a wider sampling"
    else:
        common = list(items[: min(settings.people.shared, genuine)])
        free = [item for item in items[len(common) :] if item.id not in taken]
        own = common + free[: genuine - len(common)]
        have, advice = len(common) + len(free), 'sample = "same", fewer items, or a wider sampling'
    if len(own) < genuine:
        raise InputError(
            f"too few items: {annotator} needs {genuine} genuine ones, but there are only {have} ({advice})"
        )
    return own


def _controls(
    settings: Settings,
    here: Sequence[CampaignItem],
    items: Sequence[CampaignItem],
    annotator: str,
    batch: int,
    counts: dict[str, int],
) -> Iterator[tuple[CampaignItem, CampaignItem]]:
    """Pairs of a genuine item and its control item, each genuine item used as rarely as possible."""
    if not counts:
        return
    labels = (settings.seed, annotator, batch)
    waiting = shuffled(here, *labels, "controls", key=lambda item: item.id)
    donors = [part.outputs[0].text for item in items[:2000] for part in item.inside or (item,)]
    place = 0
    for kind, count in counts.items():
        made = tried = 0
        while made < count:
            if tried == len(waiting):
                raise InputError(
                    f"too few items for {count} control items of the kind {kind!r} in a batch: "
                    f"{len(waiting)} genuine ones (set controls.{kind}, or more annotators.items)"
                )
            item = waiting[place % len(waiting)]
            place, tried = place + 1, tried + 1
            identity = identity_of(annotator, batch, kind, made, item.id)
            control = _control(kind, item, identity, donors, labels)
            if control is not None and (kind == REPEAT or control.outputs[0].text != item.outputs[0].text):
                made += 1
                yield item, control


def _control(
    kind: str, item: CampaignItem, identity: str, donors: Sequence[str], labels: tuple[object, ...]
) -> CampaignItem | None:
    """The control item of a genuine one; None if there is none. In a document every segment is one."""
    inside = []
    for one in item.inside:
        part = _control(kind, one, identity_of(identity, one.id), donors, labels)
        if part is None:
            return None
        inside.append(replace(part, whole=identity))
    outputs: tuple[Output, ...] = item.outputs
    if inside:
        text = "\n".join(part.outputs[0].text for part in inside)
        outputs = (Output(text, inside[0].outputs[0].systems),)
    elif kind == REFERENCE:
        outputs = (
            Output(item.reference, (REFERENCE_SYSTEM,), carried_over(item.outputs[0], item.reference)),
        )
    elif kind == DEGRADED:
        output = item.outputs[0]
        worse = degraded(output.text, donors, *labels, item.id)
        if worse is None:
            return None
        outputs = (Output(worse, output.systems, moved(output, worse)),)
    return replace(item, id=identity, kind=kind, original=item.id, outputs=outputs, inside=tuple(inside))


def moved(output: Output, worse: str) -> tuple[GivenSpan, ...]:
    """The spans given for an output, as they stand in a damaged copy of it: those that the damage touches are gone, the
    others stay, since a screen without any among screens with some would give the control item away.

    >>> spans = (GivenSpan(0, 3, "minor"), GivenSpan(4, 9, "major"), GivenSpan(10, 13, "minor"))
    >>> [(span.start, span.end) for span in moved(Output("The sheep lay", ("A",), spans), "The old dog lay")]
    [(0, 3), (12, 15)]
    """
    text, longer = output.text, len(worse) - len(output.text)
    before = _shared(text, worse)
    rest = len(text) - before + min(0, longer)  # what may be the same at the end
    after = len(text) - min(rest, _shared(text[::-1], worse[::-1]))
    found = []
    for span in output.spans:
        if span.in_source or span.start is None or span.end is None or span.end <= before:
            found.append(span)
        elif span.start >= after:
            found.append(replace(span, start=span.start + longer, end=span.end + longer))
    return tuple(found)


def carried_over(output: Output, other: str) -> tuple[GivenSpan, ...]:
    """As many spans as are given for an output on another translation, for the same reason: where the same words stand
    there, or else on as many words at the same part of the text. They are as wrong there as any metric's may be.

    >>> spans = (GivenSpan(4, 9, "major"), GivenSpan(10, 13, "minor"))
    >>> found = carried_over(Output("The sheep lay", ("A",), spans), "The grey ship lay at anchor")
    >>> ["The grey ship lay at anchor"[span.start : span.end] for span in found]
    ['ship', 'lay']
    """
    here, there = ([*re.finditer(r"\S+", text)] for text in (output.text, other))
    found: dict[GivenSpan, None] = {}
    for span in output.spans:
        if span.in_source or span.start is None or span.end is None or not there:
            found.setdefault(span)
            continue
        first = sum(word.end() <= span.start for word in here)
        size = min(
            len(there), max(1, sum(span.start < word.end() and word.start() < span.end for word in here))
        )
        words = output.text[span.start : span.end]
        at = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", other) if words.strip() else None
        if at is not None:
            start, end = at.span()
        else:
            place = min(len(there) - size, round(first * len(there) / max(1, len(here))))
            start, end = there[place].start(), there[place + size - 1].end()
        found.setdefault(replace(span, start=start, end=start if span.start == span.end else end))
    return tuple(found)


def _shared(one: str, other: str) -> int:
    """How many characters two texts share at their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _spread(
    settings: Settings,
    here: Sequence[CampaignItem],
    pairs: Sequence[tuple[CampaignItem, CampaignItem]],
    annotator: str,
) -> list[CampaignItem]:
    """Genuine and control items mixed, a control half a batch away from its original: in WMT's batches of 100 at least
    forty screens lie between them. Which of the two comes first is decided by a coin.
    """
    size = len(here) + len(pairs)
    half = size // 2
    places: list[CampaignItem | None] = [None] * size
    used: set[str] = set()
    near = shuffled(range(half), settings.seed, annotator, here[0].id if here else "", "places")
    for (original, control), place in zip(pairs, near, strict=False):
        if original.id in used:  # its place is fixed already
            continue
        used.add(original.id)
        first, second = (
            (control, original) if coin(settings.seed, annotator, control.id) else (original, control)
        )
        places[place], places[place + half] = first, second
    placed = {item.id for item in places if item is not None}
    rest = iter(
        [item for item in here if item.id not in placed]
        + [control for _, control in pairs if control.id not in placed]
    )
    return [item if item is not None else next(rest) for item in places]


def _in_documents(
    here: Sequence[CampaignItem], pairs: Sequence[tuple[CampaignItem, CampaignItem]]
) -> list[CampaignItem]:
    """Documents in their order; then the control items, in the same order."""
    place = {item.id: i for i, item in enumerate(here)}
    return [*here, *(control for _, control in sorted(pairs, key=lambda pair: place[pair[0].id]))]

"""From segments to a design's pool of genuine items, in the order in which annotators get them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from tertium.errors import InputError
from tertium.human.campaigns.designs import CHALLENGE, DIRECT, PAIRWISE, RANKING, SPANS, UNITS
from tertium.human.campaigns.draws import identity_of, shuffled
from tertium.human.campaigns.items import CampaignItem, Output
from tertium.human.campaigns.paragraphs import paragraphs
from tertium.human.campaigns.sampling import sampled
from tertium.human.campaigns.segments import Segment, counted
from tertium.human.campaigns.settings import Settings


def pool(settings: Settings, segments: Sequence[Segment], after: int = 0) -> list[CampaignItem]:
    """All items made from the segments, in a seeded order; `after` segments were there before.

    >>> from tertium import TestSet
    >>> from tertium.human.campaigns.segments import segments_of
    >>> settings = Settings.of({"name": "demo", "design": "pairwise"})
    >>> len(pool(settings, segments_of(TestSet.sample())))
    207
    """
    numbered = [replace(segment, line=line) for line, segment in enumerate(segments, after + 1)]
    whole = _wanted_systems(settings, numbered)
    if settings.design.name == PAIRWISE and settings.options["unit"] == "paragraph":
        whole = paragraphs(counted(whole), settings.options["words"])
    chosen = sampled(counted(whole), settings.sampling, settings.seed)
    if settings.in_documents:
        chosen = _whole_documents(settings, chosen, counted(whole))
    check(settings, chosen)
    return _unique(list(_MAKERS[settings.design.name](settings, chosen)))


def _unique(items: list[CampaignItem]) -> list[CampaignItem]:
    """Ids are hashes, so that they say nothing; a text that comes twice in a test set gives two items."""
    seen: set[str] = set()
    for item in items:
        if item.id in seen:
            raise InputError(f"segment {item.segment} occurs twice among the segments")
        seen.add(item.id)
    return items


def _wanted_systems(settings: Settings, segments: Sequence[Segment]) -> list[Segment]:
    if not segments:
        raise InputError(f"{settings.name}: there are no segments")
    names = list(settings.systems or segments[0].outputs)
    found = []
    for segment in segments:
        missing = [name for name in names if name not in segment.outputs]
        if missing:
            raise InputError(f"segment {segment.id} has no output of the system {missing[0]!r}")
        if settings.systems is None and len(segment.outputs) > len(names):
            strange = next(name for name in segment.outputs if name not in names)
            raise InputError(
                f"segment {segment.id} has an output of {strange!r}, but the first segment has none"
            )
        found.append(replace(segment, outputs={name: segment.outputs[name] for name in names}))
    return found


def check(settings: Settings, segments: Sequence[Segment]) -> None:
    """Refuse segments without the texts that the design shows."""
    design, options = settings.design.name, settings.options
    needed: dict[str, str] = {}
    against = options.get("against")
    for side in ("reference", "source"):
        if against in (side, "both"):
            needed[side] = f'options.against is "{against}"'
    if design in (CHALLENGE, UNITS):
        needed["source"] = f"the design is {design}"
    if design == CHALLENGE:
        needed["question"] = "the design is challenge"
    if settings.controls.get("reference"):
        needed["reference"] = "controls.reference shows references"
    for segment in segments:
        for key, why in needed.items():
            if not getattr(segment, key).strip():
                raise InputError(f"segment {segment.id} has no {key}, but {why}")
        for system, spans in segment.spans.items() if design == SPANS else ():
            for span in spans:
                named = options["categories"] if options["protocol"] == "mqm" else ("",)
                if span.severity not in options["severities"] or span.category not in ("", *named):
                    what = f"{span.severity} {span.category}".strip()
                    raise InputError(
                        f"segment {segment.id}, system {system}: the campaign has no errors called {what!r}"
                    )
        if design == UNITS and not segment.units:
            raise InputError(f"segment {segment.id} has no semantic units, but the design is semantic-units")
    least = {PAIRWISE: 2, RANKING: 2}.get(design, 1)
    if segments and len(segments[0].outputs) < least:
        raise InputError(
            f"{settings.name}: the design {design} compares systems, but there is only {', '.join(segments[0].outputs)}"
        )
    for key in ("order", "unit") if design in (DIRECT, SPANS) else ():
        if options[key] == "document" and any(not segment.document for segment in segments):
            raise InputError(f'options.{key} is "document", but the segments have no documents')


def _whole_documents(
    settings: Settings, chosen: Sequence[Segment], every: Sequence[Segment]
) -> list[Segment]:
    """All segments of each document of which one was drawn, in their order; the documents as they were drawn, where the
    drawing means something."""
    drawn = list(dict.fromkeys(segment.document for segment in chosen))
    if settings.sampling.how != "disagreement":
        drawn = shuffled(drawn, settings.seed, "documents", key=str)
    names = list(chosen[0].outputs) if chosen else []
    own: dict[str, list[Segment]] = {document: [] for document in drawn}
    for segment in every:
        if segment.document in own:
            outputs = {name: segment.outputs[name] for name in names}
            own[segment.document].append(replace(segment, outputs=outputs))
    return [segment for document in drawn for segment in own[document]]


def _documents(settings: Settings, segments: Sequence[Segment]) -> Iterator[CampaignItem]:
    """A document by a system; systems that translate it in the same way throughout are judged once. First every
    document by one system, then by a second one, and so on."""
    documents: dict[str, list[Segment]] = {}
    for segment in segments:
        documents.setdefault(segment.document, []).append(segment)
    runs: list[list[CampaignItem]] = []
    for document, own in documents.items():
        together: dict[tuple[str, ...], list[str]] = {}
        for name in own[0].outputs:
            together.setdefault(tuple(segment.outputs[name] for segment in own), []).append(name)
        groups = shuffled(together.values(), settings.seed, "systems", document, key=str)
        runs.append([_document(document, own, tuple(names)) for names in groups])
    for turn in range(max(map(len, runs), default=0)):
        yield from (run[turn] for run in runs if turn < len(run))


def _document(document: str, segments: Sequence[Segment], systems: tuple[str, ...]) -> CampaignItem:
    identity = identity_of("", document, "+".join(systems))
    inside = []
    for segment in segments:
        spans = next((segment.spans[name] for name in systems if name in segment.spans), ())
        output = Output(segment.outputs[systems[0]], systems, spans)
        inside.append(replace(_item(segment, [output]), whole=identity))

    def joined(side: str) -> str:
        return "\n".join(getattr(part, side) for part in inside)

    text = "\n".join(part.outputs[0].text for part in inside)
    return CampaignItem(
        id=identity,
        segment="",
        outputs=(Output(text, systems),),
        inside=tuple(inside),
        source=joined("source"),
        reference=joined("reference"),
        document=document,
        tokens=sum(part.tokens for part in inside),
    )


def _ones(settings: Settings, segments: Sequence[Segment]) -> Iterator[CampaignItem]:
    """One output a screen; in document order the outputs of one system for one document follow each other."""
    if settings.in_documents:
        yield from _documents(settings, segments)
        return
    if settings.options.get("order") != "document":
        every = [_item(segment, [output]) for segment in segments for output in _outputs(segment)]
        yield from shuffled(every, settings.seed, "items", key=lambda item: item.id)
        return
    documents: dict[str, list[Segment]] = {}
    for segment in segments:
        documents.setdefault(segment.document, []).append(segment)
    names = list(segments[0].outputs) if segments else []
    runs = [(document, name) for document in documents for name in names]
    shown: set[str] = set()
    for document, name in shuffled(runs, settings.seed, "documents", key=str):
        own = sorted(documents[document], key=lambda segment: _natural(segment.id))
        for segment in own:
            output = next(output for output in _outputs(segment) if name in output.systems)
            item = _item(segment, [output])
            if item.id not in shown:  # judged already in the same document by another system
                shown.add(item.id)
                yield item


def _pairs(settings: Settings, segments: Sequence[Segment]) -> Iterator[CampaignItem]:
    """For each segment one pair of different outputs, then a second one, and so on."""
    pairs = [
        shuffled(combinations(_outputs(segment), 2), settings.seed, "pairs", segment.id, key=_systems)
        for segment in segments
    ]
    for turn in range(max(map(len, pairs), default=0)):
        yield from (
            _item(segment, own[turn]) for segment, own in zip(segments, pairs, strict=True) if turn < len(own)
        )


def _rankings(settings: Settings, segments: Sequence[Segment]) -> Iterator[CampaignItem]:
    size = settings.options["outputs"]
    for segment in segments:
        every = shuffled(_outputs(segment), settings.seed, "outputs", segment.id, key=lambda o: o.systems)
        if len(every) >= 2:
            yield _item(segment, every[:size])


def _questions(settings: Settings, segments: Sequence[Segment]) -> Iterator[CampaignItem]:
    yield from (_item(segment, _outputs(segment)) for segment in segments)


_MAKERS: dict[str, Callable[[Settings, Sequence[Segment]], Iterator[CampaignItem]]] = {
    DIRECT: _ones,
    PAIRWISE: _pairs,
    RANKING: _rankings,
    CHALLENGE: _questions,
    SPANS: _ones,
    UNITS: _ones,
}


def _outputs(segment: Segment) -> list[Output]:
    return [
        Output(text, systems, next((segment.spans[name] for name in systems if name in segment.spans), ()))
        for text, systems in segment.distinct()
    ]


def _systems(outputs: Sequence[Output]) -> str:
    return " ".join("+".join(output.systems) for output in outputs)


def _item(segment: Segment, outputs: Sequence[Output]) -> CampaignItem:
    return CampaignItem(
        id=identity_of(segment.id, segment.document, _systems(outputs)),
        segment=segment.id,
        outputs=tuple(outputs),
        **segment.texts(),
    )


def _natural(identity: str) -> tuple[int, str]:
    head = identity.partition("-")[0]
    return (int(head) if head.isdecimal() else 0, identity)

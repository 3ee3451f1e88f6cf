"""Judgements made by hand, for analyses and exports."""

from __future__ import annotations

from typing import Any

from tertium.human.campaigns.collected import Collected, Judged
from tertium.human.campaigns.items import CampaignItem, Output
from tertium.human.campaigns.settings import Settings


def screen(
    annotator: str,
    segment: str,
    outputs: list[str],
    answer: dict[str, Any],
    *,
    kind: str = "genuine",
    position: int = 1,
    order: tuple[int, ...] | None = None,
    **more: Any,
) -> Judged:
    """A judged screen. Each output is `A`, or `A+B` for two systems that gave the same."""
    shown = tuple(
        Output(more.pop(f"text_{name}", f"output of {name}"), tuple(name.split("+"))) for name in outputs
    )
    code = f"{segment}/{'|'.join(outputs)}"
    original = None if kind == "genuine" else code
    item = CampaignItem(
        code if kind == "genuine" else f"{code}/{kind}/{position}",
        segment,
        shown,
        kind,
        original,
        source=more.pop("source", f"source {segment}"),
        reference=f"reference {segment}",
        tokens=more.pop("tokens", 1),
        document=more.pop("document", "doc"),
        **more,
    )
    places = order or tuple(range(len(outputs)))
    return Judged(annotator, item, position, 1, places, answer, 2.5, 1700000000.0 + position)


def campaign(design: str, judged: list[Judged], *, size: int = 0, **more: Any) -> Collected:
    given = {"name": "made", "design": design, "languages": "de-en"} | more
    return Collected(Settings.of(given), tuple(judged), size)


def chosen(annotator: str, segment: str, a: str, b: str, choice: str, **more: Any) -> Judged:
    return screen(annotator, segment, [a, b], {"choice": choice}, **more)

"""Small campaigns of every design, made from the bundled sample and a few sentences of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tertium import TestSet
from tertium.app.campaigns import create
from tertium.app.database import CampaignDatabase
from tertium.human.campaigns.segments import Segment, segments_of
from tertium.human.campaigns.settings import Settings

DESIGNS = ("direct-assessment", "pairwise", "ranking", "challenge", "error-spans", "semantic-units")

QUESTIONS = [
    {
        "id": "idiom-1",
        "document": "Lexical",
        "source": "It rains cats and dogs.",
        "source_spans": [[3, 22]],
        "reference": "Il pleut des cordes.",
        "reference_spans": [[3, 19]],
        "question": "Is the idiom rendered by an idiom?",
        "outputs": {"one": "Il pleut des cordes.", "two": "Il pleut des chats.", "three": "Il pleut fort."},
    },
    {
        "id": "agreement-1",
        "document": "Morpho-syntactic",
        "source": "He and she left.",
        "source_spans": [[0, 10]],
        "reference": "Lui et elle sont partis.",
        "reference_spans": [[17, 23]],
        "question": "Does the participle agree with its subject?",
        "outputs": {
            "one": "Lui et elle sont partis.",
            "two": "Lui et elle est parti.",
            "three": "Ils s'en allèrent.",
        },
    },
    {
        "id": "idiom-2",
        "document": "Lexical",
        "source": "She kicked the bucket.",
        "source_spans": [[4, 21]],
        "reference": "Elle a cassé sa pipe.",
        "reference_spans": [[5, 20]],
        "question": "Is the idiom rendered by an idiom?",
        "outputs": {
            "one": "Elle a cassé sa pipe.",
            "two": "Elle a donné un coup de pied au seau.",
            "three": "Elle est morte.",
        },
    },
]

UNITS = [
    {
        "id": "1",
        "source": "The old man sleeps.",
        "units": [
            {
                "id": "1",
                "span": [0, 19],
                "children": [
                    {
                        "id": "1.1",
                        "span": [0, 11],
                        "children": [{"id": "1.1.1", "span": [4, 7]}, {"id": "1.1.2", "span": [8, 11]}],
                    },
                    {"id": "1.2", "span": [12, 18]},
                ],
            }
        ],
        "outputs": {"one": "Der alte Mann schläft.", "two": "Der Mann ist alt."},
    },
    {
        "id": "2",
        "source": "Ships wait outside.",
        "units": [
            {
                "id": "1",
                "span": [0, 19],
                "children": [
                    {"id": "1.1", "span": [0, 5]},
                    {"id": "1.2", "span": [6, 10]},
                    {"id": "1.3", "span": [11, 18]},
                ],
            }
        ],
        "outputs": {"one": "Schiffe warten draußen.", "two": "Das Schiff wartet innen."},
    },
]


def given(design: str, **more: Any) -> tuple[dict[str, Any], list[Segment]]:
    """Settings and segments of a small campaign."""
    settings: dict[str, Any] = {
        "name": f"small-{design}",
        "title": "Harbour news",
        "design": design,
        "languages": "de-en",
        "annotators": {"names": ["Ann", "Ben"], "items": 3},
    }
    if design == "challenge":
        segments = [Segment.of(record, "questions") for record in QUESTIONS]
        settings["languages"] = "en-fr"
    elif design == "semantic-units":
        segments = [Segment.of(record, "units") for record in UNITS]
        settings["languages"] = "en-de"
    else:
        segments = segments_of(TestSet.sample())
    if design == "ranking":
        settings["options"] = {"outputs": 3}
    return settings | more, segments


def make(database: CampaignDatabase, design: str, **more: Any) -> int:
    """A small campaign in a database."""
    settings, segments = given(design, **more)
    return create(database, Settings.of(settings), segments)


def database_at(folder: Path) -> CampaignDatabase:
    """A new SQLite database."""
    return CampaignDatabase(folder / "campaigns.db")

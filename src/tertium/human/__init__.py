"""From raw judgements of people to gold: the scores and preferences that metrics are judged by.

    from tertium.human import direct_assessment
    from tertium.io.appraise import read_appraise
    print(direct_assessment(read_appraise("wmt.csv").judgements).table())

Readers are in `tertium.io`, a file for each format. Every result is small and frozen, with `.data()` for JSON and
`.table()` for people. Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_WHERE = {
    "AnnotatorCheck": "quality",
    "Consensus": "ranking",
    "Darr": "darr",
    "DirectAssessment": "directassessment",
    "Gold": "judgement",
    "Judgements": "judgement",
    "MeanRho": "wmt08",
    "QualityControl": "quality",
    "QualityRule": "quality",
    "Votes": "paragraphs",
    "consensus": "ranking",
    "darr_pairs": "darr",
    "direct_assessment": "directassessment",
    "expected_wins": "ranking",
    "human_ceiling": "paragraphs",
    "hume_gold": "hume",
    "majority_votes": "paragraphs",
    "mean_rho": "wmt08",
    "open_mtme": "layouts",
    "open_wmt": "layouts",
    "pairwise": "ranking",
    "quality_control": "quality",
    "read_gold": "gold_files",
    "score_matrices": "metricscores",
    "segment_gold": "judgement",
    "standardised": "directassessment",
    "win_rate": "ranking",
    "wmt08_gold": "wmt08",
}

__all__ = [
    "AnnotatorCheck",
    "Consensus",
    "Darr",
    "DirectAssessment",
    "Gold",
    "Judgements",
    "MeanRho",
    "QualityControl",
    "QualityRule",
    "Votes",
    "consensus",
    "darr_pairs",
    "direct_assessment",
    "expected_wins",
    "human_ceiling",
    "hume_gold",
    "majority_votes",
    "mean_rho",
    "open_mtme",
    "open_wmt",
    "pairwise",
    "quality_control",
    "read_gold",
    "score_matrices",
    "segment_gold",
    "standardised",
    "win_rate",
    "wmt08_gold",
]

if TYPE_CHECKING:
    from tertium.human.darr import Darr, darr_pairs
    from tertium.human.directassessment import DirectAssessment, direct_assessment, standardised
    from tertium.human.gold_files import read_gold
    from tertium.human.hume import hume_gold
    from tertium.human.judgement import Gold, Judgements, segment_gold
    from tertium.human.layouts import open_mtme, open_wmt
    from tertium.human.metricscores import score_matrices
    from tertium.human.paragraphs import Votes, human_ceiling, majority_votes
    from tertium.human.quality import AnnotatorCheck, QualityControl, QualityRule, quality_control
    from tertium.human.ranking import Consensus, consensus, expected_wins, pairwise, win_rate
    from tertium.human.wmt08 import MeanRho, mean_rho, wmt08_gold


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)

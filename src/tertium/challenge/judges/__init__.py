"""Automatic judges of challenge sets: they say yes, no or unsure, and why. See `docs/challenge-judges.md`."""

from tertium.challenge.judges.contrastive import ContrastiveJudge
from tertium.challenge.judges.equality import EqualityJudge
from tertium.challenge.judges.evaluation import (
    AutomaticJudges,
    JudgeEvaluation,
    evaluate_judge,
    evaluations_table,
)
from tertium.challenge.judges.hints import Hints
from tertium.challenge.judges.metric import MetricJudge
from tertium.challenge.judges.patterns import PatternJudge, check_patterns
from tertium.challenge.judges.scorers import CommandScorer, Scorer, command_scorers
from tertium.challenge.judges.threshold import fit_limits, judge_left_out
from tertium.challenge.judges.verdicts import Judge, Ruling, Verdict, Verdicts, judge_all, judge_named

__all__ = [
    "AutomaticJudges",
    "CommandScorer",
    "ContrastiveJudge",
    "EqualityJudge",
    "Hints",
    "Judge",
    "JudgeEvaluation",
    "MetricJudge",
    "PatternJudge",
    "Ruling",
    "Scorer",
    "Verdict",
    "Verdicts",
    "check_patterns",
    "command_scorers",
    "evaluate_judge",
    "evaluations_table",
    "fit_limits",
    "judge_all",
    "judge_left_out",
    "judge_named",
]

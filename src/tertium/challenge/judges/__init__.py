"""Automatic judges of challenge sets: they say yes, no or unsure, and why. See `docs/challenge-judges.md`."""

from tertium.challenge.judges.equality import EqualityJudge
from tertium.challenge.judges.hints import Hints
from tertium.challenge.judges.patterns import PatternJudge, check_patterns
from tertium.challenge.judges.verdicts import Judge, Ruling, Verdict, Verdicts, judge_all, judge_named

__all__ = [
    "EqualityJudge",
    "Hints",
    "Judge",
    "PatternJudge",
    "Ruling",
    "Verdict",
    "Verdicts",
    "check_patterns",
    "judge_all",
    "judge_named",
]

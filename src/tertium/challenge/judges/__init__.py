"""Automatic judges of challenge sets: they say yes, no or unsure, and why. See `docs/challenge-judges.md`."""

from tertium.exports import offered

__getattr__, __dir__ = offered(__name__, __file__)

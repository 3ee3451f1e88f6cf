"""Comparing systems: which one is better, on which segments, words, lengths and documents, and would a person agree.

    from tertium import TestSet, measure
    from tertium.comparison import score_buckets
    measured = measure(TestSet.load("newstest"), ["bleu", "chrf", "macrof1"])
    print(score_buckets(measured).table())

Every analysis takes a `Measured` (rows of all systems by all metrics, made once) and gives a small frozen result with
`.data()` for JSON and `.table()` for people. Names are imported when they are first used.
"""

from tertium.exports import offered

__getattr__, __dir__ = offered(__name__, __file__)

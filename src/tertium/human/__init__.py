"""From raw judgements of people to gold: the scores and preferences that metrics are judged by.

    from tertium.human import direct_assessment
    from tertium.io.appraise import read_appraise
    print(direct_assessment(read_appraise("wmt.csv").judgements).table())

Readers are in `tertium.io`, a file for each format. Every result is small and frozen, with `.data()` for JSON and
`.table()` for people. Names are imported when they are first used.
"""

from tertium.exports import offered

__getattr__, __dir__ = offered(__name__, __file__)

"""Judging the metrics themselves: how well their scores agree with people, and with what translations are used for.

    import tertium as tt
    task = tt.meta.Task.load("wmt17.toml")
    print(tt.meta.evaluate(task))

Every result is small and frozen, with `.data()` for JSON and `.table()` for people. Names are imported when they are
first used.
"""

from tertium.exports import offered

__getattr__, __dir__ = offered(__name__, __file__)

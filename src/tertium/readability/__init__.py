"""How hard texts are to read, English and French on one scale; where translations became harder, and why.

    from tertium.readability import compare
    print(compare(sources, targets))

Names are imported when they are first used.
"""

from tertium.exports import offered

__getattr__, __dir__ = offered(__name__, __file__)

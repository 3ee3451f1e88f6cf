"""Tertium: the workbench for judging translations.

    import tertium as tt
    tt.score(hypotheses, references, metrics=["bleu", "chrf", "macrof1"])

Names are imported when they are first used, so that `import tertium` costs next to nothing; `__init__.pyi` lists them.
"""

from tertium.exports import offered

__version__ = "0.1.0"
__getattr__, __dir__ = offered(__name__, __file__)

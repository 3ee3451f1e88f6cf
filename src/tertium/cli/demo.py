"""`tertium demo`: a first look, on the sample that comes with the package."""

from __future__ import annotations

from tertium.cli.parsing import Command

METRICS = ("bleu", "chrf", "ter", "macrof1")
_BEFORE = """\
Three imagined systems translated {segments} German sentences ({documents} short documents) into English.
Each output is compared with two reference translations. All texts were written for this demo.
"""
_AFTER = """
How to read it: an arrow up means higher is better, down means lower is better; * marks the best system.
  BLEU     how many word sequences of the output are in the references (0 to 100)
  chrF2    the same with sequences of characters: kinder to word forms (0 to 100)
  TER      how many edits turn the output into a reference, per 100 reference words
  MacroF1  how well each different word is translated, rare words counting as much as frequent ones
"literal" keeps names but stumbles, "smooth" reads well but drops them: see where the metrics disagree.
The lines below the table are signatures: print them with your scores, and others can repeat them.

Next:
  tertium score {folder}/reference1.en -i {folder}/system-strong.en -m bleu chrf
  tertium score {folder}/reference*.en -i {folder}/system-*.en \\
      --documents {folder}/documents.txt --level document --format markdown
  tertium metrics                 all metrics
  tertium explain macrof          formula, paper and options of one
  tertium score --help            your own files: tertium score REFERENCE -i OUTPUT"""


def _run() -> None:
    from importlib.resources import files

    from tertium.testset import TestSet

    sample = TestSet.sample()
    folder = str(files("tertium").joinpath("data", "sample"))
    print(_BEFORE.format(segments=len(sample), documents=len(set(sample.documents or ()))))
    print(sample.score(METRICS).table(1).text())
    print(_AFTER.format(folder=folder))


command = Command(
    "demo",
    callback=_run,
    help="Score the bundled sample of three systems and explain the table.",
)

"""`tertium demo`: a first look, on the sample that comes with the package."""

from __future__ import annotations

from tertium.cli.parsing import command_of, option

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
  {program} demo --copy sample      these texts as files, to try commands on
  {program} score {folder}/reference1.en -i {folder}/system-strong.en -m bleu chrf
  {program} score {folder}/reference*.en -i {folder}/system-*.en \\
      --documents {folder}/documents.txt --level document --format markdown
  {program} metrics                 all metrics
  {program} explain macrof          formula, paper and options of one
  {program} score --help            your own files: {program} score REFERENCE -i OUTPUT"""


def _program() -> str:
    """What to type to get this program: its name, or what the shell would find instead."""
    import os
    import shutil
    import sys

    if shutil.which("tertium"):
        return "tertium"
    if os.path.basename(sys.argv[0]) == "__main__.py":  # python -m tertium
        return f"{os.path.basename(sys.executable)} -m tertium"
    return os.path.relpath(sys.argv[0])


def _copied(sample: str, folder: str) -> None:
    import os
    import shutil

    from tertium.errors import InputError

    if os.path.exists(folder):
        raise InputError(f"{folder} exists already: name a folder that does not")
    shutil.copytree(sample, folder)
    print(f"{folder}: {', '.join(sorted(os.listdir(folder)))}")


@command_of(
    "demo",
    option("--copy", metavar="FOLDER", help="Only copy the sample's files into a new folder."),
    reads=(),
)
def command(copy: str | None) -> None:
    """Score the bundled sample of three systems and explain the table.

    \b
    tertium demo
    tertium demo --copy sample
    """
    import os
    from importlib.resources import files

    from tertium.testset import TestSet

    folder = str(files("tertium").joinpath("data", "sample"))
    if copy is not None:
        _copied(folder, copy)
        return
    sample = TestSet.sample()
    folder = min(folder, os.path.relpath(folder), key=len)
    print(_BEFORE.format(segments=len(sample), documents=len(set(sample.documents or ()))))
    print(sample.score(METRICS).table(1).text())
    print(_AFTER.format(folder=folder, program=_program()))

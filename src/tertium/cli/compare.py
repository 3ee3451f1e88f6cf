"""`tertium compare`: is B better than A, where, and why."""

from __future__ import annotations

from typing import Any

from tertium.cli.comparing import comparison_named, comparison_options
from tertium.cli.options import print_options
from tertium.cli.parsing import Names, Sections, command_of, option

FAILED_GATE = 1


def _sections() -> list[str]:
    from tertium.comparison.analyses import ANALYSES

    return list(ANALYSES)


@command_of(
    "compare",
    *comparison_options(),
    Sections(
        "--details",
        among=_sections,
        help="Print the analyses, too: all, or those named (significance buckets frequencies means preferences "
        "components types type-differences ngrams strongest tags doctor).",
    ),
    option(
        "--fail-if",
        multiple=True,
        metavar="WORDS",
        help='Exit with status 1 if so: "chrf worse than baseline at p<0.05", "bleu drops by 0.5 points".',
    ),
    option("--summary", metavar="FILE", help="Write the gate's verdicts as Markdown."),
    option("--junit", metavar="FILE", help="Write the gate's verdicts as a JUnit file."),
    *print_options(),
    reads=(
        "REFERENCE -i SYSTEM OTHER -m bleu -n 2 --source SOURCE --documents DOCUMENTS --metadata METADATA -o OUTPUT",
        "REFERENCE -i SYSTEM OTHER -m bleu -n 2 --labels LABELS --training TRAINING --summary OUTPUT",
        "--project PROJECT (REFERENCE SYSTEM) -m bleu -n 2 -o OUTPUT",
    ),
)
def command(references: Names, input: Names, metrics: Names, **given: Any) -> Any:
    """Compare systems: which is best, what is tied with it, and where the difference comes from.

    \b
    tertium compare ref.txt -i a.txt b.txt -m bleu chrf macrof1
    tertium compare ref.txt -i a.txt b.txt --details buckets ngrams
    tertium compare ref.txt -i a.txt b.txt --baseline a.txt --fail-if "chrf worse than baseline at p<0.05"

    With -q the answer is printed and nothing else.
    """
    from dataclasses import replace

    from tertium.comparison.gate import judge
    from tertium.io.files import write_atomically
    from tertium.results import render

    found = comparison_named(references, input, metrics, given)
    found = replace(found, details=given["details"] or ())
    status = 0
    if given["fail_if"]:
        gate = judge(found, given["fail_if"])
        found = replace(found, gate=gate)
        status = FAILED_GATE if gate.failed else 0
        for path, text in ((given["summary"], gate.markdown()), (given["junit"], gate.junit())):
            if path is not None:
                with write_atomically(path) as file:
                    file.write(text)
    if given["quiet"] and given["format"] == "table" and not found.details:
        print(*found.words(), *([] if found.gate is None else found.gate.words()), sep="\n")
    else:
        print(render(found, given["format"]))
        if given["format"] == "table" and not found.details:
            print("more: --details, or a page that shows every segment: tertium report")
    return status

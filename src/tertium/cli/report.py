"""`tertium report`: one HTML file that shows a comparison, down to every segment."""

from __future__ import annotations

import os
from typing import Any

from tertium.cli.comparing import comparison_named, comparison_options
from tertium.cli.noisy import noisy_option, robustness_named
from tertium.cli.options import OutputOption
from tertium.cli.parsing import Names, command_of

MOST_OUTPUTS = 100_000  # of more, telling kinds of errors would take longer than everything else


@command_of(
    "report",
    *comparison_options(),
    noisy_option("one for each system: adds drop and consistency under noise"),
    OutputOption(default="report.html", metavar="FILE", help="The file (report.html)."),
    reads=(
        "REFERENCE -i SYSTEM OTHER -m bleu -n 2 --source SOURCE --metadata METADATA -o OUTPUT",
        "REFERENCE -i SYSTEM OTHER -m bleu -n 2 --noisy typos=NOISY,NOISY -o OUTPUT",
    ),
)
def command(references: Names, input: Names, metrics: Names, **given: Any) -> None:
    """Write a comparison as one self-contained HTML file.

    \b
    tertium report ref.txt -i a.txt b.txt -m bleu chrf macrof1 -o report.html
    tertium report ref.txt -i a.txt b.txt --source src.txt --training train.en --training-source train.de
    tertium report ref.txt -i a.txt b.txt --noisy keyboard=a.kb.txt,b.kb.txt
    """
    from dataclasses import replace
    from datetime import UTC, datetime

    from tertium.progress import parts
    from tertium.report.page import write_report

    with parts(3) as part:
        part("comparing")
        found = comparison_named(references, input, metrics, given)
        measured = found.measured
        small = len(measured) * len(measured.systems) <= MOST_OUTPUTS
        found = replace(
            found,
            details=("error-classes",) if small else (),
            robustness=robustness_named(references, input, metrics, given, ("runs",))
            if given["noisy"]
            else None,
        )
        part("collecting")
        data, texts = found.data(), found.columns()
        part("writing the page")
        write_report(given["output"], data, texts, datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"))
    for note in measured.notes:
        print(note)
    size = os.path.getsize(given["output"]) / 1e6
    print(f"{given['output']}: {len(measured)} segments, {len(measured.systems)} systems, {size:.1f} MB")
    if not small:
        print("kinds of errors are left out of so many outputs: tertium compare --details error-classes")

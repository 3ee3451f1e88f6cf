"""`tertium report`: one HTML file that shows a comparison, down to every segment."""

from __future__ import annotations

import os
from typing import Any

from tertium.cli.comparing import comparison_named, comparison_options
from tertium.cli.options import OutputOption
from tertium.cli.parsing import Names, command_of


@command_of(
    "report",
    *comparison_options(),
    OutputOption(default="report.html", metavar="FILE", help="The file (report.html)."),
    reads=("REFERENCE -i SYSTEM OTHER -m bleu -n 2 --source SOURCE --metadata METADATA -o OUTPUT",),
)
def command(references: Names, input: Names, metrics: Names, **given: Any) -> None:
    """Write a comparison as one self-contained HTML file.

    \b
    tertium report ref.txt -i a.txt b.txt -m bleu chrf macrof1 -o report.html
    """
    from datetime import UTC, datetime

    from tertium.progress import parts
    from tertium.report.page import write_report

    with parts(3) as part:
        part("comparing")
        found = comparison_named(references, input, metrics, given)
        part("collecting")
        data, texts = found.data(), found.texts()
        part("writing the page")
        write_report(given["output"], data, texts, datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"))
    size = os.path.getsize(given["output"]) / 1e6
    measured = found.measured
    print(f"{given['output']}: {len(measured)} segments, {len(measured.systems)} systems, {size:.1f} MB")

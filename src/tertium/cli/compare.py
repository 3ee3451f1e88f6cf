"""`tertium compare`: is B better than A, where, and why."""

from __future__ import annotations

from typing import Any

from tertium.cli.cluster import asks_for_a_cluster, compared_on_cluster
from tertium.cli.comparing import comparison_named, comparison_options, metrics_chosen
from tertium.cli.noisy import noisy_option, robustness_named
from tertium.cli.options import engine_option, print_options
from tertium.cli.parsing import Names, Sections, command_of, option, written

FAILED_GATE = 1


def _sections() -> list[str]:
    from tertium.comparison.analyses import ANALYSES

    return list(ANALYSES)


@command_of(
    "compare",
    *comparison_options(),
    engine_option(),
    Sections(
        "--details",
        among=_sections,
        help="Print the analyses, too: all, or those named (significance buckets frequencies unseen error-classes "
        "means preferences components types type-differences ngrams strongest tags doctor).",
    ),
    option(
        "--fail-if",
        multiple=True,
        metavar="WORDS",
        help='Exit with status 1 if so: "chrf worse than baseline at p<0.05", '
        '"bleu drops by more than 0.3 at p<0.05", "bleu drops by 0.5 points".',
    ),
    option(
        "--require",
        multiple=True,
        metavar="WORDS",
        help='Exit with status 1 unless it is shown: "chrf at least as good as baseline within 0.5" (p<0.05).',
    ),
    written(
        "--summary",
        metavar="FILE",
        help="Write Markdown for a pull request: verdict, scores, folded details.",
    ),
    noisy_option("one for each system: prints drop and consistency under noise instead"),
    written("--junit", metavar="FILE", help="Write the gate's verdicts as a JUnit file."),
    *print_options(),
    reads=(
        "REFERENCE -i SYSTEM OTHER -m bleu -n 2 --source SOURCE --documents DOCUMENTS --metadata METADATA -o OUTPUT",
        "REFERENCE -i SYSTEM OTHER -m bleu -n 2 --labels LABELS --training TRAINING --summary OUTPUT",
        "REFERENCE -i SYSTEM OTHER -m bleu -n 2 --source SOURCE --training TRAINING --training-source TRAINING",
        "--project PROJECT (REFERENCE SYSTEM) -m bleu -n 2 -o OUTPUT",
        "REFERENCE -i SYSTEM -m bleu -n 2 --noisy typos=NOISY -o OUTPUT",
    ),
)
def command(references: Names, input: Names, metrics: Names, **given: Any) -> Any:
    """Compare systems: which is best, what is tied with it, and where the difference comes from.

    \b
    tertium compare ref.txt -i a.txt b.txt -m bleu chrf macrof1
    tertium compare ref.txt -i a.txt b.txt --details buckets ngrams
    tertium compare ref.txt -i a.txt b.txt --noisy keyboard=a.kb.txt,b.kb.txt
    tertium compare ref.txt -i a.txt b.txt --baseline a.txt --fail-if "chrf worse than baseline at p<0.05"
    tertium compare --engine spark --input outputs.parquet --columns hypothesis=a,hypothesis=b,reference=ref

    With -q the answer is printed and nothing else. Exit status: 0; 1 if a condition fails; 2 if the input is wrong.
    """
    from dataclasses import replace

    from tertium.comparison.comparison import Comparison
    from tertium.comparison.gate import judge
    from tertium.comparison.summary import pull_request_summary
    from tertium.errors import InputError
    from tertium.io.files import write_atomically
    from tertium.io.tables import room, sentences
    from tertium.results import render

    asked = given["fail_if"], given["require"]
    if given["junit"] and not any(asked):
        raise InputError("--junit writes what conditions say: give one with --fail-if or --require")
    if given["noisy"]:
        noise = robustness_named(references, input, metrics, given)
        if given["quiet"] and given["format"] == "table":
            print(sentences(noise.words()))
            return 0
        return noise
    found: Any
    if asks_for_a_cluster(references, input, given["engine"]):
        chosen = metrics_chosen(metrics, given)
        found = compared_on_cluster(input[0], given["engine"], chosen, given["columns"], given)
    else:
        found = comparison_named(references, input, metrics, given)
    gate = judge(found, *asked) if any(asked) else None
    found = replace(found, details=given["details"] or (), gate=gate)
    if given["summary"] and not isinstance(found, Comparison):
        raise InputError("--summary shows texts, and a cluster sends rows: leave it out, or compare files")
    written = {given["summary"]: pull_request_summary(found)} if given["summary"] else {}
    if gate is not None and given["junit"]:
        written[given["junit"]] = gate.junit()
    for path, text in written.items():
        with write_atomically(path) as file:
            file.write(text)
    if given["quiet"] and given["format"] == "table" and not found.details:
        print(sentences([*([] if gate is None else gate.words()), *found.answer(room())]))
    else:
        print(render(found, given["format"]))
        if given["format"] == "table" and not found.details and isinstance(found, Comparison):
            print("more: --details, or a page that shows every segment: tertium report")
    return FAILED_GATE if gate is not None and gate.failed else 0

"""`tertium meta paragraphs`: metrics against people who compare two paragraphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tertium.cli.options import PAGE_FORMATS, input_options, metrics_option, print_options, texts_named
from tertium.cli.parsing import Names, Several, command_of, option


@command_of(
    "paragraphs",
    *input_options(inputs="Translations by the systems that people compared."),
    metrics_option("bleu", "chrf"),
    option("--votes", metavar="FILE", required=True, help="Which of two paragraphs people find better."),
    Several("--good", metavar="SCORE", help="Also of paragraphs that score as much, each group apart (30)."),
    option("--quality", metavar="SPEC", default="bleu", help="The metric that says so (bleu)."),
    *print_options(PAGE_FORMATS),
    reads=("REFERENCE -i SYSTEM OTHER --documents DOCUMENTS --votes VOTES --good 5",),
)
def command(references: Names, input: Names, metrics: Names, **given: Any) -> Any:
    """How often metrics decide between two paragraphs as the majority of people does, beside what a person would
    reach, for all paragraphs and for good ones. A paragraph is a document of the test set, or a line. Votes are a table
    (annotator, segment, first, second, choice; or segment, first, second, votes) or JSON Lines; systems are named
    there as their files are, with or without the ending.

    \b
    tertium meta paragraphs ref.txt -i A.txt B.txt --documents ids.txt --votes votes.tsv -m bleu chrf doc:bleu
    """
    from tertium.io.comparisons import read_comparisons
    from tertium.meta.paragraphs import GOOD, judge_paragraphs
    from tertium.testset import TestSet

    testset = TestSet.read(texts_named(references, input, given)[0])
    stems = {path: Path(path).stem for path in input}
    if len({*stems.values()}) == len(stems) and set(stems) <= set(testset.systems):
        testset = testset.called(stems)  # people know systems by their names, not by their files
    return judge_paragraphs(
        testset,
        read_comparisons(given["votes"])[0],
        metrics,
        good=_numbers(given["good"]) or (GOOD,),
        quality=given["quality"],
        threads=given["threads"],
    )


def _numbers(given: Names) -> tuple[float, ...]:
    from tertium.io.records import real_number

    return tuple(real_number(one, "score", "--good") for one in given)

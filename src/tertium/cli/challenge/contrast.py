"""`tertium challenge contrast`: who prefers the right version of contrastive pairs."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.challenge.options import format_options
from tertium.cli.parsing import Several, command_of, option, written


@command_of(
    "contrast",
    click.Argument(["set_"], metavar="SET"),
    Several("--scores", metavar="NAME=FILE", help="Log-probabilities or other scores, a number per version."),
    Several(
        "--scorers", metavar="NAME=COMMAND", help="A command that reads source, tab, version; prints a score."
    ),
    Several(
        "-m", "--metrics", metavar="SPEC", help="Metrics; they compare both versions with another reference."
    ),
    option(
        "--reference", metavar="FILE", help="That reference, a line per item (else the one in the items)."
    ),
    option("--margin", type=float, default=0.0, help="Scores no further apart are ties (0)."),
    written("--write-texts", metavar="FILE", help="Write what is to be scored: source, tab, version."),
    *format_options(),
    reads=("PAIRS.jsonl --scores A=LOGPROBS -o OUTPUT", "PAIRS.jsonl -m chrf --reference OTHERS"),
)
def command(set_: str, **given: Any) -> Any:
    """Score contrastive pairs: how often does a system, or a metric, score the right version above the wrong one?
    With intervals, by category, ties counted, and systems tested against each other (exact McNemar, Holm).

    \b
    tertium challenge contrast pairs.jsonl --write-texts to-score.tsv
    tertium challenge contrast pairs.jsonl --scores A=a.logprobs B=b.logprobs
    tertium challenge contrast pairs.jsonl -m bleu chrf --reference other.txt
    """
    from tertium.challenge.contrast import metric_scorers, prefer, score_file, texts_to_score
    from tertium.challenge.judges import command_scorers
    from tertium.challenge.setfiles import read_set
    from tertium.errors import SpecError
    from tertium.io.door import read_strings
    from tertium.io.files import write_atomically

    items = read_set(set_)
    if given["write_texts"]:
        texts = texts_to_score(items)
        with write_atomically(given["write_texts"]) as file:
            file.writelines(f"{source}\t{version}\n" for source, version in texts)
        click.echo(f"{given['write_texts']}: {len(texts)} versions to score", err=True)
    scorers = {system.label: scorer for system, scorer in command_scorers(given["scorers"]).items()}
    for text in given["scores"]:
        name, _, path = text.partition("=")
        if not name.strip() or not path or name in scorers:
            raise SpecError(f"--scores {text}: write NAME=FILE, each name once")
        scorers[name] = score_file(path)
    if given["metrics"]:
        reference = None if given["reference"] is None else read_strings(given["reference"], "reference")
        scorers |= metric_scorers(items, given["metrics"], reference)
    if scorers:
        return prefer(items, scorers, margin=given["margin"], digits=given["width"])
    if not given["write_texts"]:
        raise SpecError("nothing scores the pairs: give --scores, --scorers or -m (or --write-texts)")
    return None

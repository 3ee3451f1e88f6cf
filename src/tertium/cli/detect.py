"""`tertium estimate detect`: what is badly wrong with translations, and which to block."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import OutputOption, print_options, quiet_option
from tertium.cli.parsing import Several, command_of, flag, option

_TEXTS: Any = (
    option("-l", "--language-pair", metavar="PAIR", default="", help="Languages: de-en."),
    option("--corpus", nargs=2, metavar="SOURCE TARGET", help="Parallel texts that teach words, too."),
    option(
        "--encoder",
        metavar="NAME",
        help="Compare meanings by an encoder of sentences: use (tertium[sentences]), or a model.",
    ),
    Several("--detectors", metavar="NAME", help="Only these detectors."),
)


def _read_pair(source: str, translation: str) -> tuple[list[str], list[str]]:
    """Two files, line by line."""
    from tertium.errors import InputError
    from tertium.io.door import read_strings

    sources, outputs = read_strings(source, "source"), read_strings(translation)
    if len(sources) != len(outputs):
        raise InputError(f"{source} has {len(sources)} lines, but {translation} has {len(outputs)}")
    return sources, outputs


def _said_by(model: str, sources: list[str], translations: list[str], pair: str) -> Any:
    """What an estimator says, beside detectors."""
    from tertium.estimation.estimator import Estimator
    from tertium.triage.blocking import said_by

    return said_by(Estimator.read(model), sources, translations, pair=pair)


@command_of(
    "detect",
    click.Argument(["source"], metavar="SOURCE"),
    click.Argument(["translation"], metavar="TARGET"),
    *_TEXTS,
    option(
        "--model",
        metavar="FILE",
        help="An estimator whose tables of words help; one that learnt from marks blocks, too (estimate block).",
    ),
    flag("--every", help="List all translations, not only those with something wrong."),
    *print_options(),
    quiet_option(),
    reads=(
        "SOURCE SYSTEM -l de-en --corpus TRAINING OTHER -o OUTPUT",
        "SOURCE SYSTEM --model blocks.qe -o OUTPUT",
    ),
    short="Find translations that should be blocked.",
)
def detect_command(
    source: str,
    translation: str,
    language_pair: str,
    corpus: tuple[str, str] | None,
    model: str | None,
    **given: Any,
) -> Any:
    """Find what is badly wrong with translations, without a reference.

    Text that repeats itself or has nothing to do with the source, parts made up or left out, wrong names and numbers,
    lost negation: each with its place and a reason.

    \b
    tertium estimate detect source.de output.en -l de-en
    tertium estimate detect source.de output.en -l de-en --corpus train.de train.en
    tertium estimate detect source.de output.en -l de-en --model qe.model
    tertium estimate detect source.de output.en --detectors detachment oscillation -f tsv
    """
    from tertium.detection.detecting import detect

    texts = _read_pair(source, translation)
    return detect(
        *texts,
        pair=language_pair,
        corpus=_read_pair(*corpus) if corpus else None,
        more=_said_by(model, *texts, language_pair) if model else None,
        **{name: given[name] for name in ("encoder", "detectors", "every")},
    )


@command_of(
    "detectors",
    option(
        "--data", metavar="FILE", required=True, help="A table of translations with marks (0, 1 or ERR, NOT)."
    ),
    *_TEXTS,
    *print_options(),
    quiet_option(),
    reads=("--data MARKED.csv -l de-en -o OUTPUT",),
    short="See how well detectors find what people marked.",
)
def detectors_command(data: str, corpus: tuple[str, str] | None, language_pair: str, **given: Any) -> Any:
    """See how well detectors find what people marked in translations: the area under the curve for each mark.

    \b
    tertium estimate detectors --data marked.csv -l de-en
    tertium estimate detectors --data marked.csv -l de-en --corpus train.de train.en
    """
    from tertium.detection.marked import areas
    from tertium.io.markedtranslations import read_marked

    return areas(
        read_marked(data),
        pair=language_pair,
        corpus=_read_pair(*corpus) if corpus else None,
        **{name: given[name] for name in ("encoder", "detectors")},
    )


@command_of(
    "block",
    option(
        "--data", metavar="FILE", required=True, help="A table of translations with marks (0, 1 or ERR, NOT)."
    ),
    option("--mark", metavar="NAME", default="", help="The column of marks, where there are several."),
    option("--test", metavar="FILE", help="Another such table, to see how well it does."),
    option("-l", "--language-pair", metavar="PAIR", default="", help="Languages: en-de."),
    OutputOption(default="block.model", metavar="FILE", help="The file (block.model)."),
    *print_options(to_file=False),
    quiet_option(),
    reads=("--data MARKED.csv --test MARKED.csv -o OUTPUT",),
    short="Train a model to block what people marked.",
)
def block_command(
    data: str, mark: str, test: str | None, language_pair: str, output: str, **_given: Any
) -> Any:
    """Train a model to block what people marked as critical, for `tertium estimate detect --model`.

    The threshold is chosen on parts of the data that were left out.

    \b
    tertium estimate block --data train.tsv --test dev.tsv -l en-de -o block.model
    """
    import warnings

    from tertium.errors import TertiumWarning
    from tertium.io.markedtranslations import damaged_rows, read_marked
    from tertium.triage.blocking import described_blocking, trained_to_block

    texts, other = read_marked(data), read_marked(test) if test else None
    for own in filter(None, (texts, other)):
        for sentence in damaged_rows(own.left_out):
            warnings.warn(f"{own.name}: {sentence}", TertiumWarning, stacklevel=2)
    estimator = trained_to_block(texts, mark=mark, pair=language_pair)
    estimator.write(output)
    return described_blocking(estimator, texts, other, mark=mark)

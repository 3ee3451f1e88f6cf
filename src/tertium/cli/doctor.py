"""`tertium doctor`: what is wrong with texts, before anybody scores them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import TABLE_FORMATS
from tertium.cli.parsing import Command, Several

if TYPE_CHECKING:
    from tertium._native import Lines
    from tertium.comparison.doctor import Diagnosis


def _run(
    references: tuple[str, ...],
    input: tuple[str, ...],
    source: str | None,
    language_pair: str | None,
    encoding: str,
    format: str,
) -> int:
    from tertium.comparison.doctor import examine
    from tertium.errors import InputError

    if not references:
        raise InputError("there are no references: name them before -i (tertium doctor REF... -i HYP...)")
    if not input:
        raise InputError("there are no outputs to look at: name them with -i HYP...")
    named = [*references, *input, *([source] if source is not None else [])]
    for i, path in enumerate(named):
        if path in named[:i]:
            raise InputError(f"{path!r} is given twice")
    languages = _languages(language_pair)
    texts = _texts(references, input, source, encoding)
    found = examine(*texts, source_language=languages[0], target_language=languages[1])
    print(_rendered(found, format).rstrip("\n"))
    return found.exit_status


def _rendered(found: Diagnosis, format: str) -> str:
    import json

    table = found.table()
    forms: dict[str, Callable[[], str]] = {
        "table": found.text,
        "markdown": table.markdown,
        "latex": table.latex,
        "tsv": table.tsv,
        "json": lambda: json.dumps(found.data(), ensure_ascii=False, indent=1),
    }
    return forms[format]()


def _texts(
    references: tuple[str, ...], systems: tuple[str, ...], source: str | None, encoding: str
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any] | None]:
    """Each file by itself, because their lengths may differ; SGML and XML test sets are read together."""
    from tertium.io.inputs import is_test_file

    if any(map(is_test_file, (*references, *systems))):
        return _from_test_files(references, systems, source, encoding)
    from tertium.io.files import read_lines

    def read(path: str) -> Lines:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a byte-order mark is a finding
            return read_lines(path, encoding=encoding)

    return (
        {path: read(path) for path in references},
        {path: read(path) for path in systems},
        None if source is None else {source: read(source)},
    )


def _from_test_files(
    references: tuple[str, ...], systems: tuple[str, ...], source: str | None, encoding: str
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any] | None]:
    from tertium.io.inputs import Files

    inputs = Files(references, systems, source=source, encoding=encoding).open(whole=True)
    [batch] = list(inputs.batches)
    streams = batch.references.streams
    names = [f"reference {i + 1}" for i in range(len(streams))] if len(streams) > 1 else ["reference"]
    return (
        dict(zip(names, streams, strict=True)),
        dict(zip(inputs.systems, batch.hypotheses, strict=True)),
        None if source is None or batch.sources is None else {source: batch.sources},
    )


def _languages(pair: str | None) -> tuple[str | None, str | None]:
    from tertium.errors import SpecError

    if pair is None:
        return None, None
    source, dash, target = pair.partition("-")
    if not (source and dash and target):
        raise SpecError(f"-l {pair}: a language pair is source-target, such as en-de")
    return source, target


command = Command(
    "doctor",
    callback=_run,
    help="""Look for what is wrong with texts before scoring them.

    Line counts, empty lines, identical systems, untranslated or leaked lines, duplicates, tokenised or lower-cased
    text, encoding damage, wrong script, strange lengths, wrong order. Exit status 0: nothing found, 1: findings,
    2: the texts cannot be scored at all.

    \b
    tertium doctor ref.txt -i one.txt two.txt --source src.txt -l de-en
    """,
    params=[
        click.Argument(["references"], nargs=-1, metavar="REF..."),
        Several(["-i", "--input"], metavar="HYP", help="Outputs of one system or more."),
        click.Option(["--source"], metavar="FILE", help="Source texts: finds untranslated lines."),
        click.Option(
            ["-l", "--language-pair"], metavar="SRC-TRG", help="Languages: tells which scripts are right."
        ),
        click.Option(["-e", "--encoding"], default="utf-8", help="Encoding of the files (utf-8)."),
        click.Option(
            ["-f", "--format"],
            type=click.Choice(TABLE_FORMATS),
            default="table",
            help="Output (table: for people).",
        ),
    ],
)

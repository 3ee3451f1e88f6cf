"""`tertium probe`: what a metric prefers when a slot is filled with alternatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from tertium.cli.options import TABLE_FORMATS
from tertium.cli.parsing import Command, Several
from tertium.errors import InputError


def _run(text: tuple[str, ...], reference: tuple[str, ...], fill: tuple[str, ...], **given: Any) -> None:
    import json

    from tertium.compare.probing import probe_bias

    texts = _lines(given["texts"], "--texts", text, "--text")
    references = _lines(given["references"], "--references", reference, "--reference")
    sources = None
    if given["sources"] is not None or given["source"]:
        sources = _lines(given["sources"], "--sources", given["source"], "--source")
    how = {key: given[key] for key in ("slot", "trials", "seed", "threads")}
    found = probe_bias(texts, fill, references, given["metrics"], sources=sources, **how)
    table = found.table()
    forms: dict[str, Callable[[], str]] = {
        "table": table.text,
        "markdown": table.markdown,
        "latex": table.latex,
        "tsv": table.tsv,
        "json": lambda: json.dumps(found.data(), ensure_ascii=False, indent=1),
    }
    print(forms[given["format"]]().rstrip("\n"))


def _lines(path: str | None, path_option: str, texts: tuple[str, ...], text_option: str) -> list[str]:
    if path is not None and texts:
        raise InputError(f"{path_option} and {text_option} say the same: give one")
    if path is None:
        return list(texts)
    from tertium.io.files import read_lines

    lines = read_lines(path)
    return [lines[i] or "" for i in range(len(lines))]


command = Command(
    "probe",
    callback=_run,
    help="""Fill one slot of a text with alternatives and see what metrics prefer.

    With several texts that share the slot, differences are tested.

    \b
    tertium probe -t "{} must be a doctor." -r "You must be a doctor." --fill He She Joe Sue -m bleu chrf
    tertium probe --texts texts.txt --references ref.txt --fill France Canada -m yisi1:vectors=wiki.en.vec
    """,
    params=[
        Several(["-t", "--text"], metavar="TEXT", help="A hypothesis with a slot, {}."),
        Several(["-r", "--reference"], metavar="TEXT", help="Its reference."),
        Several(["--source"], metavar="TEXT", help="Its source, for metrics that need it."),
        click.Option(["--texts"], metavar="FILE", help="Hypotheses with a slot, one a line."),
        click.Option(["--references"], metavar="FILE", help="Their references."),
        click.Option(["--sources"], metavar="FILE", help="Their sources."),
        Several(["--fill"], required=True, metavar="WORD", help="What the slot is filled with."),
        Several(["-m", "--metrics"], default=["bleu", "chrf"], metavar="SPEC", help="Metrics (bleu chrf)."),
        click.Option(["--slot"], default="{}", help="What the slot looks like ({})."),
        click.Option(
            ["--trials"], type=click.IntRange(1), default=10_000, help="Trials of the test (10000)."
        ),
        click.Option(["--seed"], type=int, default=12345, help="Seed (12345)."),
        click.Option(["--threads"], type=click.IntRange(1), default=1, help="Threads (1)."),
        click.Option(
            ["-f", "--format"], type=click.Choice(TABLE_FORMATS), default="table", help="Output (table)."
        ),
    ],
)

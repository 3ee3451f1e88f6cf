"""`tertium challenge convert`: sets, and releases of authors, into other files."""

from __future__ import annotations

from typing import Any

from tertium.cli.challenge.options import loaded, set_options
from tertium.cli.options import OutputOption
from tertium.cli.parsing import command_of, written


@command_of(
    "convert",
    *set_options(),
    OutputOption(metavar="FILE", help="The set, .jsonl or .tsv."),
    written("--write-outputs", metavar="FILE", help="The outputs, .jsonl or .tsv."),
    written("--write-judgements", metavar="FILE", help="The judgements, .jsonl or .tsv."),
    reads=("SET.jsonl -i OUTPUTS.jsonl -j ANSWERS.jsonl -o OUTPUT.tsv",),
)
def command(set_: str, **given: Any) -> None:
    """Convert a set to the other format (.jsonl, .tsv, without loss), or the authors' release (a .json file with
    nested outputs and judgements, or a folder with labels.tsv) into a set, outputs and judgements.

    \b
    tertium challenge convert set.jsonl -o set.tsv
    tertium challenge convert release.json -o set.jsonl --write-outputs out.jsonl --write-judgements marks.jsonl
    """
    from tertium.challenge.judgements import write_judgements
    from tertium.challenge.loading import needed_judgements, needed_outputs
    from tertium.challenge.outputs import write_outputs
    from tertium.challenge.setfiles import write_set
    from tertium.errors import SpecError

    files: list[tuple[str | None, str, Any, Any]] = [
        (given["output"], "items", lambda release: release.items, write_set),
        (given["write_outputs"], "outputs", needed_outputs, write_outputs),
        (given["write_judgements"], "judgements", needed_judgements, write_judgements),
    ]
    if not any(path for path, *_ in files):
        raise SpecError("nothing to write: give -o, --write-outputs or --write-judgements")
    release = loaded(set_, given)
    for path, what, part, write in files:
        if path:
            write(path, part(release))
            print(f"{path}: {len(part(release))} {what}")

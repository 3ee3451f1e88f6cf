"""`tertium challenge sheet`: blind judging sheets and their key, kept in a file of its own."""

from __future__ import annotations

from typing import Any

from tertium.cli.challenge.options import loaded, session_options, session_settings, set_options
from tertium.cli.options import OutputOption
from tertium.cli.parsing import Several, choice, command_of, option


@command_of(
    "sheet",
    *set_options(),
    Several("-a", "--annotators", required=True, metavar="NAME", help="Who is to judge."),
    OutputOption(default="sheets", metavar="FOLDER", help="Folder for the sheets (sheets)."),
    option("--key", metavar="FILE", help="The key (FOLDER-key.json, beside the folder)."),
    choice("--form", among=("xlsx", "csv"), default="xlsx", help="Sheets (xlsx)."),
    *session_options(),
    reads=("SET.jsonl -i OUTPUTS.jsonl -j ANSWERS.jsonl -a new --form csv -o OUTPUT",),
)
def command(set_: str, annotators: tuple[str, ...], **given: Any) -> None:
    """Write a judging sheet for each annotator, blind: no system names, outputs of one source together in random
    order, items shuffled for each annotator. The key that says which system wrote what is a file of its own.

    \b
    tertium challenge sheet set.jsonl -i A=a.txt B=b.txt -a ann ben eve -o sheets
    tertium challenge sheet set.jsonl -i A=a.txt -j first.jsonl --role check -a ben -o checking
    """
    from pathlib import Path

    from tertium.challenge.loading import needed_outputs
    from tertium.challenge.sheets import JudgingSheet, judging_sheet, write_judging_sheet, write_key
    from tertium.challenge.tasks import tasks
    from tertium.errors import InputError

    release = loaded(set_, given)
    outputs = needed_outputs(release)
    if given["role"] != "judge" and release.judgements is None:
        raise InputError(f"--role {given['role']} needs the judgements made so far: name them with -j")
    folder = Path(given["output"])
    key = Path(given["key"] or f"{folder}-key.json")
    files = {name: folder / f"{_file_name(name)}.{given['form']}" for name in annotators}
    if len(set(files.values())) < len(annotators):
        raise InputError("two annotators have the same name: each needs a sheet of their own")
    for file in (key, *files.values()):
        if file.exists():
            raise InputError(f"{file}: already exists, and may hold answers: move it, or choose another -o")
    sheets: list[JudgingSheet] = []
    for name in annotators:
        left = tasks(release.items, outputs, name, **session_settings(release, given))
        sheets.append(judging_sheet(left, name, seed=given["seed"], role=given["role"]))
    folder.mkdir(parents=True, exist_ok=True)
    write_key(key, sheets, release.items.name, given["seed"])
    for sheet in sheets:
        write_judging_sheet(files[sheet.annotator], sheet)
        print(f"{files[sheet.annotator]}: {len(sheet.rows)} rows")
    print(f"{key}: the key (seed {given['seed']}): do not give it to the annotators")


def _file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in name)

"""A page for each command, from click: what it is for, how it is called, its options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from tertium.cli.group import Commands, root

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
GUIDES = {  # the page that says more; by default the one with the command's name
    "score": "inputs",
    "metrics": "which-metric",
    "explain": "which-metric",
    "report": "compare",
    "judge": "judges",
    "testset": "testsets",
    "train": "trained",
    "doc": "document",
    "assign": "assignment",
    "serve": "service",
    "probe": "bias-probe",
    "vectors": "meaning-metrics",
    "demo": "start",
}

JOBS = {
    "Score and compare": "score compare report doctor verify metrics explain testset demo",
    "People and metrics": "annotate judge meta train challenge probe",
    "Without references": "estimate readability",
    "Documents and memories": "doc memory analyse assign adapt",
    "Serve and monitor": "serve monitor",
    "Tools": "nbest rows vectors cache",
}


def pages() -> dict[str, str]:
    """Pages by path."""
    found = {"commands/index.md": _index()}
    for name in root.table:
        found[f"commands/{name}.md"] = _page(name)
    return found


def commands_of(group: Commands, words: str) -> Iterator[tuple[str, click.Command]]:
    """All commands below a group, with what is written to call them."""
    context = click.Context(group, info_name=words)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{words} {name}", command
        if isinstance(command, Commands):
            yield from commands_of(command, f"{words} {name}")


def grouped() -> dict[str, list[str]]:
    """Names of commands by job; one of no group is an error, so that none is lost."""
    left = set(root.table) - {name for names in JOBS.values() for name in names.split()}
    if left:
        raise ValueError(f"tools/site/commands.py: JOBS lacks {', '.join(sorted(left))}")
    return {job: names.split() for job, names in JOBS.items()}


def _index() -> str:
    lines = [
        "# Commands",
        "",
        "One program, one verb per job. These pages are generated from the program's own help.",
    ]
    for job, names in grouped().items():
        lines += ["", f"## {job}", "", "| command | what it does |", "|---|---|"]
        lines += [f"| [`tertium {name}`]({name}.md) | {root.table[name]} |" for name in names]
    return "\n".join([*lines, "", *_after("pick the command for your job")])


def _page(name: str) -> str:
    command = root.get_command(click.Context(root), name)
    assert command is not None
    guide = GUIDES.get(name, name)
    lines = [
        f"# tertium {name}",
        "",
        *_described(f"tertium {name}", command, f"Guide: [{_title(guide)}](../{guide}.md)."),
    ]
    if isinstance(command, Commands):
        below = list(commands_of(command, f"tertium {name}"))
        lines += ["| command | what it does |", "|---|---|"]
        lines += [
            f"| [`{words}`](#{words.replace(' ', '-')}) | {_first_sentence(own)} |" for words, own in below
        ]
        for words, own in below:
            lines += ["", f"## {words}", "", *_described(words, own)]
    does = root.table[name].rstrip(".").partition(":")[0]
    lines += [
        "",
        *_after(f"call `tertium {name}` with the options you need: {does[0].lower()}{does[1:]}"),
    ]
    return "\n".join(lines)


def _first_sentence(command: click.Command) -> str:
    """What `get_short_help_str` says, but "et al. 2013" ends no sentence."""
    paragraph = re.split(r"\n\s*\n", inspect.cleandoc(command.help or ""))[0]
    return _cell(re.split(r"(?<=\.)\s+(?=[A-Z`])", paragraph)[0])


def _after(what: str) -> list[str]:
    return [f"**After this page you can** {what}."]


def _title(page: str) -> str:
    """The title of a page of the guide."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return next(line for line in text.splitlines() if line.startswith("# "))[2:]


def _described(words: str, command: click.Command, more: str = "") -> Iterator[str]:
    """Help, usage and options; after the first sentence where more is said."""
    context = click.Context(command, info_name=words)
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(command.help or "")):
        lines = paragraph.splitlines()
        if lines and lines[0].strip() == "\b":
            code = all(line.strip().startswith("tertium") or line.startswith("  ") for line in lines[1:])
            yield from (["```bash" if code else "```text", *lines[1:], "```"])
        else:
            yield _linked(" ".join([*(line.strip() for line in lines), *([more] if more else [])]))
            more = ""
        yield ""
    yield from ("```text", command.get_usage(context), "```", "")
    rows = list(_options(command, context))
    if rows:
        yield from (
            '<div class="options" markdown>',
            "",
            "| option | what it is |",
            "|---|---|",
            *rows,
            "",
            "</div>",
            "",
        )
    if command.epilog:
        yield from (command.epilog, "")


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for option in command.get_params(context):
        if isinstance(option, click.Option) and not option.hidden and option.name != "help":
            record = option.get_help_record(context)
            if record is not None:
                names, text = (_cell(part) for part in record)
                yield f"| <code>{names}</code> | {_linked(text)} |"


def _linked(text: str) -> str:
    """Pages that a terminal names by their files are links here."""
    return re.sub(r"\bdocs/([\w-]+)\.md", lambda page: f"[{_title(page[1])}](../{page[1]}.md)", text)


def _cell(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("&", "&amp;").replace("<", "&lt;").replace("|", "&#124;")

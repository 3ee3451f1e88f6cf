"""Pages of Python names: those that `__init__.pyi` of a room offers, from their docstrings."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

from tools.site.blocks import blocks, fenced_examples

ROOT = Path(__file__).resolve().parent.parent.parent
ROOMS = {
    "tertium": ("Python", "score, compare and measure in three lines, and read every result"),
    "tertium.comparison": ("Comparing", "run any single analysis of a comparison by itself"),
    "tertium.human": ("Human judgements", "turn human judgements into gold scores"),
    "tertium.meta": ("Evaluating metrics", "say how well a metric agrees with people"),
    "tertium.readability": ("Readability", "put texts on one scale of readability"),
}
MODULES = {  # rooms that are one module, or a few
    "tertium.results": ("Results", "print, store and convert any result", ["tertium.results"]),
    "tertium.adapters": (
        "Adapters",
        "call Tertium from the tools you already have",
        [
            f"tertium.adapters.{path.stem}"
            for path in sorted((ROOT / "src/tertium/adapters").glob("[a-z]*.py"))
        ],
    ),
    "tertium.client": ("Service client", "call the service from Python", ["tertium.client"]),
    "tertium.testing": (
        "Testing plug-ins",
        "run the contract of metrics over a metric of your own",
        ["tertium.testing"],
    ),
}
_LINE = re.compile(r"from ([\w.]+) import (\w+) as (\w+)")


def offered(room: str) -> dict[str, str]:
    """Names that a room offers, and what they are called where they are defined."""
    stub = ROOT / "src" / Path(*room.split(".")) / "__init__.pyi"
    lines = _LINE.findall(stub.read_text(encoding="utf-8"))
    return {name: f"{module}.{own}" for module, own, name in lines if module != "tertium"}


def pages() -> dict[str, str]:
    """Pages by path."""
    found = {}
    for room, (title, can) in ROOMS.items():
        names = offered(room)
        path = "python/index.md" if room == "tertium" else f"python/{room.rpartition('.')[2]}.md"
        short = "tt" if room == "tertium" else f"tt.{room.rpartition('.')[2]}"
        lines = [f"# {title}", "", f"`import tertium as tt`; these names are in `{short}`.", ""]
        lines += [*_summary(room, names), ""]
        for _, place in sorted(names.items(), key=lambda item: (item[0][0].isupper(), item[0].lower())):
            lines += [f"::: {place}", ""]
        found[path] = "\n".join([*lines, f"**After this page you can** {can}.", ""])
    for room, (title, can, modules) in MODULES.items():
        lines = [f"# {title}", ""]
        for module in modules:
            lines += [f"::: {module}", "    options:", "      show_root_full_path: true", ""]
        found[f"python/{room.rpartition('.')[2]}.md"] = "\n".join(
            [*lines, f"**After this page you can** {can}.", ""]
        )
    return found


def _first() -> list[str]:
    """The example of the first page, which doctest runs there."""
    page = fenced_examples((ROOT / "docs" / "start.md").read_text(encoding="utf-8"))
    return [
        "```pycon",
        *next(b.text.rstrip() for b in blocks(page) if b.language == "pycon").split("\n"),
        "```",
        "",
    ]


def _summary(room: str, names: dict[str, str]) -> list[str]:
    """A line for each name: the first sentence of its docstring."""
    lines = _first() if room == "tertium" else []
    lines += ["| name | what it is |", "|---|---|"]
    for name, place in sorted(names.items(), key=lambda item: (item[0][0].isupper(), item[0].lower())):
        module, _, own = place.rpartition(".")
        said = inspect.getdoc(getattr(import_module(module), own)) or ""
        sentence = re.split(r"(?<=\.)\s", " ".join(said.split("\n\n")[0].split()))[0].replace("|", "&#124;")
        lines.append(f"| [`{name}`][{place}] | {sentence} |")
    return lines


def titles() -> dict[str, str]:
    """Titles by path, for the navigation."""
    of_rooms = {
        ("index" if room == "tertium" else room.rpartition(".")[2]): title
        for room, (title, _) in ROOMS.items()
    }
    return of_rooms | {room.rpartition(".")[2]: title for room, (title, _, _) in MODULES.items()}

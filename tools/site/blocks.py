"""Code blocks of a page: found (for the tests, which run them) and given a language (for the site, which colours them).

A block is fenced, indented, or an example that begins with `>>>`. The line before it may say why it is not run:
`<!-- not run: needs Docker -->`, that `make test-heavy` runs it: `<!-- heavy: needs torch -->`, which other test does:
`<!-- run by: tests/x.py -->`, or that it is a file for the next ones: `<!-- file: task.toml -->`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt

PROGRAMS = ("tertium", "pip", "python", "curl", "make", "cat", "export", "docker", "corrections", "tar", "cd")
_SHELL = re.compile(rf"^(?:\$ |\(?(?:[A-Z_]+=\S+ )?(?:{'|'.join(PROGRAMS)})\b)", re.M)
_TOML = re.compile(r"^(?:\[\[?\w+\]\]?|[a-z_]{2,} = [\"\[{\dtf])", re.M)
_SAID = re.compile(r"<!-- (not run|heavy|run by|file): (.+?) -->\s*$")
_DOCTEST = re.compile(r"  # doctest: .*$|(?<=\n) *<BLANKLINE>(?=\n)", re.M)
_FENCE = re.compile(r"(^```.*?^```$)", re.M | re.S)
_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n).+)*", re.M)


@dataclass(frozen=True)
class Block:
    """A block of code: where it is, what is in it, and why it is not run, if so."""

    line: int  # of its first line, counted from 1
    end: int
    language: str
    text: str
    reason: str = ""
    heavy: str = ""  # what it needs, if only `make test-heavy` runs it
    elsewhere: str = ""  # the test that runs it, if it is not tests/docs/test_blocks.py
    file: str = ""  # its name, if the page says that it is one: `<!-- file: campaign.toml -->`


def fenced_examples(markdown: str) -> str:
    """Examples that stand as `>>>` at the beginning of a line, as fenced blocks.

    >>> print(fenced_examples("So:\\n\\n>>> 1 + 1\\n2"))
    So:
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    """
    parts = _FENCE.split(markdown)  # what is fenced already stays as it is
    parts[::2] = [_EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", part) for part in parts[::2]]
    return "".join(parts)


def blocks(markdown: str) -> Iterator[Block]:
    """All fenced and indented blocks; examples must be fenced before."""
    lines = markdown.split("\n")
    for token in MarkdownIt("commonmark").parse(markdown):
        if token.type not in ("fence", "code_block") or token.map is None:
            continue
        start, end = token.map
        while end > start and not lines[end - 1].strip():
            end -= 1
        said = dict(_said(lines[:start]))
        guessed = _language(token.content)
        language = guessed if guessed == "pycon" else token.info.strip().partition(" ")[0] or guessed
        heard = (said.get(what, "") for what in ("not run", "heavy", "run by", "file"))
        yield Block(start + 1, end, language, token.content, *heard)


def _said(before: list[str]) -> Iterator[tuple[str, str]]:
    """What the comments right before a block say."""
    for line in reversed(before):
        if line.strip() and not line.strip().startswith("<!--"):
            return
        if found := _SAID.search(line):
            yield found[1], found[2]


def coloured(markdown: str) -> str:
    """The page with every block fenced and its language named, without what only doctest reads."""
    markdown = _DOCTEST.sub("", fenced_examples(markdown))
    lines = markdown.split("\n")
    for block in reversed(list(blocks(markdown))):
        first = lines[block.line - 1]
        if first.startswith("    "):  # indented; fences inside of lists stay as they are
            own = [line.removeprefix("    ") for line in lines[block.line - 1 : block.end]]
            lines[block.line - 1 : block.end] = [f"```{block.language}", *own, "```"]
        elif first == "```":
            lines[block.line - 1] = f"```{block.language}"
    return "\n".join(lines)


def _language(text: str) -> str:
    if text.lstrip().startswith(">>>"):
        return "pycon"
    if text.lstrip()[:1] in ("{", '"'):
        return "json"
    if _SHELL.search(text):
        return "console" if text.startswith("$ ") else "bash"
    if re.search(r"^(?:import|from) \w+|^tt\.", text, re.M):
        return "python"
    return "toml" if _TOML.search(text) else "text"

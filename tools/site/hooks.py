"""What mkdocs is told beside mkdocs.yml: pages that are made, blocks with their language, links out of docs/."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from tools.site import commands, metrics, names, notebooks, search
from tools.site.blocks import coloured

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+((?:src|examples|tools|tests|benchmarks|native)/[^)]*)\)")
CODE = re.compile(r"<code.*?</code>", re.S)
TEXT = re.compile(r"(?<=>)[^<>]+(?=<)")
HYPHENED = re.compile(r"[^\s<>]*-[^\s<>]*")
WHOLE = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "README.md": "index.md"}


def on_config(config: Any) -> Any:
    """The parts of the navigation that are made."""
    made = {"@metrics": _metrics_nav(), "@commands": _commands_nav(), "@python": _python_nav()}
    config.nav = [
        {title: made.get(value, value) if isinstance(value, str) else value for title, value in entry.items()}
        for entry in config.nav
    ]
    return config


def on_files(files: Files, *, config: Any) -> Files:
    """Pages that are in no folder."""
    pages = {**commands.pages(), **names.pages(), **notebooks.pages()}
    pages["metrics/index.md"] = metrics.index(DOCS / "metrics", _titles())
    can = {
        "CHANGELOG.md": "see what changed, and since when",
        "CONTRIBUTING.md": "add a metric, a check or a command",
    }
    for name, sentence in can.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        pages[WHOLE[name]] = f"{text}\n**After this page you can** {sentence}.\n"
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Blocks with languages; on pages of metrics what their classes say, how much they count in a search."""
    path = page.file.src_uri
    page.meta["search"] = {"boost": search.counts(path)}
    if path in WHOLE.values() and path != "index.md":
        markdown = re.sub(r"\]\(docs/", "](", markdown)
    if path.startswith("notebooks/"):
        markdown = markdown.replace("](../docs/", "](../")
    for name, target in WHOLE.items():
        markdown = re.sub(rf"\]\((?:\.\./)*{name}\)", f"]({target})", markdown)
    markdown = coloured(OUTSIDE.sub(r"\1 (`\2`)", markdown))
    if path.startswith("metrics/") and path != "metrics/index.md":
        markdown = metrics.with_facts(Path(path).stem, markdown)
    return markdown


def on_page_content(html: str, **_: Any) -> str:
    """Words with hyphens in code stay on one line: `--`, then `seed` on the next, is no option."""
    return CODE.sub(lambda code: TEXT.sub(lambda text: _unbroken(text[0]), code[0]), html)


def _unbroken(text: str) -> str:
    return HYPHENED.sub(
        lambda word: f'<span class="unbroken">{word[0]}</span>' if len(word[0]) <= 32 else word[0], text
    )


def on_post_build(*, config: Any) -> None:
    """The search index, before the offline plugin puts it into a script."""
    search.with_asked(Path(config.site_dir) / "search" / "search_index.json")


def _titles() -> dict[str, str]:
    """First lines of the pages of metrics, short."""
    found = {}
    for path in (DOCS / "metrics").glob("*.md"):
        title = path.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
        found[path.stem] = re.split(r",| — |: `", title)[0].replace("`", "")
    return found


def _metrics_nav() -> list[Any]:
    titles = _titles()
    grouped = metrics.grouped(DOCS / "metrics")
    pages = [{group: [{titles[n]: f"metrics/{n}.md"} for n in own]} for group, own in grouped.items()]
    return ["metrics/index.md", *pages]


def _commands_nav() -> list[Any]:
    jobs = commands.grouped().items()
    return ["commands/index.md", *({job: [{n: f"commands/{n}.md"} for n in names]} for job, names in jobs)]


def _python_nav() -> list[Any]:
    return [{title: f"python/{name}.md"} for name, title in names.titles().items()]

"""Notebooks as pages of the site, run in a kernel when it is built: what is shown is what they give now."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "notebooks"


def pages() -> dict[str, str]:
    """Pages by path."""
    return {f"notebooks/{path.stem}.md": page(path) for path in sorted(FOLDER.glob("*.ipynb"))}


def page(path: Path) -> str:
    """A notebook, run; an error in it is an error of the build."""
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=120, kernel_name="python3").execute()
    return "\n\n".join(part for cell in book.cells for part in _parts(cell)) + "\n"


def _parts(cell: Any) -> Iterator[str]:
    if cell.cell_type == "markdown":
        yield cell.source
        return
    yield f"```python\n{cell.source}\n```"
    for output in cell.get("outputs", ()):
        yield from _shown(output)


def _shown(output: Any) -> Iterator[str]:
    if output.output_type == "stream":
        yield f"```text\n{output.text.rstrip()}\n```"
        return
    data = output.get("data", {})
    if "text/html" in data:
        yield f'<div class="result">\n{_one_block(data["text/html"])}\n</div>'
    elif "text/plain" in data:
        yield f"```text\n{data['text/plain']}\n```"


def _one_block(html: str) -> str:
    """HTML that Markdown leaves alone: no empty lines, no styles of a notebook's page."""
    html = re.sub(r"<style.*?</style>", "", html, flags=re.S)
    return re.sub(r"\n\s*\n", "\n", html.strip())


def stored(path: Path) -> dict[str, Any]:
    """A notebook as it is stored."""
    return json.loads(path.read_text(encoding="utf-8"))

"""Tables of pages: printed, or written between `<!-- name -->` and `<!-- end -->`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

_HERE = Path(__file__).resolve().parent.parent


def filled(page: str, blocks: Mapping[str, str]) -> str:
    """The page with its blocks written anew; each must be there once."""
    for name, text in blocks.items():
        pattern = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
        page, count = pattern.subn(lambda found, text=text: f"{found[1]}{text}\n{found[2]}", page)  # type: ignore[misc]
        if count != 1:
            raise SystemExit(f"the page has {count} blocks <!-- {name} -->, one is needed")
    return page


def table_parser(about: str | None, tables: Iterable[str] = ()) -> argparse.ArgumentParser:
    """--shared and --page; --only, where there are several tables."""
    parser = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    parser.add_argument("--shared", type=Path, default=_HERE.parent / "shared")
    parser.add_argument("--page", type=Path)
    if names := tuple(tables):
        parser.add_argument("--only", nargs="+", default=names, metavar="TABLE")
    return parser


def put(tables: Mapping[str, str], page: Path | None) -> None:
    """Print tables, or write them into their page."""
    if page is None:
        print(*tables.values(), sep="\n\n")
    else:
        page.write_text(filled(page.read_text(encoding="utf-8"), tables), encoding="utf-8")

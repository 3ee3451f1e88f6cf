"""The built site in a headless browser, from the disk: `python -m tools.site.check` (part of `make site`).

Search finds pages without a server, nothing is asked of any other machine, and no page is wider than a telephone.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tools.site.pictures import CHROMIUM, ROOT

SITE = ROOT / "site"
SEARCHES = {  # what people may type, and the page that must be among the first three
    "holm": "significance",
    "tie calibration": "meta-statistics",
    "fail-if": "gate",
    "compute_metrics": "cookbook/trainer",
    "mqm": "cookbook/mqm",
    "two systems": "cookbook/two-systems",
    "evaluate my metric": "cookbook/my-metric",
    "shared task": "cookbook/shared-task",
    "pip install": "start",
    "comet": "judges",
    "which system is better": "cookbook/two-systems",
    "significance test": "significance",
    "BLEU differs from the paper": "verify",
    "sacrebleu different score": "verify",
    "my TMX has junk": "cookbook/clean-memory",
    "is my metric better than chrF": "cookbook/my-metric",
    "correlation with human judgments": "cookbook/my-metric",
    "predict post-editing effort": "estimate",
    "no references": "estimate",
    "LLM judge": "judges",
    "p-value": "significance",
    "confidence intervals for BLEU": "significance",
    "tokenizer": "tokenizers",
    "docker": "service",
    "hallucination": "detectors",
    "report html": "commands/report",
    "windows": "start",
    "how to cite": "start",
    "license": "licences",
    "huggingface": "cookbook/trainer",
    "sentence BLEU": "metrics/sentbleu",
    "multiple references": "inputs",
    "sample size": "significance",
    "error analysis": "compare",
    "tokenized": "doctor",
    "spBLEU": "tokenizers",
    "trados": "memory",
    "command line": "commands/index",
    "pandas": "adapters",
    "environment variable": "environment",
    "proxy": "environment",
}
LOOKED_AT = (
    "index.html",
    "start.html",
    "metrics/chrf.html",
    "commands/compare.html",
    "python/index.html",
    "notebooks/compare.html",
)


def main() -> None:
    """Check, and take pictures of some pages for whoever wants to look."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--look", type=Path, help="folder for pictures of pages, wide and narrow, light and dark"
    )
    parser.add_argument("--pages", nargs="+", default=LOOKED_AT)
    given = parser.parse_args()
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        asked: list[str] = []
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        context.on("request", lambda request: asked.append(request.url))
        page = context.new_page()
        for words, expected in SEARCHES.items():
            found = search(page, words)
            pages = list(dict.fromkeys(address.partition("?")[0].partition("#")[0] for address in found))
            if not any(expected in address for address in pages[:3]):
                raise SystemExit(f"a search for {words!r} finds {pages[:3]}, not {expected}")
        page.set_viewport_size({"width": 400, "height": 800})
        for path in sorted(SITE.rglob("*.html")):
            page.goto(path.as_uri(), wait_until="domcontentloaded")
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > 400:
                raise SystemExit(f"{path.relative_to(SITE)} is {wide} pixels wide on a telephone")
        outside = sorted({url for url in asked if not url.startswith(("file:", "data:", "blob:"))})
        if outside:
            raise SystemExit(f"the site asks others: {', '.join(outside)}")
        context.close()
        if given.look:
            look(browser, given.look, given.pages)
        browser.close()
    print(f"{len(SEARCHES)} searches from the disk found their pages; {len(asked)} requests, none to others")


def search(page: Any, words: str) -> list[str]:
    """Addresses that a search for these words finds."""
    page.goto((SITE / "index.html").as_uri())
    page.click(".md-search__input")
    page.keyboard.type(words)
    page.wait_for_selector(".md-search-result__link")
    return [str(link.get_attribute("href")) for link in page.query_selector_all(".md-search-result__link")]


def look(browser: Any, folder: Path, pages: list[str]) -> None:
    """Pictures of pages."""
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        for width in (1400, 400):
            context = browser.new_context(viewport={"width": width, "height": 1000}, color_scheme=scheme)
            tab = context.new_page()
            for name in pages:
                tab.goto((SITE / name).as_uri())
                tab.wait_for_load_state("networkidle")
                tab.screenshot(
                    path=str(folder / f"{name.replace('/', '-').removesuffix('.html')}-{width}-{scheme}.png")
                )
            context.close()


if __name__ == "__main__":
    main()

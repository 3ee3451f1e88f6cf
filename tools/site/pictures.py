"""The site's pictures, taken in a headless browser: `python -m tools.site.pictures` (part of `make site`).

The report is that of the bundled sample, by the same command that the page beside it names.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tertium.cli import main as tertium

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLE = ROOT / "src" / "tertium" / "data" / "sample"
FOLDER = ROOT / "docs" / "pictures"
CHROMIUM = os.environ.get("TERTIUM_CHROMIUM", "/usr/bin/chromium")
SIZES = {"report": (1200, 640), "report-narrow": (400, 780)}


def main() -> None:
    """Take them all, in light and dark."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        page = Path(folder) / "report.html"
        systems = sorted(map(str, SAMPLE.glob("system-*.en")))
        references = sorted(map(str, SAMPLE.glob("reference*.en")))
        if tertium(["report", *references, "-i", *systems, "-q", "-o", str(page)]):
            raise SystemExit("the report was not written")
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        for name, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                context = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
                )
                tab = context.new_page()
                tab.goto(page.as_uri())
                tab.wait_for_load_state("networkidle")
                tab.screenshot(path=str(FOLDER / f"{name}-{scheme}.png"))
                context.close()
        browser.close()


if __name__ == "__main__":
    main()

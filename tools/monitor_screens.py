"""The pictures of docs/monitor.md: `python -m tools.monitor_screens`, of an office that is made for it.

Its data is that of the tests (tests/service/made.py): the bundled sample, drawn again day by day, two systems in three
domains; nmt-7 loses every third word in one of them after a release.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tertium.monitor.database import ServiceDatabase
from tertium.service.application import application
from tests.conftest import CHROMIUM
from tests.service.made import fill
from tests.serving import served

DOCS = Path(__file__).resolve().parent.parent / "docs"
SCREENS = {
    "monitor-overview": ("/", 1200, 760, "light"),
    "monitor-change": (".changes a", 1200, 900, "light"),
    "monitor-narrow": ("/", 400, 820, "dark"),
}


def main() -> None:
    """Write them."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        database = ServiceDatabase(Path(folder) / "service.db")
        key = fill(database)
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        with served(application(database)[0]) as url:
            for name, (path, width, height, scheme) in SCREENS.items():
                context = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
                )
                page = context.new_page()
                page.goto(url)
                page.fill("#key", key)
                page.keyboard.press("Enter")
                page.wait_for_selector("table.grid")
                if not path.startswith("/"):
                    page.locator(".changes a").first.click()
                    page.wait_for_url("**/change?**")
                page.screenshot(path=str(DOCS / f"{name}.png"))
                context.close()
        browser.close()
        database.close()


if __name__ == "__main__":
    main()

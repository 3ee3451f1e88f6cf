"""A real browser, without a screen. No test may leave an error in its console or ask the network for anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tertium.report import write_report
from tests.conftest import CHROMIUM
from tests.late import held_back
from tests.report.example import Shown, sample_comparison

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Open = Callable[..., Any]


@pytest.fixture(scope="session")
def comparison() -> Shown:
    """All parts of a report; tests that change it take a copy."""
    return sample_comparison()


@pytest.fixture(scope="session")
def browser(playwright: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Chromium with an empty profile."""
    context = playwright.chromium.launch_persistent_context(
        str(tmp_path_factory.mktemp("profile")),
        executable_path=CHROMIUM,
        args=FLAGS,
        viewport={"width": 1360, "height": 900},
    )
    yield held_back(context)
    context.close()


@pytest.fixture
def open_report(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """open_report(comparison): the page, loaded from disk, with its segments ready."""
    pages: list[tuple[Any, list[str], list[str]]] = []

    def open_page(
        comparison: Shown, *, segments: bool = True, dark: bool = False, width: int = 0, fragment: str = ""
    ) -> Any:
        path = tmp_path / f"report-{len(pages)}.html"
        write_report(path, *comparison)
        page = browser.new_page()
        page.set_default_timeout(20_000)
        troubles: list[str] = []
        requests: list[str] = []
        page.on("console", lambda message: troubles.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("request", lambda request: requests.append(request.url))
        pages.append((page, troubles, requests))
        page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
        if width:
            page.set_viewport_size({"width": width, "height": 900})
        page.goto(path.as_uri() + fragment)
        if segments:
            page.evaluate("document.getElementById('segments').scrollIntoView()")
            page.wait_for_selector(".detail h3, .detail .none")
        return page

    yield open_page
    for page, troubles, requests in pages:
        page.close()
        assert troubles == []
        outside = [url for url in requests if not url.startswith(("file:", "data:", "blob:"))]
        assert outside == []
        files = {url.partition("#")[0] for url in requests if url.startswith("file:")}
        assert len(files) == 1  # the page itself


def watched_page(browser: Any) -> tuple[Any, list[str]]:
    """An empty page, and what it leaves in its console or asks of the network, which must be nothing."""
    page = browser.new_page()
    page.set_default_timeout(20_000)
    troubles: list[str] = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "request",
        lambda request: (
            None if request.url.startswith(("file:", "data:", "blob:")) else troubles.append(request.url)
        ),
    )
    page.emulate_media(reduced_motion="reduce")
    return page, troubles


def cut_off(page: Any) -> list[str]:
    """Words of figures that stick out of them."""
    found: list[str] = page.evaluate(
        """() => Array.from(document.querySelectorAll("figure svg")).flatMap((svg) => {
          const frame = svg.getBoundingClientRect();
          return Array.from(svg.querySelectorAll("text")).filter((text) => {
            const box = text.getBoundingClientRect();
            return box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1;
          }).map((text) => text.textContent);
        })"""
    )
    return found

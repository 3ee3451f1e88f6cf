"""Pages are used by mouse and by keyboard, on wide, middling and narrow screens."""

from __future__ import annotations

from typing import Any

import pytest

WIDTHS = pytest.mark.parametrize("width", [1400, 1024, 400])
HANDS = pytest.mark.parametrize("hand", ["mouse", "keyboard"])


def press(target: Any, hand: str) -> None:
    """A click, or the focus and Enter."""
    if hand == "mouse":
        target.click()
    else:
        target.focus()
        target.press("Enter")


def pick(target: Any, label: str, hand: str) -> None:
    """An option of a list: chosen, or reached by arrow keys."""
    if hand == "mouse":
        target.select_option(label=label)
        return
    target.focus()
    target.press("Home")
    for _ in range(target.locator("option").count()):
        if target.evaluate("list => list.selectedOptions[0].label") == label:
            return
        target.press("ArrowDown")
    raise AssertionError(f"there is no {label}")


def write(target: Any, text: str, hand: str) -> None:
    """Into a field."""
    if hand == "mouse":
        target.click()
    else:
        target.focus()
    target.press_sequentially(text)

"""What a visitor sees and touches at the table of Play."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

PATIENCE = 180_000
"""Milliseconds that anything may take to happen on a busy machine."""
VIEWS = {
    "play": "[role=application]",
    "solve": ".solve-side select:visible",
    "watch": ".narration .sentence",
    "race": ".lane .board",
    "learn": ".view-learn .board",
    "studies": ".studies .card",
}
"""Each view with what it shows when it is there."""
STUDIES = pytest.param("studies", marks=pytest.mark.server("studies are on a server"))
EVERY_VIEW = [*(view for view in VIEWS if view != "studies"), STUDIES]
"""The parameters of a test of every view."""


TOO_WIDE = """parts => [...document.querySelectorAll(parts)].filter(part => {
    if (!part.checkVisibility()) return false;
    const {left, right} = part.getBoundingClientRect();
    return part.scrollWidth > part.clientWidth + 1 || left < 0 || right > innerWidth;
}).map(part => part.className + ": " + part.textContent)"""
"""Returns what is wider than its place, or beyond the window."""


def address(board: str, view: str = "play", **values: str) -> str:
    """Return the address of a view with a board on the table."""
    pairs = {"board": re.sub(r"\s*([/ ])\s*", lambda m: m[1].replace(" ", ","), board)} | values
    return f"/#{view}?" + "&".join(f"{key}={value}" for key, value in pairs.items())


def table(page: Page) -> Locator:
    """Return the board that is played on."""
    return page.get_by_role("application")


def open_more(page: Page) -> None:
    """Unfold what Play keeps under More."""
    page.locator(".more > summary").click()
    page.get_by_role("button", name="Redo").wait_for()


def lies(page: Page, board: str) -> None:
    """Wait until this board lies on the table."""
    label = re.escape(re.sub(r"\b0\b", "blank", board))
    expect(table(page)).to_have_attribute("aria-label", re.compile(rf": {label}$"))


def cell(page: Page, row: int, column: int) -> tuple[float, float]:
    """Return the middle of a cell, counted from 0, as a point of the window."""
    box = table(page).locator("svg").bounding_box()
    assert box is not None
    size = re.search(r"Board (\d+) by (\d+)", table(page).get_attribute("aria-label") or "")
    assert size is not None
    rows, columns = int(size[1]), int(size[2])
    x = box["x"] + box["width"] * (column + 0.5) / columns
    y = box["y"] + box["height"] * (row + 0.5) / rows
    return x, y


def until(page: Page, condition: Callable[[], bool]) -> None:
    """Wait until something is so that the page does not show."""
    late = time.monotonic() + PATIENCE / 1000
    while not condition():
        assert time.monotonic() < late
        page.wait_for_timeout(50)


def is_idle(page: Page) -> bool:
    """Return whether the server, if there is one, runs no search, and none waits."""
    answer = page.request.get("/api/about")
    if not answer.ok:
        return True
    load = answer.json()["load"]["searches"]
    return not load["running"] and not load["waiting"]

"""What a visitor sees and touches at the table of Play."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

VIEWS = ("play", "solve", "watch")


def address(board: str, view: str = "play", **values: str) -> str:
    """Return the address of a view with a board on the table."""
    pairs = {"board": re.sub(r"\s*([/ ])\s*", lambda m: m[1].replace(" ", ","), board)} | values
    return f"/#{view}?" + "&".join(f"{key}={value}" for key, value in pairs.items())


def table(page: Page) -> Locator:
    """Return the board that is played on."""
    return page.get_by_role("application")


def lies(page: Page, board: str) -> None:
    """Wait until this board lies on the table."""
    said = re.escape(re.sub(r"\b0\b", "gap", board))
    expect(table(page)).to_have_attribute("aria-label", re.compile(rf": {said}$"))


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

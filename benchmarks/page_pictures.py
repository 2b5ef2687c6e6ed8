"""Take the two screenshots of the page for the README.

python -m benchmarks.page_pictures
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page
from tests.web.browser import chrome
from tests.web.browser.table import address
from tests.web.site import serving

IMAGES = Path(__file__).parents[1] / "docs" / "images"
COLOURS = 256
"""Enough for flat tiles and letters, and a third of the bytes."""


def play(page: Page) -> None:
    """Ask for a hint in a game of the 15-puzzle."""
    page.locator(".left:not(.stale)").wait_for()
    page.get_by_role("button", name="Hint").click()
    page.locator(".pointer").wait_for()


def watch(page: Page) -> None:
    """Show a search some steps after its start, with its whole tree at rest."""
    page.get_by_text("Step 9").wait_for()
    page.get_by_role("button", name="Whole tree").click()
    page.wait_for_timeout(1500)


def opened(browser: Browser, path: str, scheme: Literal["light", "dark"]) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme=scheme)
    page.goto(path)
    return page


def take(page: Page, name: str) -> None:
    """Save a screenshot of a page in few bytes."""
    target = IMAGES / name
    page.screenshot(path=target)
    with Image.open(target) as picture:
        picture.convert("RGB").quantize(COLOURS).save(target, optimize=True)
    print(f"{target.name}: {target.stat().st_size / 1000:.0f} KB")


def main() -> None:
    if not chrome.found():
        sys.exit(chrome.MISSING)
    game = address("1 6 2 4 / 5 0 3 8 / 9 10 7 11 / 13 14 15 12")
    search = address("8 1 3 / 4 0 2 / 7 6 5", "watch", step="9")
    with chrome.started() as browser, serving() as site:
        page = opened(browser, site.address + game, "light")
        play(page)
        take(page, "page-play.png")
        page = opened(browser, site.address + search, "dark")
        watch(page)
        take(page, "page-watch.png")


if __name__ == "__main__":
    main()

"""Measure the page in the system's Chromium: weight, first paint, frames while a trace is stepped.

    python -m benchmarks.page

The first paint is that of a browser that has seen nothing of the page yet.
"""

from __future__ import annotations

import sys
from statistics import median

from playwright.sync_api import Browser
from tests.web.browser import chrome
from tests.web.browser.site import serving, weight

LOADS = 15
_FIRST_PAINT = """new Promise(resolve => new PerformanceObserver(list => {
    const paint = list.getEntriesByName('first-contentful-paint')[0];
    if (paint) resolve(paint.startTime);
}).observe({type: 'paint', buffered: true}))"""


def first_paints(browser: Browser, address: str) -> list[float]:
    """Return the milliseconds from the request to the first contentful paint, of each load."""
    found = []
    for _ in range(LOADS):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.goto(address)
        found.append(float(page.evaluate(_FIRST_PAINT)))
        context.close()
    return found


def main() -> None:
    if not chrome.found():
        sys.exit(chrome.MISSING)
    print(f"weight       {weight() / 1000:.0f} KB, all files")
    with chrome.started() as browser, serving() as site:
        paints = first_paints(browser, site.address)
        print(f"first paint  median {median(paints):.0f} ms, worst {max(paints):.0f} ms of {LOADS}")


if __name__ == "__main__":
    main()

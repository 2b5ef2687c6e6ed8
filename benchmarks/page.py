"""Measure the page in the system's Chromium: weight, first paint, frames while a trace is stepped.

    python -m benchmarks.page

The first paint is that of a browser that has seen nothing of the page yet. A trace steps on by
itself, sixty steps a second, while its tree has 2,000 boards; the work of a step is time of
the processor, which a busy machine distorts less than the time between frames.
"""

from __future__ import annotations

import gzip
import sys
from statistics import median

from playwright.sync_api import Browser
from tests.web.browser import chrome
from tests.web.site import serving, weight

LOADS = 15
SECONDS = 5
FULL = 900
"""A step of the search by which its tree has 2,000 boards."""
_FIRST_PAINT = """new Promise(resolve => new PerformanceObserver(list => {
    const paint = list.getEntriesByName('first-contentful-paint')[0];
    if (paint) resolve(paint.startTime);
}).observe({type: 'paint', buffered: true}))"""
_FRAMES = """milliseconds => new Promise(resolve => {
    const gaps = [];
    let before = performance.now();
    const end = before + milliseconds;
    requestAnimationFrame(function next(now) {
        gaps.push(now - before);
        before = now;
        if (now < end) requestAnimationFrame(next);
        else resolve(gaps);
    });
})"""


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


def stepping(browser: Browser, address: str) -> str:
    """Return how a trace steps on, in words."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{address}/#watch?board=8,6,7/2,5,4/3,0,1&search=bfs&step={FULL}")
    page.get_by_text("the first 2,000 boards").wait_for(timeout=60_000)
    page.get_by_label("Speed").select_option(label="60 steps/s")
    device = page.context.new_cdp_session(page)
    device.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        metrics = device.send("Performance.getMetrics")["metrics"]
        return next(float(each["value"]) for each in metrics if each["name"] == "TaskDuration")

    def step() -> int:
        return int("".join(filter(str.isdigit, page.locator("output").inner_text())))

    page.get_by_role("button", name="Play", exact=True).click()
    first, before = step(), busy()
    gaps = sorted(page.evaluate(_FRAMES, SECONDS * 1000))
    steps, work = step() - first, busy() - before
    page.close()
    return (
        f"{steps / SECONDS:.0f} steps/s, {1000 * work / steps:.1f} ms of work each; "
        f"frames every {median(gaps):.1f} ms, 19 of 20 within {gaps[len(gaps) * 19 // 20]:.1f} ms"
    )


def main() -> None:
    if not chrome.found():
        sys.exit(chrome.MISSING)
    packed, plain = weight(gzip.compress) / 1000, weight() / 1000
    print(f"weight       {packed:.0f} KB packed, {plain:.0f} KB as written")
    with chrome.started() as browser, serving("--no-warm") as site:
        paints = first_paints(browser, site.address)
        print(f"first paint  median {median(paints):.0f} ms, worst {max(paints):.0f} ms of {LOADS}")
        print(f"stepping     {stepping(browser, site.address)}")


if __name__ == "__main__":
    main()

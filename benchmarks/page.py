"""Measure the page in the system's Chromium: weight, first paint, frames while a trace is stepped.

    python -m benchmarks.page
    python -m benchmarks.page --folder     # as `taquin site` writes it, without a server

The first paint is that of a browser with an empty cache. A trace is animated at sixty steps a
second, with 2,000 boards in its tree; the cost of a step is processor time, which a busy machine
distorts less than the time between frames.

The figures of a folder are wall-clock times, so the machine should be idle; its load is printed
beside them.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, BrowserContext, Page
from tests import npm
from tests.web.browser import chrome
from tests.web.browser.table import address
from tests.web.site import serving, serving_files, weight

from taquin.model.puzzle import Goal
from taquin.model.scramble import random_board
from taquin.web.site import write_site

LOADS = 15
SECONDS = 5
FULL = 900
"""A step of the search by which its tree has 2,000 boards."""
TWENTY = "3 8 6 / 7 0 5 / 1 4 2"
"""A board of 20 moves."""
BOARDS = 5
_READY = """async () => {
    const {begin} = await import(new URL("python/side.js", document.querySelector("script").src));
    await (await begin()).browser.ready;
    return performance.now();
}"""
"""Return the milliseconds from the request for the page until Python answers."""
_BOTH_READY = """async () => {
    const {begin} = await import(new URL("python/side.js", document.querySelector("script").src));
    await (await begin()).browser.search.ready;
}"""
"""Wait until the second worker of the browser has Python too."""
_SECONDS_UNTIL = """([button, shown]) => new Promise(resolve => {
    const start = performance.now();
    document.querySelector(button).click();
    requestAnimationFrame(function look() {
        if (!document.querySelector(shown)?.checkVisibility()) requestAnimationFrame(look);
        else resolve((performance.now() - start) / 1000);
    });
})"""
"""Click one thing and return the seconds until another is shown."""
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


def measure_folder(browser: Browser) -> None:
    """Print the figures of a folder, with the load of the machine before and after."""
    if why := npm.why_missing("pyodide"):
        sys.exit(why)
    with TemporaryDirectory() as name:
        written = write_site(Path(name), npm.package("pyodide"))
        if not written.has_kernels:
            sys.exit("there are no kernels: python -m tools.kernels emscripten")
        print(f"weight              {written.compressed / 1e6:.1f} MB compressed")
        with serving_files(Path(name), ".") as site:
            measure_visits(browser, site.address)


def measure_visits(browser: Browser, site: str) -> None:
    """Print the times of visitors to a folder."""
    print(f"load                {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    paints = first_paints(browser, site)
    show("first paint", (paint / 1000 for paint in paints))
    with visitor(browser) as context:
        page = opened(context, site + address(TWENTY))
        show("Python ready", [page.evaluate(_READY) / 1000])
        show("Watch A* at once", (watch(context, site) for _ in range(BOARDS)))
        show("Watch A* starts", (watch(context, site, _BOTH_READY) for _ in range(BOARDS)))
        steps, seconds = last_step(context, site)
        print(f"trace to its end    {steps / seconds:.0f} steps/s, {steps} steps")
    with visitor(browser) as context:
        show("15-puzzle, first", [solve(opened(context, site), site, fifteen(0))])
        page = opened(context, site)
        show("15-puzzle, revisit", [solve(page, site, fifteen(0))])
        show("15-puzzle, warm", [solve(page, site, fifteen(seed)) for seed in range(1, BOARDS + 1)])
        show("5×5 hint", [hint(page, site, seed) for seed in range(BOARDS)])
    print(f"load                {os.getloadavg()[0]:.1f} after")


@contextmanager
def visitor(browser: Browser) -> Iterator[BrowserContext]:
    """Yield the windows of somebody who has not seen the page yet."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(180_000)
    yield context
    context.close()


def show(name: str, seconds: Iterable[float]) -> None:
    """Print the median and the worst of some times."""
    times = list(seconds)
    print(f"{name:18}  {median(times):.2f} s", end="", flush=True)
    print(f", worst {max(times):.2f} s of {len(times)}" if len(times) > 1 else "")


def opened(context: BrowserContext, url: str) -> Page:
    """Return a new window with the page, where Python is ready."""
    page = context.new_page()
    page.goto(url)
    page.evaluate(_READY)
    return page


def watch(context: BrowserContext, site: str, ready: str = _READY) -> float:
    """Return the seconds from the click on Watch to the first sentence about the search."""
    page = opened(context, site + address(TWENTY))
    page.locator("dl.figures dd").nth(2).filter(has_text="20").wait_for()
    page.evaluate(ready)
    seconds: float = page.evaluate(_SECONDS_UNTIL, ["#tab-watch", ".narration .sentence"])
    page.close()
    return seconds


def last_step(context: BrowserContext, site: str) -> tuple[int, float]:
    """Return the number of steps of a search, and the seconds of a jump to the last."""
    page = opened(context, site + address(TWENTY, "watch", search="astar(misplaced)"))
    page.locator(".narration .sentence").wait_for()
    seconds = page.evaluate(
        _SECONDS_UNTIL, ["[aria-label='Last step']", ".narration .sentence.good"]
    )
    count = page.locator("output").inner_text().split()[1]
    steps = int(count.replace(",", ""))
    page.close()
    return steps, seconds


def fifteen(seed: int) -> str:
    """Return a random 15-puzzle."""
    return random_board(Goal.blank_last(4, 4), seed).text()


def solve(page: Page, site: str, board: str) -> float:
    """Return the seconds from the click on Solve to a shortest solution."""
    page.goto(site + address(board, "solve"))
    page.get_by_label("What was found").wait_for(state="detached")
    page.locator(".solve-side button.main.wide").wait_for()
    seconds: float = page.evaluate(
        _SECONDS_UNTIL,
        [".solve-side button.main.wide", "[aria-label='What was found'] .sentence.good"],
    )
    return seconds


def hint(page: Page, site: str, seed: int) -> float:
    """Return the seconds from the click on Hint to the tile that it points at."""
    page.goto(site + address(random_board(Goal.blank_last(5, 5), seed).text()))
    page.locator("[aria-label^='Board 5 by 5']").wait_for()
    seconds: float = page.evaluate(_SECONDS_UNTIL, [".play button[title*='(H)']", ".pointer"])
    return seconds


def main() -> None:
    options = argparse.ArgumentParser(description="Measure the page in the system's Chromium.")
    options.add_argument("--folder", action="store_true", help="the page without a server")
    if not chrome.found():
        sys.exit(chrome.MISSING)
    measure = measure_folder if options.parse_args().folder else measure_server
    with chrome.started() as browser:
        measure(browser)


def measure_server(browser: Browser) -> None:
    """Print the figures of the page of `taquin serve`."""
    packed, plain = weight(gzip.compress) / 1000, weight() / 1000
    print(f"weight       {packed:.0f} KB packed, {plain:.0f} KB as written")
    with serving("--no-warm") as site:
        paints = first_paints(browser, site.address)
        print(f"first paint  median {median(paints):.0f} ms, worst {max(paints):.0f} ms of {LOADS}")
        print(f"stepping     {stepping(browser, site.address)}")


if __name__ == "__main__":
    main()

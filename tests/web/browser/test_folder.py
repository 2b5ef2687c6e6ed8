"""The page without a server: what `taquin site` writes, on a server of files, in a sub-path.

The whole suite runs on this side too, as slow tests; these few tell whether it works at all.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from taquin.system.compiled import FOLDER, library_name
from tests.web.browser.conftest import Faults, Opener
from tests.web.browser.table import VIEWS, address, lies, open_more, table, until
from tests.web.browser.test_solve import ENDLESS
from tests.web.site import Site


@pytest.fixture(scope="module")
def site(folder_site: Site) -> Site:
    """Return the folder instead of the server."""
    return folder_site


def test_a_folder_plays_solves_watches_and_races_without_a_server(visit: Opener) -> None:
    page = visit(address("4 1 3 / 0 2 6 / 7 5 8"))
    # Play works at once; what needs Python comes when Python has come.
    page.keyboard.press("ArrowUp")
    lies(page, "4 1 3 / 7 2 6 / 0 5 8")
    expect(page.get_by_title("6 moves left at best.")).to_be_attached()
    expect(page.get_by_role("tab", name="Studies")).to_be_hidden()
    page.get_by_role("tab", name="Solve").click()
    page.locator(VIEWS["solve"]).first.wait_for()
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_label("What was found")).to_contain_text("Solved in 6 moves")
    page.get_by_role("tab", name="Watch").click()
    page.locator(VIEWS["watch"]).first.wait_for()
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".narration .sentence.good")).to_contain_text("6 moves")
    page.get_by_role("tab", name="Race").click()
    page.get_by_role("button", name="Race", exact=True).click()
    page.locator(".sentence.good").wait_for()


@pytest.mark.slow
def test_a_search_in_the_browser_is_stopped_and_the_next_one_runs(visit: Opener) -> None:
    page = visit(address(ENDLESS, "solve", search="bfs"))
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".running dl")).to_contain_text(re.compile(r"expanded\s*[1-9]"))
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".solve-side")).to_contain_text("Stopped")
    page.goto(page.url.partition("#")[0] + address("1 2 3 / 4 5 6 / 0 7 8", "solve")[1:])
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_label("What was found")).to_contain_text("Solved in 2 moves")


# The second worker of the page, which would be ready later, gets no message and never is.
_ONE_WORKER = """
    const post = Worker.prototype.postMessage;
    let first;
    Worker.prototype.postMessage = function (message) {
        first ??= this;
        if (this === first) post.call(this, message);
    };
"""


@pytest.mark.slow
def test_one_worker_answers_everything_while_the_other_starts(browser: Browser, site: Site) -> None:
    page = browser.new_page()
    page.add_init_script(_ONE_WORKER)
    page.goto(site.address + address("1 2 3 / 4 5 6 / 0 7 8", "solve"))
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_label("What was found")).to_contain_text("Solved in 2 moves")
    page.get_by_role("tab", name="Play").click()
    expect(page.get_by_title("2 moves left at best.")).to_be_attached()
    page.close()


@pytest.mark.slow
def test_a_folder_opens_without_a_network_after_the_first_visit(visit: Opener) -> None:
    page = visit("/")
    kept = "navigator.serviceWorker.controller?.state === 'activated'"
    until(page, lambda: bool(page.evaluate(kept)))
    page.context.set_offline(True)
    page.goto(page.url.partition("#")[0] + address("1 2 3 / 4 5 6 / 0 7 8", "watch")[1:])
    page.reload()
    page.locator(VIEWS["watch"]).first.wait_for()
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".narration .sentence.good")).to_contain_text("2 moves")


# A worker of a visit: `save` keeps what Python wrote, and `restore` brings it back.
_WORKER = """async ([written, open]) => {
    const opens = {refuses: () => { throw new DOMException("no storage"); }, hangs: () => ({})};
    if (open) IDBFactory.prototype.open = opens[open];
    const {TableCache} = await import(location.href);
    const [files, times] = [new Map(), new Map()];
    const write = (path, bytes) => { files.set(path, bytes); times.set(path, times.size + 1); };
    const tables = new TableCache({
        mkdirTree: () => {}, writeFile: write, readFile: path => files.get(path),
        readdir: () => [...files.keys()].map(path => path.replace("/cache/", "")),
        analyzePath: path => ({exists: files.has(path)}), stat: path => ({mtime: times.get(path)}),
    }, "/cache");
    await tables.restore();
    const found = [...files].map(([path, bytes]) => [path, [...bytes]]);
    for (const [name, byte] of written) write(`/cache/${name}`, new Uint8Array([byte]));
    await tables.save();
    return found;
}"""


@pytest.mark.slow
def test_tables_are_kept_between_visits_where_the_browser_keeps_anything(
    browser: Browser, site: Site
) -> None:
    context = browser.new_context()

    def worker(*written: tuple[str, int], storage: str = "") -> object:
        page = context.new_page()
        page.goto(f"{site.scripts}/python/table-cache.js")
        return page.evaluate(_WORKER, [written, storage])

    assert worker(("a.table", 1), ("a.lock", 0)) == []
    # A table that was found damaged is built again, and kept instead.
    assert worker(("a.table", 2), ("b.table", 3)) == [["/cache/a.table", [1]]]
    assert worker() == [["/cache/a.table", [2]], ["/cache/b.table", [3]]]
    assert worker(("c.table", 4), storage="refuses") == []
    assert worker(("d.table", 5), storage="hangs") == []
    context.close()


@pytest.mark.slow
def test_a_second_visit_solves_a_15_puzzle_without_building_tables(visit: Opener) -> None:
    if not Path(FOLDER, library_name("emscripten", "wasm32")).is_file():
        pytest.skip("there are no kernels for WebAssembly: python -m tools.kernels emscripten")
    page = visit(address("4 0 9 11 / 15 12 3 6 / 13 2 8 1 / 7 5 10 14", "solve"))
    result = page.get_by_label("What was found")
    page.get_by_role("button", name="Solve").click()
    expect(result).to_contain_text("to build")
    page.wait_for_timeout(1000)
    page.reload()
    page.get_by_role("button", name="Solve").click()
    expect(result).to_contain_text("moves")
    expect(result).not_to_contain_text("to build")


WASM = "**/pyodide.asm.wasm"
DEFAULT = address("8 1 3 / 4 0 2 / 7 6 5", "watch")


def _halt(page: Page) -> list[Route]:
    """Keep Python from loading until the routes are continued."""
    held: list[Route] = []
    page.context.route(WASM, lambda route: held.append(route))
    return held


@pytest.mark.slow
def test_what_needs_no_python_works_before_it_is_there(visit: Opener, site: Site) -> None:
    page = visit("about:blank")
    held = _halt(page)
    page.goto(site.address + address("4 1 3 / 0 2 6 / 7 5 8"))
    status = page.locator("#status")
    expect(status).to_contain_text(re.compile(r"Python is loading: \d+ of 1\d MB"))
    open_more(page)
    for rows in ("3", "10"):
        page.get_by_label("Rows").select_option(rows)
        page.get_by_label("Columns").select_option(rows)
        before = table(page).get_attribute("aria-label")
        page.get_by_role("button", name="Shuffle").click()
        expect(table(page)).not_to_have_attribute("aria-label", before or "")
    page.goto(site.address + DEFAULT)
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".narration .sentence.good")).to_contain_text("14 moves")
    page.get_by_role("tab", name="Solve").click()
    page.locator(VIEWS["solve"]).first.wait_for()
    page.get_by_role("tab", name="Race").click()
    page.get_by_role("button", name="Race", exact=True).wait_for()
    page.goto(f"{site.address}/#studies")
    expect(page.locator(".studies .sentence")).to_contain_text("taquin serve")
    expect(status).to_be_visible()
    until(page, lambda: bool(held))
    for route in held:
        route.continue_()
    held.clear()
    page.context.unroute(WASM)
    expect(status).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("place", ["#status", ".narration"])
def test_a_start_of_python_that_failed_can_be_tried_again(
    visit: Opener, site: Site, faults: Faults, place: str
) -> None:
    faults.forgiven = "503"
    page = visit("about:blank")
    page.context.route(WASM, lambda route: route.fulfill(status=503))
    page.goto(site.address + address("1 2 3 / 4 5 6 / 0 7 8", "watch"))
    page.get_by_role("alert").filter(has_text="pyodide.asm.wasm cannot be loaded (503)").wait_for()
    expect(page.locator(".narration .sentence.bad")).to_contain_text("503")
    page.context.unroute(WASM)
    page.locator(place).get_by_role("button", name="Try again").click()
    page.locator(VIEWS["watch"]).first.wait_for()
    expect(page.locator(".narration .sentence.bad")).to_have_count(0)
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".narration .sentence.good")).to_contain_text("2 moves")
    expect(page.locator("#status")).to_be_hidden()


def test_a_start_of_python_without_a_sign_of_life_ends(visit: Opener, site: Site) -> None:
    page = visit("about:blank")
    page.clock.install()
    held = _halt(page)
    page.goto(site.address + address("4 1 3 / 0 2 6 / 7 5 8"))
    until(page, lambda: bool(held))
    page.clock.run_for(1000)
    page.clock.fast_forward(91_000)
    expect(page.get_by_role("alert")).to_contain_text("has not answered for 90 seconds")
    for route in held:
        route.abort()


def test_a_new_version_is_offered(visit: Opener) -> None:
    page = visit(address("4 1 3 / 0 2 6 / 7 5 8"))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    newer = {"folder": "taquin-0123456789ab"}
    page.context.route("**/search/runtime.json", lambda route: route.fulfill(json=newer))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    status = page.locator("#status")
    expect(status).to_contain_text("There is a new version of this page.")
    page.evaluate("window.isOld = true")
    status.get_by_role("button", name="Reload").click()
    page.wait_for_function("!window.isOld")


def test_a_page_that_cannot_start_or_has_no_messages_is_not_blank(
    browser: Browser, site_folder: Path, site: Site
) -> None:
    page = browser.new_page()
    page.goto((site_folder / "index.html").as_uri())
    sentence = page.locator(".unstarted")
    expect(sentence).to_contain_text("taquin serve")
    # It appears after some seconds.
    sentence.evaluate("part => part.getAnimations().forEach(each => each.finish())")
    expect(sentence).to_be_visible()
    page.route("**/messages/*.json", lambda route: route.fulfill(status=503))
    page.goto(site.address)
    expect(page.locator(".unstarted.shown")).to_be_visible()
    page.close()


_SHIFTS = """
    window.shift = 0;
    new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shift += value;
    }).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.slow
def test_a_phone_shows_the_board_where_it_stays_while_python_loads(
    visit: Opener, site: Site
) -> None:
    page = visit("about:blank", viewport={"width": 412, "height": 823})
    page.add_init_script(_SHIFTS)
    page.goto(f"{site.address}/")
    table(page).wait_for()
    expect(page.locator("#status")).to_be_hidden()
    # The limit of a good page; the header alone moved it by 0.27.
    assert page.evaluate("window.shift") < 0.1

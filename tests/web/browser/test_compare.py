"""Two searches in step, and the page for a projector or in a frame of another page."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, expect

import taquin as tq
from tests.web.browser.conftest import Opener
from tests.web.browser.table import address
from tests.web.site import Site, serving

BOARD = "8 1 3 / 4 0 2 / 7 6 5"
LETTERS = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
"""Returns the size of the letters of the page."""
COLOURS = """([index, token]) => {
    const probe = document.body.appendChild(document.createElement("span"));
    probe.style.color = `var(--${token})`;
    const [red, green, blue] = getComputedStyle(probe).color.match(/\\d+/g).map(Number);
    const canvas = document.querySelectorAll(".tree")[index];
    const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
        count += data[at] === red && data[at + 1] === green && data[at + 2] === blue;
    }
    return count;
}"""


def expanded(search: str) -> set[tq.Board]:
    events = tq.trace(BOARD, algorithm=search)
    return {event.node.board for event in events if isinstance(event, tq.events.Expanded)}


def test_two_searches_go_in_step_and_boards_of_one_alone_are_coloured(visit: Opener) -> None:
    page = visit(address(BOARD, "compare", step="4"))
    expect(page.locator("output")).to_have_text("Step 4")
    for side in page.locator(".compare-side").all():
        expect(side.locator(".counters dd").first).to_have_text("4")
    page.get_by_role("button", name="Last step").click()
    mine, theirs = expanded("astar(manhattan)"), expanded("astar(misplaced)")
    expect(page.locator(".compare-message")).to_have_text(
        f"A* (Manhattan) expanded {len(mine)} boards and A* (Misplaced) {len(theirs)}; "
        f"{len(mine & theirs)} are the same."
    )
    alone = page.locator(".counters div", has_text="only here").locator("dd")
    expect(alone).to_have_text([str(len(mine - theirs)), str(len(theirs - mine))])
    for button in page.get_by_role("button", name="Whole tree").all():
        button.click()
    assert page.evaluate(COLOURS, [0, "only"]) == 0 < page.evaluate(COLOURS, [1, "only"])
    page.get_by_role("button", name="A* and IDA*").click()
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".compare-message")).to_contain_text(
        f"IDA* (Manhattan) {len(expanded('idastar(manhattan)'))};"
    )


def test_a_projector_shows_the_frontier_beside_a_large_tree(visit: Opener) -> None:
    page = visit(address(BOARD, "watch", step="3"))
    expect(page.locator(".mini-card:visible").first).to_be_visible()
    small = page.evaluate(LETTERS)
    # In one piece of script no frame passes: without motion a change is there at once.
    button = page.get_by_role("button", name="Projector mode")
    large = button.evaluate(f"button => (button.click(), {LETTERS})")
    assert large > small
    expect(page.get_by_role("tab", name="Play")).to_be_hidden()
    expect(page.locator(".generated")).to_be_hidden()
    tree, frontier = (page.locator(part).bounding_box() for part in (".tree", ".cards.waiting"))
    assert tree is not None
    assert frontier is not None
    assert frontier["x"] > tree["x"] + tree["width"]
    assert tree["width"] > 1280 / 2
    page.keyboard.press("Escape")
    expect(page.get_by_role("tab", name="Play")).to_be_visible()


@pytest.mark.slow
@pytest.mark.server("a server chooses who may frame the page")
def test_only_a_site_that_is_named_shows_the_page_in_a_frame(browser: Browser, site: Site) -> None:
    framed: list[str] = []

    class Course(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            shown = f"{framed[-1]}/?embed#{self.path.strip('/')}"
            html = f'<iframe width="900" height="700" src="{shown}"></iframe>'
            self.wfile.write(html.encode())

        def log_message(self, *words: object) -> None:
            pass

    page = browser.new_page()
    frame = page.frame_locator("iframe")
    with HTTPServer(("127.0.0.1", 0), Course) as course:
        Thread(target=course.serve_forever, daemon=True).start()
        origin = f"http://127.0.0.1:{course.server_port}"
        with serving("--no-warm", "--embed-from", origin) as named:
            framed.append(named.address)
            page.goto(f"{origin}/watch")
            expect(frame.locator(".narration .sentence")).to_contain_text("The search starts")
            expect(frame.get_by_role("tab", name="Watch")).to_be_hidden()
            page.goto(f"{origin}/studies?study=small")
            report = frame.frame_locator("iframe[title='Report of small']")
            expect(report.locator("h1")).to_contain_text("small")
        framed.append(site.address)
        page.goto(f"{origin}/watch")
        expect(frame.locator("body")).to_be_attached()
        expect(frame.locator(".narration")).to_have_count(0)
        course.shutdown()
    page.close()

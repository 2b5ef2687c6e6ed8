"""Searches side by side and in step, and the page for a projector or in another page."""

from __future__ import annotations

import re
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Browser, Route, expect

import taquin as tq
from tests.web.browser.conftest import Opener
from tests.web.browser.table import address, is_idle, until
from tests.web.site import Site, serving

BOARD = "4 1 3 / 0 2 6 / 7 5 8"
FAR = "8 6 7 / 2 5 4 / 3 0 1"


def test_three_searches_race_and_the_order_is_told(visit: Opener) -> None:
    page = visit(address(BOARD, "race"))
    page.get_by_role("button", name="Race", exact=True).click()
    expect(page.locator(".race-message .sentence.good")).to_contain_text(
        "No solution is shorter than 5 moves"
    )
    lanes = page.locator(".lane")
    expect(lanes).to_have_count(3)
    for lane in lanes.all():
        expect(lane.locator(".lane-status")).to_contain_text(re.compile(r"(1st|2nd|3rd): 5 moves"))
        expect(lane).to_have_attribute("data-quality", "optimal")
    expanded = [int(lane.locator(".bars dd").first.inner_text()) for lane in lanes.all()]
    # Breadth-first search, the last, knows nothing of the goal.
    assert expanded[0] < expanded[2]


def test_searches_join_and_leave_a_race_and_the_link_says_who_runs(visit: Opener) -> None:
    page = visit(address(BOARD, "race"))
    page.get_by_role("button", name="Add a search").click()
    expect(page.locator(".lane")).to_have_count(4)
    expect(page.get_by_role("button", name="Add a search")).to_be_hidden()
    for _ in range(2):
        page.get_by_role("button", name="Remove this search").first.click()
    expect(page.locator(".lane")).to_have_count(2)
    expect(page.get_by_role("button", name="Remove this search")).to_have_count(0)
    until(page, lambda: "racers=bfs;" in page.url.replace("%3B", ";"))
    other = visit(page.url)
    expect(other.locator(".lane .chosen")).to_have_text(
        page.locator(".lane .chosen").all_inner_texts()
    )


def test_a_race_is_paused_and_stopped(visit: Opener) -> None:
    page = visit(address(FAR, "race", pace="10"))
    page.get_by_role("button", name="Race", exact=True).click()
    expect(page.get_by_text("each so far")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Pace").select_option("2000")
    expanded = page.locator(".lane .bars dd").first
    expect(expanded).to_have_text(re.compile(r"\d,?\d\d\d"))
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("The race was stopped.")).to_be_visible()
    for lane in page.locator(".lane-status").all():
        expect(lane).not_to_contain_text("searching")
    until(page, lambda: is_idle(page))
    expect(page.get_by_role("button", name="Race", exact=True)).to_be_visible()


@pytest.mark.server("requests to a server are held back")
def test_no_search_is_added_before_the_page_knows_which_there_are(visit: Opener) -> None:
    page = visit("about:blank")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/searches", hold)
    with page.expect_request("**/api/searches"):
        page.goto(address(BOARD, "race"))
    add = page.get_by_role("button", name="Add a search")
    expect(add).to_be_disabled()
    held[0].continue_()
    expect(add).to_be_enabled()
    expect(page.locator(".lane")).to_have_count(3)


def test_the_first_is_told_early_that_its_solution_is_not_optimal(visit: Opener) -> None:
    page = visit(address(FAR, "race", racers="greedy(manhattan);bfs", pace="300"))
    page.get_by_role("button", name="Race", exact=True).click()
    warning = page.locator(".race-message .warning")
    expect(warning).to_contain_text(re.compile(r"is first, but with \d+ moves: not optimal"))
    greedy, bfs = page.locator(".lane").all()
    expect(greedy).to_have_attribute("data-quality", "longer")
    expect(greedy.locator(".lane-status")).to_contain_text("not optimal: 31 are enough")
    # Breadth-first search would need minutes at this pace: that is told while it runs.
    expect(bfs.locator(".lane-status")).to_have_text("searching …")
    page.get_by_role("button", name="Stop").click()


FOURTEEN = "8 1 3 / 4 0 2 / 7 6 5"
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
    events = tq.trace(FOURTEEN, algorithm=search)
    return {event.node.board for event in events if isinstance(event, tq.events.Expanded)}


def test_two_searches_go_in_step_and_boards_of_one_alone_are_coloured(visit: Opener) -> None:
    page = visit(address(FOURTEEN, "compare", step="4"))
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
    page = visit(address(FOURTEEN, "watch", step="3"))
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

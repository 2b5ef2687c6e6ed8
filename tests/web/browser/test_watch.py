"""Watching a search: step by step both ways, its tree, its numbers, and recorded traces."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.cli.runs import run
from tests.web.browser.conftest import Opener
from tests.web.browser.table import TOO_WIDE, address, is_idle, lies, open_more, until
from tests.web.browser.test_access import faults_seen
from tests.web.site import Site

BOARD = "4 1 3 / 0 2 6 / 7 5 8"
"""Five moves from the goal; A* with Manhattan expands one board for each."""


def narration(page: Page) -> str:
    return page.locator(".narration .sentence").inner_text()


def at(page: Page, step: int) -> None:
    """Wait until the film stands at a step."""
    expect(page.locator("output")).to_have_text(re.compile(rf"^Step {step}\b"))


def drop(page: Page, name: str, text: str) -> None:
    """Drop a file onto the page."""
    page.evaluate(
        """([name, text]) => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], name));
            for (const kind of ["dragenter", "dragover", "drop"]) {
                const init = {dataTransfer, bubbles: true, cancelable: true};
                document.querySelector("#panel").dispatchEvent(new DragEvent(kind, init));
            }
        }""",
        [name, text],
    )


def test_a_search_is_stepped_forward_and_back(visit: Opener) -> None:
    page = visit(address(BOARD, "watch"))
    at(page, 0)
    tree = page.get_by_role("img", name="Search tree")
    seen = [(narration(page), tree.get_attribute("aria-label"))]
    for step in range(1, 5):
        page.get_by_role("button", name="One step on").click()
        at(page, step)
        seen.append((narration(page), tree.get_attribute("aria-label")))
    assert len(set(seen)) == 5
    for step in range(3, -1, -1):
        if step % 2:
            page.keyboard.press("ArrowLeft")
        else:
            page.get_by_role("button", name="One step back").click()
        at(page, step)
        assert (narration(page), tree.get_attribute("aria-label")) == seen[step]
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".narration .sentence.good")).to_contain_text("5 moves")
    expect(page.get_by_role("button", name="Last step")).to_be_disabled()
    page.get_by_role("button", name="First step").click()
    at(page, 0)


@pytest.mark.parametrize("view", ["watch", "compare"])
def test_nothing_can_be_pressed_before_there_is_a_film(
    visit: Opener, site: Site, view: str
) -> None:
    page = visit("about:blank")
    held: list[Route] = []
    page.context.route(re.compile(r"/searches(\.json)?$"), lambda route: held.append(route))
    page.goto(site.address + address(BOARD, view))
    last = page.get_by_role("button", name="Last step")
    expect(last).to_be_disabled()
    page.keyboard.press("End")
    until(page, lambda: bool(held))
    held[0].continue_()
    last.click()
    expect(page.locator("output")).to_have_text(re.compile(r"^Step (\d+) of \1$"))
    expect(page.locator(".sentence.bad")).to_have_count(0)


@pytest.mark.server("its request is held")
def test_another_search_does_not_begin_at_the_end_of_the_one_before(visit: Opener) -> None:
    page = visit(address(BOARD, "watch"))
    last = page.get_by_role("button", name="Last step")
    last.click()
    expect(last).to_be_disabled()
    held: list[Route] = []
    page.context.route("**/api/trace", lambda route: held.append(route))
    page.goto(page.url.partition("#")[0] + address(BOARD, "watch", search="bfs")[1:])
    expect(last).to_be_enabled()
    until(page, lambda: bool(held))
    held[0].continue_()
    last.click()
    expect(last).to_be_disabled()


def test_a_link_to_a_step_opens_there_and_leaving_the_view_ends_the_search(visit: Opener) -> None:
    page = visit(address(BOARD, "watch", search="bfs"))
    at(page, 0)
    for step in range(1, 4):
        page.get_by_role("button", name="One step on").click()
        at(page, step)
    said = narration(page)
    until(page, lambda: "step=3" in page.url)
    other = visit(page.url)
    at(other, 3)
    assert narration(other) == said
    for each in (page, other):
        each.get_by_role("tab", name="Play").click()
    until(page, lambda: is_idle(page))


def test_a_pause_at_full_speed_stops_at_once(visit: Opener) -> None:
    page = visit(address("8 6 7 / 2 5 4 / 3 0 1", "watch", search="bfs"))
    at(page, 0)
    page.get_by_label("Speed").select_option(label="full speed")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("output")).to_have_text(re.compile(r"^Step \d,?\d{3}"))
    page.get_by_role("button", name="Pause").click()
    steps = page.evaluate(
        """async () => {
            const frame = () => new Promise(requestAnimationFrame);
            const said = () => document.querySelector("output").textContent;
            for (let each = 0; each < 10; each += 1) await frame();
            const first = said();
            for (let each = 0; each < 60; each += 1) await frame();
            return [first, said()];
        }"""
    )
    assert steps[0] == steps[1]
    before = int(re.sub(r"\D", "", steps[0]))
    page.get_by_role("button", name="One step on").click()
    expect(page.locator("output")).to_have_text(f"Step {before + 1:,}")


def test_a_recorded_trace_is_dropped_and_replayed_without_the_server_or_refused(
    visit: Opener,
) -> None:
    trace = run("trace", BOARD, "--json").output
    page = visit(address("1 2 3 / 4 5 6 / 7 0 8", "watch"))
    at(page, 0)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    drop(page, "five.jsonl", trace)
    expect(page.get_by_text("Recorded: five.jsonl")).to_be_visible()
    at(page, 0)
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".narration .sentence.good")).to_contain_text("5 moves")
    assert asked == []
    page.get_by_role("button", name="Back to the live search").click()
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".narration .sentence.good")).to_contain_text("1 move")
    drop(page, "letter.txt", "Dear Sir or Madam,\n")
    expect(page.locator(".sentence.bad")).to_contain_text("not a record of a trace")
    board = [[0, *range(1, 200)], *([[1] * 200] * 199)]
    node = {"number": 0, "parent": None, "board": board, "move": None, "depth": 0, "h": 0, "f": 0}
    header = {"format": "taquin-trace", "version": 1}
    records = [header, {"event": "started", "node": node}, {"event": "expanded", "node": node}]
    drop(page, "huge.jsonl", "\n".join(map(json.dumps, records)))
    expect(page.locator(".sentence.bad")).to_contain_text("200×200 cells")


@pytest.mark.server("this is about a server that does not answer")
def test_a_trace_is_shown_though_the_server_does_not_answer(
    visit: Opener, faults: list[str]
) -> None:
    page = visit("about:blank")
    page.route("**/api/searches", lambda route: route.abort())
    page.goto(address(BOARD, "watch"))
    expect(page.locator(".sentence.bad")).to_be_visible()
    drop(page, "five.jsonl", run("trace", BOARD, "--json").output)
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".narration .sentence.good")).to_contain_text("5 moves")
    assert all("ERR_FAILED" in fault for fault in faults), faults
    faults.clear()


@pytest.mark.parametrize("width", [320, 1280])
def test_large_numbers_fit_their_cards(visit: Opener, width: int) -> None:
    records = [json.loads(line) for line in run("trace", BOARD, "--json").output.splitlines()]
    for record in records:
        if node := record.get("node"):
            node |= {"depth": node["depth"] + 118, "h": node["h"] + 110}
            node["f"] = node["depth"] + node["h"]
    page = visit(address(BOARD, "watch"), viewport={"width": width, "height": 800})
    at(page, 0)
    drop(page, "large.jsonl", "\n".join(map(json.dumps, records)))
    expect(page.get_by_text("Recorded: large.jsonl")).to_be_visible()
    page.get_by_role("button", name="One step on").click()
    at(page, 1)
    expect(page.locator(".cards.waiting .foot").first).to_contain_text("+")
    assert (
        page.evaluate(TOO_WIDE, ".foot, .counters dd, .figures dd, .tree-tools, .transport") == []
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_long_search_has_a_long_path_and_a_bar_that_leaves_room(visit: Opener) -> None:
    page = visit(address("8 6 7 / 2 5 4 / 3 0 1", "watch", search="dfs"))
    at(page, 0)
    page.get_by_label("Speed").select_option(label="full speed")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("output")).to_have_text(re.compile(r"^Step (5,[1-9]|[6-9],|\d\d,)"))
    page.get_by_role("button", name="Pause").click()
    bar = page.get_by_role("slider", name="Step")
    shown = page.locator(".counters div", has_text="on path").locator("dd")
    assert int(bar.get_attribute("max") or 0) > 1.2 * int(bar.input_value())
    # The counters follow a fast search a few times a second.
    expect(shown).to_have_text(re.compile(r"^([5-9],|\d\d,)"))


def test_a_system_with_few_colours_shows_the_boards_of_the_tree(visit: Opener) -> None:
    page = visit(address(BOARD, "watch"), forced_colors="active")
    at(page, 0)
    page.get_by_role("button", name="One step on").click()
    at(page, 1)
    # A second for cards that glide; black cards have one colour, boards on cards have many.
    page.wait_for_function(
        """() => {
            const canvas = document.querySelector(".tree");
            const {width, height} = canvas;
            const {data} = canvas.getContext("2d").getImageData(0, 0, width, height);
            return new Set(new Uint32Array(data.buffer)).size > 60
                && new Set([...data].filter((_, at) => at % 4 === 2)).size > 60;
        }"""
    )
    chosen = page.get_by_role("button", name="Follow")
    plain = page.get_by_role("button", name="Whole tree")
    colour = "node => getComputedStyle(node).backgroundColor"
    assert chosen.evaluate(colour) != plain.evaluate(colour)
    assert page.get_by_role("tab", name="Watch").evaluate(colour) == chosen.evaluate(colour)


def test_watch_has_a_default_board_of_its_own_and_keeps_a_chosen_one(visit: Opener) -> None:
    page = visit("/")
    page.locator("#tab-watch").click()
    at(page, 0)
    board = page.locator(".now svg").first
    expect(board).to_have_attribute("aria-label", re.compile("8 1 3 / 4 blank 2"))
    page.locator("#tab-play").click()
    lies(page, BOARD)
    page.keyboard.press("ArrowDown")
    lies(page, "0 1 3 / 4 2 6 / 7 5 8")
    page.locator("#tab-watch").click()
    at(page, 0)
    expect(board).to_have_attribute("aria-label", re.compile("blank 1 3 / 4 2 6"))


PARTS = {"Tree": "canvas.tree", "Board": ".now", "Code": ".pseudocode"}
"""What each part of a narrow window shows."""


def test_a_narrow_window_shows_the_tree_the_board_or_the_code(visit: Opener) -> None:
    page = visit(address(BOARD, "watch"), viewport={"width": 390, "height": 844})
    at(page, 0)
    canvas = page.locator("canvas.tree").bounding_box()
    assert canvas
    for button in page.locator(".tree-panel button").all():
        box = button.bounding_box()
        assert box
        # No button lies over the tree.
        assert box["y"] >= canvas["y"] + canvas["height"]
    parts = page.get_by_role("group", name="What is shown")
    for name in ("Board", "Code", "Tree"):
        parts.get_by_role("button", name=name).click()
        for other, selector in PARTS.items():
            expect(page.locator(selector)).to_be_visible(visible=other == name)
        assert page.evaluate(TOO_WIDE, ".watch *") == []
    page.get_by_role("button", name="One step on").click()
    at(page, 1)
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(parts).to_be_hidden()
    for selector in PARTS.values():
        expect(page.locator(selector)).to_be_visible()


def test_a_term_is_explained_to_the_pointer_the_keyboard_and_touch(visit: Opener) -> None:
    page = visit(address(BOARD, "watch"))
    at(page, 0)
    tip = page.get_by_role("tooltip")
    estimate = page.get_by_role("button", name="h, estimate")
    expect(estimate).to_have_accessible_description(re.compile("^h: the heuristic"))
    estimate.hover()
    expect(tip).to_contain_text("h: the heuristic")
    page.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    page.get_by_role("button", name="g, so far").focus()
    expect(tip).to_contain_text("g: the moves")
    page.locator(".narration").click()
    expect(tip).to_have_count(0)
    touched = visit(
        address(BOARD, "watch"), has_touch=True, viewport={"width": 1280, "height": 800}
    )
    at(touched, 0)
    touched.get_by_role("button", name="frontier", exact=True).tap()
    expect(touched.get_by_role("tooltip")).to_contain_text("The frontier: the boards")


def test_the_form_groups_the_searches_and_a_group_tells_what_they_are_for(visit: Opener) -> None:
    page = visit(address(BOARD, "watch", search="idastar(manhattan)"))
    page.get_by_text("IDA* (Manhattan)").click()
    algorithm = page.get_by_label("Algorithm", exact=True)
    groups = algorithm.locator("optgroup").evaluate_all(
        "groups => groups.map(({label, children}) => [label, children[0].value])"
    )
    assert groups == [
        ["Optimal: a shortest solution", "bfs"],
        ["Fast: a solution soon, perhaps a longer one", "greedy"],
        ["Low memory: only a path is stored", "dfs"],
        ["Local: from board to neighbour, no frontier", "lrtastar"],
    ]
    algorithm.select_option("wastar")
    expect(page.get_by_text("Weighted A* (Manhattan)")).to_be_visible()
    expect(page.locator(".search-form .term")).to_have_text("admissible")


@pytest.mark.parametrize("language", ["de", "fr"])
def test_watch_and_compare_fit_a_phone_in_every_language(visit: Opener, language: str) -> None:
    for view in ("watch", "compare"):
        phone = {"width": 390, "height": 844}
        page = visit(address(BOARD, view, step="2"), viewport=phone, locale=language)
        expect(page.locator("output")).to_have_text(re.compile(r"^(Schritt|Étape) 2"))
        assert page.evaluate(TOO_WIDE, ".watch *:not(option, optgroup)") == []


FOURTEEN = "8 1 3 / 4 0 2 / 7 6 5"
"""Fourteen moves from the goal; 2 left is the first of the only shortest solution."""


def test_a_watched_board_has_its_distances_its_sums_and_the_line_at_work(visit: Opener) -> None:
    page = visit(address(FOURTEEN, "watch"))
    at(page, 0)
    page.get_by_role("button", name="Explain").click()
    marks = page.get_by_label("The board being expanded").locator(".mark")
    expect(marks).to_have_text(["3", "1", "2", "2", "2"])
    expect(page.get_by_text("h = 3 + 1 + 2 + 2 + 2 = 10 (tile 8: 3, tile 1: 1")).to_be_visible()
    expect(page.get_by_text("f = g + h = 0 + 10 = 10.")).to_be_visible()
    code = page.get_by_role("list", name="The search as pseudocode")
    expect(code.locator("[aria-current]")).to_have_text("put the start into the frontier")
    page.get_by_role("button", name="One step on").click()
    at(page, 1)
    expect(code.locator("[aria-current]")).to_have_text("for each of its children:")
    expect(code.locator(".at-work")).to_have_count(3)
    page.get_by_role("button", name="Explain").click()
    expect(marks).to_have_count(0)
    expect(code).to_be_hidden()


def test_each_move_of_a_game_has_its_cost(visit: Opener) -> None:
    page = visit(address(FOURTEEN))
    open_more(page)
    page.get_by_role("button", name="Explain").click()
    costs = page.get_by_role("list", name="What each move costs").get_by_role("listitem")
    expect(costs).to_have_text(
        [
            "6 up: 2 more moves",
            "1 down: 2 more moves",
            "2 left: right on the way",
            "4 right: 2 more moves",
        ]
    )
    page.keyboard.press("ArrowLeft")
    expect(costs.filter(has_text="5 up: right on the way")).to_have_count(1)
    expect(costs.filter(has_text="2 right: 2 more moves")).to_have_count(1)
    assert faults_seen(page) == []

"""Watching a search: step by step both ways, its tree, and recorded traces that are dropped."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.cli.runs import run
from tests.web.browser.conftest import Opener
from tests.web.browser.table import address, is_idle, until

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


def test_the_last_step_tells_the_solution(visit: Opener) -> None:
    page = visit(address(BOARD, "watch"))
    at(page, 0)
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".narration .sentence.good")).to_contain_text("5 moves")
    expect(page.get_by_role("button", name="Last step")).to_be_disabled()
    page.get_by_role("button", name="First step").click()
    at(page, 0)


def test_a_link_to_a_step_opens_there(visit: Opener) -> None:
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


def test_a_search_plays_by_itself_and_pauses(visit: Opener) -> None:
    # A search of 31 moves, which does not end before a busy machine presses the button.
    page = visit(address("8 6 7 / 2 5 4 / 3 0 1", "watch", search="bfs"))
    at(page, 0)
    page.get_by_label("Speed").select_option(label="60 steps/s")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("output")).to_have_text(re.compile(r"^Step \d\d"))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_recorded_trace_is_dropped_and_replayed_without_the_server(visit: Opener) -> None:
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


def test_a_file_that_is_no_trace_is_refused_with_a_sentence(visit: Opener) -> None:
    page = visit(address(BOARD, "watch"))
    at(page, 0)
    drop(page, "letter.txt", "Dear Sir or Madam,\n")
    expect(page.locator(".sentence.bad")).to_contain_text("not a record of a trace")


def test_leaving_the_view_ends_the_search(visit: Opener) -> None:
    page = visit(address(BOARD, "watch", search="bfs"))
    at(page, 0)
    page.get_by_role("tab", name="Play").click()
    until(page, lambda: is_idle(page))

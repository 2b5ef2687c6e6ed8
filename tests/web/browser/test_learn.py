"""Learn: its chapters by their links, their figures and questions, and what the browser keeps."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.browser.conftest import Opener
from tests.web.browser.table import TOO_WIDE
from tests.web.browser.test_access import faults_in_every_colour

TITLES = {
    1: "State spaces",
    2: "Breadth-first search",
    3: "Why heuristics help",
    4: "What admissibility buys",
    5: "Memory and IDA*",
}
LIAR, WEIGHTS = "with one that lies", "Weighted A*"


def chapter(visit: Opener, number: int, **options: object) -> Page:
    page = visit(f"/#learn?chapter={number}", **options)
    expect(page.get_by_role("heading", name=TITLES[number])).to_be_visible()
    return page


def figure(page: Page, caption: str) -> Locator:
    """Return a figure, in view, with its search begun."""
    found = page.locator("figure", has_text=caption)
    found.locator(".figure-controls").scroll_into_view_if_needed()
    found.locator(".counters dd").first.wait_for()
    return found


def counter(part: Locator, name: str) -> Locator:
    return part.locator(".counters div", has=part.page.get_by_text(name, exact=True)).locator("dd")


def last(part: Locator) -> None:
    part.get_by_role("button", name="Last step").click()


@pytest.mark.sampled(5)
@pytest.mark.parametrize("number", TITLES)
def test_every_chapter_opens_by_its_link_and_axe_finds_nothing(visit: Opener, number: int) -> None:
    page = chapter(visit, number)
    contents = page.get_by_role("navigation", name="Chapters", exact=True)
    expect(contents.locator("[aria-current]")).to_have_text(TITLES[number])
    for part in page.locator("figure:has(.transport)").all():
        part.locator(".figure-controls").scroll_into_view_if_needed()
        part.locator(".counters dd").first.wait_for()
    page.locator(".step-quiz").scroll_into_view_if_needed()
    page.locator(".step-quiz .choices li").first.wait_for()
    assert faults_in_every_colour(page) == []


@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", TITLES)
def test_no_chapter_is_wider_than_a_phone(visit: Opener, number: int) -> None:
    page = chapter(visit, number, viewport={"width": 390, "height": 844})
    page.locator(".step-quiz").scroll_into_view_if_needed()
    page.locator(".step-quiz .choices li").first.wait_for()
    assert page.evaluate(TOO_WIDE, ".chapter > *, .figure-controls > *, .transport") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_figure_plays_while_it_is_in_view(visit: Opener) -> None:
    page = chapter(visit, 5, reduced_motion="no-preference")
    # The search of 1,589 steps does not end on a busy machine either.
    memory = page.locator("figure:has(.memory)")
    beam = page.locator("figure", has_text="Beam search")
    memory.locator(".figure-controls").scroll_into_view_if_needed()
    expect(memory.locator("output")).to_have_text(re.compile(r"^Step [2-9]"))
    # A figure that nobody has seen has not begun.
    assert beam.locator(".counters dd").count() == 0
    beam.locator(".transport").scroll_into_view_if_needed()
    expect(memory.get_by_role("button", name="Play", exact=True)).to_be_attached()
    expect(beam.locator("output")).to_have_text(re.compile(r"^Step [2-9]"))
    memory.locator(".figure-controls").scroll_into_view_if_needed()
    expect(memory.get_by_role("button", name="Pause")).to_be_visible()


def test_no_figure_plays_by_itself_with_reduced_motion_and_keys_play_the_one_in_focus(
    visit: Opener,
) -> None:
    levels = figure(chapter(visit, 2), "level by level")
    expect(levels.locator("output")).to_have_text(re.compile(r"^Step 0"))
    expect(levels.get_by_role("button", name="Play", exact=True)).to_be_visible()
    levels.get_by_role("button", name="One step on").click()
    expect(levels.locator("output")).to_have_text(re.compile(r"^Step 1"))
    page = chapter(visit, 4)
    lies = figure(page, LIAR)
    lies.get_by_role("button", name="One step on").focus()
    page.keyboard.press("ArrowRight")
    expect(lies.locator("output")).to_have_text(re.compile(r"^Step 1"))
    expect(figure(page, WEIGHTS).locator("output")).to_have_text(re.compile(r"^Step 0"))


def test_another_weight_and_another_board_change_the_counts_at_once(visit: Opener) -> None:
    weighted = figure(chapter(visit, 4), WEIGHTS)
    last(weighted)
    expect(counter(weighted, "expanded")).to_have_text("15")
    weight = weighted.get_by_role("slider", name="Weight 2")
    weight.focus()
    for _ in range(2):
        weighted.page.keyboard.press("ArrowLeft")
    expect(weighted.get_by_role("slider", name="Weight 1")).to_be_focused()
    expect(counter(weighted, "expanded")).to_have_text("21")
    weighted.get_by_role("combobox", name="Board").select_option("8 1 3 / 4 0 2 / 7 6 5")
    expect(counter(weighted, "expanded")).to_have_text("36")


def test_the_chart_compares_what_two_searches_store(visit: Opener) -> None:
    memory = figure(chapter(visit, 5), "A* and IDA*")
    chart = memory.get_by_role("img", name="Boards stored during the search")
    expect(chart).to_have_attribute(
        "aria-label", re.compile("at most 571 stored, 342 .* at most 20 stored, 1,582")
    )
    last(memory)
    expect(counter(memory, "expanded")).to_have_text("1,582")


def test_a_figure_opens_in_watch_as_it_is(visit: Opener) -> None:
    weighted = figure(chapter(visit, 4), WEIGHTS)
    weighted.get_by_role("button", name="One step on").click()
    expect(weighted.locator("output")).to_have_text(re.compile(r"^Step 1"))
    weighted.get_by_role("button", name="Open in Watch").click()
    page = weighted.page
    expect(page.locator(".view-watch output")).to_have_text(re.compile(r"^Step 1"))
    expect(page).to_have_url(re.compile(r"board=1,2,3/0,7,8/5,6,4&.*weight=2"))


def test_a_walk_along_the_state_graph_counts_the_boards(visit: Opener) -> None:
    page = chapter(visit, 1)
    graph = page.locator("figure", has_text="beginning of the state graph")
    expect(graph.get_by_role("status")).to_contain_text(
        "3 neighbours. You have visited 1 of the 181,440"
    )
    up = graph.get_by_role("button", name="After the move up")
    up.focus()
    page.keyboard.press("Enter")
    expect(graph.get_by_role("status")).to_contain_text("visited 2")
    # The way on is closed, and the way back takes the focus.
    expect(graph.get_by_role("button", name="After the move down")).to_be_focused()
    page.keyboard.press("Enter")
    expect(graph.get_by_role("status")).to_contain_text("visited 2")
    graph.get_by_role("combobox", name="Board").select_option("0 3 / 2 1")
    expect(graph.get_by_role("status")).to_contain_text(
        "2 neighbours. You have visited 1 of the 12"
    )


def test_the_questions_of_a_chapter_are_answered_and_remembered(visit: Opener) -> None:
    page = chapter(visit, 5)
    quiz = page.get_by_role("region", name="Quiz")
    quiz.scroll_into_view_if_needed()
    quiz.get_by_role("button", name="10", exact=True).click()
    expect(quiz.locator(".sentence.good")).to_contain_text("Right")
    contents = page.get_by_role("navigation", name="Chapters", exact=True)
    expect(contents).to_contain_text("1 of 3 questions")
    for _ in range(2):
        quiz.get_by_role("button", name="Next question").click()
        quiz.get_by_role("button", name="Show me").click()
    expect(quiz).to_contain_text("1 of 3 right")
    expect(contents).to_contain_text("3 of 3 questions")
    # Without a number, the address opens the chapter that was read last.
    page.goto(f"{page.url.partition('#')[0]}#play")
    page.reload()
    page.get_by_role("tab", name="Learn").click()
    expect(page.get_by_role("heading", name=TITLES[5])).to_be_visible()
    expect(contents).to_contain_text("3 of 3 questions")


def test_links_lead_from_chapter_to_chapter_and_back(visit: Opener) -> None:
    page = chapter(visit, 1)
    page.get_by_role("link", name="Breadth-first search →").click()
    expect(page.get_by_role("heading", name=TITLES[2])).to_be_focused()
    expect(page).to_have_url(re.compile("chapter=2"))
    page.go_back()
    expect(page.get_by_role("heading", name=TITLES[1])).to_be_visible()
    page.get_by_role("navigation", name="Chapters", exact=True).get_by_role(
        "link", name="IDA"
    ).click()
    page.get_by_role("link", name="← What admissibility buys").click()
    expect(page.get_by_role("heading", name=TITLES[4])).to_be_focused()


def test_a_search_that_fails_says_so_and_can_be_tried_again(
    visit: Opener, faults: list[str]
) -> None:
    page = chapter(visit, 1)
    page.route("**/api/trace", lambda route: route.abort())
    page.get_by_role("link", name="Breadth-first search →").click()
    levels = page.locator("figure:has(.transport)")
    levels.locator(".figure-controls").scroll_into_view_if_needed()
    expect(levels.locator(".sentence.bad")).to_be_visible()
    page.unroute("**/api/trace")
    levels.get_by_role("button", name="Try again").click()
    expect(counter(levels, "expanded")).to_have_text("0")
    assert all("ERR_FAILED" in fault for fault in faults), faults
    faults.clear()

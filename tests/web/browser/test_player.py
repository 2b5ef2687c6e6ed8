"""The page of `taquin trace -o search.html`: a tree that can be read, moved and enlarged."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, FloatRect, Page

from taquin.model.board import Board
from taquin.model.puzzle import Goal, Puzzle
from taquin.search.algorithms import AStar
from taquin.search.driver import trace
from taquin.views.pictures.drawings import tree_drawing


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Page:
    """Return the page of a search whose tree is larger than the window."""
    events = trace(Puzzle(Goal.blank_last(3, 3)), Board.parse("8 1 3 / 4 0 2 / 7 6 5"), AStar())
    file = tmp_path / "search.html"
    file.write_text(tree_drawing(events, 60).page(None), encoding="utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(file.as_uri())
    return page


def card(page: Page) -> FloatRect:
    """Return the place of the card that the step is about."""
    box = page.locator("svg.tree .current").bounding_box()
    assert box is not None
    return box


def test_cards_are_readable_and_the_one_taken_is_in_view(page: Page) -> None:
    frame = page.locator("svg.tree").bounding_box()
    assert frame is not None
    for _ in range(9):
        page.keyboard.press("ArrowRight")
        found = card(page)
        assert found["width"] > 80
        assert frame["x"] <= found["x"] <= frame["x"] + frame["width"] - found["width"]
        assert frame["y"] <= found["y"] <= frame["y"] + frame["height"] - found["height"]


def test_the_tree_is_enlarged_moved_and_shown_whole(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    usual = card(page)["width"]
    page.mouse.move(800, 400)
    page.mouse.wheel(0, -300)
    page.wait_for_function("document.querySelector('svg.tree').viewBox.baseVal.width < 850")
    assert card(page)["width"] > usual * 1.5
    before = card(page)["x"]
    page.mouse.down()
    page.mouse.move(700, 400)
    page.mouse.up()
    assert card(page)["x"] == pytest.approx(before - 100, abs=2)
    page.get_by_label("Whole tree").click()
    assert card(page)["width"] < usual


def test_the_last_step_is_the_goal(page: Page) -> None:
    page.keyboard.press("End")
    assert "goal" in (page.locator("svg.tree .current").get_attribute("class") or "").split()
    assert "solved in 14 moves" in page.locator("#say").inner_text()

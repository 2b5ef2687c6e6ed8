"""Editing: walls, names, goals in part, and that what is edited is played."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.web.browser.conftest import Opener
from tests.web.browser.table import address, lies, table


def place(page: Page, side: str, row: int, column: int) -> Locator:
    """Return a cell of the start or of the goal, counted from 1."""
    return page.get_by_role("grid", name=side).get_by_label(f"row {row}, column {column}")


def test_walls_are_built_and_taken_away(visit: Opener) -> None:
    page = visit(address("1 2 3 / 4 5 6 / 7 0 8", edit="1"))
    page.get_by_role("button", name="Wall", exact=True).click()
    place(page, "Start", 1, 1).click()
    place(page, "Start", 1, 2).click()
    expect(page.get_by_label("wall, row 1, column 1")).to_have_count(2)
    place(page, "Start", 1, 2).click()
    expect(page.get_by_label("wall, row 1, column 2")).to_have_count(0)
    expect(page.get_by_text("It can be solved.")).to_be_visible()
    page.get_by_role("button", name="Play this board").click()
    expect(table(page).locator(".wall")).to_have_count(1)
    expect(table(page).locator(".tile")).to_have_count(7)


def test_an_edited_board_is_undone_step_by_step(visit: Opener) -> None:
    page = visit(address("1 2 3 / 4 5 6 / 7 0 8", edit="1"))
    place(page, "Start", 1, 1).click()
    place(page, "Start", 1, 2).click()
    expect(page.get_by_label("tile 2, row 1, column 1")).to_be_visible()
    expect(page.get_by_text("It cannot be solved.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("It can be solved.")).to_be_visible()
    page.get_by_role("button", name="Play this board").click()
    lies(page, "1 2 3 / 4 5 6 / 7 0 8")


def test_tiles_are_named_and_repeated_by_typing(visit: Opener) -> None:
    page = visit(address("1 2 / 3 0", edit="1"))
    place(page, "Start", 1, 1).focus()
    page.keyboard.type("constructor")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("B")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("B")
    page.get_by_role("button", name="Play this board").click()
    lies(page, "constructor B / B 0")


def test_a_name_that_is_none_is_refused_and_the_edit_stays(visit: Opener) -> None:
    page = visit(address("1 2 / 3 0", edit="1"))
    page.get_by_label("Name of the tile").fill("Q")
    place(page, "Start", 1, 1).click()
    for name in ("a b", "a/b", "a,b", ";", "🙂"):
        page.get_by_label("Name of the tile").fill(name)
        place(page, "Start", 1, 2).click()
        expect(page.locator("#toast.shown")).to_contain_text(f"“{name}” is not")
    page.get_by_role("button", name="Play this board").click()
    lies(page, "Q 2 / 3 0")


def test_a_goal_may_leave_cells_open(visit: Opener) -> None:
    page = visit(address("1 2 3 / 4 5 6 / 8 7 0", edit="1"))
    expect(page.get_by_text("It cannot be solved.")).to_be_visible()
    page.get_by_role("button", name="Any").click()
    place(page, "Goal", 3, 1).click()
    place(page, "Goal", 3, 2).click()
    expect(page.get_by_label("any tile, row 3")).to_have_count(2)
    expect(page.get_by_text("It is already solved.")).to_be_visible()


def test_the_snail_is_a_goal(visit: Opener) -> None:
    page = visit(address("1 2 3 / 8 0 4 / 7 6 5", edit="1"))
    page.get_by_role("combobox", name="Goal").select_option("snail")
    expect(page.get_by_label("tile 8, row 2, column 1")).to_have_count(2)

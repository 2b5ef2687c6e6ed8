"""Playing: by keyboard, mouse and touch; undo, hint, sharing, pasting, pictures, editing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.web.browser.conftest import Faults, Opener
from tests.web.browser.table import address, cell, lies, open_more, table, until

NEAR = "1 2 3 / 4 0 6 / 7 5 8"
"""Two moves from the goal: 5 up, 8 left."""
SOLVED = "1 2 3 / 4 5 6 / 7 8 0"


def has_moved(page: Page, count: int) -> None:
    """Wait until so many moves are counted."""
    expect(page.locator("dl.figures dd").first).to_have_text(str(count))


def is_won(page: Page, count: int) -> None:
    expect(page.locator(".sentence.good")).to_contain_text(f"Solved in {count} moves")
    has_moved(page, count)


def drag(page: Page, begin: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*begin)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def paste(page: Page, text: str) -> None:
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            const init = {clipboardData: data, bubbles: true, cancelable: true};
            document.body.dispatchEvent(new ClipboardEvent("paste", init));
        }""",
        text,
    )


def test_a_game_is_played_by_arrow_keys_and_clicks(visit: Opener) -> None:
    page = visit(address(NEAR))
    lies(page, NEAR)
    page.keyboard.press("ArrowUp")
    lies(page, "1 2 3 / 4 5 6 / 7 0 8")
    page.keyboard.press("ArrowLeft")
    lies(page, SOLVED)
    is_won(page, 2)
    page = visit(address(NEAR))
    lies(page, NEAR)
    page.mouse.click(*cell(page, 2, 1))
    lies(page, "1 2 3 / 4 5 6 / 7 0 8")
    page.mouse.click(*cell(page, 2, 2))
    is_won(page, 2)
    # A click far along the line slides all tiles between.
    page.mouse.click(*cell(page, 2, 0))
    lies(page, "1 2 3 / 4 5 6 / 0 7 8")


def test_a_game_is_played_by_dragging_and_a_tile_moved_a_little_falls_back(visit: Opener) -> None:
    page = visit(address(NEAR))
    lies(page, NEAR)
    x, y = cell(page, 2, 1)
    drag(page, (x, y), (x, y - 12))
    drag(page, (x, y), (x, y + 90))
    lies(page, NEAR)
    has_moved(page, 0)
    drag(page, cell(page, 2, 1), cell(page, 1, 1))
    lies(page, "1 2 3 / 4 5 6 / 7 0 8")
    drag(page, cell(page, 2, 2), cell(page, 2, 1))
    is_won(page, 2)


def test_a_game_is_played_by_touch(visit: Opener) -> None:
    page = visit(
        address(NEAR), has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844}
    )
    lies(page, NEAR)
    page.touchscreen.tap(*cell(page, 2, 1))
    lies(page, "1 2 3 / 4 5 6 / 7 0 8")
    swipe(page, cell(page, 2, 2), cell(page, 2, 1))
    is_won(page, 2)
    assert page.evaluate("scrollX || scrollY") == 0


def swipe(page: Page, begin: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag a finger over the glass."""
    device = page.context.new_cdp_session(page)
    (x, y), (u, v) = begin, end
    for kind, part in (("Start", 0.0), ("Move", 0.3), ("Move", 0.7), ("Move", 1.0), ("End", 1.0)):
        point = {"x": x + (u - x) * part, "y": y + (v - y) * part}
        points = [] if kind == "End" else [point]
        device.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})


def test_moves_are_undone_done_again_and_forgotten(visit: Opener) -> None:
    page = visit(address(NEAR))
    open_more(page)
    left = page.locator("dl.figures dd").nth(2)
    for way_back in ("Undo", "Reset"):
        expect(left).to_have_text("2")
        page.keyboard.press("ArrowUp")
        expect(left).to_have_text("1")
        page.keyboard.press("ArrowLeft")
        lies(page, SOLVED)
        page.keyboard.press("Control+z")
        lies(page, "1 2 3 / 4 5 6 / 7 0 8")
        page.get_by_role("button", name="Redo").click()
        lies(page, SOLVED)
        page.get_by_role("button", name="Undo").click()
        page.get_by_role("button", name=way_back).click()
        lies(page, NEAR)
        has_moved(page, 0)


def test_hints_alone_solve_a_board_in_the_fewest_moves(visit: Opener) -> None:
    page = visit(address("4 1 3 / 0 2 6 / 7 5 8"))
    left = page.locator("dl.figures dd").nth(2)
    for before in range(5, 0, -1):
        expect(left).to_have_text(str(before))
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".pointer")).to_be_visible()
        page.keyboard.press("h")
    lies(page, SOLVED)
    is_won(page, 5)
    expect(page.locator(".sentence.good")).to_contain_text("the fewest possible")


def test_the_same_seed_shuffles_the_same_board(visit: Opener) -> None:
    page = visit()
    open_more(page)
    first = table(page).get_attribute("aria-label")
    page.get_by_role("button", name="Shuffle").click()
    expect(table(page)).not_to_have_attribute("aria-label", first or "")
    shuffled = table(page).get_attribute("aria-label") or ""
    seed = page.get_by_label("Seed").input_value()
    assert seed.isdecimal()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowLeft")
    page.get_by_label("Seed").fill(seed)
    page.get_by_role("button", name="Shuffle").click()
    expect(table(page)).to_have_attribute("aria-label", shuffled)
    has_moved(page, 0)


def test_a_game_that_a_new_board_replaced_comes_back_by_undo(visit: Opener) -> None:
    page = visit(address(NEAR))
    lies(page, NEAR)
    open_more(page)
    page.keyboard.press("ArrowUp")
    played = "1 2 3 / 4 5 6 / 7 0 8"
    lies(page, played)
    # On the way to another size nothing is dealt.
    page.get_by_label("Rows").select_option("4")
    page.get_by_label("Columns").select_option("4")
    page.wait_for_timeout(300)
    lies(page, played)
    page.get_by_role("button", name="Shuffle 4 × 4").click()
    expect(table(page)).to_have_attribute("aria-label", re.compile("^Board 4 by 4"))
    page.get_by_role("button", name="Undo").click()
    lies(page, played)
    has_moved(page, 1)
    page.locator("body").press("n")
    expect(page.get_by_role("button", name="Reset")).to_be_disabled()
    page.locator("body").press("u")
    lies(page, played)
    # Letters are keys only as long as the player wants them to be.
    page.get_by_label("Keys H, U, N").uncheck()
    page.locator("body").press("u")
    page.locator("body").press("n")
    # The address follows a moment later.
    until(page, lambda: "moves=" in page.url)
    page.reload()
    expect(page.get_by_label("Keys H, U, N")).not_to_be_checked()
    lies(page, played)
    page.keyboard.press("Control+z")
    lies(page, NEAR)


def test_a_seed_that_is_being_typed_is_not_written_over(visit: Opener) -> None:
    page = visit()
    open_more(page)
    page.get_by_label("Difficulty").select_option("exactly")
    for _ in range(2):
        # To leave the number of moves deals a board, while the seed is being typed.
        page.get_by_label("Moves from the goal").fill("12")
        page.get_by_label("Seed").fill("7")
        page.get_by_label("Seed").press("Enter")
        lies(page, "4 8 1 / 2 0 3 / 7 6 5")
        assert page.get_by_label("Seed").input_value() == "7"
        page.get_by_label("Moves from the goal").fill("13")


def test_boards_from_2_by_2_to_10_by_10_are_dealt(visit: Opener) -> None:
    page = visit()
    open_more(page)
    page.get_by_label("Difficulty").select_option("any")
    for rows, columns in ((2, 2), (2, 5), (10, 10)):
        page.get_by_label("Rows").select_option(str(rows))
        page.get_by_label("Columns").select_option(str(columns))
        page.get_by_role("button", name=f"Shuffle {rows} × {columns}").click()
        label = re.compile(rf"^Board {rows} by {columns}:")
        expect(table(page)).to_have_attribute("aria-label", label)
        expect(table(page).locator(".tile")).to_have_count(rows * columns - 1)


@pytest.mark.server("requests to a server are held back")
def test_a_size_that_is_chosen_while_a_board_is_on_its_way_stays(visit: Opener) -> None:
    page = visit(address(NEAR))
    lies(page, NEAR)
    open_more(page)
    held: list[Route] = []
    page.route("**/api/scramble", lambda route: held.append(route), times=1)
    page.get_by_label("Difficulty").select_option("medium")
    until(page, lambda: bool(held))
    page.get_by_label("Rows").select_option("2")
    page.get_by_label("Columns").select_option("2")
    held[0].continue_()
    expect(table(page)).not_to_have_attribute("aria-label", re.compile(NEAR.replace("0", "blank")))
    page.get_by_role("button", name="Shuffle 2 × 2").click()
    expect(table(page)).to_have_attribute("aria-label", re.compile("^Board 2 by 2:"))


def test_a_shared_link_opens_the_same_game_elsewhere(visit: Opener) -> None:
    page = visit(address("1 2 3 / 0 4 6 / 7 5 8"))
    lies(page, "1 2 3 / 0 4 6 / 7 5 8")
    page.keyboard.press("ArrowLeft")
    lies(page, NEAR)
    open_more(page)
    page.get_by_role("button", name="link").click()
    link = page.evaluate("location.href")
    other = visit(link)
    lies(other, NEAR)
    has_moved(other, 1)
    other.get_by_role("button", name="Undo").click()
    lies(other, "1 2 3 / 0 4 6 / 7 5 8")


def test_any_notation_is_pasted_and_nonsense_is_named(visit: Opener, faults: Faults) -> None:
    page = visit()
    paste(page, "[[1, 2, 3], [4, 0, 6], [7, 5, 8]]")
    lies(page, NEAR)
    # The refusal of the server is on the console, too.
    faults.forgiven = "400"
    paste(page, "hello there, 1 2 3")
    expect(page.locator("#toast.shown.bad")).to_contain_text("hello")
    lies(page, NEAR)
    paste(page, "1 2 3\n4 5 6\n7 0 8\n")
    lies(page, "1 2 3 / 4 5 6 / 7 0 8")


@pytest.mark.server("requests to a server are held back")
def test_a_text_that_is_still_being_read_cannot_be_used(visit: Opener) -> None:
    page = visit(address(NEAR))
    lies(page, NEAR)
    open_more(page)
    held: list[Route] = []
    page.route("**/api/read", lambda route: held.append(route), times=1)
    page.get_by_role("button", name="Text").click()
    use = page.get_by_role("button", name="Use this board")
    expect(use).to_be_disabled()
    expect(page.get_by_role("dialog").locator("svg.board")).to_be_hidden()
    until(page, lambda: bool(held))
    held[0].continue_()
    use.click()
    lies(page, NEAR)


def test_colours_and_a_picture_of_the_tiles_are_kept_and_stay_in_the_browser(
    visit: Opener, tmp_path: Path
) -> None:
    Image.linear_gradient("L").save(tmp_path / "grey.png")
    page = visit(address(NEAR))
    open_more(page)
    expect(page.get_by_role("button", name="Hint")).to_be_enabled()
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request))
    page.locator("input[type=file]").set_input_files(tmp_path / "grey.png")
    expect(table(page).locator(".tile.photo")).to_have_count(8)
    page.keyboard.press("ArrowUp")
    expect(page.locator("dl.figures dd").nth(2)).to_have_text("1")
    assert all(request.method == "GET" or request.url.endswith("/api/left") for request in sent)
    page.reload()
    expect(table(page).locator(".tile.photo")).to_have_count(8)
    page.get_by_role("button", name="Picture", exact=True).click()
    page.reload()
    expect(page.get_by_role("button", name="Hint")).to_be_enabled()
    expect(table(page).locator(".tile.photo")).to_have_count(0)
    page.get_by_label("Colours of the tiles").select_option("rows")
    expect(table(page).locator(".tile.hued")).to_have_count(8)
    hue = "tiles => tiles.map(tile => tile.style.getPropertyValue('--hue'))"
    assert len(set(table(page).locator(".tile").evaluate_all(hue))) == 3
    page.reload()
    expect(table(page).locator(".tile.hued")).to_have_count(8)
    page.get_by_label("Colours of the tiles").select_option("none")
    expect(table(page).locator(".tile.hued")).to_have_count(0)


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


def test_tiles_are_named_and_repeated_by_typing_but_not_with_what_is_no_name(visit: Opener) -> None:
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
    page = visit(address("1 2 / 3 0", edit="1"))
    page.get_by_label("Name of the tile").fill("Q")
    place(page, "Start", 1, 1).click()
    for name in ("a b", "a/b", "a,b", ";", "🙂"):
        page.get_by_label("Name of the tile").fill(name)
        place(page, "Start", 1, 2).click()
        expect(page.locator("#toast.shown")).to_contain_text(f"“{name}” is not")
    page.get_by_role("button", name="Play this board").click()
    lies(page, "Q 2 / 3 0")


def test_a_goal_may_leave_cells_open_or_be_the_snail(visit: Opener) -> None:
    page = visit(address("1 2 3 / 4 5 6 / 8 7 0", edit="1"))
    expect(page.get_by_text("It cannot be solved.")).to_be_visible()
    page.get_by_role("button", name="Any").click()
    place(page, "Goal", 3, 1).click()
    place(page, "Goal", 3, 2).click()
    expect(page.get_by_label("any tile, row 3")).to_have_count(2)
    expect(page.get_by_text("It is already solved.")).to_be_visible()
    page = visit(address("1 2 3 / 8 0 4 / 7 6 5", edit="1"))
    page.get_by_role("combobox", name="Goal").select_option("snail")
    expect(page.get_by_label("tile 8, row 2, column 1")).to_have_count(2)

"""Solving: small and middling boards, the film of a solution, files of it, and the stop button."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Faults, Opener
from tests.web.browser.table import TOO_WIDE, address, is_idle, until

EIGHT = "8 6 7 / 2 5 4 / 3 0 1"
"""One of the two boards that need 31 moves, more than all others."""
FIFTEEN = "5 1 2 4 / 9 6 3 8 / 13 10 7 11 / 0 14 15 12"
ENDLESS = "0 12 9 13 / 15 11 10 14 / 3 7 2 5 / 4 8 6 1"
"""80 moves from the goal: breadth-first search does not live to see it."""


def solve(page: Page) -> None:
    page.get_by_role("button", name="Solve").click()


@pytest.mark.parametrize(("board", "moves"), [(EIGHT, 31), (FIFTEEN, 9)])
def test_boards_are_solved_in_the_fewest_moves(visit: Opener, board: str, moves: int) -> None:
    page = visit(address(board, "solve"))
    solve(page)
    found = page.get_by_label("What was found")
    # The first 4×4 board may have to wait for tables that are built once.
    told = found.locator(".sentence.good")
    expect(told).to_contain_text(f"{moves} moves")
    page.get_by_role("button", name="Last move").click()
    expect(page.locator("output")).to_have_text(f"Move {moves} of {moves}")
    expect(page.locator(".solve-board .caption")).to_contain_text("Solved.")


@pytest.mark.parametrize("size", [(1000, 800), (375, 700), (320, 640)])
def test_a_solution_plays_in_sight_and_nothing_lies_over_it(
    visit: Opener, size: tuple[int, int]
) -> None:
    page = visit(
        address(EIGHT, "solve"), viewport=dict(zip(("width", "height"), size, strict=True))
    )
    solve(page)
    expect(page.get_by_label("What was found")).to_be_attached()
    expect(page.get_by_role("button", name="Solve")).to_be_attached()
    page.wait_for_function("document.querySelector('.solve-board .table').checkVisibility()")
    boxes = [page.locator(part).bounding_box() for part in (".solve-board .table", ".transport")]
    side = page.locator(".solve-side").bounding_box()
    for box in boxes:
        assert box is not None
        assert side is not None
        assert -1 <= box["y"] <= box["y"] + box["height"] <= size[1] + 1
        assert box["x"] + box["width"] <= max(side["x"], 1 if side["x"] > 40 else size[0])
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.parametrize("width", [320, 1280])
def test_large_figures_do_not_run_into_each_other(visit: Opener, width: int) -> None:
    page = visit(address(EIGHT, "solve"), viewport={"width": width, "height": 800})
    expect(page.get_by_role("button", name="Solve")).to_be_visible()
    page.evaluate(
        """async () => {
            const address = new URL("solve/report.js", document.querySelector("script").src);
            const {resultCard, solveProgress} = await import(address);
            const progress = solveProgress();
            progress.begin();
            progress.handlers.progress({
                seconds: 635, stage: "", expanded: 15072246, generated: 1507224635,
                frontier: 15072246, bound: 1635,
            });
            const result = {
                moves: [], cost: 730741, lower_bound: 10, gap: 73073, seconds: 61, outcome: "limit",
                sentence: "Best so far", algorithm: "bfs", engine: "glass-box",
                stats: {expanded: 15072246, generated: 1507224635, seconds: 61},
                preparation: {building: 0, loading: 0},
            };
            const side = document.querySelector(".solve-side");
            side.prepend(progress.root, resultCard({}, result, {}));
        }"""
    )
    assert page.evaluate(TOO_WIDE, ".counters div, .counters dd, .figures div, .figures dd") == []
    expect(page.locator(".figures dd").nth(2)).to_have_text("large")
    expect(page.locator(".running dd").last).to_have_text("1,635 moves")


def test_a_solution_is_wound_both_ways(visit: Opener) -> None:
    page = visit(address("4 1 3 / 0 2 6 / 7 5 8", "solve"))
    solve(page)
    expect(page.get_by_role("button", name="Last move")).to_be_visible()
    page.keyboard.press("Home")
    board = page.get_by_role("img", name="Board")
    seen = [board.get_attribute("aria-label")]
    for number in range(1, 6):
        page.get_by_role("button", name="One move on").click()
        expect(page.locator("output")).to_have_text(f"Move {number} of 5")
        seen.append(board.get_attribute("aria-label"))
    assert len(set(seen)) == 6
    for number in range(4, -1, -1):
        page.get_by_role("button", name="One move back").click()
        expect(board).to_have_attribute("aria-label", seen[number] or "")
    # A link opens at the same move.
    linked = visit(address("4 1 3 / 0 2 6 / 7 5 8", "solve", go="1", at="3"))
    expect(linked.locator("output")).to_have_text("Move 3 of 5")
    expect(linked.get_by_role("img", name="Board")).to_have_attribute("aria-label", seen[3] or "")


def test_a_solution_is_saved_in_every_format(visit: Opener, tmp_path: Path) -> None:
    page = visit(address("1 2 3 / 4 0 6 / 7 5 8", "solve"))
    solve(page)
    files = {}
    kinds = ["GIF", "SVG", "Text", "JSON"]
    buttons = page.get_by_role("group", name="Save the solution").get_by_role("button")
    expect(buttons).to_have_text(kinds)
    for kind in kinds:
        with page.expect_download() as download:
            page.get_by_role("button", name=f"Save as {kind}").click()
        files[kind] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[kind])
    with Image.open(files["GIF"]) as film:
        assert film.format == "GIF"
        # The start and two moves, on cells of 440 / 3 pixels.
        assert getattr(film, "n_frames", 1) == 3
        assert film.size == (3 * 146 + 28, 3 * 146 + 28 + 30)
        shown = set()
        for number in range(3):
            film.seek(number)
            shown.add(film.convert("RGB").tobytes())
        assert len(shown) == 3
    assert files["SVG"].read_text().startswith("<svg")
    assert "7 8" in files["Text"].read_text()
    assert len(json.loads(files["JSON"].read_text())["moves"]) == 2
    suffixes = [path.suffix for path in files.values()]
    assert suffixes == [".gif", ".svg", ".txt", ".json"]


@pytest.mark.server("this is about the load of a server")
def test_a_long_search_tells_how_it_goes_and_ends_when_stopped_or_its_page_closes(
    visit: Opener,
) -> None:
    page = visit(address(ENDLESS, "solve"))
    page.get_by_label("Algorithm").select_option("bfs")
    solve(page)
    expect(page.locator(".running dl")).to_contain_text(re.compile(r"expanded\s*[1-9]"))
    assert not is_idle(page)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_label("What was found")).to_contain_text("Stopped")
    until(page, lambda: is_idle(page))
    other = visit()
    solve(page)
    until(other, lambda: not is_idle(other))
    page.close()
    until(other, lambda: is_idle(other))


def test_a_search_that_is_stopped_leaves_the_moves_of_the_best_so_far(visit: Opener) -> None:
    page = visit(address(ENDLESS, "solve", aim="anytime", seconds="60"))
    solve(page)
    expect(page.get_by_text("Best so far")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    found = page.get_by_label("What was found")
    expect(found).to_contain_text("Best so far, stopped on request")
    found.get_by_text("The moves as text").click()
    expect(found.locator(".moves-text")).to_have_text(re.compile("^[UDLR0-9]{80,}$"))


def test_messages_of_python_are_in_the_language_of_the_reader_or_marked_as_english(
    visit: Opener, faults: Faults
) -> None:
    page = visit(address("1 2 3 / 4 5 6 / 8 7 0", "solve"), locale="de-DE")
    page.get_by_role("button", name="Lösen").click()
    told = page.locator(".sentence.bad")
    expect(told).to_contain_text("Keine Lösung möglich: 1 Inversion: ungerade, das Ziel ist gerade")
    expect(told.locator("[lang]")).to_have_count(0)
    faults.forgiven = "400"
    board = "1 2 3 / 4 0 5 / 7 8 6"
    search = "astar(patterns(large))"
    page = visit(address(board, "solve", search=search, go="1"), locale="fr-FR")
    expect(page.locator(".sentence.bad")).to_contain_text("les requêtes ne peuvent employer que")
    expect(page.locator(".sentence.bad").locator("[lang]")).to_have_count(0)
    answer = {"error": "a sentence without a code"}
    page.route("**/api/solve", lambda route: route.fulfill(status=400, json=answer))
    page.get_by_role("button", name="Résoudre").click()
    expect(page.locator(".sentence.bad").locator("[lang=en]")).to_have_text(
        "a sentence without a code"
    )


def test_a_long_gif_has_evenly_picked_frames_and_can_be_cancelled(
    visit: Opener, tmp_path: Path
) -> None:
    page = visit(address("1 2 3 / 4 0 6 / 7 5 8", "solve", go="1"))
    expect(page.get_by_label("What was found")).to_be_visible()
    page.evaluate(
        """async () => {
            const {gifControl} = await import(new URL("gif/control.js", document.baseURI));
            const reel = {
                name: "long", size: [40, 20], total: 1201, ms: () => 20,
                paint(context, index) {
                    context.fillStyle = `rgb(${index % 256} 0 0)`;
                    context.fillRect(0, 0, 40, 20);
                    if (window.held) return new Promise((done) => requestAnimationFrame(done));
                },
            };
            const app = {notify: (text) => { document.title = text; }};
            document.querySelector(".solve-side").replaceChildren(gifControl(app, () => reel));
        }"""
    )
    button = page.get_by_role("button", name="Save as GIF")
    with page.expect_download() as download:
        button.click()
    download.value.save_as(tmp_path / "long.gif")
    with Image.open(tmp_path / "long.gif") as film:
        assert (film.size, getattr(film, "n_frames", 1)) == ((40, 20), 500)
    expect(page).to_have_title("The GIF shows 500 frames of 1,201, evenly picked.")
    page.evaluate("window.held = true")
    button.click()
    page.get_by_role("button", name="Cancel").click()
    expect(page).to_have_title("No GIF was saved.")
    expect(button).to_be_focused()


def test_a_race_is_saved_as_a_gif(visit: Opener, tmp_path: Path) -> None:
    page = visit(address("4 1 3 / 0 2 6 / 7 5 8", "race", pace="50"))
    page.get_by_role("button", name="Race", exact=True).click()
    expect(page.locator(".race-message .sentence.good")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as GIF").click()
    download.value.save_as(tmp_path / "race.gif")
    with Image.open(tmp_path / "race.gif") as film:
        assert film.size == (3 * 232 + 14, 3 * 63 + 7 * 22 + 28)
        assert getattr(film, "n_frames", 1) > 3


def test_a_tree_is_saved_up_to_the_step_that_is_shown(visit: Opener, tmp_path: Path) -> None:
    page = visit(address("8 1 3 / 4 0 2 / 7 6 5", "watch", search="astar(manhattan)", step="12"))
    expect(page.locator("output")).to_contain_text("Step 12")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as GIF").click()
    download.value.save_as(tmp_path / "tree.gif")
    with Image.open(tmp_path / "tree.gif") as film:
        assert (film.size, getattr(film, "n_frames", 1)) == ((960, 634), 13)
    expect(page.locator("output")).to_contain_text("Step 12")

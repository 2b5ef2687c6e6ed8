"""Races: lockstep, places, pages of any size, and the table at the end."""

from __future__ import annotations

import pytest

from taquin.cli.terminal.contest_view import page
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.search.contest import By, Contest, place_of
from taquin.search.grammar import search_named
from taquin.search.result import NO_LIMITS, Outcome
from taquin.system.layout import text_width
from tests.cli.runs import process, run
from tests.cli.window import Window

BOARD = "0 1 3 / 4 2 5 / 7 8 6"
HARD = "8 6 7 / 2 5 4 / 3 0 1"
PUZZLE = Puzzle(Goal.blank_last(3, 3))
SIX = ("bfs", "astar", "idastar(linear-conflict)", "greedy", "rbfs", "beam")


def contest(*names: str, board: str = BOARD, by: By = By.EXPANSIONS) -> Contest:
    """Return a race about to begin."""
    searches = [search_named(name) for name in names]
    return Contest(PUZZLE, Board.parse(board), searches, NO_LIMITS, by)


def test_all_have_had_the_same_number_of_expansions_at_any_time() -> None:
    held = contest("bfs", "astar", "idastar", board=HARD)
    for amount in (1, 1, 5, 20):
        held.advance(amount, 1e9)
        assert {runner.expanded for runner in held.runners} == {held.level}
    held.advance(1e9, 0.01)
    counts = [runner.expanded for runner in held.runners]
    assert max(counts) - min(counts) <= 1


def test_by_time_nobody_is_ahead_by_more_than_one_expansion() -> None:
    held = contest("bfs", "astar:linear-conflict", board=HARD, by=By.TIME)
    held.advance(0.05, 1e9)
    assert all(runner.spent >= 0.05 for runner in held.runners)
    assert all(runner.result is None for runner in held.runners)


def test_the_first_place_is_for_the_fewest_expansions() -> None:
    held = contest("bfs", "astar", "astar")
    held.advance(1e9, 1e9)
    assert not held.running
    assert [place_of(runner, held.runners) for runner in held.runners] == [3, 1, 1]
    assert [runner.result.cost for runner in held.runners if runner.result] == [4, 4, 4]
    assert all(PUZZLE.is_goal(runner.board) for runner in held.runners)


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (60, 24), (40, 24), (30, 14)])
def test_a_page_holds_every_search_whatever_the_window(size: tuple[int, int]) -> None:
    for count in (2, 3, 6):
        held = contest(*SIX[:count], board=HARD)
        held.advance(30, 1e9)
        lines = page(held, "full speed", size)
        assert len(lines) <= size[1]
        assert max(map(text_width, lines)) <= size[0]
        text = "\n".join(lines)
        assert all(runner.name[:10] in text for runner in held.runners)


def test_a_race_in_a_window_ends_with_a_table() -> None:
    with Window("race", "bfs", "astar", BOARD) as window:
        window.until("expansions a second")
        window.press(" ")
        window.until("paused")
        window.press("n")
        window.press("\x1b[F")
        page = window.until("all have ended")
        assert "1st: 4 moves, shortest" in page
        assert "2nd: 4 moves, shortest" in page
        window.press("q")
        assert window.leave() == 0
        assert window.is_restored
        assert str(window.page).split()[:4] == ["place", "search", "moves", "expanded"]


def test_whoever_leaves_a_race_sees_how_far_it_got() -> None:
    for key in ("q", "\x03"):
        with Window("race", "bfs", "astar", HARD) as window:
            window.until("expansions a second")
            window.press(key)
            assert window.leave() == 3
            rows = [line.split() for line in str(window.page).splitlines()]
            stopped = [row for row in rows if "stopped" in row]
            assert "shortest" not in str(window.page)
            assert [len(row) for row in stopped] == [8, 8]
            assert window.is_restored


def test_a_race_that_is_stopped_tells_what_each_search_did() -> None:
    held = contest("bfs", "ids", board=HARD)
    held.advance(50, 1e9)
    held.stop()
    assert not held.running
    for runner in held.runners:
        assert runner.result is not None
        assert runner.result.outcome is Outcome.STOPPED
        assert (runner.result.stats.expanded or 0) >= 50


def test_at_a_pipe_a_race_prints_its_table() -> None:
    left = process("race", "bfs", "astar", "greedy", BOARD)
    rows = [line.split() for line in left.stdout.decode().split("\n")]
    assert left.returncode == 0
    assert rows[0][:4] == ["place", "search", "moves", "expanded"]
    assert [row[:4] for row in rows[1:4]] == [
        ["1", "astar(manhattan)", "4", "4"],
        ["1", "greedy(manhattan)", "4", "4"],
        ["3", "bfs", "4", "20"],
    ]
    assert run("race", "bfs", "astar", "greedy", BOARD, "--plain").exit_code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "expected 2 to 6 searches and then a board, found 0"),
        (("bfs", BOARD), "found 1, then"),
        (("bfs", "asta", BOARD), "Did you mean astar?"),
        (("bfs",) * 7 + (BOARD,), "found 7"),
        (("bfs", "astar(nothing)", BOARD), "nothing"),
    ],
)
def test_a_race_that_cannot_be_says_why(words: tuple[str, ...], said: str) -> None:
    left = run("race", *words)
    assert left.exit_code == 2
    assert said in left.output

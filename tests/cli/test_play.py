"""Play: what keys do to a game, what it says, and games in a real window."""

from __future__ import annotations

import sys
import time
from random import Random

import pytest

from taquin.cli.screen import shell_line
from taquin.cli.terminal.advice import Adviser
from taquin.cli.terminal.game import Arrows, Game, Wish, usual_arrows
from taquin.cli.terminal.game_view import clock, page, summary
from taquin.engine.choose import solve
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_board
from taquin.system.layout import text_width
from tests.cli.runs import run
from tests.cli.window import Window

BOARD = Board.parse("1 2 3 / 4 0 5 / 7 8 6")
PUZZLE = Puzzle(Goal.blank_last(3, 3))
UP, LEFT = "\x1b[A", "\x1b[D"


def after(*keys: str, start: Board = BOARD, puzzle: Puzzle = PUZZLE) -> Game:
    """Return a game after some keys, a second each."""
    game = Game(puzzle, start)
    for now, key in enumerate(keys):
        game.press(key, float(now))
    return game


def advised(puzzle: Puzzle, board: Board, patience: float = 1.0) -> Adviser:
    """Return an adviser that has done what it could for a board."""
    adviser = Adviser(puzzle, lambda: None)
    adviser.ask(board, patience)
    while adviser.is_busy(board):
        time.sleep(0.01)
    return adviser


@pytest.mark.parametrize("keys", [["left", "up"], ["a", "w"], ["h", "k"], ["L", "U"], ["5", "6"]])
def test_arrows_letters_and_numbers_slide_the_same_tiles(keys: list[str]) -> None:
    game = after(*keys)
    assert game.is_solved
    assert [str(move) for move in game.moves] == ["5 left", "6 up"]
    assert (game.began, game.ended) == (0.0, 1.0)


def test_arrows_may_move_the_blank_and_capitals_still_the_tile() -> None:
    game = Game(PUZZLE, BOARD, Arrows.BLANK)
    for key in ("right", "U"):
        game.press(key, 0.0)
    assert game.is_solved


def test_among_named_tiles_arrows_move_the_agent() -> None:
    assert usual_arrows(Board.parse("A . / @ .")) is Arrows.BLANK
    assert usual_arrows(Board.parse("1 2 / # 0")) is Arrows.TILE


def test_undo_and_redo_go_along_the_moves_made() -> None:
    rng = Random(3)
    game = Game(PUZZLE, BOARD)
    trail = [BOARD]
    for _ in range(40):
        game.press(rng.choice(("up", "down", "left", "right")), 0.0)
        if game.board != trail[-1]:
            trail.append(game.board)
        if game.is_solved:
            break
    for board in reversed(trail[:-1]):
        game.press("z", 0.0)
        assert game.board == board
    game.press("z", 0.0)
    assert game.message == "There is no move to take back."
    for board in trail[1:]:
        game.press("y", 0.0)
        assert game.board == board
    assert game.taken_back == len(trail) - 1
    game.press("b", 0.0)
    assert (game.board, game.moves) == (BOARD, [])


def test_a_new_move_forgets_what_was_taken_back() -> None:
    game = after("left", "z", "right", "y")
    assert [str(move) for move in game.moves] == ["4 right"]
    assert game.message == "There is no move to make again."


def test_a_number_waits_while_another_tile_in_line_begins_with_it() -> None:
    start = Board.parse("1 10 0 / 2 3 4 / 5 6 7 / 8 9 11")
    puzzle = Puzzle(Goal.blank_last(4, 3))
    game = after("1", start=start, puzzle=puzzle)
    assert (game.typed, game.board) == ("1", start)
    game.press("enter", 0.0)
    assert [str(move) for move in game.moves] == ["10 right", "1 right"]
    game = after("1", "0", start=start, puzzle=puzzle)
    assert [str(move) for move in game.moves] == ["10 right"]


def test_several_tiles_in_line_are_one_move_where_the_metric_says_so() -> None:
    start = Board.parse("1 2 0 / 3 4 5")
    single = after("1", start=start, puzzle=Puzzle(Goal.blank_last(2, 3)))
    multi = after("1", start=start, puzzle=Puzzle(Goal.blank_last(2, 3), Metric.MULTI))
    assert single.board == multi.board
    assert (len(single.moves), len(multi.moves)) == (2, 1)


def test_tiles_that_cannot_move_are_said_and_change_nothing() -> None:
    for keys, said in (
        (("1",), "Tile 1 is not in line with the blank."),
        (("9",), "Tile 9 is not on this board."),
        (("t", "x"), "Tile x is not on this board."),
    ):
        game = after(*keys)
        assert (game.board, game.typed, game.message) == (BOARD, None, said)
    game = after("up", "up")
    assert game.message == "Nothing can go up here."


def test_named_tiles_are_typed_by_name_and_q_is_a_letter_of_one() -> None:
    start = Board.parse("quince . / @ .")
    puzzle = Puzzle(Goal.parse("* * / quince *"))
    game = after("t", "q", "enter", start=start, puzzle=puzzle)
    assert game.is_solved
    assert Game(puzzle, start).press("q", 0.0) is Wish.QUIT


def test_another_key_ends_a_half_typed_number() -> None:
    start = Board.parse("1 10 0 / 2 3 4 / 5 6 7 / 8 9 11")
    game = after("1", "z", start=start, puzzle=Puzzle(Goal.blank_last(4, 3)))
    assert (game.typed, game.message) == (None, "There is no move to take back.")


def test_the_clock_runs_from_the_first_move_to_the_last() -> None:
    game = Game(PUZZLE, BOARD)
    assert game.seconds(100.0) == 0
    game.press("left", 100.0)
    assert game.seconds(103.5) == 3.5
    game.press("up", 110.0)
    assert game.seconds(999.0) == 10
    shown = ["0:00", "0:59", "1:00", "1:02:05"]
    assert [clock(seconds) for seconds in (0, 59.9, 60, 3725.9)] == shown


@pytest.mark.parametrize("size", [(80, 24), (60, 24), (40, 24), (60, 16), (40, 18), (30, 12)])
def test_a_page_fits_its_window_or_says_how_large_it_must_be(size: tuple[int, int]) -> None:
    for grid in ((2, 2), (3, 3), (4, 4), (10, 10), (3, 7)):
        goal = Goal.blank_last(*grid)
        board = random_board(goal, 5)
        game = Game(Puzzle(goal), board)
        lines = page(game, None, "counting", 0.0, size)
        assert len(lines) <= size[1]
        assert max(map(text_width, lines)) <= size[0]
        text = "\n".join(lines)
        if "Make it larger" not in " ".join(text.split()):
            assert all(str(label) in text for label in board.cells if label)
            assert "quit" in text
        game.press("?", 0.0)
        assert max(map(text_width, page(game, None, "", 0.0, size))) <= size[0]


def test_moves_left_agree_with_the_solver_all_along_a_solution() -> None:
    start = Board.parse("8 6 7 / 2 5 4 / 3 0 1")
    adviser = advised(PUZZLE, start, 60.0)
    board, left = start, 31
    while left:
        advice = adviser.known(board)
        assert advice is not None
        assert advice.move is not None
        assert (advice.is_exact, advice.left, solve(board).cost) == (True, left, left)
        board, left = board.apply(advice.move), left - 1
    assert PUZZLE.is_goal(board)
    adviser.close()


def test_moves_left_are_told_for_walls_names_and_any() -> None:
    puzzle = Puzzle(Goal.parse("* * * / # A *"))
    start = Board.parse(". A . / # . @")
    advice = advised(puzzle, start).known(start)
    assert advice is not None
    assert (advice.is_exact, advice.left) == (True, solve(start, puzzle.goal).cost)


def test_a_board_too_hard_for_a_second_has_a_bound_and_any_way_as_a_hint() -> None:
    goal = Goal.blank_last(5, 6)
    start = random_board(goal, 1)
    adviser = advised(Puzzle(goal), start, 1.5)
    advice = adviser.known(start)
    assert advice is not None
    assert not advice.is_exact
    assert advice.at_least > 60
    adviser.close()


def test_whoever_is_told_finds_the_adviser_at_rest() -> None:
    told = []
    adviser = Adviser(PUZZLE, lambda: told.append(adviser.is_busy(BOARD)))
    adviser.ask(BOARD)
    while adviser.is_busy(BOARD):
        time.sleep(0.01)
    adviser.close()
    assert told[-1] is False


def test_an_adviser_ends_what_nobody_wants_any_more() -> None:
    goal = Goal.blank_last(5, 6)
    puzzle = Puzzle(goal)
    adviser = Adviser(puzzle, lambda: None)
    adviser.ask(random_board(goal, 1), 1e6)
    last = (*range(1, 29), 0, 29)
    near = Board(goal.grid, last)
    adviser.ask(near)
    while adviser.is_busy(near):
        time.sleep(0.01)
    advice = adviser.known(near)
    assert advice is not None
    assert advice.left == 1
    adviser.close()


def test_the_end_tells_your_moves_against_the_fewest() -> None:
    best = advised(PUZZLE, BOARD).known(BOARD)
    straight = after("left", "up")
    assert (
        summary(straight, best, 9.0, "") == "Solved in 2 moves, 0:01: no solution is shorter.\nLU"
    )
    astray = after("right", "left", "left", "z", "left", "up")
    assert summary(astray, best, 9.0, "") == (
        "Solved in 4 moves, 0:05; the shortest has 2, 2 fewer. (1 move taken back)\nRL2U"
    )
    assert summary(after("right"), best, 62.0, "taquin play x") == (
        "Left after 1 move, 1:02. Play on:\ntaquin play x"
    )
    assert summary(after(), best, 9.0, "") == ""


def test_a_game_in_a_window_from_hint_to_result() -> None:
    with Window("play", BOARD.text()) as window:
        window.until("2 moves left at best")
        window.press("i")
        assert "hint: 5 left" in window.until("hint: ")
        window.press("\x1b[C")  # a tile to the right: away from the goal
        window.until("3 moves left at best")
        window.press("z")
        window.until("2 moves left at best")
        window.press(LEFT)
        window.until("1 move left at best")
        window.press(UP)
        window.until("no solution is shorter")
        window.press("n")
        page = window.until(lambda page: "0 moves" in page and "left at best" in page)
        assert "Solved" not in page
        window.press("z?")
        window.until("back to the beginning")
        window.press("xq")
        assert window.leave() == 0
        assert window.is_restored


def test_a_result_is_printed_when_the_screen_is_gone() -> None:
    with Window("play", BOARD.text()) as window:
        window.until("left at best")
        window.press("56")
        window.until("Solved in 2 moves")
        window.press("q")
        assert window.leave() == 0
        assert str(window.page).split("\n")[0].startswith("Solved in 2 moves, 0:0")
        assert str(window.page).split("\n")[1] == "LU"


def test_a_size_and_a_seed_give_the_board_that_scramble_gives() -> None:
    board = random_board(Goal.blank_last(2, 3), 7)
    with Window("play", "2x3", "--seed", "7") as window:
        page = window.until("left at best")
        words = [word for word in page.split() if word.isdecimal()]
        assert f"{solve(board).cost} moves left at best" in page
        assert [int(word) for word in words if word != "0"][:5] == [
            each for each in board.cells if each
        ]
        window.press("q")
        window.leave()


def test_play_with_names_walls_and_a_goal_says_how_to_go_on() -> None:
    goal = "* * * / # A *"
    with Window("play", ". A . / # . @", "--goal", goal, columns=60) as window:
        window.until("left at best")
        window.press(UP)
        window.until("1 move ")
        window.press("q")
        assert window.leave() == 0
        assert "taquin play '. A 0 / # . .' --goal '* * * / # A *'" in str(window.page)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("1 2 3 / 4 5 6 / 8 7 0",), 1, "No solution possible"),
        (("999x999",), 2, "expected up to 30 rows and columns"),
        (("4x4", "--goal", "1 2 / 3 0"), 2, "the goal is"),
        (("1 2 3 / 4 5",), 2, "row 2 has 2 cells"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(
    words: tuple[str, ...], status: int, said: str
) -> None:
    with Window("play", *words) as window:
        assert window.leave() == status
        assert said in " ".join(str(window.page).split())
        assert not window.page.is_alternate


@pytest.mark.parametrize("wide", [30, 40, 60])
def test_the_help_has_no_line_of_marks_alone(wide: int) -> None:
    game = Game(PUZZLE, BOARD)
    game.helping = True
    lines = page(game, None, "", 0.0, (wide, 20))
    assert "" in map(str.strip, lines)
    assert all(any(map(str.isalnum, line)) for line in lines if line.strip())


def test_where_there_are_no_posix_terminals_a_game_is_played_line_by_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As on Windows, which has no module termios.
    monkeypatch.setitem(sys.modules, "termios", None)
    lines = "5", "undo", "hint", "U", "7", "x", "", "LU", "exit"
    played = run("play", BOARD.text(), text="\n".join(lines))
    turns = played.output.split("\n> ")
    assert played.exit_code == 0
    assert turns[0].startswith(
        "There is no full screen, because this system has no POSIX terminals"
    )
    assert "2 moves left at best" in turns[0]
    assert "│ 4 │ 5 │   │" in turns[1]
    assert "│ 4 │   │ 5 │" in turns[2]
    assert turns[3].endswith("hint: 5 left")
    assert turns[4].endswith("│ 7 │   │ 6 │\n└───┴───┴───┘\n3 moves left at best")
    assert "│   │ 7 │ 6 │" in turns[5]
    assert turns[6].endswith("Type ? for help: x is no key.")
    assert turns[7].endswith("3 moves left at best\nNothing can go up here.")
    assert played.output.endswith("Play on:\ntaquin play '1 2 3 / 4 8 5 / 7 0 6'\n")


@pytest.mark.parametrize(
    ("line", "moves"),
    [("LU", "LU"), ("left", "L"), ("8", "U"), ("12", ""), ("t 5", "L"), ("5U", "")],
)
def test_a_line_is_a_word_a_tile_or_keys(line: str, moves: str) -> None:
    game = Game(PUZZLE, BOARD)
    game.enter(line, 0.0)
    assert "".join(move.direction.letter for move in game.moves) == moves
    assert bool(game.message) is not bool(moves)


def test_commands_are_quoted_for_the_shell_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["taquin", "play", "1 2 / 3 0"]
    assert shell_line(words) == "taquin play '1 2 / 3 0'"
    monkeypatch.setattr(sys, "platform", "win32")
    assert shell_line(words) == 'taquin play "1 2 / 3 0"'

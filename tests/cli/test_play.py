"""Play: what lines do to a game, what it says, and games at a terminal and in a pipe."""

from __future__ import annotations

import sys
from random import Random

import click
import pytest

from taquin.analysis.hints import HINT_PATIENCE, Advice, HintFinder
from taquin.cli.screen import shell_line
from taquin.cli.solve.play import Arrows, Game, Request, clock, draw_game, verdict
from taquin.engine.solve import solve
from taquin.model.board import Board
from taquin.model.moves import Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_board
from taquin.system.formatting import text_width
from tests.cli.runs import at_a_terminal, run

BOARD = Board.parse("1 2 3 / 4 0 5 / 7 8 6")
PUZZLE = Puzzle(Goal.blank_last(3, 3))


def after(*lines: str, start: Board = BOARD, puzzle: Puzzle = PUZZLE) -> Game:
    """Return a game after some lines, a second each."""
    game = Game(puzzle, start)
    for now, line in enumerate(lines):
        game.enter(line, float(now))
    return game


def advised(puzzle: Puzzle, board: Board) -> Advice:
    finder = HintFinder(puzzle)
    finder.find(board, HINT_PATIENCE, lambda stage: None, lambda: False)
    advice = finder.of(board)
    assert advice is not None
    return advice


@pytest.mark.parametrize(
    "lines",
    [["left", "up"], ["a", "w"], ["h", "k"], ["L", "U"], ["5", "6"], ["t 5", " Up "], ["", "LU"]],
)
def test_words_letters_and_tiles_slide_the_same_tiles(lines: list[str]) -> None:
    game = after(*lines)
    assert game.is_solved
    assert [str(move) for move in game.moves] == ["5 left", "6 up"]
    assert game.ended == 1.0


def test_undo_and_redo_go_along_the_moves_made() -> None:
    rng = Random(3)
    game = Game(PUZZLE, BOARD)
    trail = [BOARD]
    for _ in range(40):
        game.enter(rng.choice("UDLR"), 0.0)
        if game.board != trail[-1]:
            trail.append(game.board)
        if game.is_solved:
            break
    for board in reversed(trail[:-1]):
        game.enter("undo", 0.0)
        assert game.board == board
    game.enter("z", 0.0)
    assert game.message == "There is no move to take back."
    for board in trail[1:]:
        game.enter("redo", 0.0)
        assert game.board == board
    assert game.taken_back == len(trail) - 1
    game.enter("again", 0.0)
    assert (game.board, game.moves) == (BOARD, [])


def test_tiles_in_line_are_one_move_by_the_metric_and_a_new_move_forgets_undone_ones() -> None:
    start = Board.parse("1 2 0 / 3 4 5")
    single = after("1", start=start, puzzle=Puzzle(Goal.blank_last(2, 3)))
    multi = after("1", start=start, puzzle=Puzzle(Goal.blank_last(2, 3), Metric.MULTI))
    assert single.board == multi.board
    assert (len(single.moves), len(multi.moves)) == (2, 1)
    game = after("left", "z", "right", "y")
    assert [str(move) for move in game.moves] == ["4 right"]
    assert game.message == "There is no move to make again."


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1", "Tile 1 is not in line with the blank."),
        ("9", "There is no tile '9' on this board."),
        ("0", "There is no tile '0' on this board."),
        ("xyzzy", "Expected L, R, U, D, a tile, or ? for help, found 'xyzzy'."),
        ("LUx", "Expected L, R, U, D, a tile, or ? for help, found 'LUx'."),
        ("\x1b[A", r"Expected L, R, U, D, a tile, or ? for help, found '\x1b[A'."),
    ],
)
def test_a_line_that_is_no_move_changes_nothing_and_says_why(line: str, message: str) -> None:
    game = after(line)
    assert (game.board, game.message) == (BOARD, message)


def test_a_line_of_moves_ends_where_nothing_can_go_also_between_walls() -> None:
    game = after("UUU")
    assert (len(game.moves), game.message) == (1, "Nothing can go up here.")
    assert after("LU", "L").message.startswith("It is solved.")
    game = after("x", "1", start=Board.parse("1 # / # 0"), puzzle=Puzzle(Goal.parse("1 # / # 0")))
    assert game.message == "Tile 1 is not in line with the blank."


def test_named_tiles_are_typed_by_their_beginnings_and_words_may_move_the_blank() -> None:
    start = Board.parse("quince . / @ .")
    puzzle = Puzzle(Goal.parse("* * / quince *"))
    assert after("t q", start=start, puzzle=puzzle).is_solved
    assert after("quince", start=start, puzzle=puzzle).is_solved
    assert Game(puzzle, start).enter("q", 0.0) is Request.QUIT
    game = Game(PUZZLE, BOARD, Arrows.BLANK)
    for line in ("right", "U"):
        game.enter(line, 0.0)
    assert game.is_solved


def test_the_clock_runs_from_the_first_move_to_the_last() -> None:
    game = Game(PUZZLE, BOARD)
    assert game.seconds(100.0) == 0
    game.enter("left", 100.0)
    assert game.seconds(103.5) == 3.5
    game.enter("up", 110.0)
    assert game.seconds(999.0) == 10
    shown = ["0:00", "0:59", "1:00", "1:02:05"]
    assert [clock(seconds) for seconds in (0, 59.9, 60, 3725.9)] == shown


@pytest.mark.parametrize(
    "text", [BOARD.text(), "A . . / # @ . / . 日本 B", "1 2 / 3 0", "10 9 8 7 / 6 0 5 4 / 3 2 1 11"]
)
def test_a_board_is_drawn_in_a_box_or_plain_where_the_screen_is_narrow(text: str) -> None:
    board = Board.parse(text)
    game = Game(Puzzle(Goal(board.grid, board.cells)), board)
    boxed, plain = draw_game(game, 80), draw_game(game, 8)
    assert (len(boxed), len(plain)) == (2 * board.grid.rows + 1, board.grid.rows)
    for lines in (boxed, plain):
        assert len(set(map(text_width, lines))) == 1
        shown = "".join(lines)
        assert all(label in (0, "#") or str(label) in shown for label in board.cells)


def test_moves_left_are_told_and_in_the_end_yours_against_the_fewest() -> None:
    puzzle = Puzzle(Goal.parse("* * * / # A *"))
    start = Board.parse(". A . / # . @")
    advice = advised(puzzle, start)
    assert (advice.is_exact, advice.left) == (True, solve(start, puzzle.goal).cost)
    best = advised(PUZZLE, BOARD)
    assert verdict(after("L", "U"), best) == "Solved in 2 moves, 0:01: no solution is shorter."
    astray = after("right", "left", "left", "z", "left", "up")
    told = "Solved in 4 moves, 0:05 (1 move taken back); the shortest has 2, 2 fewer."
    assert verdict(astray, best) == told
    rough = Advice(at_least=2)
    assert verdict(astray, rough).endswith("; the shortest has at least 2.")


def test_a_game_in_a_pipe_is_printed_with_its_lines() -> None:
    lines = "5", "undo", "hint", "U", "7", "x", "?", "LU", "exit"
    played = run("play", BOARD.text(), text="\n".join(lines))
    turns = played.output.split("\n> ")
    assert played.exit_code == 0
    assert turns[0].startswith("Type a move: L, R, U or D, or a tile. ? explains more, q leaves.\n")
    assert "2 moves left at best" in turns[0]
    assert "│ 4 │ 5 │   │" in turns[1]
    assert "│ 4 │   │ 5 │" in turns[2]
    assert turns[3].endswith("hint: 5 left")
    assert turns[4].endswith("│ 7 │   │ 6 │\n└───┴───┴───┘\n3 moves left at best")
    assert "│   │ 7 │ 6 │" in turns[5]
    assert turns[6] == "x\nExpected L, R, U, D, a tile, or ? for help, found 'x'."
    assert "back to the beginning" in turns[7]
    assert turns[8].endswith("3 moves left at best\nNothing can go up here.")
    assert played.output.endswith("Play on:\ntaquin play '1 2 3 / 4 8 5 / 7 0 6'\n")


def test_a_solved_game_says_how_it_went_and_offers_a_new_board() -> None:
    played = run("play", "2x3", "--seed", "7", text="new\nn\n")
    assert played.output.count("left at best") == 3
    cost = solve(random_board(Goal.blank_last(2, 3), 7)).cost
    assert f"{cost} moves left at best" in played.output
    played = run("play", BOARD.text(), text="56\n5\n6\nhint\nn\nq\nL\nU\n")
    assert "There is no tile '56' on this board." in played.output
    assert "no solution is shorter.\nLU\nType n for a new board, or q to leave.\n" in played.output
    assert "> hint\nIt is solved.\n" in played.output
    assert "Left after" not in played.output
    # Nothing is read after q.
    assert played.output.endswith("> q\n")


def test_play_with_names_walls_and_a_goal_says_how_to_go_on() -> None:
    words = ("play", ". A . / # . @", "--goal", "* * * / # A *")
    # Among names, a direction is where the agent goes.
    played = run(*words, text="up\n")
    assert played.output.endswith("taquin play '. A 0 / # . .' --goal '* * * / # A *'\n")


def test_a_game_at_a_terminal_ends_by_ctrl_d_or_ctrl_c() -> None:
    with at_a_terminal("play", BOARD.text(), columns=40) as (say, await_text):
        begun = click.unstyle(await_text("> "))
        assert begun.startswith(
            "Type a move: L, R, U or D, or a tile. ?\nexplains more, q leaves.\n"
        )
        say("?\n")
        assert max(map(len, await_text("show the board").split("\n"))) <= 40
        say("L\n")
        await_text("1 move left at best")
        await_text("> ")
        say("\x04")
        await_text("Left after 1 move, 0:0")
    with at_a_terminal("play", BOARD.text(), status=3) as (say, await_text):
        await_text("> ")
        say("L\n")
        await_text("1 move left at best")
        await_text("> ")
        say("\x03")
        await_text("Play on:\ntaquin play '1 2 3 / 4 5 0 / 7 8 6'", again="\x03")
        await_text("Stopped: interrupted.")


def test_commands_are_quoted_for_the_shell_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["taquin", "play", "1 2 / 3 0"]
    assert shell_line(words) == "taquin play '1 2 / 3 0'"
    monkeypatch.setattr(sys, "platform", "win32")
    assert shell_line(words) == 'taquin play "1 2 / 3 0"'

"""What people try first in Python, without having read anything."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taquin as tq
from taquin.classroom import Board as ClassBoard

HARDEST = [[8, 6, 7], [2, 5, 4], [3, 0, 1]]
SHUFFLED = "8 1 3 / 4 0 2 / 7 6 5"
NEAR = "1 2 3 / 4 0 5 / 7 8 6"

BOARDS = [
    "8 6 7 / 2 5 4 / 3 0 1",
    "867254301",
    "[[8 6 7]\n [2 5 4]\n [3 0 1]]",
    HARDEST,
    tuple(map(tuple, HARDEST)),
    [8, 6, 7, 2, 5, 4, 3, None, 1],
    [["8", "6", "7"], [2, 5, 4], [3, "", 1]],
    np.array(HARDEST),
    np.array(HARDEST, dtype=np.uint8),
    np.array(HARDEST, dtype=float).reshape(9),
    ClassBoard(HARDEST),
    {"rows": 3, "columns": 3, "cells": [8, 6, 7, 2, 5, 4, 3, 0, 1]},
    tq.Board.of_rows(HARDEST),
    tq.Goal.of_rows(HARDEST),
    ["8 6 7", "2 5 4", "3 0 1"],
    iter(["8 6 7\n", "2 5 4\n", "3 0 1\n"]),
    [(8, 6, 7), (2, 5, 4), (3, None, 1)],
]


def first_wrong(board: tq.Board) -> int:
    return int(board[0, 0] != 1)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: type(board).__name__)
def test_a_board_is_taken_in_every_way_it_is_written(board: tq.Board) -> None:
    made = tq.Board(board)
    assert made == tq.Board.of_rows(HARDEST)
    if isinstance(board, Iterator):
        return
    assert tq.solve(board).start == made
    assert tq.moves_left(board) == 31
    assert tq.estimate("manhattan", board) == tq.Manhattan()(board) == 21
    assert tq.solvability(board)
    assert next(tq.trace(board, algorithm="bfs")) is not None


def test_a_board_and_a_goal_are_made_by_calling_their_names() -> None:
    board = tq.Board("813402765")
    assert board == tq.Board([[8, 1, 3], [4, 0, 2], [7, 6, 5]]) == tq.Board.parse("813402765")
    assert board == tq.Board(board.grid, board.cells) == replace(board, cells=board.cells)
    assert pickle.loads(pickle.dumps(board)) == board
    assert {board: 1}[tq.Board(SHUFFLED)] == 1
    assert tq.Goal("1 2 / * 0") == tq.Goal([[1, 2], ["*", 0]])


def test_values_show_themselves_in_one_short_line() -> None:
    board, goal = tq.Board(SHUFFLED), tq.Goal.blank_last(2, 2)
    assert repr(board) == "Board('8 1 3 / 4 0 2 / 7 6 5')"
    assert repr(tq.Puzzle(goal)) == "Puzzle(Goal('1 2 / 3 0'))"
    assert repr(tq.Puzzle(goal, tq.Metric.MULTI)) == "Puzzle(Goal('1 2 / 3 0'), Metric.MULTI)"
    assert repr(board.moves()[0]) == "Move((6,), Direction.UP)"
    assert repr(tq.Board(tq.Goal.blank_last(20, 20))) == "<Board of 20×20 cells>"
    assert repr(tq.solve(NEAR)) == "<Result: Solved in 2 moves; no solution is shorter>"
    assert len(repr(tq.solve("1 2 3 / 4 5 6 / 8 7 0"))) < 150
    for value in (board, goal, tq.Puzzle(goal, tq.Metric.MULTI), board.moves()):
        assert eval(repr(value), vars(tq) | {name: getattr(tq, name) for name in tq.__all__}) == (
            value
        )


@pytest.mark.parametrize(
    "moves",
    ["LU", "left, up", "l u", "Left Up", ["L", "up"], [5, 6], tq.Board(NEAR).moves()[2:3]],
    ids=str,
)
def test_moves_are_applied_in_every_way_they_are_written(moves: Any) -> None:
    board = tq.Board(NEAR)
    after = board.slide("L") if isinstance(moves, tuple) else tq.Goal.blank_last(3, 3)
    assert board.apply(moves).cells == after.cells


def test_a_random_board_needs_a_size_and_solvability_a_board_or_a_goal_on_either_side() -> None:
    assert tq.random_board("3x3", seed=1) == tq.random_board(tq.Goal.blank_last(3, 3), 1)
    assert tq.random_board((2, 3), 4) == tq.random_board("2×3", 4)
    assert len({tq.random_board("4x4") for _ in range(5)}) > 1
    assert tq.solvability(tq.random_board("3x3"))
    assert tq.random_walk("3x3", 20, 1) == tq.random_walk(tq.Goal("3x3"), 20, 1)
    assert tq.solvability(tq.random_walk("3x3", 20))
    assert not tq.solvability("1 2 3 / 4 5 6 / 8 7 0")
    assert str(tq.solvability("1 2 3 / 4 5 6 / 7 8 0")).startswith("yes: ")
    spiral = "1 2 3 / 8 0 4 / 7 6 5"
    for both in ((spiral, "snail"), ("snail", spiral), (spiral, tq.Goal.snail(3, 3))):
        assert tq.solvability(*both)
    assert not tq.solvability(spiral, "blank-last")


def test_a_heuristic_and_limits_are_given_to_solve_by_themselves() -> None:
    assert str(tq.solve(NEAR, heuristic="h1").algorithm) == "astar(misplaced)"
    assert str(tq.solve(NEAR, heuristic=first_wrong).algorithm) == "astar(first_wrong)"
    assert str(tq.solve(NEAR, heuristic=tq.Misplaced).algorithm) == "astar(misplaced)"
    made = tq.solve(NEAR, algorithm="wastar(weight=3)", heuristic="max(h1, h2)").algorithm
    assert str(made) == "wastar(max(misplaced, manhattan), weight=3)"
    by_class = tq.solve(NEAR, algorithm=tq.IDAStar, heuristic="h1").algorithm
    assert str(by_class) == "idastar(misplaced)"
    assert tq.solve(HARDEST, algorithm="bfs", max_nodes=10).limit is tq.Limit.NODES
    assert tq.solve(HARDEST, algorithm="bfs", seconds=0).limit is tq.Limit.SECONDS
    both = tq.solve(HARDEST, algorithm="bfs", seconds=60, limits=tq.Limits(nodes=10))
    assert both.limit is tq.Limit.NODES


def test_goals_searches_and_metrics_are_taken_as_text() -> None:
    assert tq.solve("1 2 3 / 8 4 0 / 7 6 5", "snail", algorithm="bfs").cost == 1
    assert tq.solve("1 2 3 / 8 4 0 / 7 6 5", "1 2 3 / 8 * * / 7 6 5").cost == 0
    assert tq.solve("1 2 3 / 4 5 6 / 0 7 8", metric="multi").cost == 1
    assert tq.solve(NEAR, [[1, 2, 3], [4, 5, 6], [7, 8, 0]], algorithm="astar").cost == 2
    assert tq.moves_left("0 1 2 / 3 4 5 / 6 7 8", "blank-first") == 0
    puzzle = tq.Puzzle("1 2 3 / 4 5 6 / 7 8 0", "multi")  # type: ignore[arg-type]
    assert tq.solve("1 2 3 / 4 5 6 / 0 7 8", puzzle).cost == 1
    assert puzzle == tq.Puzzle(tq.Goal.blank_last(3, 3), tq.Metric.MULTI)
    assert puzzle.is_goal([[1, 2, 3], [4, 5, 6], [7, 8, 0]])
    assert tq.solvability(puzzle, "1 2 3 / 4 5 6 / 8 7 0").answer is tq.Solvability.NO


def test_a_search_is_watched_and_an_answer_graded_with_what_is_at_hand() -> None:
    puzzle = tq.Puzzle(tq.Goal.blank_last(3, 3))
    whole = [type(event) for event in tq.trace(puzzle, tq.Board.parse(NEAR), tq.BreadthFirst())]
    assert [type(event) for event in tq.trace(NEAR, algorithm="bfs")] == whole
    assert [type(event) for event in tq.trace("blank-last", NEAR, "bfs")] == whole
    assert tq.grade(NEAR, "LU").is_shortest
    assert tq.grade(NEAR, tq.solve(NEAR).moves or ()).is_shortest
    assert tq.grade(NEAR, ["left", "U"]).is_shortest
    assert tq.grade([[1, 2, 3], [4, 5, 6], [0, 7, 8]], "L2", metric="multi").is_shortest
    assert tq.moves_left("1 2 3 / 4 5 6 / 0 7 8", metric="multi") == 1


def test_a_plain_function_is_a_heuristic_and_an_estimate_has_its_tiles() -> None:
    made: Callable[..., tq.AStar] = tq.AStar
    assert tq.solve(NEAR, algorithm=made(first_wrong)).cost == 2
    assert str(made(first_wrong)) == "astar(first_wrong)"
    assert tq.estimate(first_wrong, SHUFFLED) == 1
    assert tq.Maximum(first_wrong, "h2")(SHUFFLED) == 10
    assert tq.audit(first_wrong, "1 2 / 3 0").admissible
    assert made("h1") == made(tq.Misplaced) == tq.AStar(tq.Misplaced())
    by_tile = tq.heuristics.estimate_by_tile("manhattan", SHUFFLED)
    assert by_tile == {1: 1, 2: 2, 3: 0, 4: 0, 5: 2, 6: 2, 7: 0, 8: 3}
    assert tq.heuristics.estimate_by_tile(tq.Misplaced(), SHUFFLED)[5] == 1
    assert tq.heuristics.estimate_by_tile("manhattan-agent", SHUFFLED) == by_tile | {0: 2}
    assert tq.heuristics.estimate_by_tile("manhattan", "A . / 0 .", "* A / * *") == {"A": 1}


def test_a_cell_is_had_by_its_row_and_column_and_a_board_is_an_array() -> None:
    board = tq.Board.parse("1 2 3 / 4 0 5")
    assert (board[0, 2], board[1, 1], board[-1, -1]) == (3, 0, 5)
    assert (board[0][2], board[-1][-1]) == (3, 5)
    assert [list(row) for row in board] == [[1, 2, 3], [4, 0, 5]]
    array = np.asarray(tq.Board(HARDEST))
    assert array.shape == (3, 3)
    assert array.dtype == int
    assert array.tolist() == HARDEST
    assert tq.Board(array) == tq.Board(HARDEST)
    assert np.array(tq.Board("1 2 3 / 4 5 0"), dtype=np.uint8).tolist() == [[1, 2, 3], [4, 5, 0]]
    assert np.asarray([tq.Board("1 2 / 3 0"), tq.Board("1 0 / 3 2")]).shape == (2, 2, 2)
    with pytest.raises(ValueError, match="a board holds no array"):
        tq.Board(HARDEST).__array__(copy=False)


@pytest.mark.parametrize(("name", "meant"), [("Astar", "AStar"), ("Solve", "solve")])
def test_a_misspelt_name_is_answered_with_the_right_one(name: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'. Did you mean {meant}\?"):
        getattr(tq, name)


def test_moves_left_and_the_moves_of_a_solution_are_found_on_any_board() -> None:
    assert tq.moves_left("1 2 3 4 / 5 6 7 8 / 9 0 10 11") == 2
    assert tq.moves_left("2 1 3 4 / 5 6 7 8 / 9 10 11 0") is None
    assert tq.moves_left("1 2 # / 3 0 4", "1 2 # / 3 4 0") == 1
    result = tq.solve(HARDEST)
    assert result.moves is not None
    assert result.start.apply(result.moves) == result.boards()[-1]


def test_a_result_and_an_audit_print_as_sentences() -> None:
    lines = str(tq.solve(NEAR, algorithm="astar")).splitlines()
    assert lines[:2] == ["Solved in 2 moves; no solution is shorter.", "Moves: LU"]
    assert lines[2].startswith("astar(manhattan), glass-box: 2 expanded, 7 generated in ")
    assert str(tq.solve("1 2 3 / 4 5 6 / 8 7 0")).startswith("No solution possible: 1 inversion")
    assert str(tq.audit("h2", "1 2 / 3 0")).splitlines() == [
        "manhattan: admissible on all 12 boards of 2×2",
        "manhattan: consistent on all 12 boards of 2×2",
        "manhattan: mean estimate 3.00 for a mean distance of 3.00 (100%), largest error 0",
    ]


def test_help_tells_every_parameter_of_solve() -> None:
    text = tq.solve.__doc__ or ""
    names = ("start", "goal", "metric", "algorithm", "limits", "engine", "progress", "stop")
    for name in (*names, "heuristic", "max_nodes", "seconds"):
        assert f"\n    {name}: " in text


@pytest.mark.parametrize(
    ("tried", "said"),
    [
        (lambda: tq.solve(5), "rows such as [[1, 2], [3, 0]], or an array; found int"),  # type: ignore[arg-type]
        (lambda: tq.solve(None), "found NoneType"),  # type: ignore[arg-type]
        (lambda: tq.solve([1, 2, 0]), "found a flat list of 3, which is not a square number"),
        (lambda: tq.solve([[1, 2.5], [3, 0]]), "expected a number or a name for a tile"),
        (lambda: tq.solve([[True, 2], [3, 0]]), "expected a number or a name for a tile"),
        (lambda: tq.solve({"a": 1}), "expected the keys rows, columns and cells"),
        (lambda: tq.solve(NEAR, "nowhere"), "expected blank-last, blank-first, snail, or a board"),
        (lambda: tq.solve(NEAR, algorithm=5), "a text such as 'astar(manhattan)', a value"),  # type: ignore[arg-type]
        (lambda: tq.solve(NEAR, metric="slow"), "expected the metric 'single' or 'multi'"),
        (lambda: tq.solve(NEAR, limits=5), "Limits(seconds=60), or seconds=60; found 5"),  # type: ignore[arg-type]
        (lambda: tq.solve(NEAR, seconds="5"), "a number for the limit on seconds, found '5'"),  # type: ignore[arg-type]
        (lambda: tq.solve(NEAR, timeout=5), "no parameter 'timeout'. Did you mean seconds?"),  # type: ignore[call-arg]
        (lambda: tq.solve_many([NEAR], time=5), "solve_many() has no parameter 'time'. Did you"),  # type: ignore[call-arg]
        (
            lambda: tq.solve_many([NEAR], threads=2),  # type: ignore[call-arg]
            "'threads'. It is a setting of the engine: engine='auto(threads=2)'. It takes heur",
        ),
        (lambda: tq.solve(NEAR, algoritm="bfs"), "Did you mean algorithm?"),  # type: ignore[call-arg]
        (
            lambda: tq.solve(NEAR, seconds=5, limits=tq.Limits(seconds=6)),
            "seconds= and limits= both set a limit on seconds: leave one out",
        ),
        (
            lambda: tq.solve(NEAR, algorithm="astar(h1)", heuristic="h2"),
            "algorithm='astar(h1)' names a heuristic, and heuristic= another: leave one out",
        ),
        (lambda: tq.solve(NEAR, algorithm=tq.AStar(), heuristic="h2"), "has its heuristic already"),
        (lambda: tq.solve(NEAR, algorithm="bfs", heuristic="h2"), "bfs does not support heuristic"),
        (lambda: tq.Board([1, 2], [3, 0]), "put the rows into one list"),
        (lambda: tq.Board(3), "expected a board: a text such as '1 2 / 3 0'"),  # type: ignore[arg-type]
        (lambda: tq.Goal("snail"), "the goal snail needs a size: write Goal.snail(3, 3)"),
        (lambda: tq.Board(NEAR).apply("X"), "expected moves: U, D, L or R"),
        (lambda: tq.Board(NEAR).apply("LL"), "move 2: no tile can slide left here"),
        (lambda: tq.Board(NEAR).apply(6), "no tile beside the blank has 6"),
        (lambda: tq.Board(NEAR).apply(None), "expected a move, such as board.moves()[0]"),  # type: ignore[arg-type]
        (lambda: tq.Board(NEAR).slide("north"), "expected a direction, one of up, down, left"),
        (lambda: tq.random_board(3), "expected a goal or a size such as '3x3', found 3"),  # type: ignore[arg-type]
        (lambda: tq.AStar(5), "its name 'manhattan', or a function of a board; found '5'"),  # type: ignore[arg-type]
        (lambda: tq.AStar("max(h1, h2)"), "algorithm='astar(max(h1, h2))'"),  # type: ignore[arg-type]
        (lambda: tq.trace(tq.Puzzle(tq.Goal.blank_last(2, 2))), "trace(puzzle, board, algorithm)"),
        (
            lambda: tq.heuristics.estimate_by_tile("gaschnig", SHUFFLED),
            "use manhattan, misplaced or",
        ),
        (lambda: tq.Board.parse("1 2 / 3 0")[2, 0], "row 2, column 0 is not on 2×2 cells"),
        (lambda: tq.Board("1 2 / 3 0")["a"], "such as board[0, 2]"),  # type: ignore[call-overload]
        (lambda: tq.solve(Path("board.txt")), "found the path board.txt: write path.read_text()"),  # type: ignore[arg-type]
        (lambda: tq.trace(NEAR, "bfs"), "write trace(board, algorithm='bfs')"),
        (lambda: tq.Limits(seconds="5"), "expected a number for the limit on seconds, found '5'"),  # type: ignore[arg-type]
        (lambda: tq.write_moves(tq.solve("2 1 / 3 0").moves), "without a solution has none"),
        (
            lambda: tq.solve(NEAR, tq.Puzzle("3x3", "multi"), metric="single"),  # type: ignore[arg-type]
            "the puzzle counts by the metric multi, metric= asks for single",
        ),
    ],
)
def test_what_is_refused_is_told_what_to_write_instead(
    tried: Callable[[], object], said: str
) -> None:
    with pytest.raises((tq.errors.InputError, IndexError, TypeError)) as caught:
        tried()
    assert said in str(caught.value)


@pytest.mark.parametrize("name", ["views", "notation", "classroom", "lab"])
def test_the_modules_that_the_package_names_are_its_attributes(name: str) -> None:
    code = f"import taquin as tq; print(tq.{name}.__name__, {name!r} in dir(tq))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == [f"taquin.{name}", "True"], done.stderr


def test_a_size_is_a_puzzle_to_audit() -> None:
    def misplaced(board: tq.Board) -> int:
        return sum(
            0 != label != wanted
            for label, wanted in zip(board.cells, (1, 2, 3, 4, 5, 0), strict=True)
        )

    found = tq.audit(misplaced, "2x3")
    # Half of the 6! arrangements can be reached.
    assert (found.boards, found.overestimate) == (360, None)
    assert found.puzzle == tq.Puzzle(tq.Goal.blank_last(2, 3))
    (also,) = tq.analysis.audit_all([misplaced], "2x3").audits
    assert also == found
    assert tq.solve("1 2 3 / 4 0 5", "2x3").cost == 1


@pytest.mark.parametrize("text", ["A B / . 0", "1 # / 2 0", "* 1 / * 0"])
def test_a_board_with_names_or_walls_is_an_array_of_labels(text: str) -> None:
    goal = tq.Goal(text)
    array = np.asarray(goal)
    assert array.shape == (2, 2)
    assert array.dtype == object
    assert array.tolist() == [list(row) for row in goal.rows()]
    assert tq.Goal(array) == goal

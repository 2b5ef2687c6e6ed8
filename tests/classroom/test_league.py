"""Leagues: the table, from records that no search made, and the command with students' files."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from taquin.classroom.league import Attempt, Student, caption
from taquin.cli.teach.league import _BOARDS as BUILT_IN
from taquin.lab.run.database import Ending, Record
from tests.cli.runs import refusal, run
from tests.lab.made_records import made
from tests.truth import eight_puzzle


def student(name: str, *records: Record, shared: tuple[int, ...] = ()) -> Student:
    """Return a student's row; the shortest solutions of the boards have 4, 5, 6 … moves."""
    attempts = (Attempt(record, number) for number, record in enumerate(records, 4))
    return Student(name, tuple(attempts), shared)


def solved(cost: int, nodes: int = 100) -> Record:
    return made(cost=cost, nodes=nodes)


LOST = made(cost=None)
UNCOUNTED = replace(solved(4), stats=replace(solved(4).stats, expanded=None, generated=None))


def test_a_count_is_told_if_it_has_every_inner_board_of_the_solution() -> None:
    for nodes, told in ((2, None), (3, 3), (4, 4)):
        attempt = Attempt(solved(4, nodes), 4)
        assert (attempt.counter("expanded"), attempt.counter("generated")) == (told, told)
    # Nothing is known of a run without a solution.
    assert Attempt(made(cost=None, nodes=0), 4).counter("expanded") == 0


def test_students_rank_by_boards_solved_then_optimal_then_nodes_whatever_their_number() -> None:
    rows = {
        "all": (solved(4), solved(7, 900), solved(6)),
        "short": (solved(4), solved(5, 300), LOST),
        "quick": (solved(4), solved(5, 200), LOST),
        "long": (solved(4, 5), solved(7, 7), LOST),
        "uncounted": (UNCOUNTED, solved(5, 9), LOST),
        "none": (LOST, LOST, LOST),
    }
    students = [student(name, *records, shared=(0, 1)) for name, records in rows.items()]
    ranked = [each.name for each in sorted(students, key=lambda each: each.rank)]
    assert ranked == ["all", "quick", "short", "uncounted", "long", "none"]
    assert [each.cells[:3] for each in students[:3]] == [
        ("3 of 3", "2", "500.0"),
        ("2 of 3", "2", "200.0"),
        ("2 of 3", "2", "150.0"),
    ]
    assert students[-1].cells == ("0 of 3", "0", "–", "–", "–")
    assert [each.text for each in students[3].attempts] == ["4", "7 (+2)", "limit"]


def test_the_runs_of_a_student_name_their_boards_from_one() -> None:
    crashed = made(cost=None, ending=Ending.CRASHED, reason="KeyError: 3.\nTraceback")
    row = student("ada", solved(4), crashed, LOST)
    assert [run["board"] for run in row.runs()] == [1, 2, 3]
    assert [run["reason"] for run in row.runs()] == ["", "KeyError: 3", ""]
    assert next(iter(row.faults())) == "ada, board 2: KeyError: 3"
    assert row.attempts[1].text == "failed"


def test_the_caption_tells_what_the_means_are_of() -> None:
    ranked = "Ranked by boards solved, then by optimal solutions, then by nodes expanded"
    excluded = "students who solved none are excluded."
    both = student("a", solved(4), solved(5), shared=(0, 1))
    none = student("b", LOST, LOST, shared=(0, 1))
    means = "Nodes and CPU time are means over the 2 boards that all students solved"
    assert caption([both, none]) == f"{ranked}. {means}; {excluded}"
    no_means = "There are no means: no board was solved by all students"
    apart = [student("a", solved(4), LOST), student("c", LOST, solved(5))]
    for students in ([none], apart):
        assert caption(students) == f"{ranked}. {no_means}; {excluded}"
    assert "–: not counted" in caption([student("a", UNCOUNTED, shared=(0,))])
    unknown = Student("a", (Attempt(solved(4), 4), Attempt(solved(9), None)), (0,))
    assert caption([unknown]).endswith("The optimal length of board 2 is unknown.")


BOARDS = "1 2 3 / 4 0 5 / 7 8 6\n1 2 3 / 4 5 6 / 0 7 8\n"
STUDENTS = {
    "anna": """
def solve(board):
    queue, seen = [board], {board}
    for board in queue:
        if board.is_goal():
            return board
        for move in board.moves():
            child = board.apply(move)
            if child not in seen:
                seen.add(child)
                queue.append(child)
""",
    "ben": "def solve(board):\n    while True:\n        pass",
    "cem": "def solve(board):\n    print('hello', board.moves())\n    return 'RLLU'",
    "dora": "def solve(board:",
    "emil": "def answer(board):\n    return 'LU'",
}


def test_one_students_failure_costs_that_row_only(tmp_path: Path) -> None:
    page = tmp_path / "league.html"
    words = ("--processes", "1", "--max-seconds", "0.8", "-o", str(page))
    rows = league_of(tmp_path, STUDENTS, BOARDS, *words)
    assert list(rows) == ["anna", "cem", "ben", "dora", "emil"]
    assert [(row["solved"], row["optimal"]) for row in rows.values()] == [
        (2, 2), (1, 0), (0, 0), (0, 0), (0, 0),
    ]  # fmt: skip
    # Board 1 alone: cem solves no other, in 4 moves after one call that is counted.
    assert (rows["anna"]["expanded"], rows["cem"]["expanded"]) == (9, None)
    faults = [row["runs"][1]["reason"] for row in rows.values()]
    wrong = "as moves of the blank, move 3"
    for said, fault in zip(
        ("", wrong, "limit of ", "SyntaxError", "no 'solve'"), faults, strict=True
    ):
        assert said in fault
    text = page.read_text(encoding="utf-8")
    assert "4 (+2)" in text
    assert f"cem, board 2: the solution of cem.py:solve is wrong: {wrong}" in text
    refused = refusal("league", str(tmp_path / "class"), "1 2 3 / 4 5 6 / 8 7 0")
    assert "board 1: No solution possible" in refused


_IMPORT = "import taquin as tq\n"
SOLVERS = {
    "solve": "def solve(board):\n    return tq.solve(board).moves",
    "search": "def solve(board):\n    return tq.solve(board, algorithm='astar').moves",
    "many": "def solve(board):\n    return next(iter(tq.solve_many([board]))).moves",
    "trace": """
def solve(board):
    *_, last = tq.trace(tq.Puzzle(board.goal), board, tq.AStar())
    return last.result.moves
""",
    "hints": """
def solve(board):
    while not board.is_goal():
        board = min(map(board.apply, board.moves()), key=tq.moves_left)
    return board
""",
    "classroom": """
from taquin.classroom import Board, Solver

def solve(board):
    return [tq.Board.of(list(step)) for step in Solver(Board(board.rows())).solution()]
""",
}
"""Ways to have taquin do the work."""
OWN = {
    "counted": STUDENTS["anna"],
    "greedy": """
from heapq import heappop, heappush

def solve(board):
    heap, seen, number = [(0, 0, board)], {board}, 0
    while heap:
        board = heappop(heap)[-1]
        if board.is_goal():
            return board
        for move in board.moves():
            child = board.apply(move)
            if child not in seen:
                seen.add(child)
                number += 1
                wrong = sum(a != b for a, b in zip(child.cells, child.goal.cells))
                heappush(heap, (wrong, number, child))
""",
    "tuples": """
def solve(board):
    start, goal, columns = tuple(board.cells), tuple(board.goal.cells), 3
    queue, came = [start], {start: ""}
    for cells in queue:
        blank = cells.index(0)
        if cells == goal:
            return came[cells]
        for letter, step in zip("UDLR", (columns, -columns, 1, -1)):
            tile = blank + step
            if 0 <= tile < 9 and (step in (3, -3) or tile // 3 == blank // 3):
                after = list(cells)
                after[blank], after[tile] = after[tile], 0
                if tuple(after) not in came:
                    came[tuple(after)] = came[cells] + letter
                    queue.append(tuple(after))
""",
    "one-call": "def solve(board):\n    board.moves()\n    return ANSWERS[str(board)]",
}


def league_of(tmp_path: Path, files: dict[str, str], boards: str, *words: str) -> dict[str, Any]:
    (tmp_path / "boards.txt").write_text(boards)
    (tmp_path / "class").mkdir()
    for name, code in files.items():
        (tmp_path / "class" / f"{name}.py").write_text(code)
    result = run(
        *("league", str(tmp_path / "class"), str(tmp_path / "boards.txt"), "--json", *words)
    )
    assert result.exit_code == 0, result.output
    return {row["student"]: row for row in json.loads(result.stdout)}


def test_what_is_not_counted_is_not_zero_and_optimality_ranks_before_nodes(tmp_path: Path) -> None:
    # Greedy search finds 4 moves more than needed on the second board, and expands fewer.
    boards = "1 2 3 / 4 0 5 / 7 8 6\n8 1 3 / 4 0 2 / 7 6 5\n"
    distance = eight_puzzle()
    assert distance[8, 1, 3, 4, 0, 2, 7, 6, 5] == 14
    answers = {"1 2 3 / 4 0 5 / 7 8 6": "LU", "8 1 3 / 4 0 2 / 7 6 5": "LUR2D2LURULDLU"}
    one_call = f"ANSWERS = {answers!r}\n{OWN['one-call']}".replace("str(board)", "board.text()")
    rows = league_of(tmp_path, {**OWN, "one-call": one_call}, boards)
    assert list(rows) == ["counted", "one-call", "tuples", "greedy"]
    assert [rows[name]["solved"] for name in rows] == [2, 2, 2, 2]
    assert [rows[name]["optimal"] for name in rows] == [2, 2, 2, 1]
    assert rows["counted"]["expanded"] > rows["greedy"]["expanded"] > 14
    assert (rows["tuples"]["expanded"], rows["tuples"]["generated"]) == (None, None)
    assert rows["one-call"]["expanded"] is None
    assert not any(row["calls_solver"] for row in rows.values())
    text = run("league", str(tmp_path / "class"), str(tmp_path / "boards.txt")).stdout
    assert "Ranked by boards solved, then by optimal solutions, then by nodes expanded" in text
    assert re.search(r"tuples +2 of 2 +2 +– +– ", text)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", SOLVERS)
def test_a_call_of_taquins_solvers_is_detected_and_ranked_last(name: str, tmp_path: Path) -> None:
    boards = "1 2 3 / 4 0 5 / 7 8 6\n1 2 3 / 7 4 5 / 0 8 6\n"
    files = {"asks": _IMPORT + SOLVERS[name], "own": STUDENTS["anna"], "wrong": "solve = 3"}
    rows = league_of(tmp_path, files, boards, "-o", str(tmp_path / "league.html"))
    assert list(rows) == ["own", "wrong", "asks"]
    asks = rows["asks"]
    assert (asks["solved"], asks["optimal"], asks["calls_solver"]) == (2, 2, True), asks
    assert (asks["expanded"], asks["generated"]) == (None, None)
    assert "asks (calls taquin&#x27;s solver)" in (tmp_path / "league.html").read_text()


def test_the_built_in_boards_can_be_solved() -> None:
    distance = eight_puzzle()
    cells = [tuple(map(int, board.replace("/", " ").split())) for board in BUILT_IN]
    assert [distance[board] for board in cells] == [2, 4, 4, 14, 21, 31]


def test_a_run_is_limited_in_processor_time_and_by_the_clock(tmp_path: Path) -> None:
    files = {
        "busy": "def solve(board):\n    while True:\n        board.moves()",
        "sleeps": "import time\ndef solve(board):\n    time.sleep(60)",
        # It takes longer than the limit by the clock, but no processor time.
        "waits": "import time\ndef solve(board):\n    time.sleep(0.6)\n    return 'LU'",
    }
    began = perf_counter()
    rows = league_of(tmp_path, files, "1 2 3 / 4 0 5 / 7 8 6\n", "--max-seconds", "0.5")
    assert perf_counter() - began < 40
    assert rows["waits"]["solved"] == 1
    # On a machine with too much to do, the clock comes first.
    reasons = ("limit of 0.5 seconds of processor time", "limit of 1.5 seconds")
    assert rows["busy"]["runs"][0]["reason"] in reasons
    assert "limit of 1.5 seconds" in rows["sleeps"]["runs"][0]["reason"]

"""User code in the page: what the browser's Python says of it, and no server does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from taquin import AStar, Board, Manhattan, Puzzle, web
from taquin.model.puzzle import Goal
from taquin.web import browser, code_tab
from taquin.web.code_tab import _SCORED
from tests.glass import solve
from tests.web.api import events

BOARD = "8 1 3 / 4 0 2 / 7 6 5"
MANHATTAN = """
def mine(board):
    print("looking at", board.text())
    width = board.grid.columns
    total = 0
    for cell, tile in enumerate(board.cells):
        if tile:
            row, column = divmod(tile - 1, width)
            total += abs(cell // width - row) + abs(cell % width - column)
    return total
"""
SEARCH = """
from taquin.search.algorithms import AStar

class Backwards:
    name, heuristic, optimal, exhaustive, cap = "backwards", None, False, True, None
    conventions = AStar().conventions

    def loop(self, run):
        from taquin.search.best_first import Order, best_first
        return best_first(run, Order(lambda g, h: -g))
"""


@pytest.fixture(autouse=True, scope="module")
def _short_audits() -> Iterator[None]:
    """Give the audit of a report a tenth of its time, which finds what these tests are about."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(code_tab, "_LIVE_SECONDS", code_tab._LIVE_SECONDS / 10)
        yield


@cache
def asked(path: str, code: str, **more: object) -> list[tuple[str, Any]]:
    """Return the events that answer a request with user code."""
    pieces: list[str] = []
    body = json.dumps({"board": BOARD, "code": code, **more})
    stream = browser.respond(f"/api/{path}", body, pieces.append)
    assert isinstance(stream, browser.Stream), stream
    while stream.advance():
        pass
    return list(events("".join(pieces).split("\n")))


def test_a_heuristic_is_valued_searched_with_and_audited() -> None:
    events = asked("own", MANHATTAN)
    value = dict(events)["value"]
    assert (value["value"], value["printed"]) == (10, f"looking at {BOARD}\n")
    assert {after["move"]: after["value"] for after in value["after"]} == {
        "6 up": 9, "1 down": 11, "2 left": 9, "4 right": 11,
    }  # fmt: skip
    searches = {data["search"]: data for event, data in events if event == "search"}
    assert searches["astar(mine.py:mine)"]["expanded"] == searches["astar(manhattan)"]["expanded"]
    assert searches["astar(manhattan)"]["expanded"] == 36
    assert searches["astar(misplaced)"]["expanded"] == 222
    own = searches["astar(mine.py:mine)"]["sentence"]
    assert own == "Solved in 14 moves; no solution is shorter (checked)."
    assert dict(events)["audit"]["overestimate"] is None


def test_a_fraction_is_rounded_and_a_heuristic_that_knows_the_goal_is_told_tile_by_tile() -> None:
    value = dict(asked("own", "def mine(board):\n    return 7 / 2"))["value"]
    assert value["value"] == 3
    assert ["fractions are rounded down" in remark for remark in value["remarks"]] == [True]
    value = dict(asked("own", "import taquin as tq\nmine = tq.Manhattan()"))["value"]
    tiles = [[1, 1], [2, 2], [3, 0], [4, 0], [5, 2], [6, 2], [7, 0], [8, 3]]
    assert (value["value"], value["tiles"]) == (10, tiles)


def test_a_lie_is_found_out_before_its_audit() -> None:
    code = f"{MANHATTAN}\ndef lie(board):\n    return 3 * mine(board)\n\nlie.admissible = True\n"
    board = "8 6 7 / 2 5 4 / 3 0 1"
    events = asked("own", code, name="lie", board=board)
    sentence = next(data["sentence"] for event, data in events if event == "search")
    assert sentence == (
        "Solved in 35 moves; 4 moves longer than the optimum; mine.py:lie is not admissible "
        "(63 > 31 here)."
    )
    assert not dict(events)["audit"]["admissible"]
    (*_, last) = asked("trace", code, search="astar(mine.py:lie)", board=board)
    assert (last[1]["result"]["optimal"], last[1]["result"]["lower_bound"]) == (False, 31)
    solved = dict(asked("solve", code, search="astar(mine.py:lie)", board=board))["result"]
    assert (solved["optimal"], solved["sentence"]) == (False, sentence)


def test_the_smallest_counterexample_comes_with_its_boards_of_3x3_for_larger_ones() -> None:
    code = f"{MANHATTAN}\ndef twice(board):\n    return 2 * mine(board)\n"
    events = asked("audit", code, name="twice", board="1 2 3 / 4 0 5")
    findings = dict(events)["audit"]
    assert not findings["admissible"]
    assert findings["overestimate"] == {
        "board": [[1, 2, 0], [4, 5, 3]],
        "estimate": 2,
        "distance": 1,
    }
    assert findings["fall"]["estimates"] == [2, 0]
    assert [event for event, _ in events][:2] == ["progress", "progress"]
    events = asked(
        "own",
        "def mine(board): return board.cells[0] != 1",
        board="1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15",
    )
    assert dict(events)["audit"]["goal"] == [[1, 2, 3], [4, 5, 6], [7, 8, 0]]


def test_the_course_of_a_search_has_every_expansion_and_iteration_and_may_be_empty() -> None:
    events = asked("own", MANHATTAN)
    astar, idastar = (data for event, data in events if event == "course")
    assert astar["points"][0] == [1, 0, 10, 0]
    assert [point[0] for point in astar["points"]] == list(range(1, 37))
    assert {point[2] for point in astar["points"]} == {10, 12, 14}
    assert (idastar["search"], idastar["solved"]) == ("idastar(mine.py:mine)", True)
    assert [bound for _, bound in idastar["rounds"]] == [10, 12, 14]


@pytest.mark.parametrize("board", ["1 2 3 / 4 5 6 / 7 8 0", "2 1 3 / 4 5 6 / 7 8 0"])
def test_a_search_that_expands_nothing_has_an_empty_course(board: str) -> None:
    *_, (event, course) = asked("own", "def mine(board): return 0", board=board)
    assert (event, course["points"]) == ("course", [])


def test_the_boards_of_the_score_are_as_far_and_as_hard_as_it_says() -> None:
    puzzle = Puzzle(Goal.blank_last(3, 3))
    for text, distance, expanded in _SCORED:
        result = solve(puzzle, Board.parse(text), AStar(Manhattan()))
        assert (result.cost, result.stats.expanded) == (distance, expanded)


@pytest.mark.parametrize(
    ("code", "score"),
    [
        ("import taquin as tq\nmine = tq.Manhattan()", 100),
        ("import taquin as tq\nmine = tq.LinearConflict()", 201),
        ("import taquin as tq\nmine = tq.heuristics.Sum(tq.Manhattan(), tq.Manhattan())", None),
    ],
)
def test_a_heuristic_has_the_score_of_its_expansions_if_it_is_admissible(
    code: str, score: int | None
) -> None:
    *steps, (event, data) = asked("score", code, name="mine")
    assert [event for event, _ in steps] == ["step"] * len(_SCORED)
    assert (event, data["score"]) == ("score", score)
    assert data["expanded"] == sum(step["expanded"] for _, step in steps)
    assert (score is None) == bool(data["overestimate"] or data["longer"])


def test_the_page_says_what_the_board_of_user_code_offers() -> None:
    script = Path(web.__file__).with_name("static") / "code" / "board-api.js"
    members = re.findall(r'\["\w+", "(.+)", "(.+)"\]', script.read_text("utf-8"))
    assert len(members) == 10
    facts = "".join(f"    assert repr({code}) == {value!r}\n" for code, value in members)
    code = f"def mine(board):\n{facts}    yield board\n    return 'LUR2D2LURULDLU'"
    assert next(data for event, data in asked("own", code) if event == "search")["cost"] == 14


def test_user_searches_are_compared_as_the_example_is() -> None:
    events = asked("own", SEARCH, name="Backwards")
    assert events[0] == ("names", {"names": {"Backwards": "search"}, "name": "Backwards"})
    assert [data["search"] for event, data in events if event == "search"][:2] == [
        "mine.py:Backwards", "bfs",
    ]  # fmt: skip
    (header, *_, last) = asked("trace", SEARCH, search="mine.py:Backwards", nodes=50)
    assert (header[1]["algorithm"], last[1]["event"]) == ("mine.py:Backwards", "finished")
    script = Path(web.__file__).with_name("static") / "code" / "user-code.js"
    code = script.read_text(encoding="utf-8").partition('"code.example_search",')[2].split("`")[1]
    events = asked("own", code, board="1 2 3 / 4 0 5 / 7 8 6")
    assert events[0][1]["names"] == {"mine": "search"}
    assert next(data for event, data in events if event == "search")["cost"] == 2
    code = "def mine(board):\n    yield board\n    return 'LUR2D2LURULDLU' * (not board.is_goal())"
    events = asked("own", code)
    assert events[0][1]["names"] == {"mine": "search"}
    assert next(data for event, data in events if event == "search")["cost"] == 14
    (_, *_, last) = asked("trace", code, search="mine.py:mine")
    assert last[1]["result"]["stats"]["expanded"] == 1


@pytest.mark.parametrize(
    ("code", "sentence", "line", "board"),
    [
        ("def mine(board)\n    return 0", "line 1: SyntaxError: expected ':'", 1, None),
        ("x = 1\ny = 1 / 0", "line 2: ZeroDivisionError", 2, None),
        ("def mine(board):\n    return board.sells", "line 2: AttributeError", 2, BOARD),
        ("def mine(board):\n    pass", "is a return statement missing?", None, BOARD),
        ("def mine(board):\n    return -1", "a whole number from 0", None, BOARD),
        ("def mine(board):\n    exit()", "line 2: called sys.exit(None)", 2, None),
        ("def mine(board):\n    return mine(board)", "line 2: RecursionError", 2, BOARD),
        ("import sys", "expected a function of a board", None, None),
    ],
)
def test_a_fault_names_the_line_and_the_board(
    code: str, sentence: str, line: int | None, board: str | None
) -> None:
    event, fault = asked("own", code)[-1]
    assert event == "fault"
    assert sentence in fault["sentence"]
    assert fault["line"] == line
    rows = fault["board"] and " / ".join(" ".join(map(str, row)) for row in fault["board"])
    assert rows == board


def test_a_trace_tells_the_board_for_which_code_fails_and_runs_no_other_code() -> None:
    code = "def mine(board):\n    return 1 // board.cells[4]"
    event, record = asked("trace", code, search="astar(mine.py:mine)")[-1]
    assert event == "error"
    assert (
        f"mine.py, line 2: ZeroDivisionError: {record['error'].split(': ')[-1]}" in record["error"]
    )
    assert f"for the board {BOARD}" in record["error"]
    for search in ("astar(os:system)", "astar(other.py:mine)"):
        body = json.dumps({"board": BOARD, "search": search, "code": "def mine(board): return 0"})
        reply = browser.respond("/api/trace", body, print)
        assert isinstance(reply, browser.Reply)
        assert b"requests cannot run user code" in reply.body

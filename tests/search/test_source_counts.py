"""The searches of the sources keep their counts on ten boards, whatever taquin's own defaults are.

The counts are those of the versions before A* broke ties by `low-h`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import pytest
from click.testing import CliRunner

import taquin as tq
from taquin import classroom
from taquin.analysis.likeness import LIKENESSES
from taquin.classroom.repl import Session
from taquin.cli.main import taquin
from taquin.lab.study.reading import read_study
from tests.glass import solve

LAST = tq.Puzzle(tq.Goal.blank_last(3, 3))
FIRST = tq.Puzzle(tq.Goal.blank_first(3, 3))


def ten(puzzle: tq.Puzzle) -> list[tq.Board]:
    return [tq.random_walk(puzzle, 13, seed=seed) for seed in range(1, 11)]


def by_likeness(like: str, name: str, heuristic: str, board: tq.Board) -> int:
    likeness = LIKENESSES[like]
    search = likeness.search(name, {"heuristic": heuristic})
    result = solve(FIRST if like.startswith("s2") else LAST, board, search)
    number = likeness.counter(result.algorithm, result.stats)
    assert number is not None
    return number


def by_solver(priority: str, board: tq.Board) -> int:
    rows = classroom.Board(board.rows())
    return classroom.Solver(rows, priority=classroom.Priority(priority)).enqueued()


def by_enter(board: tq.Board) -> int:
    places = (divmod(board.cells.index(tile), 3) for tile in range(9))
    typed = "".join(f"{row + 1}\n{column + 1}\n" for row, column in places)
    output = CliRunner().invoke(taquin, ["enter"], input=typed).output
    return len(re.findall(r"^Try ", output, re.MULTILINE))


def by_repl(search: str, board: tq.Board) -> int:
    session = Session()
    session.max_nodes = 10**6
    session.board = board
    effort = next(line for line in session.execute(f"solve {search}") if " generated, " in line)
    (number,) = re.findall(r"([\d,]+) nodes? generated", effort)
    return int(number.replace(",", ""))


S0 = [23, 3, 14, 93, 51, 17, 24, 60, 12, 44]
S2 = [102, 104, 94, 65, 2022, 27, 270, 904, 367, 349]
S2_REPAIRED = {
    "misplaced": [418, 83, 78, 171, 479, 32, 477, 489, 469, 447],
    "manhattan": [85, 55, 45, 48, 153, 27, 116, 168, 126, 126],
}
S4 = {
    "manhattan": [43, 9, 27, 181, 96, 34, 43, 107, 25, 85],
    "weighted": [35, 9, 26, 93, 36, 28, 44, 51, 18, 44],
    "hamming": [123, 9, 94, 413, 310, 111, 255, 340, 49, 305],
}


@pytest.mark.parametrize(
    ("count", "puzzle", "expected"),
    [
        (partial(by_likeness, "s0", "astar", "manhattan"), LAST, S0),
        (by_enter, LAST, S0),
        (partial(by_likeness, "s2", "astar", "manhattan"), FIRST, S2),
        (partial(by_repl, "A-star h2"), FIRST, S2),
        (partial(by_repl, "repaired A-star h1"), FIRST, S2_REPAIRED["misplaced"]),
        *(
            (partial(by_likeness, "s2-repaired", "astar", heuristic), FIRST, counts)
            for heuristic, counts in S2_REPAIRED.items()
        ),
        (partial(by_likeness, "s4", "astar", "manhattan"), LAST, S4["manhattan"]),
        (partial(by_likeness, "s4", "wastar", "manhattan"), LAST, S4["weighted"]),
        (partial(by_solver, "manhattan"), LAST, S4["manhattan"]),
        (partial(by_solver, "hamming"), LAST, S4["hamming"]),
    ],
)
def test_the_counts_of_the_sources_on_ten_boards(
    count: Callable[[tq.Board], int], puzzle: tq.Puzzle, expected: list[int]
) -> None:
    assert [count(board) for board in ten(puzzle)] == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(
            (f"s2-{name}", {"A* h1": 1940, "A* h2": 615})
            for name in ("heuristics", "lengths", "maxnodes")
        ),
        (
            "s2-solved",
            {"A* h1": 65152, "A* h1, repaired": 1940, "A* h2": 4314, "A* h2, repaired": 615},
        ),
        (
            "s4-priorities",
            {
                "Hamming, plain": 136791,
                "Hamming, optimised": 2009,
                "Manhattan, plain": 19453,
                "Manhattan, optimised": 650,
                "Manhattan, reached table": 598,
            },
        ),
    ],
)
def test_the_studies_of_the_second_and_fourth_source_keep_their_counts(
    name: str, expected: dict[str, int]
) -> None:
    study = read_study(name)
    puzzle = study.cases[0].puzzle
    found = {
        search.label: sum(
            solve(puzzle, board, search.algorithm).stats.enqueued or 0 for board in ten(puzzle)
        )
        for search in study.searches
        if isinstance(search.algorithm, tq.AStar)
    }
    assert found == expected

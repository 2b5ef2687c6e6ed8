"""The figures of the four source documents, and of the boards handed out with S4, come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import taquin as tq
from tests.glass import solve

# --- S3: named tiles and an agent on a grid ------------------------------------------------------

Place = tuple[int, int]
"""x and y, from 0, the origin at the top left."""

BOTTOM_ROW: list[Place] = [(0, 3), (1, 3), (2, 3), (3, 3)]
TOP_ROW_REVERSED: list[Place] = [(3, 0), (2, 0), (1, 0), (0, 0)]
OBSTACLES = {1: 5, 2: 6, 3: 9, 4: 10}
AGENT_FIRST_LEFT = (tq.Direction.RIGHT, tq.Direction.LEFT, tq.Direction.DOWN, tq.Direction.UP)
"""The agent goes left, right, up, down; a direction here names where the tile goes."""


@dataclass(frozen=True)
class Study:
    """One start and goal of S3: the places of A, B, …, the agent last."""

    width: int
    start: Sequence[Place]
    goal: Sequence[Place]
    obstacles: tuple[int, ...] = ()

    def puzzle(self) -> tq.Puzzle:
        return tq.Puzzle(tq.Goal.of_rows(self._rows(self.goal, tq.ANY)))

    def board(self) -> tq.Board:
        return tq.Board.of_rows(self._rows(self.start, tq.FILLER))

    def _rows(self, places: Sequence[Place], elsewhere: tq.Label) -> list[list[tq.Label]]:
        cells: list[tq.Label] = [elsewhere] * self.width**2
        for cell in self.obstacles:
            cells[cell] = tq.WALL
        names: list[tq.Label] = [*"ABC"[: len(places) - 1], tq.BLANK]
        for name, (x, y) in zip(names, places, strict=True):
            cells[x + self.width * y] = name
        return [cells[at : at + self.width] for at in range(0, self.width**2, self.width)]

    def conventions(self, ties: tq.search.Ties = tq.search.Ties.FIFO) -> tq.search.Conventions:
        return tq.search.Conventions(
            duplicates=tq.search.Duplicates.DEQUEUE,
            ties=ties,
            directions=AGENT_FIRST_LEFT,
            bumps=bool(self.obstacles),
        )

    def breadth_first(self) -> tq.Result:
        return self._solve(tq.BreadthFirst(self.conventions()))

    def a_star(self) -> tq.Result:
        return self._solve(
            tq.AStar(
                tq.heuristics.ManhattanWithAgent(),
                conventions=self.conventions(tq.search.Ties.HEAP),
            )
        )

    def _solve(self, algorithm: tq.Algorithm) -> tq.Result:
        result = solve(self.puzzle(), self.board(), algorithm)
        assert result.outcome is tq.Outcome.SOLVED
        assert len(result.boards()) - 1 == result.cost
        return result


def past_obstacles(*numbers: int) -> Study:
    """Return the obstacle study with these obstacles."""
    cells = tuple(OBSTACLES[number] for number in numbers)
    return Study(4, BOTTOM_ROW, TOP_ROW_REVERSED, cells)


def simple() -> Study:
    """Return the simple case."""
    return Study(4, BOTTOM_ROW, [(1, 0), (1, 1), (1, 2), (1, 3)])


def wide(w: int) -> Study:
    """Return the study of the grid's width."""
    return Study(w, [(0, w - 1), (1, w - 1), (2, w - 1)], [(1, w - 1), (1, w - 2), (1, w - 3)])


def test_s3_iterative_deepening_keeps_the_obstacles() -> None:
    study = past_obstacles(1, 2, 3, 4)
    result = study._solve(tq.IterativeDeepening())
    assert result.cost == study.breadth_first().cost == 66


# --- S4: the N-by-N solver -----------------------------------------------------------------------

PUZZLE04 = tq.Board.parse("0 1 3 / 4 2 5 / 7 8 6")


@dataclass(frozen=True)
class Given:
    """One board handed out with S4."""

    name: str
    board: tq.Board
    moves: int
    """Least number of moves; −1 when it cannot be solved."""

    @property
    def puzzle(self) -> tq.Puzzle:
        return tq.Puzzle(tq.Goal.blank_last(self.board.grid.rows, self.board.grid.columns))


def handed_out() -> list[Given]:
    """Read the boards, each on a line: file name, N, least moves, N·N tiles."""
    text = (Path(__file__).parent / "data" / "n_by_n_puzzles.txt").read_text(encoding="utf-8")
    found = []
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, *numbers = line.split()
        n, moves, *tiles = (int(number) for number in numbers)
        rows = [tiles[at : at + n] for at in range(0, n * n, n)]
        found.append(Given(name.removesuffix(".txt"), tq.Board.of_rows(rows), moves))
    return found


GIVEN = handed_out()
assert len(GIVEN) == 75


@pytest.mark.parametrize(
    "given", [each for each in GIVEN if each.moves <= 31], ids=lambda g: g.name
)
def test_boards_up_to_31_moves_are_solved_in_the_least_moves(given: Given) -> None:
    result = solve(given.puzzle, given.board, tq.AStar(tq.Manhattan()))
    if given.moves < 0:
        assert (result.outcome, result.moves) == (tq.Outcome.UNSOLVABLE, None)
        assert result.reason
    else:
        assert (result.outcome, result.cost) == (tq.Outcome.SOLVED, given.moves)
        assert result.optimal
        assert given.puzzle.is_goal(result.boards()[-1])


@pytest.mark.parametrize("given", [each for each in GIVEN if each.moves > 31], ids=lambda g: g.name)
def test_longer_boards_stop_at_their_limit_with_a_valid_bound(given: Given) -> None:
    limits = tq.Limits(nodes=2_000)
    for algorithm in (tq.AStar(tq.Manhattan()), tq.Bidirectional()):
        result = solve(given.puzzle, given.board, algorithm, limits)
        assert result.outcome is tq.Outcome.LIMIT_REACHED
        assert result.moves is None
        assert "2,000 nodes" in result.reason
        assert 0 < result.lower_bound <= given.moves
        assert (result.stats.generated or 0) <= 2_000 + 4

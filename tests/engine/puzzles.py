"""Small puzzles of every kind, drawn at random, with the truth from enumeration."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from math import factorial, prod

from taquin.model.board import Board
from taquin.model.grid import Grid
from taquin.model.moves import ANY, BLANK, FILLER, WALL, Label, Metric
from taquin.model.puzzle import Goal, Puzzle
from tests import truth

_SHAPES = ((1, 5), (6, 1), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (2, 5), (3, 4))
_MOST_BOARDS = 20_000
_TRIVIAL = 0.9
"""Share of the boards that are solved as they stand to be drawn again."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A puzzle, a board, and how far it is."""

    puzzle: Puzzle
    start: Board
    left: int | None
    """Moves of a shortest solution; None when there is none."""


def drawn(seed: int) -> Drawn:
    """Return the puzzle of a seed."""
    rng = random.Random(seed)
    while True:
        rows, columns = rng.choice(_SHAPES)
        size = rows * columns
        walls = rng.sample(range(size), rng.choice((0, 0, 1, 2, 3)) if size > 5 else 0)
        tiles = size - len(walls) - 1
        kind = rng.choice(("all different", "some alike", "two kinds", "few named"))
        labels: list[Label]
        if kind == "all different":
            labels = list(range(1, tiles + 1))
        elif kind == "some alike":
            labels = [rng.choice((1, 2, 3, "A", FILLER)) for _ in range(tiles)]
        elif kind == "two kinds":
            labels = [rng.choice(("A", "B")) for _ in range(tiles)]
        else:
            named = min(tiles, rng.randint(1, 3))
            labels = [*("A", "B", 7)[:named], *[FILLER] * (tiles - named)]
        arranged: list[Label] = [BLANK, *labels]
        rng.shuffle(arranged)
        target = _laid(size, walls, arranged)
        share = rng.choice((0.0, 0.0, 0.3, 0.7))
        goal = tuple(ANY if label != WALL and rng.random() < share else label for label in target)
        if BLANK not in goal and ANY not in goal:
            continue
        multi = rng.random() < 0.3
        board = target
        if rng.random() < 0.25:
            rng.shuffle(arranged)
            board = _laid(size, walls, arranged)
        else:
            step = truth.line_neighbours if multi else truth.neighbours
            for _ in range(rng.randint(0, 60)):
                board = rng.choice(list(step(board, rows, columns)) or [board])
        if _boards(target) > _MOST_BOARDS or _fillings(goal) > 5_040:
            continue
        solved = truth.arrangements(target, goal)
        left = truth.distances(solved, rows, columns, multi).get(board)
        if left == 0 and rng.random() < _TRIVIAL:
            continue
        grid = Grid(rows, columns, frozenset(walls))
        puzzle = Puzzle(Goal(grid, goal), Metric.MULTI if multi else Metric.SINGLE)
        return Drawn(puzzle, Board(grid, board), left)


def _laid(size: int, walls: list[int], tiles: list[Label]) -> truth.Cells:
    rest = iter(tiles)
    return tuple(WALL if cell in walls else next(rest) for cell in range(size))


def _boards(cells: truth.Cells) -> int:
    """Return in how many ways the tiles of a board can lie."""
    counts = Counter(label for label in cells if label != WALL)
    return factorial(counts.total()) // prod(map(factorial, counts.values()))


def _fillings(goal: truth.Cells) -> int:
    """Return in how many orders the enumeration lays out what a goal leaves open."""
    return factorial(sum(label == ANY for label in goal))

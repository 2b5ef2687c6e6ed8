"""Small puzzles of every kind, drawn at random, for checks against exhaustive truth."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import factorial, prod

from taquin import Board, Goal, Grid, Label, Metric, Puzzle
from taquin.model.space import Space
from tests.truth import Cells, arrangements, distances, neighbours

SHAPES = (
    *((1, 5), (6, 1), (2, 2), (2, 3), (3, 2), (2, 4), (4, 2)),
    *((3, 3), (3, 3), (3, 3), (2, 5), (3, 4), (3, 4), (4, 4)),
)


@dataclass(frozen=True, slots=True)
class Sample:
    """A start and a goal on one grid."""

    rows: int
    columns: int
    start: Cells
    goal: Cells

    def puzzle(self, metric: Metric = Metric.SINGLE) -> Puzzle:
        walls = frozenset(cell for cell, label in enumerate(self.goal) if label == "#")
        return Puzzle(Goal(Grid(self.rows, self.columns, walls), self.goal), metric)

    def space(self, metric: Metric = Metric.SINGLE) -> Space:
        puzzle = self.puzzle(metric)
        return Space(puzzle, Board(puzzle.grid, self.start))

    def goals(self) -> list[Cells]:
        return arrangements(self.start, self.goal)

    def distances(self, metric: Metric = Metric.SINGLE) -> dict[Cells, int]:
        return distances(self.goals(), self.rows, self.columns, multi=metric is Metric.MULTI)


def full(goal: Goal) -> Sample:
    """Return the sample of a full goal that starts at it."""
    return Sample(goal.grid.rows, goal.grid.columns, goal.cells, goal.cells)


def sample(seed: int, most_open: int = 7) -> Sample:
    """Return a puzzle with walls, repeated labels and ANY cells as chance has it.

    At most so many cells are no walls. In most starts two tiles are exchanged, of which many cannot
    be solved.
    """
    return _sample(random.Random(seed), most_open)


def _sample(chance: random.Random, most_open: int) -> Sample:
    rows, columns = chance.choice(SHAPES)
    size = rows * columns
    number = max(chance.choice((0, 0, 1, 2)) if size > 4 else 0, size - most_open)
    walls = set(chance.sample(range(size), number))
    tiles = size - number - 1
    kinds = chance.choice((1, 2, 3, 4, tiles, tiles))
    labels: list[Label] = [0]
    for tile in range(tiles):
        kind = tile if tile < kinds else chance.randrange(kinds)
        labels.append({2: "A", 3: "."}.get(kind, kind + 1))
    rest = chance.sample(labels, len(labels))
    solved: Cells = tuple("#" if cell in walls else rest.pop() for cell in range(size))
    start = solved
    for _ in range(chance.randrange(90)):
        start = chance.choice(list(neighbours(start, rows, columns)) or [start])
    if chance.random() < 0.6:
        one, other = chance.sample([cell for cell in range(size) if start[cell] not in (0, "#")], 2)
        cells = list(start)
        cells[one], cells[other] = cells[other], cells[one]
        start = tuple(cells)
    free = chance.choice((0.0, 0.0, 0.2, 0.5, 0.8))
    goal = tuple("*" if label != "#" and chance.random() < free else label for label in solved)
    return Sample(rows, columns, start, goal)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A puzzle, a board, and how far it is."""

    puzzle: Puzzle
    start: Board
    left: int | None
    """Moves of a shortest solution; None when there is none."""


_MOST_BOARDS = 20_000
_TRIVIAL = 0.9
"""Share of the boards that are solved as they stand to be drawn again."""


@cache
def drawn(seed: int) -> Drawn:
    """Return a puzzle of up to 12 open cells, with tiles alike where these are many."""
    chance = random.Random(seed)
    while True:
        puzzle = _sample(chance, 12)
        counts = Counter(label for label in puzzle.start if label != "#")
        boards = factorial(counts.total()) // prod(map(factorial, counts.values()))
        if boards > _MOST_BOARDS or puzzle.goal.count("*") > 7:
            continue
        metric = chance.choice((Metric.SINGLE, Metric.SINGLE, Metric.MULTI))
        left = puzzle.distances(metric).get(puzzle.start)
        if left != 0 or chance.random() > _TRIVIAL:
            kind = puzzle.puzzle(metric)
            return Drawn(kind, Board(kind.grid, puzzle.start), left)


NAMES: Cells = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, "A", "B", "hat", ".")


def random_puzzle(chance: random.Random, rows: int, columns: int) -> tuple[Board, Puzzle]:
    """Return a board and a puzzle of any kind, which may have no solution."""
    size = rows * columns
    is_classic = chance.random() < 0.4 and min(rows, columns) > 1
    is_walled = size > 4 and chance.random() < 0.4 and not is_classic
    walls = set(chance.sample(range(size), chance.randint(1, size // 3))) if is_walled else ()
    tiles = size - len(walls) - 1
    kinds = tiles if is_classic else chance.choice((1, 2, 3, tiles, tiles))
    known = (*NAMES, *range(12, size - 4))
    names = chance.sample(known, min(kinds, len(known)))
    labels: list[Label] = [0, *names[:tiles], *chance.choices(names, k=max(0, tiles - len(names)))]
    chance.shuffle(labels)
    solved: Cells = tuple("#" if cell in walls else labels.pop() for cell in range(size))
    start, is_multi = solved, chance.random() < 0.4
    if chance.random() < 0.4:
        rest = chance.sample([label for label in solved if label != "#"], tiles + 1)
        start = tuple(label if label == "#" else rest.pop() for label in solved)
    for _ in range(chance.choice((0, 5, 20, 60))):
        start = chance.choice(list(neighbours(start, rows, columns)) or [start])
    grid = Grid(rows, columns, frozenset(walls))
    goal = Goal(grid, solved if is_classic else some_goal(solved, chance))
    return Board(grid, start), Puzzle(goal, Metric.MULTI if is_multi else Metric.SINGLE)


def some_goal(solved: Cells, chance: random.Random) -> Cells:
    """Return a goal that `solved` meets, with ANY cells of one of several kinds."""
    places = [cell for cell, label in enumerate(solved) if label != "#"]
    kind = chance.choice(("all", "all", "each label once", "some", "one label"))
    if kind == "all":
        named = set(places)
    elif kind == "each label once":
        # In any order, so that the last of a label is as likely as the first.
        named = set({solved[cell]: cell for cell in chance.sample(places, len(places))}.values())
    elif kind == "some":
        named = {cell for cell in places if chance.random() < 0.5}
    else:
        label = solved[chance.choice(places)]
        named = {cell for cell in places if solved[cell] == label}
    return tuple(
        label if label == "#" or cell in named else "*" for cell, label in enumerate(solved)
    )

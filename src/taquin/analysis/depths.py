"""Sample boards whose shortest solution has a given number of moves.

Three methods, tried in this order; the first two are uniform over these boards:

    level    search breadth-first from the goal as far as memory allows, and draw from the level
    draws    draw solvable boards, and keep one if an engine proves its depth: near the mean
    walks    walk at random from the goal, and bisect the walk for a board of the depth

A move changes the distance from the goal by at most one. So a walk that goes beyond the depth has a
board of exactly that depth, and bisection finds it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import factorial
from random import Random

from taquin.engine.base import run
from taquin.engine.task import Auto
from taquin.errors import UnsuitableError
from taquin.heuristics.base import evaluator_for
from taquin.heuristics.per_tile import Manhattan
from taquin.model.board import Board
from taquin.model.moves import Label, Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import below, random_board, random_walk, stream, walk_from_goal
from taquin.model.space import (
    MOST_GOAL_STATES,
    Space,
    State,
    arrangements,
    left_over,
    levels_from_goal,
)
from taquin.reasons import reason
from taquin.search.control import Control
from taquin.search.result import Counters, Limit, Limits, Outcome, Task
from taquin.tables.shape import shape_of

MOST_BOARDS = 4_000_000
"""The maximum number of boards of the search by levels: about half a gigabyte."""
PILOT = 1000
"""Boards drawn first; if none of them has the depth, walks replace draws."""
FRUITLESS = 1000
"""Walks in a row without a new board after which the search gives up."""

_DRAWN_CELLS = 16
"""The maximum number of cells of a board that is solved fast enough to be drawn."""
_FEW = factorial(9)
"""Arrangements of tiles up to which all boards are looked at, in half a second."""
_UNBOUNDED = 10**6
"""A gap larger than any board's, but smaller than the end of an open range."""
_SEEDS = 2**53
_FARTHEST: dict[Metric, dict[tuple[int, ...], int]] = {
    Metric.SINGLE: {(2, 7): 108, (2, 8): 140, (3, 5): 84, (4, 4): 80, (5, 5): 208},
    Metric.MULTI: {(2, 7): 52, (2, 8): 57, (3, 5): 44, (4, 4): 43},
}
"""The greatest distance from a goal with its blank in a corner, where it is known and there are too
many boards to count; for 5×5 an upper bound."""


@dataclass(frozen=True, slots=True)
class BoardSample:
    """A random sample of distinct boards of one depth, drawn lazily."""

    boards: Iterator[Board]
    """The boards; they end early if the control ends, which then has the reason."""
    uniform: bool
    """Whether every board of the depth is equally likely."""
    known: int | None = None
    """The number of boards of the depth; None if they were not counted."""


def boards_at_depth(
    puzzle: Puzzle | Goal, depth: int, seed: int, *, count: int = 1, control: Control | None = None
) -> BoardSample:
    """Draw `count` distinct boards whose shortest solution has exactly `depth` moves.

    The same seed gives the same boards. Raise UnsuitableError if there are fewer than `count` such
    boards; the iterator raises it if too few are found. `control` has limits on seconds and memory,
    and receives progress.

    >>> [board.text() for board in boards_at_depth(Goal.blank_last(2, 2), 6, seed=1).boards]
    ['0 3 / 2 1']
    """
    if isinstance(puzzle, Goal):
        puzzle = Puzzle(puzzle)
    if depth < 0 or count < 1:
        raise UnsuitableError(
            f"depth must be at least 0 and count at least 1, got {depth} and {count}"
        )
    control = control or Control()
    farthest = _farthest(puzzle)
    if farthest is not None and depth > farthest:
        raise _too_far(puzzle, depth, farthest)
    level: list[State] | None = None
    rng = stream("depth", seed, 1, puzzle.grid, depth)
    space = Space(puzzle, random_walk(puzzle, 0, seed))
    with control.guard():
        level = _level(space, depth, control)
    if control.is_over:
        return BoardSample(iter(()), uniform=True)
    if level is not None:
        if len(level) < count:
            raise UnsuitableError(
                reason(
                    "distance-few",
                    grid=str(puzzle.grid),
                    boards=reason("boards", count=len(level)),
                    count=depth,
                )
            )
        return BoardSample(_sample(space, level, count, rng), True, len(level))
    sampler = _Sampler(puzzle, depth, count, control)
    first = sampler.pilot(rng)
    return BoardSample(sampler.boards(first, rng), uniform=first is not None)


def _farthest(puzzle: Puzzle) -> int | None:
    """Return an upper bound on the distance of all boards; None if none is known."""
    shape = shape_of(puzzle.goal)
    if shape is None:
        return None
    row, column = divmod(shape.blank, shape.columns)
    is_corner = row in (0, shape.rows - 1) and column in (0, shape.columns - 1)
    sides = tuple(sorted((shape.rows, shape.columns)))
    return _FARTHEST[puzzle.metric].get(sides) if is_corner else None


def check_gap(puzzle: Puzzle, wanted: range) -> None:
    """Raise UnsuitableError if no board has a gap that is `wanted`.

    The gap is the length of a shortest solution minus Manhattan distance. All gaps of a small
    space are known; of a larger one, their parity and an upper bound.
    """
    space = Space(puzzle, random_walk(puzzle, 0, 0))
    tiles = Counter(space.start[cell] for cell in puzzle.grid.open_cells)
    gaps: Sequence[int]
    if arrangements(tiles) <= _FEW and arrangements(left_over(space)) <= MOST_GOAL_STATES:
        estimate = evaluator_for(Manhattan(), space).value
        levels = enumerate(levels_from_goal(space))
        gaps = sorted({int(far - estimate(state)) for far, level in levels for state in level})
    else:
        farthest = _farthest(puzzle)
        # If each tile has one home, a move changes the distance and the estimate by one.
        step = 2 if puzzle.goal.is_full else 1
        gaps = range(0, 2 * _UNBOUNDED if farthest is None else farthest + 1, step)
    place = bisect_left(gaps, wanted.start)
    if place == len(gaps) or gaps[place] not in wanted:
        facts = [] if any(gap % 2 for gap in gaps[:99]) else ["even"]
        facts += [f"at most {gaps[-1]}"] if gaps[-1] < _UNBOUNDED else []
        raise UnsuitableError(
            f"no board of {puzzle.grid} has such a gap; to this goal all are {' and '.join(facts)}"
        )


def _too_far(puzzle: Puzzle, depth: int, farthest: int) -> UnsuitableError:
    return UnsuitableError(
        reason("distance-far", grid=str(puzzle.grid), count=depth, most=farthest)
    )


def _level(space: Space, depth: int, control: Control) -> list[State] | None:
    """Return the states at distance `depth`; None if there are too many up to there.

    Raise UnsuitableError if no board is that far.
    """
    if arrangements(left_over(space)) > MOST_GOAL_STATES:
        return None
    tiles = Counter(space.start[cell] for cell in space.puzzle.grid.open_cells)
    is_small = arrangements(tiles) <= 2 * MOST_BOARDS
    seen = before = 0
    for distance, level in enumerate(levels_from_goal(space)):
        if distance == depth:
            return level
        seen += len(level)
        control.report(reason("stage-distance", distance=distance, count=seen))
        growth = len(level) / (before or len(level))
        before = len(level)
        if is_small or seen < MOST_BOARDS // 200:
            continue
        # From here on the growth factor falls, so this overestimates.
        expected = seen + len(level) * growth ** min(depth - distance, 100)
        if expected > 2 * MOST_BOARDS or seen > MOST_BOARDS:
            return None
    raise _too_far(space.puzzle, depth, distance)


def _sample(space: Space, level: list[State], count: int, rng: Random) -> Iterator[Board]:
    """Yield `count` distinct boards of a level, uniformly."""
    moved: dict[int, int] = {}
    for place in range(count):
        # The first steps of a shuffle that stores only the moved entries.
        chosen = place + below(rng, len(level) - place)
        yield space.decode(level[moved.get(chosen, chosen)])
        moved[chosen] = moved.get(place, place)


class _Sampler:
    """The sampler for a depth with too many boards to list."""

    def __init__(self, puzzle: Puzzle, depth: int, count: int, control: Control) -> None:
        self._puzzle, self._depth, self._count, self._control = puzzle, depth, count, control
        self._found: set[Board] = set()
        self._tried = 0

    def pilot(self, rng: Random) -> Board | None:
        """Return the first of PILOT random boards that has the depth; None if none has."""
        shape = shape_of(self._puzzle.goal)
        is_solved_fast = shape is not None and shape.size <= _DRAWN_CELLS
        if is_solved_fast and self._puzzle.metric is Metric.SINGLE:
            with self._control.guard():
                return next((board for _ in range(PILOT) if (board := self._drawn(rng))), None)
        return None

    def boards(self, first: Board | None, rng: Random) -> Iterator[Board]:
        """Yield `first` and further drawn boards; boards from walks if `first` is None."""
        propose = self._drawn
        if first is None:
            propose = self._walked
        else:
            self._found.add(first)
            yield first
        fruitless = 0
        with self._control.guard():
            while len(self._found) < self._count and not self._control.is_over:
                board = propose(rng)
                if board is not None and board not in self._found:
                    fruitless = 0
                    self._found.add(board)
                    yield board
                elif first is None and (fruitless := fruitless + 1) == FRUITLESS:
                    grid = str(self._puzzle.grid)
                    raise UnsuitableError(
                        reason("walks-failed", tries=FRUITLESS, grid=grid, count=self._depth)
                    )

    def _drawn(self, rng: Random) -> Board | None:
        """Return a random board if it has the depth."""
        board = random_board(self._puzzle.goal, below(rng, _SEEDS))
        if self._puzzle.solution_parity(board) != self._depth % 2:
            return None
        return board if self._distance(board, self._depth) == self._depth else None

    def _walked(self, rng: Random) -> Board | None:
        """Return the board of the depth on a random walk; None if the walk does not reach it."""
        longest = 40 * self._puzzle.grid.size + 10 * self._depth
        walk = walk_from_goal(self._puzzle, Random(below(rng, _SEEDS)))
        boards = [tuple(cells) for cells in islice(walk, longest + 1)]
        near, far = 0, self._depth
        while not self._is_beyond(boards[far]):
            near, far = far, far + far // 4 + 2
            if far > longest or self._control.is_over:
                return None
        while far - near > 1:
            middle = (near + far) // 2
            if self._is_beyond(boards[middle]):
                far = middle
            else:
                near = middle
        return None if self._control.is_over else Board(self._puzzle.grid, boards[far])

    def _is_beyond(self, cells: tuple[Label, ...]) -> bool:
        """Return whether the board with these cells is at least at the depth."""
        return self._distance(Board(self._puzzle.grid, cells), self._depth - 1) is None

    def _distance(self, board: Board, most: int) -> int | None:
        """Return the shortest length; None if it exceeds `most`, or the control is over."""
        outer = self._control
        counters = Counters()

        def note(inner: Counters, seconds: float) -> None:
            stage = reason(
                "stage-found", count=len(self._found), wanted=self._count, tried=self._tried
            )
            # Before the first board, compiled code and tables are loaded.
            counters.stage = stage if self._tried > 1 else inner.stage or reason("stage-search")

        self._tried += 1
        control = Control(
            Limits(depth=most, memory=outer.limits.memory),
            progress=note,
            stop=lambda: not outer.tick(counters),
            notice=outer.notice,
        )
        result = run(Task(self._puzzle, board, limits=control.limits), Auto(), control)
        if result.outcome is Outcome.STOPPED:
            outer.stop(result.reason)
        elif result.limit is Limit.MEMORY:
            outer.end(Limit.MEMORY)
        return None if outer.is_over else result.cost

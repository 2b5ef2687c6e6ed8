"""All solutions of a board, shorter ways in a sequence of moves, and proofs that none is shorter.

`all_solutions` yields every shortest solution of a board, and optionally longer ones. `detours`
shortens a sequence of moves window by window. `certify` writes a certificate: a proof that no
solution is shorter, for a checker that trusts nothing.

    start ─► forward boards, up to a moves     backward boards, up to b moves ◄─ goal

If a + b is one less than the length of the solution, a shorter one has a board in both groups.
Each group has only boards with g + h below the length of the solution; the smaller group grows
next. `examples/check_certificate.py` has the proof, and checks the file:

    taquin certificate 1
    3 3                        rows and columns
    813402765                  the start: a digit or letter per cell, 0 the blank
    123456780                  the goal
    4135…                      the solution: the tiles that move
    6 7                        a and b
    …                          a + 1 lines of forward boards by distance, b + 1 of backward ones
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, islice, pairwise
from string import ascii_lowercase, digits
from typing import TypeAlias

from taquin.engine.base import Engine, Solutions, check_fit
from taquin.engine.task import engine_named
from taquin.errors import UnsuitableError
from taquin.heuristics.base import evaluator_for
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.model.board import Board, BoardLike
from taquin.model.moves import Metric, Move
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.space import Space, State
from taquin.notation.boards import GoalLike, as_goal, as_start
from taquin.search.algorithms import AStar
from taquin.search.control import INTERRUPTED, Control, Progress
from taquin.search.result import MOST_BEYOND, NO_LIMITS, Limit, Limits, Outcome, Result, Task, Want
from taquin.system.interrupts import DeferredInterrupts, deferring_interrupts


class AllSolutions(Iterator[tuple[Move, ...]]):
    """Yields the moves of each solution as it is found, and knows whether these are all.

    >>> solutions = all_solutions("2 3 8 / 1 7 5 / 0 6 4")
    >>> len(list(solutions)), solutions.is_complete
    (3, True)
    """

    def __init__(
        self, solutions: Solutions, control: Control, most: int | None, block: DeferredInterrupts
    ) -> None:
        self._control = control
        self._is_exhausted = False
        work = islice(self._noting_the_end_of(solutions), most)
        self._solutions = deferring_interrupts(work, partial(control.stop, INTERRUPTED), block)

    def _noting_the_end_of(self, solutions: Solutions) -> Solutions:
        yield from solutions
        self._is_exhausted = True

    def __iter__(self) -> Iterator[tuple[Move, ...]]:
        """Return the solutions themselves, in which no Ctrl-C is lost."""
        return self._solutions

    def __next__(self) -> tuple[Move, ...]:
        """Return the moves of the next solution."""
        return next(self._solutions)

    @property
    def is_complete(self) -> bool:
        """Whether every solution was yielded; False until then, and if anything ended it early."""
        is_cut = self._control.outcome in (Outcome.LIMIT_REACHED, Outcome.STOPPED)
        return self._is_exhausted and not is_cut

    @property
    def limit(self) -> Limit | None:
        """The limit that ended it early; None if none did."""
        return self._control.limit

    @property
    def reason(self) -> str:
        """Why it ended, such as "limit of 2 seconds", or why there is no solution; may be empty."""
        return self._control.reason


def all_solutions(
    start: BoardLike,
    goal: GoalLike = None,
    *,
    most: int | None = None,
    limits: Limits | None = None,
    metric: Metric | str = Metric.SINGLE,
    engine: Engine | str = "auto",
    progress: Progress | None = None,
    beyond: int = 0,
) -> AllSolutions:
    """Return an iterator over every shortest solution, at most `most` of them.

    With `beyond`, also over solutions up to that many moves longer, as defined by `every_solution`,
    in no particular order. Start, goal and exceptions are as for `solve`. An unsolvable board has
    no solution. A limit or Ctrl-C ends the iterator early; see `is_complete`, `limit` and `reason`.
    """
    with DeferredInterrupts():
        board = as_start(start, goal)
        puzzle = Puzzle(as_goal(goal, board), Metric.named(metric))
        task = Task(puzzle, board, limits=limits or NO_LIMITS, want=Want.EVERY, beyond=beyond)
        if isinstance(engine, str):
            engine = engine_named(engine)
        return every_solution(task, engine, Control(task.limits, progress=progress), most)


def every_solution(
    task: Task, engine: Engine, control: Control, most: int | None = None
) -> AllSolutions:
    """Return an iterator over every solution that a task asks for.

    A solution that is longer than the shortest visits no board twice; in the multi-tile metric, its
    slides alternate between rows and columns, as two slides along one line are one.
    """

    def is_direct(moves: tuple[Move, ...]) -> bool:
        """Return whether a solution visits no board twice and splits no slide."""
        boards = list(accumulate(moves, Board.apply, initial=task.start))
        in_parts = task.puzzle.metric is Metric.MULTI and any(
            move.direction in (previous.direction, previous.direction.opposite)
            for previous, move in pairwise(moves)
        )
        return not in_parts and len(set(boards)) == len(boards)

    if not 0 <= task.beyond <= MOST_BEYOND:
        raise UnsuitableError(f"beyond must be 0 to {MOST_BEYOND}, got {task.beyond}")
    with DeferredInterrupts() as block:
        check_fit(engine, task)
        solutions = engine.every(task, control)
        if task.beyond:
            solutions = filter(is_direct, solutions)
        return AllSolutions(solutions, control, most, block)


Solve: TypeAlias = Callable[[Task], Result]
"""Finds a shortest solution of a task."""


@dataclass(frozen=True, slots=True)
class Detour:
    """A part of a sequence that can be shorter."""

    first: int
    """The number of its first move, from 1."""
    last: int
    moves: tuple[Move, ...]
    """The moves to replace."""
    shorter: tuple[Move, ...]
    """The shorter path that replaces them; empty if the detour is a loop."""


def detours(
    start: Board, moves: Sequence[Move], metric: Metric, window: int, solve: Solve
) -> Iterator[Detour]:
    """Yield disjoint detours of up to `window` moves in order.

        moves   1 2 3 4 5 6 7 8 9 …
                  └──────────┘            a detour: six moves that four can replace

    A detour is a part of the sequence that is longer than the distance between its ends. Let d(i,
    j) be the distance from the board after i moves to the one after j. As j grows by one, d grows
    by at most one, so j - i - d(i, j) never falls; the same holds as i falls. So a linear scan
    finds the first j that ends a detour, and bisection the last i that begins it; no part of that
    detour is a detour.

    A window that `solve` leaves unsolved counts as no detour.
    """
    boards = list(accumulate(moves, Board.apply, initial=start))

    def shortcut(first: int, last: int) -> tuple[Move, ...] | None:
        """Return a shortest path between two boards; None if the moves are one."""
        puzzle = Puzzle(Goal(boards[last].grid, boards[last].cells), metric)
        path = solve(Task(puzzle, boards[first], AStar(LinearConflict()))).moves
        return path if path is not None and len(path) < last - first else None

    first = 0
    for last in range(1, len(boards)):
        first = max(first, last - window)
        if shortcut(first, last) is None:
            continue
        place = bisect_left(
            range(first, last), True, key=lambda index: shortcut(index, last) is None
        )
        first += place - 1
        path = shortcut(first, last)
        assert path is not None, "bisection stops at the last index that begins the detour"
        yield Detour(first + 1, last, tuple(moves[first:last]), path)
        first = last


def replaced(moves: Sequence[Move], parts: Sequence[Detour]) -> tuple[Move, ...]:
    """Return the moves with these detours replaced."""
    kept = list(moves)
    for detour in reversed(parts):
        kept[detour.first - 1 : detour.last] = detour.shorter
    return tuple(kept)


MOST_BOARDS = 4_000_000
"""The checker reads some 60,000 boards a second, and holds them all in memory."""
_DIGITS = (digits + ascii_lowercase).encode()


@dataclass(frozen=True, slots=True)
class Certificate:
    """A solution with the boards that prove that none is shorter."""

    result: Result
    forward: list[list[State]]
    """The boards of each number of moves from the start."""
    backward: list[list[State]]
    """The boards of each number of moves from the goal."""

    @property
    def boards(self) -> int:
        """The number of boards."""
        return sum(map(len, (*self.forward, *self.backward)))

    @property
    def size(self) -> int:
        """An estimate of its size in bytes."""
        return self.boards * (self.result.start.grid.size + 1)

    def lines(self) -> Iterator[bytes]:
        """Yield its lines."""
        start, puzzle = self.result.start, self.result.puzzle
        yield b"taquin certificate 1\n%d %d\n" % (puzzle.grid.rows, puzzle.grid.columns)
        for numbers in (start.cells, puzzle.goal.cells):
            yield _text(bytes(map(int, numbers))) + b"\n"
        yield _text(bytes(int(move.tile) for move in self.result.moves or ())) + b"\n"
        yield b"%d %d\n" % (len(self.forward) - 1, len(self.backward) - 1)
        for layer in (*self.forward, *self.backward):
            yield b" ".join(map(_text, layer)) + b"\n"


def _text(state: State) -> bytes:
    return bytes(state).translate(_DIGITS.ljust(256))


def certify(result: Result, progress: Callable[[int], None] = lambda boards: None) -> Certificate:
    """Return the certificate of a shortest solution; raise UnsuitableError if it has none.

    `progress` is called now and then with the number of boards so far.
    """
    puzzle, start = result.puzzle, result.start
    check_form(puzzle, start)
    if not result.optimal:
        raise UnsuitableError("a certificate needs a solution that is proven shortest")
    last = Board(puzzle.grid, puzzle.goal.cells)
    way_back = Puzzle(Goal(start.grid, start.cells), puzzle.metric)
    longest = len(result.moves or ()) - 1
    groups = [_Group(puzzle, start, longest), _Group(way_back, last, longest)]
    while sum(len(group.layers) - 1 for group in groups) < longest:
        min(groups, key=lambda group: len(group.layers[-1])).grow()
        boards = sum(len(group.known) for group in groups)
        if boards > MOST_BOARDS:
            raise UnsuitableError(
                f"the certificate of this board has more than {MOST_BOARDS:,} boards, too many to "
                f"check in minutes"
            )
        progress(boards)
    return Certificate(result, groups[0].layers, groups[1].layers)


def check_form(puzzle: Puzzle, start: Board) -> None:
    """Raise UnsuitableError for a puzzle that certificates do not support."""
    numbers = list(range(puzzle.grid.size))
    if puzzle.metric is not Metric.SINGLE:
        raise UnsuitableError("certificates do not support --metric multi")
    cells = (start.cells, puzzle.goal.cells)
    is_classic = all(sorted(map(str, labels)) == sorted(map(str, numbers)) for labels in cells)
    if not is_classic or len(numbers) > len(_DIGITS):
        raise UnsuitableError(
            f"certificates support only boards and goals with the tiles 1, 2, 3 … once each, and "
            f"at most {len(_DIGITS)} cells"
        )


class _Group:
    """The boards around one end that may be on a solution of at most `longest` moves."""

    def __init__(self, puzzle: Puzzle, start: Board, longest: int) -> None:
        space = Space(puzzle, start)
        evaluator = evaluator_for(LinearConflict(), space)
        self.layers: list[list[State]] = [[space.start]]
        self.known = {space.start}
        self._estimates = {space.start: evaluator.value(space.start)}
        self._steps, self._after, self._longest = space.stepper(), evaluator.step, longest

    def grow(self) -> None:
        """Add the boards that are one move farther away."""
        rest = self._longest - len(self.layers)
        farther: dict[State, int] = {}
        for state, estimate in self._estimates.items():
            for child, tile, origin, target in self._steps(state):
                if child not in self.known:
                    value = self._after(estimate, child, tile, origin, target)
                    if value <= rest:
                        self.known.add(child)
                        farther[child] = value
        self.layers.append(list(farther))
        self._estimates = farther

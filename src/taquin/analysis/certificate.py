"""Certificates: a proof that no solution is shorter, for a checker that trusts nothing.

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

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from string import ascii_lowercase, digits

from taquin.errors import UnsuitableError
from taquin.heuristics.base import evaluator_for
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.model.board import Board
from taquin.model.moves import Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.space import Space, State
from taquin.search.result import Result

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

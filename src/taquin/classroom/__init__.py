"""The two classes of the classroom assignment: `Board` and `Solver`, over taquin's own search.

    from taquin.classroom import Board, Solver

    solver = Solver(Board([[0, 1, 3], [4, 2, 5], [7, 8, 6]]))
    for board in solver.solution():
        print(board)
    print("Number of states enqueued =", solver.enqueued())
    print("Minimum number of moves =", solver.moves())

Boards are N × N with N > 1, 0 is the blank, and the goal has it last. The method names are the
assignment's, in its spelling (`isSolvable`) and in Python's (`is_solvable`). This is a thin layer
over `taquin.model` and `taquin.search`.

`Problem` is a board for the searches of course libraries, AIMA's and simpleai.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from taquin import AStar, Goal, Heuristic, Label, Manhattan, Misplaced, Puzzle
from taquin.errors import BoardError
from taquin.model import board as model
from taquin.model.rows import draw_rows
from taquin.model.space import Space
from taquin.search.control import Control
from taquin.search.driver import race, solve, twin_of
from taquin.search.result import Outcome, Task
from taquin.search.run import Conventions, Duplicates, Ties
from taquin.search.user_search import Problem as Problem


class Priority(Enum):
    """The h of the priority f = g + h."""

    HAMMING = "hamming"
    """The number of tiles out of place."""
    MANHATTAN = "manhattan"
    """The sum of the tiles' distances from home."""

    @property
    def heuristic(self) -> Heuristic:
        """Return the heuristic of the priority."""
        return Misplaced() if self is Priority.HAMMING else Manhattan()


class Detection(Enum):
    """How unsolvable boards are detected."""

    PARITY = "parity"
    """By a formula, before any search."""
    TWIN = "twin"
    """By a race: the board and its twin are searched alternately; exactly one is solvable."""


class Board:
    """A position of the N-by-N puzzle. Raise BoardError for tiles that do not form one.

    Boards are immutable and hashable, and equal when their tiles are.

    >>> board = Board([[8, 1, 3], [4, 0, 2], [7, 6, 5]])
    >>> board.hamming(), board.manhattan()
    (5, 10)
    """

    __slots__ = ("_board", "_puzzle")

    def __init__(self, tiles: Sequence[Sequence[Label]]) -> None:
        board = model.Board.of_rows(tiles)
        n = board.grid.rows
        if n < 2 or board.grid.columns != n:
            raise BoardError(f"expected N rows of N tiles with N > 1, found {board.grid}")
        unwanted = set(board.cells) - set(range(n * n))
        if unwanted:
            raise BoardError(
                f"expected the tiles 0 to {n * n - 1}, found {sorted(map(str, unwanted))[0]}"
            )
        repeated = [tile for tile, count in board.labels.items() if count > 1]
        if repeated:
            raise BoardError(f"expected each tile once, found {repeated[0]} more than once")
        self._board = board
        self._puzzle = Puzzle(Goal.blank_last(n, n))

    def dimension(self) -> int:
        """Return N."""
        return self._board.grid.rows

    def hamming(self) -> int:
        """Return the number of tiles out of place, the blank not counted."""
        return self._estimate(Misplaced())

    def manhattan(self) -> int:
        """Return the sum of the tiles' distances from home, the blank not counted."""
        return self._estimate(Manhattan())

    def is_goal(self) -> bool:
        """Return whether the board is solved."""
        return self._puzzle.is_goal(self._board)

    isGoal = is_goal  # noqa: N815 - the assignment's spelling

    def neighbors(self) -> tuple[Board, ...]:
        """Return the two to four boards one move away."""
        return tuple(Board(after.rows()) for _, after in self._puzzle.successors(self._board))

    def twin(self) -> Board:
        """Return the board with two adjacent tiles exchanged: solvable when this one is not.

        The tiles are the first two of the first row that does not hold the blank.

        >>> print(Board([[1, 2], [3, 0]]).twin())
        2 1
        3
        """
        return Board(twin_of(self._board).rows())

    def equals(self, other: object) -> bool:
        """Return `self == other`: whether the tiles are equal."""
        return isinstance(other, Board) and self._board == other._board

    def __iter__(self) -> Iterator[tuple[Label, ...]]:
        """Yield the rows, so that functions of taquin accept this board too."""
        return iter(self._board.rows())

    def __eq__(self, other: object) -> bool:
        return self.equals(other)

    def __hash__(self) -> int:
        return hash(self._board)

    def __str__(self) -> str:
        """Return the aligned rows, the blank left empty."""
        return draw_rows(self._board.cells, self.dimension(), blank=" ")

    def to_string(self) -> str:
        """Return `str(self)`."""
        return str(self)

    toString = to_string  # noqa: N815 - the assignment's spelling

    def __repr__(self) -> str:
        return f"Board({[list(row) for row in self._board.rows()]})"

    def _estimate(self, heuristic: Heuristic) -> int:
        space = Space(self._puzzle, self._board)
        return heuristic.bind(space).value(space.start)


class Solver:
    """A shortest solution of `initial`, found by A* on construction.

    Every generated board is enqueued, and tested on dequeue, so the queue may hold a board several
    times. The critical optimisation does not enqueue the parent of the expanded board; it changes
    the count, not the solution. Ctrl-C raises KeyboardInterrupt.

    >>> Solver(Board([[0, 1, 3], [4, 2, 5], [7, 8, 6]])).moves()
    4
    >>> Solver(Board([[1, 2, 3], [4, 5, 6], [8, 7, 0]]), detection=Detection.TWIN).is_solvable()
    False
    """

    __slots__ = ("_enqueued", "_solution")

    def __init__(
        self,
        initial: Board,
        *,
        priority: Priority = Priority.MANHATTAN,
        critical_optimisation: bool = True,
        detection: Detection = Detection.PARITY,
    ) -> None:
        duplicates = Duplicates.PARENT if critical_optimisation else Duplicates.NONE
        algorithm = AStar(priority.heuristic, conventions=Conventions(duplicates, Ties.FIFO))
        find = _race if detection is Detection.TWIN else _search
        self._solution, self._enqueued = find(initial, algorithm)

    def is_solvable(self) -> bool:
        """Return whether the initial board can be solved."""
        return bool(self._solution)

    isSolvable = is_solvable  # noqa: N815 - the assignment's spelling

    def moves(self) -> int:
        """Return the least number of moves; −1 if there is no solution."""
        return len(self._solution) - 1

    def solution(self) -> tuple[Board, ...]:
        """Return the boards of a shortest solution, the initial one first; none if unsolvable."""
        return self._solution

    def enqueued(self) -> int:
        """Return how many entries were ever enqueued, the initial board included.

        In a race the twin's queue is not counted. If parity proves that there is no solution, the
        number is 0, because nothing is searched.
        """
        return self._enqueued


def _search(initial: Board, algorithm: AStar) -> tuple[tuple[Board, ...], int]:
    """Return the boards of a shortest solution and the number enqueued."""
    task = Task(initial._puzzle, initial._board, algorithm)
    result = solve(task, algorithm, Control())
    if result.outcome is Outcome.STOPPED:
        raise KeyboardInterrupt
    if result.outcome is Outcome.LIMIT_REACHED:
        raise MemoryError(result.reason)
    boards = tuple(Board(board.rows()) for board in result.boards())
    return boards, result.stats.enqueued or 0


def _race(initial: Board, algorithm: AStar) -> tuple[tuple[Board, ...], int]:
    """Return what `_search` returns; detect unsolvable boards by a race with the twin."""
    control = Control()
    result = race(initial._puzzle, initial._board, algorithm, control)
    if result.solvable is None:
        raise MemoryError(control.reason) if "memory" in control.reason else KeyboardInterrupt
    boards = (Board(board.rows()) for board in result.boards)
    return tuple(boards) if result.solvable else (), result.own.enqueued

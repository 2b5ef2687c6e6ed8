"""Grade an answer: whether its moves are legal, solve the board, and could be fewer.

After k moves of an answer, k plus the distance from the board reached can only stay or grow: a move
brings the goal nearer by one at most. It stays while the answer follows a shortest solution, so the
first move that leaves every one of them is found by halving.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from taquin.engine.choose import Auto, run
from taquin.errors import IllegalMoveError, NotationError
from taquin.model.board import Board, BoardLike
from taquin.model.moves import Direction, Metric, Move
from taquin.model.puzzle import Puzzle
from taquin.notation.answers import Push, read_pushes
from taquin.notation.values import GoalLike, as_goal, as_start
from taquin.search.control import Control
from taquin.search.result import Task
from taquin.system.words import counted, listed

Distance: TypeAlias = Callable[[Board], int | None]
"""Returns the length of a shortest solution; None when there is none, or it is not known."""


@dataclass(frozen=True, slots=True)
class Grade:
    """What an answer to one board is worth."""

    moves: int
    """Moves made, up to the first wrong one."""
    solved: bool
    """Whether all moves are legal, and the last one solves the board."""
    shortest: int | None
    """Moves of a shortest solution; None when there is none, or when it is not known."""
    wrong: int | None
    """The number of the first move that cannot be made or read; None when all can."""
    detour: int | None
    """The number of the first legal move that leaves every shortest solution; None when none does,
    or when that is not known."""
    remark: str
    """A remark for the author of the answer, in half a sentence."""

    @property
    def legal(self) -> bool:
        """Return whether every move can be made."""
        return self.wrong is None

    @property
    def is_shortest(self) -> bool:
        """Return whether it is a shortest solution, proven."""
        return self.solved and self.moves == self.shortest


def grade(
    start: BoardLike,
    answer: str | Iterable[Move | Direction | str],
    goal: GoalLike = None,
    *,
    metric: Metric | str = Metric.SINGLE,
    blank: bool = False,
    distance: Distance | None = None,
) -> Grade:
    """Return what `answer` is worth as a solution of `start`.

    Start, goal and metric are taken as by `solve`. An answer is letters, words or tiles, as
    `taquin.notation.answers` shows, or a list of moves; with `blank`, directions are where the
    blank goes. `distance` stands in for the engines, so that boards graded before need not be
    solved again. Raise MismatchError when start and goal do not belong together.

    >>> print(grade("1 2 3 / 4 0 5 / 7 8 6", "left left").remark)
    move 2, left: no tile can go left; what can move there: 6 up, 3 down, 5 right
    """
    start = as_start(start, goal)
    puzzle = Puzzle(as_goal(goal, start), Metric.named(metric))
    puzzle.check(start)
    if not isinstance(answer, str):
        answer = ", ".join(map(_word, answer))
    distance = distance or engine_distance(puzzle)
    boards, fault = _follow(start, read_pushes(answer, start, blank), puzzle.metric)
    made = len(boards) - 1
    shortest = distance(start)
    solved = not fault and made + (shortest == 0) > 0 and puzzle.is_goal(boards[-1])
    detour = None if shortest is None else _detour(boards, shortest, distance)
    if fault:
        remark = f"move {made + 1}, {fault}"
    elif not made and shortest != 0:
        remark = "no answer"
    elif solved:
        remark = _praise(made, shortest, detour)
    else:
        remark = _consolation(puzzle, boards, distance)
    return Grade(made, solved, shortest, made + 1 if fault else None, detour, remark)


def _word(move: Move | Direction | str) -> str:
    """Return a move as an answer names it."""
    return f"{move.tile} {move.direction}" if isinstance(move, Move) else str(move)


def engine_distance(puzzle: Puzzle) -> Distance:
    """Return a distance function that asks the fastest engine, once for each board."""

    @cache
    def distance(board: Board) -> int | None:
        result = run(Task(puzzle, board), Auto(), Control())
        return result.cost if result.optimal else None

    return distance


def _follow(start: Board, pushes: Iterable[Push], metric: Metric) -> tuple[list[Board], str]:
    """Return the boards along an answer, and what is wrong with the move where it breaks off."""
    boards = [start]
    try:
        for move in moves_meant(start, pushes, metric):
            boards.append(boards[-1].apply(move))
    except (IllegalMoveError, NotationError) as error:
        return boards, str(error)
    return boards, ""


def moves_meant(start: Board, pushes: Iterable[Push], metric: Metric) -> Iterator[Move]:
    """Yield the moves that pushes name, one after the other from a board on.

    Raise IllegalMoveError or NotationError at the first that names none, after those before it.
    """
    board = start
    for push in pushes:
        # In the single metric L2 is two moves.
        single = metric is Metric.SINGLE and push.count is not None
        for _ in range((push.count or 1) if single else 1):
            move = _meant(board, push, metric)
            board = board.apply(move)
            yield move


def _meant(board: Board, push: Push, metric: Metric) -> Move:
    """Return the move that a push names on a board; raise IllegalMoveError when there is none."""
    possible = board.moves(metric)
    tiles = 1 if metric is Metric.SINGLE else push.count
    named = [
        move
        for move in possible
        if push.direction in (None, move.direction)
        and push.tile in (None, move.tile)
        and (push.tile is not None or len(move.tiles) == tiles)
    ]
    if len(named) == 1:
        return named[0]
    which = f"; what can move there: {listed(possible, 8)}"
    if named:
        raise IllegalMoveError(f"{push.text}: several tiles are called {push.tile}{which}")
    if push.tile is None:
        raise IllegalMoveError(f"{push.text}: no tile can go {push.direction}{which}")
    if not any(push.tile == move.tile for move in possible):
        beside = "beside" if metric is Metric.SINGLE else "in line with"
        raise IllegalMoveError(f"{push.text}: tile {push.tile} is not {beside} the blank{which}")
    raise IllegalMoveError(f"{push.text}: tile {push.tile} cannot go {push.direction}{which}")


def _detour(boards: list[Board], shortest: int, distance: Distance) -> int | None:
    """Return the number of the first move after which no shortest solution is left."""
    unknown = 0

    def is_off(made: int) -> bool:
        nonlocal unknown
        left = distance(boards[made])
        unknown += left is None
        return left is not None and made + left > shortest

    first = bisect_left(range(len(boards)), True, key=is_off)
    return None if unknown or first == len(boards) else first


def _praise(made: int, shortest: int | None, detour: int | None) -> str:
    if shortest is None:
        return f"solved in {counted(made, 'move')}; whether fewer would do is not known"
    if made == shortest:
        return "solved, and no solution is shorter"
    where = "" if detour is None else f"; move {detour} is the first that leads away"
    return f"solved with {counted(made - shortest, 'move')} more than needed{where}"


def _consolation(puzzle: Puzzle, boards: list[Board], distance: Distance) -> str:
    """Say how near an answer came whose moves are all legal."""
    made = len(boards) - 1
    for number, board in enumerate(boards):
        if puzzle.is_goal(board):
            return f"solved after move {number}, but the answer goes on"
    left = distance(boards[-1])
    near = "" if left is None else f": {counted(left, 'move')} short of the goal"
    return f"legal, but not solved after {counted(made, 'move')}{near}"

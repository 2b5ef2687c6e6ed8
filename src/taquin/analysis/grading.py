"""Grade an answer: whether its moves are legal, solve the board, and are as few as possible.

After k moves of an answer, k plus the remaining distance never falls, because a move lowers the
distance by at most one. It first grows at the move that leaves every shortest solution, and
bisection finds that move.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from taquin.engine.base import run
from taquin.engine.task import Auto
from taquin.errors import IllegalMoveError, NotationError
from taquin.model.board import Board, BoardLike
from taquin.model.moves import Direction, Metric, Move
from taquin.model.puzzle import Puzzle
from taquin.model.solvability import solvability
from taquin.notation.answers import Push, is_mixed, read_pushes, says_unsolvable
from taquin.notation.boards import GoalLike, as_goal, as_start
from taquin.reasons import reason
from taquin.search.control import Control
from taquin.search.result import Task
from taquin.system.formatting import counted, listed, shorten

Distance: TypeAlias = Callable[[Board], int | None]
"""Returns the length of a shortest solution; None if there is none, or it is unknown."""


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of an answer to one board."""

    moves: int
    """Moves made, up to the first wrong one."""
    solved: bool
    """Whether all moves are legal, and the last one solves the board."""
    shortest: int | None
    """Moves of a shortest solution; None if there is none, or it is unknown."""
    wrong: int | None
    """The number of the first illegal or unreadable move; None for none."""
    detour: int | None
    """The first legal move that leaves every shortest solution; None for none, or if unknown."""
    remark: str
    """A remark for the author of the answer, in half a sentence."""
    swapped: bool = False
    """Whether the answer is wrong, but solves the board with its directions read as moves of the
    blank instead of the tile, or the reverse."""
    readable: bool = True
    """Whether the answer could be read, up to the first illegal move; if not, a person must grade
    it."""
    unsolvable: bool = False
    """Whether the answer is, rightly, that the board cannot be solved."""
    reached: Board | None = None
    """The board after the moves made; None if there are none."""

    @property
    def legal(self) -> bool:
        """Whether every move is legal."""
        return self.wrong is None

    @property
    def is_shortest(self) -> bool:
        """Whether it is proven to be a shortest solution."""
        return self.solved and (self.unsolvable or self.moves == self.shortest)


def grade(
    start: BoardLike,
    answer: str | Iterable[Move | Direction | str],
    goal: GoalLike = None,
    *,
    metric: Metric | str = Metric.SINGLE,
    blank: bool = False,
    distance: Distance | None = None,
) -> Grade:
    """Return the grade of `answer` as a solution of `start`.

    Start, goal and metric are those of `solve`. An answer is letters, names of directions or tiles,
    as `taquin.notation.answers` shows, or a list of moves; with `blank`, directions are those of
    the blank. `distance` replaces the engines, for example by a cache. Raise MismatchError if start
    and goal do not match.

    >>> print(grade("1 2 3 / 4 0 5 / 7 8 6", "left left").remark)
    move 2, left: no tile can go left; what can move there: 6 up, 3 down, 5 right
    """
    start = as_start(start, goal)
    puzzle = Puzzle(as_goal(goal, start), Metric.named(metric))
    puzzle.check(start)
    if not isinstance(answer, str):
        answer = ", ".join(
            f"{move.tile} {move.direction}" if isinstance(move, Move) else str(move)
            for move in answer
        )
    distance = distance or engine_distance(puzzle)
    if says_unsolvable(answer):
        if not solvability(puzzle, start):
            return Grade(0, True, None, None, None, "right, it cannot be solved", unsolvable=True)
        shortest = distance(start)
        fewest = "" if shortest is None else f", in {counted(shortest, 'move')}"
        return Grade(0, False, shortest, None, None, f"this board can be solved{fewest}")
    boards, fault, readable = _replay(puzzle.metric, start, answer, blank, puzzle.is_goal)
    made = len(boards) - 1
    if not made and not fault and re.search(r"\w", answer):
        fault, readable = f"{shorten(answer)}: no move can be read in it", False
    shortest = distance(start)
    solved = not fault and made + (shortest == 0) > 0 and puzzle.is_goal(boards[-1])
    detour = None if shortest is None else _detour(boards, shortest, distance)
    if fault:
        remark = f"move {made + 1}, {fault}"
    elif not made and shortest != 0:
        remark = "no answer"
    elif solved and shortest is None:
        remark = f"solved in {counted(made, 'move')}; whether fewer would do is not known"
    elif solved and shortest is not None:
        where = "" if detour is None else f"; move {detour} is the first that leads away"
        remark = f"solved with {counted(made - shortest, 'move')} more than needed{where}"
        if made == shortest:
            remark = "solved, and no solution is shorter"
    elif any(is_goal := [puzzle.is_goal(board) for board in boards]):
        remark = f"solved after move {is_goal.index(True)}, but the answer goes on"
    else:
        left = distance(boards[-1])
        near = "" if left is None else f": {counted(left, 'move')} short of the goal"
        remark = f"legal, but not solved after {counted(made, 'move')}{near}"
    others, other_fault, _ = _replay(puzzle.metric, start, answer, not blank, puzzle.is_goal)
    swapped = (
        made + bool(fault) > 0 and not solved and not other_fault and puzzle.is_goal(others[-1])
    )
    if swapped:
        meant, read = ("tile", "blank") if blank else ("blank", "tile")
        remark = f"right as moves of the {meant}, but not of the {read}: {remark}"
    readable = readable and (solved or not is_mixed(answer, start))
    wrong = made + 1 if fault else None
    reached = boards[-1] if made else None
    return Grade(made, solved, shortest, wrong, detour, remark, swapped, readable, reached=reached)


def _replay(
    metric: Metric, start: Board, answer: str, blank: bool, is_goal: Callable[[Board], bool]
) -> tuple[list[Board], str, bool]:
    """Return the boards before and after each move, the fault, and whether all could be read.

    In the multi-tile metric, consecutive moves in one direction are one slide: `DDDLLUUUL` is four
    moves.
    """
    boards = [start]
    last = None
    try:
        for move in moves_named(start, read_pushes(answer, start, blank), metric):
            board = boards[-1].apply(move)
            if metric is Metric.MULTI and move.direction is last:
                boards[-1] = board
            else:
                boards.append(board)
            last = move.direction
    except IllegalMoveError as error:
        return boards, str(error), True
    except NotationError as error:
        if is_goal(boards[-1]):
            # A remark behind the solution.
            return boards, "", True
        return boards, str(error), False
    return boards, "", True


def engine_distance(puzzle: Puzzle) -> Distance:
    """Return a cached distance function that uses the fastest engine."""

    @cache
    def distance(board: Board) -> int | None:
        result = run(Task(puzzle, board), Auto(), Control())
        return result.cost if result.optimal else None

    return distance


def moves_named(board: Board, pushes: Iterable[Push], metric: Metric) -> Iterator[Move]:
    """Yield the moves that pushes name, each on the board after the one before.

    Raise IllegalMoveError or NotationError at the first push that names no move.
    """
    for push in pushes:
        # In the single metric L2 is two moves.
        single = metric is Metric.SINGLE and push.count is not None
        for _ in range((push.count or 1) if single else 1):
            move = _move_named(board, push, metric)
            board = board.apply(move)
            yield move


def _move_named(board: Board, push: Push, metric: Metric) -> Move:
    """Return the move that a push names on a board; raise IllegalMoveError if there is none."""
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
    if named:
        fault = reason("push-twice", tile=push.tile)
    elif push.tile is None:
        fault = reason("push-none", direction=str(push.direction))
    elif any(push.tile == move.tile for move in possible):
        fault = reason("push-way", tile=push.tile, direction=str(push.direction))
    else:
        fault = reason("push-beside" if metric is Metric.SINGLE else "push-line", tile=push.tile)
    raise IllegalMoveError(reason("push", text=push.text, detail=fault, names=listed(possible, 8)))


def _detour(boards: list[Board], shortest: int, distance: Distance) -> int | None:
    """Return the number of the first move that leaves every shortest solution."""
    unknown = 0

    def is_off(made: int) -> bool:
        nonlocal unknown
        left = distance(boards[made])
        unknown += left is None
        return left is not None and made + left > shortest

    first = bisect_left(range(len(boards)), True, key=is_off)
    return None if unknown or first == len(boards) else first

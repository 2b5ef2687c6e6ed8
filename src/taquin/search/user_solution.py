"""Solutions as user code returns them: read in any common form, and replayed.

    moves       "LURD", ["up", "left"], ["Move 0 up"], [8, 6, 3], ["8", "6", "3"], Moves, (-1, 0),
                of the tile or of the blank
    positions   boards, tuples, nested lists, arrays, texts: "813402765", "8-1-3 4-e-2 7-6-5"
    nodes       with `state` and `parent`, the last one or all of them, as in course libraries
    and         (solution, cost), (cost, solution): numbers beside the solution are ignored

Positions may begin with the start or with the first one after it.
The boards of the solution are found by replaying it, so a wrong one is never accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from enum import Enum
from itertools import chain
from numbers import Number
from typing import Any

from taquin.errors import IllegalMoveError, NotationError, OwnCodeError
from taquin.model.board import Board
from taquin.model.moves import BLANK, Direction, Label, Metric, Move
from taquin.model.puzzle import Puzzle
from taquin.notation.moves import read_moves
from taquin.system.formatting import counted, safe_repr

_FORMS = "moves, letters or boards from the start to the goal"
_SEPARATORS = r"[^\s,;/|()\[\]]+", r"[^\s,;/|()\[\]-]+"
"""Patterns of the tiles in the text of a position, which may be separated by dashes."""
_MOST_PARENTS = 1_000_000


def solution_path(answer: Any, start: Board, puzzle: Puzzle, name: str) -> list[Board]:
    """Return the boards of a solution in any form, replayed; raise OwnCodeError if it is wrong."""
    if answer is None:
        raise OwnCodeError(
            f"{name} returned None instead of a solution; is a return statement missing? It may "
            f"return moves, letters or boards"
        )
    try:
        return _replayed(_without_cost(answer), start, puzzle)
    except (IllegalMoveError, NotationError) as error:
        raise OwnCodeError(f"the solution of {name} is wrong: {error}") from None
    except MemoryError:
        # A limit, not a mistake: the list may be endless.
        raise
    except Exception as error:
        # A value of any type, such as an array, may raise anything in a comparison.
        raise OwnCodeError(
            f"{name} must return {_FORMS}; it returned {safe_repr(answer)} ({type(error).__name__})"
        ) from error


def read_position(value: Any, like: Board) -> Board | None:
    """Return the board that a value describes, with the tiles of `like`; None if it is none."""
    if isinstance(value, Board):
        return value
    value = getattr(value, "state", value)
    value = _plain(value)
    size, columns = like.grid.size, like.grid.columns
    if isinstance(value, str):
        splits = (re.findall(pattern, value) for pattern in _SEPARATORS)
        value = next((parts for parts in splits if len(parts) == size), "".join(value.split()))
    if not isinstance(value, Sequence):
        value = list(value) if isinstance(value, Iterable) else ()
    if len(value) == like.grid.rows and size != len(value):
        rows = [
            row.split() if isinstance(row, str) and " " in row else _plain(row) for row in value
        ]
        if not all(isinstance(row, Iterable) and len(list(row)) == columns for row in rows):
            return None
        value = list(chain(*rows))
    if len(value) != size:
        return None
    names = {str(label).lower(): label for label in like.cells}
    texts = [str(_plain(item)).strip().lower() for item in value]
    if (
        str(BLANK) not in texts
        and len(others := [text for text in texts if text not in names]) == 1
    ):
        # The blank is written in another way: "", "_", "e", None, or as the last number.
        names[others[0]] = BLANK
    if not all(text in names for text in texts):
        return None
    cells = [names[text] for text in texts]
    return Board.trusted(like.grid, tuple(cells)) if like.labels == _counts(cells) else None


def _plain(value: Any) -> Any:
    """Return the lists and numbers of an array; any other value as it is."""
    return value.tolist() if hasattr(value, "tolist") else value


def _counts(cells: Sequence[Label]) -> dict[Label, int]:
    return {label: cells.count(label) for label in cells}


def _without_cost(answer: Any) -> Any:
    """Return the solution of `(solution, cost)` or a dictionary, and other answers as they are."""
    if isinstance(answer, dict):
        answer = tuple(answer.values())
    if isinstance(answer, tuple):
        rest = [part for part in answer if not isinstance(part, Number | Set | dict | None)]
        is_solution = len(rest) == 1 and not isinstance(rest[0], Direction | Enum | Move)
        if is_solution and len(answer) > 1:
            return rest[0]
    return answer


def _replayed(answer: Any, start: Board, puzzle: Puzzle) -> list[Board]:
    if hasattr(answer, "parent") and (hasattr(answer, "state") or isinstance(answer, Board)):
        answer = _ancestry(answer)
    elif isinstance(answer, Board) or not isinstance(answer, Iterable):
        raise IllegalMoveError(f"expected {_FORMS}, found {safe_repr(answer)}")
    if not isinstance(answer, str):
        answer = list(_plain(answer))
        # Libraries give the start the move None.
        if answer and (answer[0] is None or (isinstance(answer[0], str) and not answer[0])):
            del answer[0]
    if read_position(answer, start) is not None:
        raise IllegalMoveError(
            f"expected {_FORMS}, found a single position: return the moves to it, or keep the "
            f"parent of each position and return the whole path"
        )
    if answer and not isinstance(answer, str):
        boards = [_position_in(item, start) for item in answer]
        if all(board is not None for board in boards):
            return _path_of_boards([board for board in boards if board], start, puzzle)
    return _path_of_moves(answer, start, puzzle)


def _ancestry(node: Any) -> list[Any]:
    """Return a node and its parents, the start first."""
    path: list[Any] = []
    while node is not None:
        path.append(node)
        node = node.parent
        if len(path) > _MOST_PARENTS:
            raise IllegalMoveError(f"the last node has more than {_MOST_PARENTS:,} parents")
    return path[::-1]


def _position_in(item: Any, like: Board) -> Board | None:
    """Return the position of a step: the step itself, or a part, as in `(action, state)`."""
    board = read_position(item, like)
    if board is None and isinstance(item, tuple):
        return next(filter(None, (read_position(part, like) for part in item)), None)
    return board


def _path_of_boards(boards: list[Board], start: Board, puzzle: Puzzle) -> list[Board]:
    if boards[0] == start:
        del boards[0]
    elif boards[-1] == start and puzzle.is_goal(boards[0]):
        raise IllegalMoveError("its positions lead from the goal to the start: reverse the list")
    path = [start]
    for number, board in enumerate(boards, 1):
        # A position that the user built, or a slide of two tiles, may be further away.
        # Boards of the search itself would count the calls below.
        known = (after for _, after in puzzle.successors(path[-1]) if after == board)
        if (after := next(known, None)) is None:
            raise IllegalMoveError(
                f"move {number} leads to a board that is not one move away from\n{path[-1]}"
            )
        path.append(after)
    if fault := _unsolved(path, puzzle):
        raise IllegalMoveError(fault)
    return path


def _path_of_moves(answer: Any, start: Board, puzzle: Puzzle) -> list[Board]:
    """Return the path of moves of the tile, or of the blank if only those solve the board."""
    if not isinstance(answer, str) and all(isinstance(item, str) for item in answer):
        answer = [_named_in(item) for item in answer]
    if isinstance(answer, str) or all(isinstance(item, str) for item in answer):
        text = answer if isinstance(answer, str) else " ".join(answer)
        is_single = puzzle.metric is Metric.SINGLE
        slides = ([(way, 1)] * n if is_single else [(way, n)] for way, n in read_moves(text))
        moves: list[Any] = list(chain(*slides))
    else:
        moves = [_move_of(item) for item in answer]
    path, fault = _replay(moves, start, puzzle)
    if fault and all(isinstance(move, tuple) for move in moves):
        by_blank = [(way.opposite, tiles) for way, tiles in moves]
        other_path, other_fault = _replay(by_blank, start, puzzle)
        if not other_fault:
            return other_path
        if len(other_path) > len(path):
            fault = f"as moves of the blank, {other_fault}"
    if fault:
        raise IllegalMoveError(fault)
    return path


def _named_in(action: Any) -> Any:
    """Return the direction, or else the tile, of an action such as `Move 0 up` or `tile 5`."""
    words = re.findall(r"[a-z]+", action.lower())
    directions = [word for word in words if word in _DIRECTIONS]
    if len(words) > 1 and len(directions) == 1:
        return directions[0]
    numbers = re.findall(r"[0-9]+", action)
    return int(numbers[0]) if len(numbers) == 1 and not directions else action


def _move_of(item: Any) -> Any:
    """Return a slide as a direction and a number of tiles; any other move as it is.

    Directions may be members of an enum, and steps such as (-1, 0).
    """
    if isinstance(item, Direction):
        return item, 1
    if isinstance(item, Enum):
        return Direction.named(item.name), 1
    if isinstance(item, tuple) and item in _BY_STEP:
        return _BY_STEP[item], 1
    return item


_DIRECTIONS = {str(direction) for direction in Direction}
_BY_STEP: dict[object, Direction] = {direction.value: direction for direction in Direction}


def _replay(moves: Iterable[Any], start: Board, puzzle: Puzzle) -> tuple[list[Board], str]:
    """Return the boards up to the first fault, and the fault; empty for none."""
    path = [start]
    for number, move in enumerate(moves, 1):
        is_slide = isinstance(move, tuple) and len(move) == 2 and isinstance(move[0], Direction)
        try:
            after = path[-1].slide(*move) if is_slide else path[-1].apply(move)
        except IllegalMoveError as error:
            return path, f"move {number}: {error}"
        if all(board != after for _, board in puzzle.successors(path[-1])):
            return path, f"move {number}, '{move}', is not one move away from\n{path[-1]}"
        path.append(after)
    return path, _unsolved(path, puzzle)


def _unsolved(path: list[Board], puzzle: Puzzle) -> str:
    if puzzle.is_goal(path[-1]):
        return ""
    return f"after {counted(len(path) - 1, 'move')} the board is not solved:\n{path[-1]}"

"""Move strings such as `URDL2`: where each **tile** goes, a number for several.

    single metric     L2  is  L L: two moves of one tile each
    multi metric      L2  is one slide of two tiles, LL two slides of one

So a run is written with its number in the single metric, and every slide by itself in the multi
metric; either way the string reads back to the same moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from taquin.errors import IllegalMoveError, NotationError
from taquin.model.board import Board
from taquin.model.moves import Direction, Metric, Move
from taquin.notation.forms import place_of
from taquin.system.words import shorten

_STEP = r"(up|down|left|right|[udlr])([0-9]*)|([^\s,]+)"

_DIGITS = 6

MAX_COUNT = 10**_DIGITS - 1
"""The largest number behind a letter; no line of a board is longer."""


def read_moves(text: str) -> tuple[tuple[Direction, int], ...]:
    """Return each direction of a move string with its number; blanks and commas may stand between.

    A direction is a letter or a word, in either case.

    Raise NotationError that points at the fault. A blank text is no moves.

    >>> [(str(direction), count) for direction, count in read_moves("U right, L2")]
    [('up', 1), ('right', 1), ('left', 2)]
    """
    found = []
    for step in re.finditer(_STEP, text, re.IGNORECASE):
        letter, digits, other = step.groups()
        if other is not None:
            raise NotationError(
                f"expected moves: U, D, L or R, each with a number if it repeats, "
                f"found {shorten(other)}",
                *place_of(text, step.start()),
            )
        count = 1 if not digits else int(digits) if len(digits) <= _DIGITS else 0
        if not count:
            raise NotationError(
                f"expected a number from 1 to {MAX_COUNT}, found {shorten(digits)}",
                *place_of(text, step.start(2)),
            )
        found.append((Direction.named(letter), count))
    return tuple(found)


def moves_on(board: Board, text: str, metric: Metric = Metric.SINGLE) -> tuple[Move, ...]:
    """Return the moves of a move string, made one after the other from `board`.

    Raise NotationError for a string that cannot be read, IllegalMoveError for a move that is not
    legal where it stands.

    >>> [str(move) for move in moves_on(Board.parse("1 2 0 / 3 4 5"), "R2U")]
    ['2 right', '1 right', '3 up']
    """
    found = []
    for number, (direction, count) in enumerate(read_moves(text), 1):
        slides = [1] * count if metric is Metric.SINGLE else [count]
        for slide in slides:
            ray = board.grid.ray(board.blank, direction.opposite)[:slide]
            try:
                after = board.slide(direction, slide)
            except IllegalMoveError as error:
                written = _step(direction, count)
                raise IllegalMoveError(f"move {number}, {written}: {error}") from None
            found.append(Move(tuple(board.cells[cell] for cell in ray), direction))
            board = after
    return tuple(found)


def write_moves(
    moves: Iterable[Move] | None, metric: Metric = Metric.SINGLE, *, blank: bool = False
) -> str:
    """Return the move string of `moves`, which `moves_on` reads back from the same board.

    With `blank`, directions are where the blank goes, not where the tile goes.

    Raise IllegalMoveError for None, and for a slide of several tiles in the single metric.

    >>> write_moves([Move((2,), Direction.RIGHT), Move((1,), Direction.RIGHT)])
    'R2'
    """
    if moves is None:
        raise IllegalMoveError("expected moves, found None: a result without a solution has none")
    if metric is Metric.MULTI:
        return "".join(_step(_goes(move, blank), len(move.tiles)) for move in moves)
    directions = []
    for move in moves:
        if len(move.tiles) != 1:
            raise IllegalMoveError(
                f"'{move}' slides {len(move.tiles)} tiles: not one move of the single metric"
            )
        directions.append(_goes(move, blank))
    return "".join(_step(direction, len(list(run))) for direction, run in groupby(directions))


def _goes(move: Move, blank: bool) -> Direction:
    return move.direction.opposite if blank else move.direction


def _step(direction: Direction, count: int) -> str:
    return f"{direction.letter}{count if count > 1 else ''}"

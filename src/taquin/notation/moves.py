"""Move strings such as `URDL2`: where each **tile** goes, a number for several.

    single metric     L2  is  L L: two moves of one tile each
    multi metric      L2  is one slide of two tiles, LL two slides of one

So in the single metric a run is written with its length, and in the multi metric every slide is
written separately. Both strings parse back to the same moves.
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
_ARROWS = str.maketrans("↑↓←→￪￬￩￫^v<>", "UDLR" * 3)
"""Arrows, also the narrow ones of cstimer, and their ASCII substitutes."""
_DIGITS = 6
MAX_COUNT = 10**_DIGITS - 1
"""The largest number after a letter; no line of a board is longer."""


def read_moves(text: str) -> tuple[tuple[Direction, int], ...]:
    """Parse a move string: letters, names or arrows of directions, each with its count.

    Spaces and commas may separate them. Raise NotationError that points at the fault.

    >>> [(str(direction), count) for direction, count in read_moves("U right, L2")]
    [('up', 1), ('right', 1), ('left', 2)]
    """
    steps = []
    for step in re.finditer(_STEP, text.translate(_ARROWS), re.IGNORECASE):
        letter, digits, rest = step.groups()
        if rest is not None:
            # Quote the original text, in which v and < are not translated.
            raise NotationError(
                f"expected moves: U, D, L or R, each with a number if it repeats, "
                f"found {shorten(text[step.start() : step.end()])}",
                *place_of(text, step.start()),
            )
        count = 1 if not digits else int(digits) if len(digits) <= _DIGITS else 0
        if not count:
            raise NotationError(
                f"expected a number from 1 to {MAX_COUNT}, found {shorten(digits)}",
                *place_of(text, step.start(2)),
            )
        steps.append((Direction.named(letter), count))
    return tuple(steps)


def moves_on(board: Board, text: str, metric: Metric = Metric.SINGLE) -> tuple[Move, ...]:
    """Return the moves of a move string, applied one after the other from `board`.

    Raise NotationError for an invalid string, IllegalMoveError for an illegal move.

    >>> [str(move) for move in moves_on(Board.parse("1 2 0 / 3 4 5"), "R2U")]
    ['2 right', '1 right', '3 up']
    """
    moves = []
    for number, (direction, count) in enumerate(read_moves(text), 1):
        for slide in [1] * count if metric is Metric.SINGLE else [count]:
            ray = board.grid.ray(board.blank, direction.opposite, slide)
            moves.append(Move(tuple(board.cells[cell] for cell in ray), direction))
            try:
                board = board.slide(direction, slide)
            except IllegalMoveError as error:
                step = step_text(direction, count)
                raise IllegalMoveError(f"move {number}, {step}: {error}") from None
    return tuple(moves)


def write_moves(
    moves: Iterable[Move] | None, metric: Metric = Metric.SINGLE, *, blank: bool = False
) -> str:
    """Return the move string of `moves`, which `moves_on` parses back from the same board.

    With `blank`, directions are where the blank goes. Raise IllegalMoveError for None, and for a
    slide of several tiles in the single metric.

    >>> write_moves([Move((2,), Direction.RIGHT), Move((1,), Direction.RIGHT)])
    'R2'
    """
    if moves is None:
        raise IllegalMoveError("expected moves, found None: a result without a solution has none")
    steps = []
    for move in moves:
        if metric is Metric.SINGLE and len(move.tiles) != 1:
            raise IllegalMoveError(
                f"'{move}' slides {len(move.tiles)} tiles: not one move of the single metric"
            )
        steps.append((move.direction.opposite if blank else move.direction, len(move.tiles)))
    if metric is Metric.SINGLE:
        steps = [(way, len(list(run))) for way, run in groupby(way for way, _ in steps)]
    return "".join(step_text(direction, count) for direction, count in steps)


def step_text(direction: Direction, count: int) -> str:
    """Return one step of a move string, such as `L2`."""
    return f"{direction.letter}{count if count > 1 else ''}"

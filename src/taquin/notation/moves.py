"""Sequences of moves as strings such as `URDL2`, and their algebra, which needs no board.

A letter is the direction in which a **tile** goes, a number repeats it:

    single metric     L2  is  L L: two moves of one tile each
    multi metric      L2  is one slide of two tiles, LL two slides of one

So in the single metric a run is written with its length, and in the multi metric every slide is
written separately. Both strings parse back to the same moves.

Without a board, a sequence is a tuple of tile directions, one for each tile that moves one cell:

    inverted     D3L2U3L  →  RD3R2U3       undoes the sequence
    mirrored     D3L2U3L  →  R3U2L3U       the same on the board reflected in its diagonal
    simplified   LRRU     →  RU            moves that cancel each other are removed
    lengths      D3L2U3L  →  9 and 4       in the single and in the multi metric
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from itertools import groupby
from typing import TypeAlias

from taquin.errors import IllegalMoveError, NotationError
from taquin.model.board import Board
from taquin.model.moves import BLANK, DirectedMoves, Direction, Metric, Move
from taquin.notation.forms import place_of
from taquin.reasons import reason
from taquin.system.formatting import shorten

_STEP = r"(up|down|left|right|[udlr])([0-9]*)|([^\s,]+)"
_ARROWS = str.maketrans("↑↓←→￪￬￩￫^v<>", "UDLR" * 3)
"""Arrows, also the narrow ones of cstimer, and their ASCII substitutes."""
_DIGITS = 7
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
                reason("not-moves", found=shorten(text[step.start() : step.end()])),
                *place_of(text, step.start()),
            )
        count = 1 if not digits else int(digits) if len(digits) <= _DIGITS else 0
        if not count:
            raise NotationError(
                reason("move-count", most=MAX_COUNT, found=shorten(digits)),
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
    # A board of its own for each of a million moves would take minutes.
    grid, cells, blank = board.grid, list(board.cells), board.blank
    for number, (direction, count) in enumerate(read_moves(text), 1):
        for slide in [1] * count if metric is Metric.SINGLE else [count]:
            ray = grid.ray(blank, direction.opposite, slide)
            if len(ray) < slide:
                try:
                    Board(grid, tuple(cells)).slide(direction, slide)
                except IllegalMoveError as error:
                    step = f"{number}, {step_text(direction, count)}"
                    raise IllegalMoveError(
                        reason("move-at", number=step, detail=error.reason)
                    ) from None
            moves.append(Move(tuple([cells[cell] for cell in ray]), direction))
            for cell in ray:
                cells[blank] = cells[cell]
                blank = cell
            cells[blank] = BLANK
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
    if metric is Metric.SINGLE and isinstance(moves, DirectedMoves):
        letters = moves.directions.translate(_BLANK_LETTERS if blank else _TILE_LETTERS)
        return _RUN.sub(lambda run: f"{run[1]}{len(run[0])}", letters.decode())
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


_RUN = re.compile(r"(.)\1+")
_TILE_LETTERS, _BLANK_LETTERS = (
    bytes.maketrans(bytes(range(4)), letters) for letters in (b"DRLU", b"ULRD")
)
"""The letters of the directions of a `DirectedMoves`."""


def step_text(direction: Direction, count: int) -> str:
    """Return one step of a move string, such as `L2`."""
    return f"{direction.letter}{count if count > 1 else ''}"


Directions: TypeAlias = tuple[Direction, ...]
"""Where each tile goes, one cell at a time."""
MOST_MOVES = MAX_COUNT
"""The longest sequence: even if all its moves are one run, its count can be parsed."""


class Mirror(Enum):
    """A reflection of the board."""

    DIAGONAL = "diagonal"
    """Rows become columns. The solved board with the blank last becomes itself, renumbered."""
    LEFT_RIGHT = "left-right"
    UP_DOWN = "up-down"

    def of(self, direction: Direction) -> Direction:
        """Return the reflected direction."""
        rows, columns = direction.value
        if self is Mirror.DIAGONAL:
            return Direction((columns, rows))
        return Direction((rows, -columns) if self is Mirror.LEFT_RIGHT else (-rows, columns))


class Style(Enum):
    """How a sequence is written."""

    SHORT = "short"
    """`D3L2U3L`: as taquin, slidysim and slidy write solutions."""
    LONG = "long"
    """`DDDLLUUUL`: a letter for each tile."""
    CSTIMER = "cstimer"
    """`D3 L2 U3 L`: as cstimer writes scrambles of the 8- and 15-puzzle, in its URLD types."""
    CSTIMER_ARROWS = "cstimer-arrows"
    """`￬3 ￩2 ￪3 ￩`: cstimer's types with arrows."""
    CSTIMER_BLANK = "cstimer-blank"
    """`U3 R2 D3 R`: cstimer's Blank types, whose letters say where the blank goes."""
    ARROWS = "arrows"
    """`↓↓↓←←↑↑↑←`: an arrow for each tile."""
    WORDS = "words"
    """`down down down left left up up up left`."""


_ARROW_OF = dict(zip(Direction, "↑↓←→", strict=True))
_NARROW = str.maketrans("UDLR", "￪￬￩￫")


def read_sequence(text: str) -> Directions:
    """Parse a sequence in any style but CSTIMER_BLANK, which looks like CSTIMER.

    Raise NotationError.
    """
    steps = read_moves(text)
    length = sum(count for _, count in steps)
    if length > MOST_MOVES:
        raise NotationError(f"expected at most {MOST_MOVES:,} moves, found {length:,}")
    return tuple(direction for direction, count in steps for _ in range(count))


def write_sequence(moves: Iterable[Direction], style: Style = Style.SHORT) -> str:
    """Return the text of a sequence.

    >>> write_sequence(read_sequence("DDDLLUUUL"), Style.CSTIMER)
    'D3 L2 U3 L'
    """
    if style is Style.WORDS:
        return " ".join(map(str, moves))
    if style is Style.ARROWS:
        return "".join(_ARROW_OF[direction] for direction in moves)
    if style is Style.LONG:
        return "".join(direction.letter for direction in moves)
    if style is Style.CSTIMER_BLANK:
        moves = (direction.opposite for direction in moves)
    runs = (step_text(direction, len(list(run))) for direction, run in groupby(moves))
    text = ("" if style is Style.SHORT else " ").join(runs)
    return text.translate(_NARROW) if style is Style.CSTIMER_ARROWS else text


def inverted(moves: Directions) -> Directions:
    """Return the sequence that undoes `moves`."""
    return tuple(direction.opposite for direction in reversed(moves))


def simplified(moves: Iterable[Direction]) -> Directions:
    """Return the sequence without adjacent moves that cancel each other.

    >>> write_sequence(simplified(read_sequence("ULRDR")))
    'R'
    """
    kept: list[Direction] = []
    for direction in moves:
        if kept and kept[-1] is direction.opposite:
            kept.pop()
        else:
            kept.append(direction)
    return tuple(kept)


def slides_in(moves: Iterable[Direction]) -> int:
    """Return the length in the multi metric: consecutive moves in one direction are one slide.

    >>> slides_in(read_sequence("DDDLLUUUL"))
    4
    """
    return sum(1 for _ in groupby(moves))

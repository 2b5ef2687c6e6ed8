"""Move sequences as values: the algebra of texts such as `D3L2U3L`, without a board.

    inverted     D3L2U3L  →  RD3R2U3       undoes the sequence
    mirrored     D3L2U3L  →  R3U2L3U       the same on the board reflected in its diagonal
    simplified   LRRU     →  RU            moves that cancel each other are removed
    lengths      D3L2U3L  →  9 and 4       in the single and in the multi metric

A sequence is a tuple of tile directions, one for each tile that moves one cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from itertools import groupby
from typing import TypeAlias

from taquin.errors import NotationError
from taquin.model.moves import Direction
from taquin.notation.moves import MAX_COUNT, read_moves, step_text

Sequence: TypeAlias = tuple[Direction, ...]
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
    """`D3 L2 U3 L`: as cstimer writes scrambles of the 8- and 15-puzzle."""
    ARROWS = "arrows"
    """`↓↓↓←←↑↑↑←`: an arrow for each tile."""
    WORDS = "words"
    """`down down down left left up up up left`."""


_ARROWS = dict(zip(Direction, "↑↓←→", strict=True))


def read_sequence(text: str) -> Sequence:
    """Parse a sequence in any style; raise NotationError."""
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
        return "".join(_ARROWS[direction] for direction in moves)
    if style is Style.LONG:
        return "".join(direction.letter for direction in moves)
    runs = (step_text(direction, len(list(run))) for direction, run in groupby(moves))
    return (" " if style is Style.CSTIMER else "").join(runs)


def inverted(moves: Sequence) -> Sequence:
    """Return the sequence that undoes `moves`."""
    return tuple(direction.opposite for direction in reversed(moves))


def simplified(moves: Iterable[Direction]) -> Sequence:
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

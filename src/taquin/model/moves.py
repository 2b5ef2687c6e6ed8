"""Directions, moves and metrics.

    1 2 3        the tile 6 slides UP into the blank,      1 2 3
    4 5 _   or: the blank goes DOWN                  ->    4 5 6
    7 8 6                                                  7 8 _

A `Direction` is the direction of the **tile**. Only the `repl` command uses the direction of the
blank, as the document that it follows does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from taquin.errors import IllegalMoveError, UnsuitableError
from taquin.reasons import reason
from taquin.system.formatting import shorten

Label = int | str
"""The content of a cell: a number, a name, or one of the four labels below."""
BLANK: Label = 0
"""The blank; the agent of a grid world."""
FILLER: Label = "."
"""An interchangeable tile; a board may contain any number of them."""
WALL: Label = "#"
"""A cell that no tile and no blank can enter."""
ANY: Label = "*"
"""In a goal only: the cell may hold any label."""


def label_order(label: Label) -> tuple[int, int, str]:
    """Return the key that sorts numbers before names, each in their order."""
    return (0, label, "") if isinstance(label, int) else (1, 0, label)


class Direction(Enum):
    """The direction in which a tile goes."""

    UP = (-1, 0)
    DOWN = (1, 0)
    LEFT = (0, -1)
    RIGHT = (0, 1)

    # `Enum.__hash__` is a Python function: too slow for millions of moves.
    __hash__ = object.__hash__

    @property
    def opposite(self) -> Direction:
        """The direction that undoes a move; also where the blank goes."""
        rows, columns = self.value
        return Direction((-rows, -columns))

    @property
    def letter(self) -> str:
        """The initial used in move strings such as `URDL2`."""
        return self.name[0]

    @classmethod
    def of_letter(cls, letter: str) -> Direction:
        """Return the direction written `letter`, either case; raise KeyError for any other."""
        return _BY_LETTER[letter.upper()]

    @classmethod
    def named(cls, value: object) -> Direction:
        """Convert a direction, a name or a letter; raise IllegalMoveError for other values."""
        if isinstance(value, cls):
            return value
        name = str(value).lower()
        for direction in cls:
            if name in (str(direction), direction.letter.lower()):
                return direction
        raise IllegalMoveError(
            reason(
                "unexpected",
                expected=reason("a-direction", names=", ".join(map(str, cls))),
                found=shorten(str(value)),
            )
        )

    def __str__(self) -> str:
        return _WORDS[self.letter]

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


_WORDS = {
    "U": reason("way-up"),
    "D": reason("way-down"),
    "L": reason("way-left"),
    "R": reason("way-right"),
}
_BY_LETTER = {direction.letter: direction for direction in Direction}

KORF_ORDER = (Direction.DOWN, Direction.RIGHT, Direction.LEFT, Direction.UP)
"""Blank up, left, right, down: the order that reproduces the node counts of Korf (1985)."""


class Metric(Enum):
    """What counts as one move."""

    SINGLE = "single"
    """Each tile that slides one cell counts as a move."""
    MULTI = "multi"
    """A slide of several tiles in a line counts as one move."""

    @classmethod
    def named(cls, value: object) -> Metric:
        """Convert a metric or its name; raise UnsuitableError for other values."""
        try:
            return cls(value.lower() if isinstance(value, str) else value)
        except ValueError:
            names = " or ".join(f"'{metric}'" for metric in cls)
            found = shorten(str(value))
            raise UnsuitableError(f"expected the metric {names}, found {found}") from None

    @property
    def longest(self) -> int | None:
        """The maximum number of tiles in one move; None for no limit."""
        return 1 if self is Metric.SINGLE else None

    def __str__(self) -> str:
        return self.value

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"


@dataclass(frozen=True, slots=True, repr=False)
class Move:
    """One move of a metric: the tiles that slide, and their direction."""

    tiles: tuple[Label, ...]
    """The tiles that slide one cell each, the one next to the blank first."""
    direction: Direction
    """The direction of the tiles; the blank moves `len(tiles)` cells the opposite way."""

    @property
    def tile(self) -> Label:
        """The tile that a finger would push: the one farthest from the blank."""
        return self.tiles[-1]

    def __repr__(self) -> str:
        return f"Move({self.tiles!r}, {self.direction!r})"

    def __str__(self) -> str:
        return f"{' '.join(str(tile) for tile in self.tiles)} {self.direction}"


class DirectedMoves(tuple[Move, ...]):
    """Moves of single tiles, with the directions of the blank.

    A solution of a large board has millions of moves: they are written from these directions.
    """

    directions: bytes
    """The direction of the blank in each move: 0 up, 1 left, 2 right, 3 down."""

    def __new__(cls, moves: Iterable[Move], directions: bytes) -> DirectedMoves:
        """Return the moves with their directions, one for each."""
        directed = super().__new__(cls, moves)
        directed.directions = directions
        return directed

    def __reduce__(self) -> tuple[object, ...]:
        return DirectedMoves, (tuple(self), self.directions)

"""The puzzle of lines behind walking distance, and the table of its costs.

    4 2 3      keep of each tile only the line it lies in and its class: the line it belongs to
    5 1 _
               row 1 holds   2 of row 1, 1 of row 2       a move takes any one tile of the next
               row 2 holds   1 of row 1, 1 of row 2       line into the line of the blank

A position is one number, with `bits` bits for each count of

    line 0: class 0, class 1, …   line 1: class 0, …      tiles of the class that lie in the line

so that each tile adds a term of its own; the line that is one tile short holds the blank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import sub

MAX_POSITIONS = 400_000
"""Most positions a table may have; one of that size takes a few seconds to make."""

_MAX_COUNTS = 100
"""Most counts in a position; a puzzle with more of them is taken to have too many positions."""

Counts = tuple[int, ...]
"""A number of tiles for each class."""


@dataclass(frozen=True, slots=True)
class LinePuzzle:
    """A puzzle of rows, or of columns. Hashable, so that its table is made once."""

    sizes: tuple[int, ...]
    """Open cells of each line."""
    ways: tuple[bool, ...]
    """For each line but the last, whether the blank can pass between it and the next."""
    wanted: tuple[Counts, ...]
    """For each line, the tiles of each class that the goal wants there."""
    spare: Counts
    """The tiles of each class that may end on any cell for which the goal names none."""
    blank: int | None
    """The line the goal wants the blank in; None when any will do."""

    @property
    def bits(self) -> int:
        """Return the width of one count."""
        return max(self.sizes).bit_length()

    @property
    def width(self) -> int:
        """Return the width of a position in bits."""
        return self.bits * len(self.sizes) * len(self.spare)

    def shift(self, line: int, kind: int) -> int:
        """Return where in a position the count of class `kind` in `line` begins."""
        return self.bits * (line * len(self.spare) + kind)

    def position(self, counts: Sequence[Counts]) -> int:
        """Return the position with the given counts in each line."""
        return sum(
            count << self.shift(line, kind)
            for line, in_line in enumerate(counts)
            for kind, count in enumerate(in_line)
        )

    def goals(self) -> Iterator[tuple[int, int]]:
        """Yield every solved position with the line of its blank."""
        room = [size - sum(counts) for size, counts in zip(self.sizes, self.wanted, strict=True)]
        fixed = self.position(self.wanted)
        for blank in range(len(room)) if self.blank is None else (self.blank,):
            if room[blank]:
                left = [cells - (line == blank) for line, cells in enumerate(room)]
                for filling in _fillings(left, self.spare):
                    yield fixed + self.position(filling), blank

    def is_small(self) -> bool:
        """Tell whether there are at most `MAX_POSITIONS` positions, without listing them."""
        tiles = tuple(map(sum, zip(*self.wanted, self.spare, strict=True)))
        if len(self.sizes) * len(tiles) > _MAX_COUNTS:
            return False
        total = 0
        for blank in [line for line, size in enumerate(self.sizes) if size]:
            # The tiles that the first lines leave over, with the number of ways they do.
            beginnings = Counter({tiles: 1})
            for line, size in enumerate(self.sizes):
                room = size - (line == blank)
                number = 0
                for rest, ways in beginnings.items():
                    number += ways * _how_many(rest, room)
                    # Every beginning can be completed, so there are no fewer positions.
                    if total + number > MAX_POSITIONS:
                        return False
                longer: Counter[Counts] = Counter()
                for rest, ways in beginnings.items():
                    for taken in _choices(rest, room):
                        longer[_without(rest, taken)] += ways
                beginnings = longer
            total += beginnings.total()
        return True


@lru_cache(maxsize=8)
def costs(puzzle: LinePuzzle) -> dict[int, int] | None:
    """Return the cost of every position that can be solved; None when there are too many."""
    if not puzzle.is_small():
        return None
    moves = [_moves(puzzle, line) for line in range(len(puzzle.sizes))]
    mask = (1 << puzzle.bits) - 1
    found = {}
    frontier = []
    for position, blank in puzzle.goals():
        if position not in found:
            found[position] = 0
            frontier.append((position, blank))
    cost = 0
    while frontier:
        cost += 1
        reached = []
        for position, blank in frontier:
            for shift, change, line in moves[blank]:
                if position >> shift & mask:
                    other = position + change
                    if other not in found:
                        found[other] = cost
                        reached.append((other, line))
        frontier = reached
    return found


def _moves(puzzle: LinePuzzle, blank: int) -> list[tuple[int, int, int]]:
    """Return the moves of a blank in line `blank`.

    For each: where the count of the tile's class begins, what the move adds to the position, and
    the line the blank goes to.
    """
    return [
        (
            puzzle.shift(line, kind),
            (1 << puzzle.shift(blank, kind)) - (1 << puzzle.shift(line, kind)),
            line,
        )
        for line in (blank - 1, blank + 1)
        if 0 <= line < len(puzzle.sizes) and puzzle.ways[min(line, blank)]
        for kind in range(len(puzzle.spare))
    ]


def _choices(tiles: Counts, room: int) -> list[Counts]:
    """Return the ways to take `room` of the tiles."""
    choices: list[tuple[Counts, int]] = [((), room)]
    later = sum(tiles)
    for count in tiles:
        later -= count
        choices = [
            ((*taken, number), left - number)
            for taken, left in choices
            for number in range(max(0, left - later), min(count, left) + 1)
        ]
    return [taken for taken, left in choices if not left]


def _how_many(tiles: Counts, room: int) -> int:
    """Return the number of `_choices`, without listing them."""
    ways = [1] + [0] * room
    for count in tiles:
        ways = [sum(ways[max(0, taken - count) : taken + 1]) for taken in range(room + 1)]
    return ways[room]


def _without(tiles: Counts, taken: Counts) -> Counts:
    return tuple(map(sub, tiles, taken))


def _fillings(room: Sequence[int], tiles: Counts) -> Iterator[tuple[Counts, ...]]:
    """Yield every way to lay `tiles` out on lines with `room` cells, none left empty."""
    if not room:
        yield ()
        return
    for taken in _choices(tiles, room[0]):
        for filling in _fillings(room[1:], _without(tiles, taken)):
            yield (taken, *filling)

"""Explore any small puzzle: walls, repeated labels, partial goals, both metrics.

`taquin.engine.explore` takes classic grids of up to 12 cells; this takes anything whose boards fit
into memory, level by level: few boards through the model, which needs no loading, many by compiled
code, about four times as fast.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import dataclass

from taquin.engine.base import kernels_fit
from taquin.errors import UnsuitableError
from taquin.model.board import Board, BoardLike
from taquin.model.goal import Goal
from taquin.model.moves import BLANK
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space, arrangements, fewest_boards, levels_from_goal
from taquin.search.control import Ended
from taquin.system.interrupts import DeferredInterrupts, raise_if_interrupted
from taquin.system.machine import memory_left
from taquin.system.words import rounded
from taquin.tables.shape import Cells, Shape

MOST_BOARDS = 5_000_000
"""Boards a survey holds at most: about a gigabyte."""
_WORTH_LOADING = 200_000
"""Boards from which on compiled code is faster, the time to load it included."""
_LARGE = 30
"""Tiles that certainly have more arrangements than that; counting them would take long."""
_MOST_NUMBERED = 2**31 - 1
"""Boards that compiled code can number."""
_BYTES_A_BOARD = {True: 40, False: 240}
"""Memory of a board of up to 64 bits, compiled or not, while the arrays grow."""
_BYTES_A_WORD = 24
"""Memory of each further 64 bits."""


@dataclass(frozen=True, slots=True)
class Survey:
    """The boards around a goal."""

    histogram: tuple[int, ...]
    """The number of boards at each distance from the goal."""
    farthest: tuple[Board, ...]
    """Boards at the greatest distance, as many as were asked for."""
    is_complete: bool = True
    """Whether these are all boards: not when the search was ended early."""
    is_out_of_memory: bool = False
    """Whether the search was ended because no more boards could be kept."""

    @property
    def radius(self) -> int:
        """The greatest distance."""
        return len(self.histogram) - 1

    @property
    def boards(self) -> int:
        """The number of boards that reach the goal."""
        return sum(self.histogram)


def narrow(shape: Shape) -> tuple[Shape, Cells]:
    """Return a shape turned so that it is not wide, and the image of each cell.

    Fewer columns make a move up or down pass fewer tiles.
    """
    return shape.symmetries[4 if shape.columns > shape.rows else 0]


def turned_back(goal: Goal, image: Cells, boards: Iterable[Cells]) -> tuple[Board, ...]:
    """Return boards of a space that `narrow` turned with the labels of the goal, sorted.

    Their tiles are numbered along the turned goal, as by `taquin.tables.distances`.
    """
    blank = image[goal.cells.index(BLANK)]
    back = [image.index(cell) for cell in range(len(image))]
    homes = [0] + [back[cell] + 1 for cell in range(len(image)) if cell != blank]
    labels = (BLANK, *goal.cells)
    rising = sorted(tuple(homes[board[cell]] for cell in image) for board in boards)
    return tuple(Board(goal.grid, tuple(labels[home] for home in board)) for board in rising)


def survey(
    puzzle: Puzzle,
    start: BoardLike,
    *,
    most: int | None = MOST_BOARDS,
    memory: int | None = None,
    most_farthest: int = 100,
    progress: Callable[[int, int], None] | None = None,
    tick: Callable[[], None] = lambda: None,
) -> Survey:
    """Search breadth-first from every solved board to all boards with the tiles of `start`.

    `progress` is called after each level with the distance and the boards seen so far, `tick` every
    few milliseconds. When either raises `Ended`, or at Ctrl-C, the levels so far are returned.
    Raise UnsuitableError when there are too many solved boards, or more than `most` boards, at once
    where that is known. When `most` is None, the search ends when the boards fill `memory` bytes.
    """
    histogram: list[int] = []
    level: Sized = ()
    with DeferredInterrupts():
        start = Board.of(start)
        if most is not None and (fewest := fewest_boards(puzzle, start)) > most:
            raise UnsuitableError(
                f"{puzzle.grid} has at least {rounded(fewest)} boards with these tiles, more than "
                f"the limit of {most:,}; explore a smaller grid, raise this limit, or limit the "
                f"seconds instead"
            )
        try:
            space = Space(puzzle, start)
            kept = _most_kept(space, memory_left(memory)) if most is None else most
            for level in _levels(space, kept, tick):
                histogram.append(len(level))
                distance, seen = len(histogram) - 1, sum(histogram)
                if seen > kept:
                    raise MemoryError
                raise_if_interrupted()
                if progress is not None and distance:
                    progress(distance, seen)
            if isinstance(level, list):
                farthest = tuple(space.decode(state) for state in sorted(level)[:most_farthest])
            else:
                farthest = level.first(most_farthest)  # type: ignore[attr-defined]
            raise_if_interrupted()
            return Survey(tuple(histogram), farthest)
        except MemoryError:
            if most is None:
                return Survey(tuple(histogram), (), is_complete=False, is_out_of_memory=True)
            raise UnsuitableError(
                f"more than {most:,} boards lie within {len(histogram)} moves of the goal; "
                f"explore a smaller grid, or raise the limit"
            ) from None
        except (KeyboardInterrupt, Ended):
            return Survey(tuple(histogram), (), is_complete=False)


def _most_kept(space: Space, memory: int) -> int:
    """Return the number of boards that fit into `memory` bytes."""
    bits = space.puzzle.grid.size * max(1, (len(space.labels) - 1).bit_length())
    bytes_a_board = _BYTES_A_BOARD[bool(kernels_fit())] + _BYTES_A_WORD * (bits // 64)
    return min(_MOST_NUMBERED, memory // bytes_a_board)


def _levels(space: Space, most: int, tick: Callable[[], None]) -> Iterator[Sized]:
    """Return the levels, from compiled code if it is installed and worth loading."""
    tiles = Counter(space.start[cell] for cell in space.puzzle.grid.open_cells)
    is_large = tiles.total() > _LARGE or arrangements(tiles) > _WORTH_LOADING
    if is_large and kernels_fit():
        # Importing it takes as long as a small search.
        from taquin.engine.general.breadth import levels

        return levels(space, most, tick)
    return levels_from_goal(space, tick)

"""Explore any small puzzle through the model: walls, repeated labels, partial goals, both metrics.

The compiled walk of `taquin.engine.explore` takes classic grids of up to 12 cells; this one takes
anything whose boards fit into memory, one level of states at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from taquin.errors import UnsuitableError
from taquin.model.board import Board, BoardLike
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space, State, fewest_boards, levels_from_goal
from taquin.notation.values import as_board
from taquin.search.control import Ended
from taquin.system.words import rounded

MOST_BOARDS = 5_000_000
"""Boards a survey holds at most: about a gigabyte."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What lies around a goal."""

    histogram: tuple[int, ...]
    """The number of boards at each distance from the goal."""
    farthest: tuple[Board, ...]
    """Boards at the greatest distance, as many as were asked for."""
    is_complete: bool = True
    """Whether there are no others: not when the walk was ended before."""

    @property
    def radius(self) -> int:
        """Return the greatest distance."""
        return len(self.histogram) - 1

    @property
    def boards(self) -> int:
        """Return the number of boards that reach the goal."""
        return sum(self.histogram)


def survey(
    puzzle: Puzzle,
    start: BoardLike,
    *,
    most: int = MOST_BOARDS,
    most_farthest: int = 100,
    progress: Callable[[int, int], None] | None = None,
) -> Survey:
    """Walk breadth-first from every solved board to all boards with the tiles of `start`.

    `progress` is told after each level: distance, boards seen so far. When it raises `Ended`, or at
    Ctrl-C, the levels so far are returned. Raise UnsuitableError when there are more than `most`
    boards, at once where that can be told, or too many solved ones.
    """
    start = as_board(start)
    fewest = fewest_boards(puzzle, start)
    if fewest > most:
        raise UnsuitableError(
            f"{puzzle.grid} has at least {rounded(fewest)} boards with these tiles, more than the "
            f"limit of {most:,}; explore a smaller grid, or raise the limit"
        )
    space = Space(puzzle, start)
    histogram: list[int] = []
    level: list[State] = []
    try:
        for level in levels_from_goal(space):
            histogram.append(len(level))
            distance, seen = len(histogram) - 1, sum(histogram)
            if seen > most:
                raise UnsuitableError(
                    f"more than {most:,} boards lie within {distance} moves of the goal; "
                    f"explore a smaller grid, or raise the limit"
                )
            if progress is not None and distance:
                progress(distance, seen)
    except (KeyboardInterrupt, Ended):
        return Survey(tuple(histogram), (), is_complete=False)
    farthest = sorted(level)[:most_farthest]
    return Survey(tuple(histogram), tuple(space.decode(state) for state in farthest))

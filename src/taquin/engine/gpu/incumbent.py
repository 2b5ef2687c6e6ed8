"""A solution before its proof: what a beam finds while the bounds of an optimal search rise.

A beam of a tenth of a second holds a shortest solution of most 24-puzzles. Such a solution, the
*incumbent*, is proven to be a shortest one as soon as the bound two moves below it is searched to
its end. Then nothing of the bound after that need be searched, the last and largest, nor anything
ahead of it.

The beam is the wider, the more nodes the next bound will have: it takes a few hundredths of the
time of that.
"""

from __future__ import annotations

from collections.abc import Callable

from taquin.engine.anytime.arrays import Moves, PuzzleArrays, blank_of, reversed_moves, turned_round
from taquin.engine.gpu.beam import CardBeam, bytes_for, settings_of
from taquin.engine.gpu.card import Card
from taquin.tables.shape import Cells

_NODES_FOR_A_BOARD = 60_000
"""Nodes of the next bound for each board that the beams keep."""
_LEAST_WIDTH, _MOST_WIDTH = 1 << 16, 1 << 23
"""Boards of the narrowest beam that is worth its time, and of the widest."""
_WALKS = ((False, 1.5), (True, 1.0))
"""The beams, one after the other, until one finds the best possible: whether each goes backward,
and its emphasis. Of sixteen hard 24-puzzles a million boards hold a shortest solution of eleven,
four million of thirteen; further beams found no more."""
_DETOUR = 20
"""How many moves longer than the next bound a solution may be that is of any use."""
_MEMORY_SHARE = 0.3
"""Share of the card's free memory that a beam may take."""


class Incumbent:
    """The best solution of a board that beams have found so far."""

    def __init__(self, card: Card, puzzle: PuzzleArrays) -> None:
        self._card, self._puzzle = card, puzzle
        self._width = 0
        """Boards of the widest beam so far."""
        self.path: Cells = ()
        """The blank's cells along it; empty before the first."""
        self.generated = 0
        """Boards that the beams have generated so far."""
        card.expect("beam.cu", settings_of(puzzle.rows, puzzle.columns))

    @property
    def moves(self) -> int | None:
        """How many moves it has; None before the first."""
        return len(self.path) - 1 if self.path else None

    def improve(
        self, bound: int, expected: float, keep_going: Callable[[], bool], most: float
    ) -> None:
        """Look for a shorter one by beams, if the next `bound` is worth it.

        `expected` are the nodes that it will have, `most` those that the beams may generate.
        """
        width = min(_MOST_WIDTH, int(expected) // (_NODES_FOR_A_BOARD * len(_WALKS)))
        longest = bound + _DETOUR
        cells = self._puzzle.size
        is_short = bytes_for(width, cells, longest) > _MEMORY_SHARE * self._card.free()
        # A board has three successors at most, but for the start.
        is_limited = most < len(_WALKS) * (3 * width + 1) * longest
        if width < max(_LEAST_WIDTH, 2 * self._width) or is_short or is_limited:
            return
        self._width = width
        beam = CardBeam(self._card, self._puzzle.rows, self._puzzle.columns, width)
        for is_backward, emphasis in _WALKS:
            if self.moves is not None:
                longest = self.moves - 2
            if longest < bound or not keep_going():
                break
            puzzle = turned_round(self._puzzle) if is_backward else self._puzzle
            walk = beam.walk(puzzle, puzzle.start, keep_going, emphasis=emphasis, longest=longest)
            if walk.solved:
                self.path = self._along(reversed_moves(walk.moves) if is_backward else walk.moves)
        self.generated += beam.generated

    def _along(self, moves: Moves) -> Cells:
        """Return the blank's cells along moves from the start."""
        path = [blank_of(self._puzzle.start)]
        for direction in moves:
            path.append(self._puzzle.near[path[-1], direction])
        return tuple(path)

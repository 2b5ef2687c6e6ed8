"""Make a solution shorter by rotations that together change nothing but its moves.

A *rotation* is four moves of the blank round a block of four cells, in which three tiles change
places. But moves that are taken back at once need not be made. So it costs less where the
solution goes along sides of the block anyway, and the rest of the way round takes their place:

    it goes along     →              instead   ↑ → ↓    two moves more
                      → ↓                      ↓ →      as many moves
                      ↑ → ↓                    →        two moves fewer
                      ↑ → ↓ ←                  nothing  four moves fewer

A rotation turns a pair of tiles that are in each other's place into another pair. A chain of
rotations, in the order of time, that turns a pair into others and at last into itself leaves no
tile in another's place. If they cost less than nothing together, the solution gets shorter.

Each attempt takes a rotation at random that costs nothing or less. It follows what its pair may
become after it, and what may become its pair before it, until the two have a pair in common. A
chain that costs nothing is taken too: the solution is as long as before, but another one, in which
other chains are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from taquin.engine.anytime.puzzle_arrays import Moves, Neighbours, PuzzleArrays, Tiles, follow
from taquin.system.arrays import Array, Matrix, array, filled, int8, int16, int32, uint64, zeros
from taquin.system.compiled import Compiled

_PATIENCE = 40
"""Attempts for each move of a solution, without a shorter one, after which it is left as it is."""
_MOST_LABELS, _MOST_IN_CHAIN = 4_096, 64
"""Entries that are followed in one attempt, and rotations of a chain, at most."""
_NO_COST = 100
"""The cost of what is not known, or need not be considered."""


class Rotations(NamedTuple):
    """All rotations that could be inserted into a solution, in the order of time.

    Each has three entries, one for each pair of its tiles: three times its number, plus 0, 1 or 2.
    Round one way it turns the first pair into the second, that into the third, and that into the
    first; round the other way it does the reverse.
    """

    times: Array[int32]
    """The moves before each."""
    blocks: Array[int8]
    """In which of the four blocks around the blank it is: 2 for below, plus 1 for to the right."""
    costs: Matrix[int8]
    """How many moves longer it makes the solution, round the one way and round the other."""
    pairs: Array[int32]
    """For each entry its pair."""
    links: Matrix[int32]
    """For each entry the one before it with the same pair, and the one after it; or -1."""


class Labels(NamedTuple):
    """What one attempt knows."""

    costs: Array[int8]
    """For each entry the moves that a chain between it and the first rotation costs."""
    origins: Array[int32]
    """For each entry the one before it on that chain."""
    free: Array[int32]
    """For each entry the first move, or behind the last, that no rotation of that chain changes."""
    queue: Array[int32]
    """The entries with labels, in the order in which they got them."""
    chain: Array[int32]
    """The rotations of a chain: two times the number of each, plus 1 for the other way round."""


class Work(NamedTuple):
    """The solution, and memory."""

    moves: Array[int8]
    """The moves of the solution, and free space after them."""
    other: Array[int8]
    """Room for as many."""
    start: Array[int16]
    """The board that it begins with."""
    board: Array[int16]
    """Room for a board."""
    last: Array[int32]
    """For each pair an entry; -1 between uses."""
    chance: Array[uint64]
    """The state of a generator of random numbers."""


class Shorten(NamedTuple):
    """Some attempts to change a solution; the result is their number."""

    work: Work
    length: int
    """The moves of the solution, before and after."""
    near: Neighbours
    rotations: Rotations
    labels: Labels


_shorten = Compiled("shorten", Shorten)
list_rotations = Compiled("list_rotations", Shorten)
"""The first step of each attempt; the result is the number of rotations."""


def begin(puzzle: PuzzleArrays, start: Tiles, moves: Moves, seed: int) -> Shorten:
    """Return the memory for a solution."""
    size, room, most = puzzle.size, len(moves) + 4 * _MOST_IN_CHAIN, 4 * (len(moves) + 1)
    work = Work(
        *(zeros(room, int8), zeros(room, int8)),
        *(array(start, int16), zeros(size, int16), filled(size * size, -1, int32)),
        array([seed], uint64),
    )
    work.moves[: len(moves)] = moves
    rotations = Rotations(
        *(zeros(most, int32), zeros(most, int8), zeros((most, 2), int8)),
        *(zeros(3 * most, int32), zeros((3 * most, 2), int32)),
    )
    labels = Labels(
        *(filled(3 * most, _NO_COST, int8), zeros(3 * most, int32), zeros(3 * most, int32)),
        *(zeros(_MOST_LABELS, int32), zeros(_MOST_IN_CHAIN, int32)),
    )
    return Shorten(work, len(moves), puzzle.near, rotations, labels)


def shortened(
    puzzle: PuzzleArrays, start: Tiles, moves: Moves, keep_going: Callable[[], bool], seed: int = 0
) -> Iterator[Moves]:
    """Yield moves that lead from a board to the same as those given do, fewer and fewer.

    It ends when none were found for a while. `seed` decides what is tried.
    """
    length, in_vain = len(moves), 0
    memory = begin(puzzle, start, moves, seed)
    call = _shorten.given(memory)
    target = follow(start, moves, puzzle.near)
    while length and in_vain < _PATIENCE * length and keep_going():
        before = length
        in_vain += call()
        length = call.get("length")
        if length < before:
            in_vain = 0
            shorter = memory.work.moves[:length].tobytes()
            assert follow(start, shorter, puzzle.near) == target, "tiles are where they were"
            yield shorter

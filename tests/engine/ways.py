"""Random moves of the blank."""

from __future__ import annotations

from random import Random

from taquin.engine.anytime.puzzle_arrays import PuzzleArrays


def random_way(puzzle: PuzzleArrays, length: int, seed: int) -> bytes:
    """Return moves of which none takes back the one before it."""
    chance, blank = Random(seed), puzzle.start.index(0)
    way: list[int] = []
    while len(way) < length:
        direction = chance.randrange(4)
        if puzzle.near[blank, direction] >= 0 and (not way or way[-1] + direction != 3):
            way.append(direction)
            blank = puzzle.near[blank, direction]
    return bytes(way)

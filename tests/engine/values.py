"""The value of a board in the anytime engine's beams, as its definition says it."""

from __future__ import annotations

from typing import Any

from taquin.engine.anytime.arrays import SCALE, PuzzleArrays
from taquin.engine.anytime.value import BORDER, CONFLICT, CYCLES, FAR


def naive_value(puzzle: PuzzleArrays, board: Any, *, cycles: bool = True) -> int:
    """Return the value of a board of homes, as `value.py` tells it in words."""
    columns = puzzle.columns
    homes = {cell: int(home) for cell, home in enumerate(board) if home < puzzle.size}
    value = 0
    for cell, home in homes.items():
        down, right = abs(cell // columns - home // columns), abs(cell % columns - home % columns)
        value += sum(round(SCALE * (steps + FAR * steps**2)) for steps in (down, right))
    lines = [list(range(first, first + columns)) for first in range(0, len(board), columns)]
    for line in lines + [list(each) for each in zip(*lines, strict=True)]:
        in_line = [homes[cell] for cell in line if homes.get(cell) in line]
        value += CONFLICT * sum(
            first > second for place, second in enumerate(in_line) for first in in_line[:place]
        )
        # The blank has no part in borders; beyond each end of a line everything is at home.
        at_home = [True, *(homes.get(cell, -1) in (cell, -1) for cell in line), True]
        blanks = [False, *(cell not in homes for cell in line), False]
        value += BORDER * sum(
            at_home[place] != at_home[place + 1] and not blanks[place] and not blanks[place + 1]
            for place in range(len(line) + 1)
        )
    left = set(homes) if cycles else set()
    while left:
        cycle = [left.pop()]
        while (home := homes[cycle[-1]]) in left:
            left.remove(home)
            cycle.append(home)
        if homes[cycle[-1]] == cycle[0] and len(cycle) < len(CYCLES):
            value += int(CYCLES[len(cycle)])
    return value

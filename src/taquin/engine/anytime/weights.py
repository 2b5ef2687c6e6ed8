"""What tiles and pairs of tiles add to the value of a board: `weights.txt`, and how it is read.

A pair has an *offset*, from one of its cells to the other. Each of its tiles has a *kind*, its
displacement, which is its cell less its home with both coordinates cut off at 2. A pair counts the
same however it is turned or mirrored, and whichever of its tiles comes first. So there is a table
for each of three offsets: a row for each kind of the one tile, a number for each kind of the other,
and one for a cell beyond the rim. `python -m tools.fit_value` writes the file.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from taquin.system.native import part

REACH = 2
"""Most steps of a displacement that are told apart."""
_SIDE = 2 * REACH + 1
RIM = _SIDE**2
"""The kind of a neighbour beyond the rim; those before it are displacements."""
NO_TILE = RIM + 1
"""The kind of the blank, which makes no pair."""
KINDS = NO_TILE + 1
"""How many kinds of neighbours there are."""
NEAR = 4
"""Most steps in one line up to which distances from home are told apart; from there on each step
adds the same."""
Offset: TypeAlias = tuple[int, int]
"""Rows and columns from one cell to another, or from a tile's home to its cell."""
FIRST_OFFSETS: tuple[Offset, ...] = ((0, 1), (1, 1), (0, 2))
"""One of each kind of pair, in the order of the tables."""
OFFSETS: tuple[Offset, ...] = (
    *((-1, 0), (0, -1), (0, 1), (1, 0)),
    *((-1, -1), (-1, 1), (1, -1), (1, 1)),
    *((-2, 0), (0, -2), (0, 2), (2, 0)),
)
"""From a cell to those around it. The first four are the blank's directions, in their order."""


@part
def kind_of(down: int, right: int) -> int:
    """Return the kind of a tile by its displacement."""
    down = max(-REACH, min(REACH, down))
    return (down + REACH) * _SIDE + max(-REACH, min(REACH, right)) + REACH


class ValueWeights(NamedTuple):
    """What was fitted."""

    singles: list[list[int]]
    """What a tile adds, by its distances from home in rows and in columns, up to `NEAR`."""
    step: int
    """What each step more adds."""
    pairs: list[list[list[int]]]
    """For each of `FIRST_OFFSETS`, what a pair adds by the kinds of its two tiles."""


@lru_cache(maxsize=1)
def read_weights() -> ValueWeights:
    """Return what `weights.txt` says."""
    lines = Path(__file__).with_name("weights.txt").read_text().splitlines()
    rows = [list(map(int, line.split())) for line in lines if not line.startswith("#")]
    tables = [rows[first : first + RIM] for first in range(NEAR + 2, len(rows), RIM)]
    return ValueWeights(rows[: NEAR + 1], rows[NEAR + 1][0], tables)


def single_weight(down: int, right: int) -> int:
    """Return what a tile adds by its distances from home, without their squares."""
    weights = read_weights()
    beyond = max(0, down - NEAR) + max(0, right - NEAR)
    return weights.singles[min(down, NEAR)][min(right, NEAR)] + weights.step * beyond


@lru_cache(maxsize=1)
def pair_weights() -> tuple[tuple[int, ...], ...]:
    """Return a row for each kind of tile: what it adds by the kinds of its neighbours."""
    tables = read_weights().pairs
    displacements = [divmod(kind, _SIDE) for kind in range(RIM)]
    rows: list[list[int]] = [[] for _ in displacements]
    for offset in OFFSETS:
        first = tuple(sorted(map(abs, offset)))
        table = tables[FIRST_OFFSETS.index((first[0], first[1]))]
        # The kinds as they are where the pair is turned to the first one like it.
        is_turned = abs(offset[0]) > abs(offset[1])
        signs = [-1 if steps < 0 else 1 for steps in (offset[::-1] if is_turned else offset)]
        turned = []
        for displacement in displacements:
            steps = [place - REACH for place in displacement]
            down, right = reversed(steps) if is_turned else steps
            turned.append(kind_of(signs[0] * down, signs[1] * right))
        for row, kind in zip(rows, turned, strict=True):
            row += [*(table[kind][other] for other in turned), table[kind][RIM], 0]
    return tuple(map(tuple, rows))

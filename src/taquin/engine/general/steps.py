"""The lists of steps of a form (see `form.py`) as compiled code reads them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taquin.engine.general.form import CELL_BIT, EDGE_BIT, EDGES, Ways
from taquin.system.native import inlined


class Steps(NamedTuple):
    """All lists of steps of the blank."""

    lists: NDArray[np.int32]
    """One list after the other, each ended by a number below 0; the one at 0 is empty."""
    begin: NDArray[np.int32]
    """For each cell, where the list begins of a blank that came from nowhere."""
    follow: NDArray[np.int32]
    """For each edge, where the list begins that comes after a step along it."""


def steps_of(ways: Ways) -> Steps:
    """Return the lists of a form as arrays."""
    return Steps(*(np.array(part, np.int32) for part in (ways.steps, ways.begin, ways.follow)))


@inlined
def cell_of(step: int) -> int:
    """Return the cell that the blank goes to."""
    return step >> CELL_BIT


@inlined
def edge_of(step: int) -> int:
    """Return the number of the pair of cells that the blank goes between."""
    return step >> EDGE_BIT & EDGES


@inlined
def begins_line(step: int) -> int:
    """Return 1 for the first step of a move, 0 for one that goes on in the line of the last."""
    return step & 1

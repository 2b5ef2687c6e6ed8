"""The records of depth-first search within a bound, on one board in place (`kernels/walk.c`).

The state of a search:

    DEPTH      depth of the present node; BASE - 1 when the tree is exhausted
    BASE       depth of the root
    FLOOR      the maximum depth
    BOUND      the bound
    NODES      successors generated, without reverse moves
    EXPANDED   nodes entered, without the root and goals
    DEEPEST    the greatest depth of an expanded node
    EXCESS     least f that was pruned, minus the bound
    STOP       why it stopped: GOAL, FLOOR_MET or 0

There is a kernel for each kind of estimate: the sum or the maximum of tables here, and the
heuristics of searches by name in `engine/textbook/estimates.py`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from taquin.engine.general.form import Steps
from taquin.system.arrays import Array, Matrix, int32, int64, uint8, uint16
from taquin.system.compiled import Call, Compiled, compiled_for

DEPTH, BASE, FLOOR, BOUND, NODES, EXPANDED, DEEPEST, EXCESS, STOP = range(9)
"""Places in `DepthFirstState.state`."""
GOAL, FLOOR_MET = 1, 2
"""Why a search stopped."""


class DepthFirstState(NamedTuple):
    """The state of a search; `path` and `nexts` have an entry for each node, by its depth."""

    state: Array[int64]
    """DEPTH to STOP."""
    board: Array[uint16]
    """The tile in each cell but that of the blank."""
    path: Array[int32]
    """The cell of the blank of each node."""
    nexts: Array[int32]
    """For each node, where in the lists its next step is."""


class Rules(NamedTuple):
    """The puzzle of a search, without its estimates."""

    steps: Steps
    """The steps of the blank."""
    wanted: Array[int32]
    """The group that the goal wants in each cell, or FREE."""
    groups: Array[int32]
    """The group of each tile."""
    edge_bits: int
    """The number of a move is `tile << edge_bits | edge`."""


class SumOfTables(NamedTuple):
    """The sum of tables, each over the cells of some tiles."""

    values: Array[int32]
    """The estimate of each node."""
    places: Array[int64]
    """The index into each table for the present node."""
    slots: Array[int32]
    """The table whose index each move changes."""
    change: Array[int32]
    """The change of that index."""
    table: Array[uint8]
    """All tables, one after the other."""


class MaxOfTables(NamedTuple):
    """The maximum of tables, each over the cells of some tiles and of the blank."""

    blanks: Array[int32]
    """The blank's cell for each node, along an unfinished line."""
    places: Matrix[int64]
    """The indices into the tables for each node."""
    sliding: Matrix[int64]
    """The indices for the unfinished line of each node."""
    change: Matrix[int32]
    """The change of each table's index by each move."""
    table: Array[uint8]
    """All tables, one after the other."""


_WALK_ON: dict[type[Any], Compiled[Any]] = {}
"""The kernel of each kind of estimate."""


def add_walk(name: str, estimate: type[Any]) -> None:
    """Declare the kernel `walk_name` of a kind of estimate."""
    fields = {"walk": DepthFirstState, "rules": Rules, "estimate": estimate}
    _WALK_ON[estimate] = compiled_for(f"walk_{name}", budget=int, **fields)


add_walk("sum_of_tables", SumOfTables)
add_walk("max_of_tables", MaxOfTables)


def walk_with(walk: DepthFirstState, rules: Rules, estimate: Any) -> Call:
    """Return the call that continues a search for a number of nodes, its `budget`."""
    kernel = _WALK_ON[type(estimate)]
    return kernel.given(kernel.record(0, walk, rules, estimate))

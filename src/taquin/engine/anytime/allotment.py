"""How the time of the anytime engine is divided: better solutions, a proof, a better bound."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from taquin.engine.cpu.engine import Cpu
from taquin.model.moves import Metric
from taquin.search.result import Task

if TYPE_CHECKING:
    from taquin.engine.anytime.arrays import PuzzleArrays

QUICKLY_PROVEN = 16
"""Cells up to which the optimal search needs less than a second, once its tables are there."""
_TABLE_SECONDS = 6.0
"""Seconds that building those tables may take."""
_LOADED_PER_SECOND = 150_000_000
"""Bytes of tables that are read and checked in a second at least."""
_SHARE, _SHORT_SHARE, _GPU_SHARE = 0.6, 0.05, 0.1
"""Share of the time before the optimal search begins: where that may find a shortest solution,
where it will in a moment, and where a GPU does it."""
_SHORT_NODES = 1_000_000
"""The most nodes before the optimal search, where that takes a moment and nodes count, not time."""
_LARGEST_PROOF = 64
"""Most cells of a board whose bound is raised beside the beams. On 10×10, where that is possible by
8 of 650 moves, the beams make better use of the time."""


class Allotted(NamedTuple):
    """What the threads may use that look for better solutions."""

    end: float
    """When to end, by `perf_counter`."""
    nodes: float
    """If not infinite, the nodes after which one thread ends by itself."""
    raises: bool
    """Whether one thread raises the lower bound too."""


def can_raise(task: Task, puzzle: PuzzleArrays) -> bool:
    """Return whether the lower bound of a task can be raised beside the beams."""
    is_small = puzzle.size <= _LARGEST_PROOF
    return is_small and puzzle.is_classic and task.puzzle.metric is Metric.SINGLE


def improving_share(task: Task, seconds: float, has_gpu: bool) -> float:
    """Return the share of the time before the search for a proven shortest solution."""
    normal = task.normal
    if normal is None:
        return 1.0
    if has_gpu:
        return _GPU_SHARE
    engine = Cpu()
    has_tables = not engine.has_to_build(task)
    if normal.shape.size <= QUICKLY_PROVEN:
        return _SHORT_SHARE if has_tables or seconds >= _TABLE_SECONDS else 1.0
    if seconds == inf:
        # A solution that depends on nodes alone must not depend on the tables that are there.
        return 1.0
    # Nothing can end the loading of tables, so it must not begin too late.
    is_in_time = (1 - _SHARE) * seconds * _LOADED_PER_SECOND >= engine.bytes_to_load(task)
    return _SHARE if has_tables and is_in_time else 1.0


def nodes_within(share: float, nodes: float) -> float:
    """Return the nodes for better solutions, of all that a task allows."""
    if share == _SHORT_SHARE and nodes < inf:
        return min(share * nodes, _SHORT_NODES)
    return share * nodes

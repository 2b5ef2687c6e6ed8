"""The records of best-first and bidirectional searches on packed states.

`kernels/best_first.c` describes states, entries and buckets, and has the loops.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from taquin.engine.general.form import Steps
from taquin.engine.textbook.estimates import Additive, Conflicts, Distances, Walking
from taquin.system.arrays import Array, int32, int64, uint8, uint32, uint64
from taquin.system.compiled import Compiled, compiled_for

H_BIT, H_BITS, G_BIT, G_BITS = 32, 11, 43, 15
WAY_BIT = 60
MOST_G = (1 << G_BITS) - 2
"""The greatest g that an entry can hold."""

ENTRIES, MOST, SIZE, NUMBER_BITS = range(4)
"""Places in `Table.state`: the entries made, the most before it grows, the slots in use, and the
bits of a slot for the number."""

(
    EXPANDED,
    GENERATED,
    ENQUEUED,
    DEQUEUED,
    DUPLICATES,
    REOPENED,
    UPDATED,
    NECESSARY,
    MAX_FRONTIER,
    MAX_DEPTH,
    BOUND,
    BEST,
    MEETING,
    MET,
    SIDE,
    AT,
    END,
    DEPTH,
    MOST_EXPANDED,
    MOST_GENERATED,
    MOST_ENQUEUED,
    MOST_DEQUEUED,
    BY_PAIRS,
) = range(23)
"""Places in COUNTS. BOUND is the rank of the highest priority proven, or the bound; BEST the cost
of the best solution, or -1; MEETING and MET its entries; from MOST_EXPANDED on the limits on nodes.
BY_PAIRS is 1 for NBS."""

ON, FOUND, EXHAUSTED, NODES, FULL, DEEP = range(6)
"""Why a loop returned: to be called again; with a solution; out of boards; at a limit on nodes; to
have a table grow; to have ranks for a greater g."""

LOWEST, LOWEST_G, LOWEST_F, WITHIN, LIVE = range(5)
"""Places in `BucketTable.lowest`: no bucket, no g and no f before these has an entry to expand; the
bound of NBS; and the entries to expand."""


class StateArrays(NamedTuple):
    """All states that one side has reached."""

    entries: Array[uint64]
    slots: Array[uint32]
    state: Array[int64]
    """ENTRIES to NUMBER_BITS."""
    board: Array[uint8]
    """The tiles of the entry that is being expanded."""
    low: Array[uint64]
    """For each cell the unit of its tile in the first word of a state."""
    high: Array[uint64]
    """The same in the second word."""
    bits: int
    """Bits of a tile."""
    cells: int
    """Cells in the first word."""
    width: int
    """Words of an entry."""


class BlankMoves(NamedTuple):
    """How the blank moves."""

    steps: Steps
    ways: Array[uint8]
    """For each edge where the blank goes."""
    edge_bits: int
    """The number of a move is `tile << edge_bits | edge`."""


class BucketTable(NamedTuple):
    """The buckets of a frontier."""

    ranks: Array[int32]
    """The bucket of each g and h, `g * stride + h * (stride > 0) + …`: see `stride`."""
    priorities: Array[int32]
    """For each bucket the rank of its priority."""
    heads: Array[uint32]
    """The entry that is taken next from each bucket; 0 for none."""
    tails: Array[uint32]
    """The last entry of each bucket that is not empty."""
    live: Array[int64]
    """For MM and NBS how many entries are to be expanded: of each bucket, of each g, of each f, and
    of each g within the bound of NBS. One number for searches that do not need them."""
    lowest: Array[int64]
    """LOWEST to LIVE."""
    stride: int
    """Ranks for each g; 0 if they do not depend on it."""
    most_g: int
    """The g from which there are no ranks."""
    newest_first: int
    """Whether the newest entry of a bucket is taken first."""


class Side(NamedTuple):
    """One end of a bidirectional search."""

    states: StateArrays
    buckets: BucketTable


class EntryOf(NamedTuple):
    """The entry of a state that was reached with g."""

    states: StateArrays
    low: int
    high: int
    g: int


class OfStates(NamedTuple):
    """States whose slots, which are free, are filled."""

    states: StateArrays


class ExpandBest(NamedTuple):
    """Boards of the lowest rank to expand, `budget` of them."""

    states: StateArrays
    moves: BlankMoves
    buckets: BucketTable
    counts: Array[int64]
    goal_low: int
    goal_high: int
    budget: int


class ExpandBoth(NamedTuple):
    """Boards to expand by the rule of MM, or by that of NBS."""

    start: Side
    goal: Side
    moves: BlankMoves
    counts: Array[int64]
    budget: int


class ExpandLevels(NamedTuple):
    """Whole levels to expand, the smaller one first."""

    start: StateArrays
    goal: StateArrays
    levels: Array[int64]
    """For each side the first entry of its level, the one after the last, and its depth."""
    moves: BlankMoves
    counts: Array[int64]
    budget: int


fill_slots = Compiled("fill_slots", OfStates)
entry_of = Compiled("entry_of", EntryOf)
put_all = Compiled("put_all", Side)
expand_levels = Compiled("expand_levels", ExpandLevels)
_BEST: dict[type[Any], Compiled[Any]] = {}
_BOTH: dict[type[Any], Compiled[Any]] = {}
"""The kernels of each heuristic."""
for _kind in (Distances, Conflicts, Walking, Additive):
    _name = _kind.__name__
    _BEST[_kind] = compiled_for(f"best_{_name.lower()}", search=ExpandBest, estimate=_kind)
    _BOTH[_kind] = compiled_for(
        f"both_{_name.lower()}", search=ExpandBoth, to_goal=_kind, to_start=_kind
    )


def expand_best(search: ExpandBest, estimate: Any) -> int:
    """Expand boards; return why it stopped."""
    kernel = _BEST[type(estimate)]
    return kernel(kernel.record(search, estimate))


def expand_both(search: ExpandBoth, to_goal: Any, to_start: Any) -> int:
    """Expand boards of both ends; return why it stopped."""
    kernel = _BOTH[type(to_goal)]
    return kernel(kernel.record(search, to_goal, to_start))


def g_of(facts: int) -> int:
    """Return g."""
    return facts >> G_BIT & (1 << G_BITS) - 1

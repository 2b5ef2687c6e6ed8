"""Best-first and bidirectional searches on packed states: their memory and their loops.

    state    the tile of each cell but the last, in 4 bits; above 16 cells in 5 bits, 12 to a word
    entry    state | facts, two words; above 16 cells three
    facts    bits 0-31 next entry of the bucket   32-42 h   43-57 g   58 taken   59 superseded
             60-61 where the blank went: 0 up, 1 left, 2 right, 3 down

Entries are numbered from 1 in the order in which they are made, and never change but for their
flags and links. A cheaper path makes a new entry, which supersedes the old one. *Slots* are a hash
table with open addressing of the newest entry of each state:

    slot     0, or number of the entry | some bits of the hash above it, which save most comparisons

so a state takes 16 bytes and 5 to 7.5 for its slot, on 4 x 4. A *bucket* is the list of the entries
that rank alike, which `ranks` says for each g and h. A superseded entry stays in its bucket.

The loops follow those of the glass box line by line (`search/best_first.py`, `bidirectional.py`);
COUNTS has what they count, and all else that they keep between two calls.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from taquin.engine.general.form import Steps, cell_of, edge_of
from taquin.engine.general.walks import Slide, slide_tile
from taquin.engine.textbook.estimates import restart
from taquin.system.arrays import Array, int32, int64, uint8, uint32, uint64
from taquin.system.kernels import kernel
from taquin.system.native import inlined, part, prefetch, widened

NEXT = (1 << 32) - 1
H_BIT, H_BITS, G_BIT, G_BITS = 32, 11, 43, 15
TAKEN, SUPERSEDED = 1 << 58, 1 << 59
WAY_BIT = 60
MOST_G = (1 << G_BITS) - 2
"""The greatest g that an entry can hold."""
_H_MASK, _G_MASK = (1 << H_BITS) - 1, (1 << G_BITS) - 1

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

_SPREAD, _MIX = 0x1E3779B97F4A7C15, 0x3F58476D1CE4E5B9
"""Odd factors of the hash."""
_FORESIGHT = 16
"""Entries for which slots are prefetched."""
_CHILD = 8
"""Words of a child in scratch memory."""
_NONE = 1 << 30
"""More than any g."""
_SEEN, _NO_MORE = -1, -2
"""Why a child gets no entry: it is a duplicate; at a limit on nodes."""
LOWEST, LOWEST_G, LOWEST_F, WITHIN, LIVE = range(5)
"""Places in `Order.lowest`: no bucket, no g and no f before these has an entry to expand; the bound
of NBS; and the entries to expand."""


class Table(NamedTuple):
    """All states that one side has reached."""

    entries: Array[int64]
    slots: Array[uint32]
    state: Array[int64]
    scratch: Array[int64]
    """The children of the entry that is being expanded."""
    board: Array[uint8]
    """Its tiles."""
    low: Array[int64]
    """For each cell the unit of its tile in the first word of a state."""
    high: Array[int64]
    """The same in the second word."""
    bits: int
    """Bits of a tile."""
    cells: int
    """Cells in the first word."""
    width: int
    """Words of an entry."""
    entries_address: int
    slots_address: int


class Moves(NamedTuple):
    """How the blank moves."""

    steps: Steps
    ways: Array[uint8]
    """For each edge where the blank goes."""
    edge_bits: int
    """The number of a move is `tile << edge_bits | edge`."""


class Order(NamedTuple):
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

    table: Table
    order: Order


@inlined
def facts_at(table: Table, entry: int) -> int:
    """Return where the facts of an entry are."""
    return entry * table.width + table.width - 1


@inlined
def g_of(facts: int) -> int:
    """Return g."""
    return facts >> G_BIT & _G_MASK


@inlined
def h_of(facts: int) -> int:
    """Return h."""
    return facts >> H_BIT & _H_MASK


@inlined
def _second_word(table: Table, entry: int) -> int:
    """Return the second word of a state; 0 where there is none."""
    return table.entries[entry * 3 + 1] if table.width == 3 else 0


@inlined
def _hash_of(low: int, high: int) -> int:
    """Return the hash of a state."""
    number = (low + high * _MIX) * _SPREAD
    number = (number ^ number >> 31) * _MIX
    return number ^ number >> 29


@inlined
def _place_of(number: int, size: int) -> int:
    """Return the slot for a hash among `size`."""
    # The shifts of `_hash_of` keep the sign, so its first bit is always 0.
    return (number >> 31 & NEXT) * size >> 32


@inlined
def _tag_of(number: int, number_bits: int) -> int:
    """Return the bits of a hash that a slot keeps."""
    return number & (1 << 32 - number_bits) - 1


@part
def _lookup(table: Table, low: int, high: int, place: int, tag: int) -> tuple[int, int]:
    """Return the newest entry of a state, or 0; and its slot, or the free one for it."""
    slots, entries, width = table.slots, table.entries, table.width
    size, bits = table.state[SIZE], table.state[NUMBER_BITS]
    mask = (1 << bits) - 1
    while True:
        slot = widened(slots[place])
        if slot == 0:
            return 0, place
        if slot >> bits == tag:
            at = (slot & mask) * width
            if entries[at] == low and (width == 2 or entries[at + 1] == high):
                return slot & mask, place
        place += 1
        if place == size:
            place = 0


@part
def _find(table: Table, low: int, high: int) -> int:
    """Return the newest entry of a state, or 0."""
    number = _hash_of(low, high)
    tag = _tag_of(number, widened(table.state[NUMBER_BITS]))
    entry, _ = _lookup(table, low, high, _place_of(number, widened(table.state[SIZE])), tag)
    return entry


@kernel
def fill_slots(table: Table) -> None:
    """Fill the slots, which are free, with the entries that none supersedes."""
    bits, size = widened(table.state[NUMBER_BITS]), widened(table.state[SIZE])
    last = widened(table.state[ENTRIES])
    for entry in range(1, last + 1):
        # Slots are rarely in the cache: those of later entries are on their way.
        later = min(entry + _FORESIGHT, last)
        ahead = _hash_of(table.entries[later * table.width], _second_word(table, later))
        prefetch(uint64(table.slots_address + _place_of(ahead, size) * 4))
        if table.entries[facts_at(table, entry)] & SUPERSEDED:
            continue
        number = _hash_of(table.entries[entry * table.width], _second_word(table, entry))
        place = _place_of(number, size)
        while table.slots[place] > 0:
            place = place + 1 if place + 1 < size else 0
        table.slots[place] = _tag_of(number, bits) << bits | entry


@kernel
def entry_of(table: Table, low: int, high: int, g: int) -> int:
    """Return the entry of a state that was reached with g."""
    entry = _find(table, low, high)
    if entry > 0 and g_of(table.entries[facts_at(table, entry)]) == g:
        return entry
    for older in range(1, table.state[ENTRIES] + 1):
        is_state = table.entries[older * table.width] == low and _second_word(table, older) == high
        if is_state and g_of(table.entries[facts_at(table, older)]) == g:
            return older
    return 0


@inlined
def _rank_of(order: Order, g: int, h: int) -> int:
    """Return the bucket for g and h."""
    return widened(order.ranks[g * order.stride + h])


@inlined
def _count_live(order: Order, facts: int, change: int) -> None:
    """Count an entry for MM and NBS; a superseded one is not to be expanded."""
    live, lowest = order.live, order.lowest
    if len(live) == 1 or facts & SUPERSEDED:
        return
    g, h = g_of(facts), h_of(facts)
    live[_rank_of(order, g, h)] += change
    live[len(order.heads) + g] += change
    live[len(order.heads) + order.most_g + g + h] += change
    if g + h <= lowest[WITHIN]:
        live[len(live) - order.most_g + g] += change
    lowest[LOWEST_G] = min(lowest[LOWEST_G], g)
    lowest[LOWEST_F] = min(lowest[LOWEST_F], g + h)
    lowest[LIVE] += change


@part
def _push(table: Table, order: Order, entry: int) -> None:
    """Put an entry into its bucket."""
    entries = table.entries
    at = facts_at(table, entry)
    bucket = _rank_of(order, g_of(entries[at]), h_of(entries[at]))
    _count_live(order, entries[at], 1)
    head = widened(order.heads[bucket])
    if order.newest_first:
        entries[at] = entries[at] >> 32 << 32 | head
        order.heads[bucket] = entry
    elif head == 0:
        order.heads[bucket] = order.tails[bucket] = entry
    else:
        entries[facts_at(table, widened(order.tails[bucket]))] |= entry
        order.tails[bucket] = entry
    order.lowest[LOWEST] = min(order.lowest[LOWEST], bucket)


@kernel
def push_all(table: Table, order: Order) -> None:
    """Put every entry that has not been taken into its bucket; all buckets are empty."""
    for entry in range(1, table.state[ENTRIES] + 1):
        at = facts_at(table, entry)
        facts = table.entries[at]
        if facts & TAKEN:
            continue
        table.entries[at] = facts >> 32 << 32
        _push(table, order, entry)


@part
def _unpack(table: Table, entry: int) -> int:
    """Write the board of an entry, and return the cell of its blank."""
    board, size = table.board, len(table.board)
    mask = (1 << table.bits) - 1
    low, high = table.entries[entry * table.width], _second_word(table, entry)
    first = min(table.cells, size - 1)
    total = 0
    blank = size - 1
    for cell in range(first):
        tile = low & mask
        low >>= table.bits
        board[cell] = tile
        total += tile
        if tile == 0:
            blank = cell
    for cell in range(first, size - 1):
        tile = high & mask
        high >>= table.bits
        board[cell] = tile
        total += tile
        if tile == 0:
            blank = cell
    board[size - 1] = size * (size - 1) // 2 - total
    return blank


@part
def _make_children(table: Table, moves: Moves, entry: int, blank: int) -> int:
    """Write the children of an entry to scratch memory, prefetch their slots; return how many."""
    scratch, lists = table.scratch, moves.steps.lists
    low, high = table.entries[entry * table.width], _second_word(table, entry)
    size, bits = widened(table.state[SIZE]), widened(table.state[NUMBER_BITS])
    at = widened(moves.steps.begin[blank])
    number = 0
    while lists[at] >= 0:
        step = widened(lists[at])
        cell, edge = cell_of(step), edge_of(step)
        tile = widened(table.board[cell])
        child_low = low + tile * (table.low[blank] - table.low[cell])
        child_high = high + tile * (table.high[blank] - table.high[cell])
        hashed = _hash_of(child_low, child_high)
        place = _place_of(hashed, size)
        prefetch(uint64(table.slots_address + place * 4))
        base = number * _CHILD
        scratch[base], scratch[base + 1] = child_low, child_high
        scratch[base + 2], scratch[base + 3] = place, _tag_of(hashed, bits)
        scratch[base + 4], scratch[base + 5] = tile, cell
        scratch[base + 6] = tile << moves.edge_bits | edge
        scratch[base + 7] = moves.ways[edge]
        number += 1
        at += 1
    return number


@part
def _insert(table: Table, child: int, place: int, g: int, h: int) -> int:
    """Make the entry of a child in scratch memory, and return its number."""
    scratch, base = table.scratch, child * _CHILD
    entry = widened(table.state[ENTRIES]) + 1
    table.state[ENTRIES] = entry
    at = entry * table.width
    table.entries[at] = scratch[base]
    if table.width == 3:
        table.entries[at + 1] = scratch[base + 1]
    facts = scratch[base + 7] << WAY_BIT | g << G_BIT | h << H_BIT
    table.entries[at + table.width - 1] = facts
    bits = widened(table.state[NUMBER_BITS])
    table.slots[place] = scratch[base + 3] << bits | entry
    return entry


@part
def _may_expand(counts: Array[int64]) -> bool:
    """Return whether the limits on nodes let one more board be expanded."""
    # The glass box notices at a tick that no node may be generated any more.
    may_generate = counts[GENERATED] < counts[MOST_GENERATED]
    return bool(may_generate and counts[EXPANDED] < counts[MOST_EXPANDED])


@inlined
def _slot_for(table: Table, counts: Array[int64], child: int, g: int) -> int:
    """Count a child that is reached with g; return the slot for its entry, _SEEN or _NO_MORE."""
    if counts[GENERATED] >= counts[MOST_GENERATED]:
        return _NO_MORE
    counts[GENERATED] += 1
    scratch, base = table.scratch, child * _CHILD
    known, place = _lookup(
        table, scratch[base], scratch[base + 1], scratch[base + 2], scratch[base + 3]
    )
    if known > 0 and g_of(table.entries[facts_at(table, known)]) <= g:
        counts[DUPLICATES] += 1
        return _SEEN
    if counts[ENQUEUED] >= counts[MOST_ENQUEUED]:
        return _NO_MORE
    counts[ENQUEUED] += 1
    return place


@inlined
def _enqueue(
    table: Table,
    order: Order,
    estimate: Any,
    counts: Array[int64],
    child: int,
    blank: int,
    g: int,
    h: int,
) -> int:
    """Put a child into its bucket; return its entry, _SEEN or _NO_MORE.

    It is reached with g; `blank` and h are those of its parent.
    """
    place = _slot_for(table, counts, child, g)
    if place < 0:
        return place
    scratch, base = table.scratch, child * _CHILD
    known = widened(table.slots[place]) & (1 << widened(table.state[NUMBER_BITS])) - 1
    if known > 0:
        at = facts_at(table, known)
        facts = table.entries[at]
        table.entries[at] = facts | SUPERSEDED
        counts[REOPENED if facts & TAKEN else UPDATED] += 1
        if not facts & TAKEN:
            _count_live(order, facts, -1)
    slide = Slide(scratch[base + 4], scratch[base + 5], blank, scratch[base + 6])
    _, child_h = slide_tile(estimate, None, slide, 0, h, 0)
    entry = _insert(table, child, place, g, child_h)
    _push(table, order, entry)
    return entry


@kernel
def expand_best(
    table: Table,
    moves: Moves,
    order: Order,
    estimate: Annotated[Any, restart],
    counts: Array[int64],
    goal_low: int,
    goal_high: int,
    budget: int,
) -> int:
    """Expand boards of the lowest rank, `budget` of them; return why it stopped."""
    entries, heads, width = table.entries, order.heads, table.width
    while budget > 0:
        budget -= 1
        frontier = counts[ENQUEUED] - counts[DEQUEUED]
        if frontier == 0:
            return EXHAUSTED
        if table.state[ENTRIES] + 4 > table.state[MOST]:
            return FULL
        bucket = widened(order.lowest[LOWEST])
        while heads[bucket] == 0:
            bucket += 1
        order.lowest[LOWEST] = bucket
        entry = widened(heads[bucket])
        at = entry * width + width - 1
        facts = entries[at]
        g, h = g_of(facts), h_of(facts)
        if g + 1 >= order.most_g:
            return DEEP
        counts[MAX_FRONTIER] = max(counts[MAX_FRONTIER], frontier)
        if order.priorities[bucket] > counts[BOUND]:
            counts[BOUND], counts[NECESSARY] = order.priorities[bucket], counts[EXPANDED]
        if counts[DEQUEUED] >= counts[MOST_DEQUEUED]:
            return NODES
        heads[bucket] = facts & NEXT
        # Probably the next to be taken, once this one is expanded.
        prefetch(uint64(table.entries_address + (facts & NEXT) * (8 * width)))
        counts[DEQUEUED] += 1
        counts[MAX_DEPTH] = max(counts[MAX_DEPTH], g)
        if facts & SUPERSEDED:
            counts[DUPLICATES] += 1
            entries[at] = facts | TAKEN
            continue
        if entries[entry * width] == goal_low and _second_word(table, entry) == goal_high:
            counts[MEETING] = entry
            return FOUND
        if not _may_expand(counts):
            return NODES
        entries[at] = facts | TAKEN
        counts[EXPANDED] += 1
        blank = _unpack(table, entry)
        children = _make_children(table, moves, entry, blank)
        restart(estimate, table.board, h)
        g += 1
        for child in range(children):
            number = _enqueue(table, order, estimate, counts, child, blank, g, h)
            if number == _NO_MORE:
                return NODES
            if number > 0 and (counts[BEST] < 0 or g < counts[BEST]):
                low, high = entries[number * width], _second_word(table, number)
                if low == goal_low and high == goal_high:
                    counts[BEST], counts[MET] = g, number
    return ON


@part
def _prove(counts: Array[int64], bound: int) -> bool:
    """Note a lower bound on other solutions, and return whether the best one meets it."""
    is_solved = counts[BEST] >= 0
    if is_solved:
        bound = min(bound, counts[BEST])
    if bound > counts[BOUND]:
        counts[BOUND], counts[NECESSARY] = bound, counts[EXPANDED]
    return bool(is_solved and counts[BEST] <= bound)


@inlined
def _least(live: Array[int64], begin: int, lowest: Array[int64], which: int) -> int:
    """Return the lowest bucket, g or f with an entry to expand, of which there is one."""
    number = widened(lowest[which])
    while live[begin + number] == 0:
        number += 1
    lowest[which] = number
    return number


@inlined
def _least_g(order: Order) -> int:
    return _least(order.live, len(order.heads), order.lowest, LOWEST_G)


@inlined
def _least_f(order: Order) -> int:
    return _least(order.live, len(order.heads) + order.most_g, order.lowest, LOWEST_F)


@inlined
def _least_g_within(order: Order) -> int:
    """Return the least g of the entries within the bound of NBS; `_NONE` for none."""
    begin = len(order.live) - order.most_g
    g = widened(order.lowest[LOWEST_G])
    while g < order.most_g and order.live[begin + g] == 0:
        g += 1
    return g if g < order.most_g else _NONE


@inlined
def _next_f(order: Order, bound: int, least: int) -> int:
    """Return the least f above a bound if it is below `least`, or that."""
    begin = len(order.heads) + order.most_g
    for f in range(bound + 1, min(least, len(order.live) - order.most_g - begin)):
        if order.live[begin + f] > 0:
            return f
    return least


@part
def _raise_within(order: Order, bound: int) -> None:
    """Count the entries that come to be within a higher bound of NBS."""
    begin, before = len(order.live) - order.most_g, widened(order.lowest[WITHIN])
    for g in range(order.most_g):
        for h in range(max(0, before + 1 - g), min(bound - g + 1, order.stride)):
            order.live[begin + g] += order.live[_rank_of(order, g, h)]
    order.lowest[WITHIN] = bound


@part
def _bucket_within(order: Order) -> int:
    """Return the bucket of the least g, then least f, within the bound of NBS."""
    g = _least_g_within(order)
    h = 0
    while order.live[_rank_of(order, g, h)] == 0:
        h += 1
    return _rank_of(order, g, h)


@inlined
def _meet(own: Table, other: Table, entry: int, side: int, counts: Array[int64]) -> None:
    """Note the path through a new entry if the other side has reached its board."""
    met = _find(other, own.entries[entry * own.width], _second_word(own, entry))
    if met == 0:
        return
    cost = g_of(own.entries[facts_at(own, entry)]) + g_of(other.entries[facts_at(other, met)])
    if counts[BEST] < 0 or cost < counts[BEST]:
        counts[BEST], counts[MEETING], counts[MET] = cost, entry, met
        counts[SIDE] = side


@part
def _expand_end(
    side: Side,
    other: Table,
    bucket: int,
    moves: Moves,
    estimate: Any,
    counts: Array[int64],
    number: int,
) -> int:
    """Expand the newest board of a bucket of side `number`; return NODES or ON."""
    own, order = side.table, side.order
    entries, width = own.entries, own.width
    if counts[DEQUEUED] >= counts[MOST_DEQUEUED]:
        return NODES
    counts[DEQUEUED] += 1
    entry = widened(order.heads[bucket])
    while entries[entry * width + width - 1] & SUPERSEDED:
        entry = entries[entry * width + width - 1] & NEXT
    at = entry * width + width - 1
    facts = entries[at]
    order.heads[bucket] = facts & NEXT
    entries[at] = facts | TAKEN
    _count_live(order, facts, -1)
    if not _may_expand(counts):
        return NODES
    g, h = g_of(facts), h_of(facts)
    counts[MAX_DEPTH] = max(counts[MAX_DEPTH], g)
    counts[EXPANDED] += 1
    blank = _unpack(own, entry)
    children = _make_children(own, moves, entry, blank)
    restart(estimate, own.board, h)
    g += 1
    for child in range(children):
        made = _enqueue(own, order, estimate, counts, child, blank, g, h)
        if made == _NO_MORE:
            return NODES
        if made > 0:
            counts[MAX_FRONTIER] = max(counts[MAX_FRONTIER], counts[ENQUEUED] - counts[DEQUEUED])
            counts[DEPTH] = max(counts[DEPTH], g)
            _meet(own, other, made, number, counts)
    return ON


@kernel
def expand_both(
    start: Side,
    goal: Side,
    moves: Moves,
    to_goal: Annotated[Any, restart],
    to_start: Annotated[Any, restart],
    counts: Array[int64],
    budget: int,
) -> int:
    """Expand boards by the rule of MM, or by that of NBS; return why it stopped."""
    first, last = start.table, goal.table
    forward, backward = start.order, goal.order
    while budget > 0:
        budget -= 1
        if forward.lowest[LIVE] == 0 or backward.lowest[LIVE] == 0:
            if counts[BEST] < 0:
                return EXHAUSTED
            _prove(counts, widened(counts[BEST]))
            return FOUND
        if (
            first.state[ENTRIES] + 4 > first.state[MOST]
            or last.state[ENTRIES] + 4 > last.state[MOST]
        ):
            return FULL
        if counts[DEPTH] + 2 >= forward.most_g:
            return DEEP
        if counts[BY_PAIRS]:
            within = widened(forward.lowest[WITHIN])
            pair_cost = _least_g_within(forward) + _least_g_within(backward) + 1
            if pair_cost > within:
                within = _next_f(forward, within, pair_cost)
                within = _next_f(backward, widened(forward.lowest[WITHIN]), within)
                _raise_within(forward, within)
                _raise_within(backward, within)
                continue
            if _prove(counts, within):
                return FOUND
            one = _bucket_within(forward)
            status = _expand_end(start, last, one, moves, to_goal, counts, 0)
            if status == ON:
                other = _bucket_within(backward)
                status = _expand_end(goal, first, other, moves, to_start, counts, 1)
        else:
            one = _least(forward.live, 0, forward.lowest, LOWEST)
            other = _least(backward.live, 0, backward.lowest, LOWEST)
            lowest = min(forward.priorities[one], backward.priorities[other])
            pair_cost = _least_g(forward) + _least_g(backward) + 1
            bound = max(lowest, pair_cost, _least_f(forward), _least_f(backward))
            if _prove(counts, bound):
                return FOUND
            if forward.priorities[one] <= backward.priorities[other]:
                status = _expand_end(start, last, one, moves, to_goal, counts, 0)
            else:
                status = _expand_end(goal, first, other, moves, to_start, counts, 1)
        if status == NODES:
            return NODES
    return ON


@kernel
def expand_levels(
    start: Table, goal: Table, levels: Array[int64], moves: Moves, counts: Array[int64], budget: int
) -> int:
    """Expand whole levels, the smaller one first; return why it stopped.

    `levels` has for each side the first entry of its level and the one after the last, and its
    depth.
    """
    while True:
        if counts[SIDE] < 0:
            ahead, behind = levels[1] - levels[0], levels[4] - levels[3]
            if ahead == 0 or behind == 0:
                return EXHAUSTED
            counts[SIDE] = 0 if ahead <= behind else 1
            counts[AT], counts[MEETING] = levels[3 * counts[SIDE]], 0
            counts[END] = levels[3 * counts[SIDE] + 1]
            bound = levels[2] + levels[5] + 1
            if bound > counts[BOUND]:
                counts[BOUND], counts[NECESSARY] = bound, counts[EXPANDED]
        if counts[SIDE] == 0:
            status = _expand_level(start, goal, moves, counts, budget)
        else:
            status = _expand_level(goal, start, moves, counts, budget)
        if status != ON:
            return status
        if counts[AT] < counts[END]:
            return ON
        side = widened(counts[SIDE])
        made = start.state[ENTRIES] if side == 0 else goal.state[ENTRIES]
        levels[3 * side], levels[3 * side + 1] = counts[END], made + 1
        levels[3 * side + 2] += 1
        widest = levels[1] - levels[0] + levels[4] - levels[3]
        counts[MAX_FRONTIER] = max(counts[MAX_FRONTIER], widest)
        if counts[MEETING] > 0:
            counts[MAX_DEPTH] = max(counts[MAX_DEPTH], levels[3 * side + 2])
            if counts[BEST] > counts[BOUND]:
                counts[BOUND], counts[NECESSARY] = counts[BEST], counts[EXPANDED]
            return FOUND
        counts[SIDE] = -1


@part
def _expand_level(own: Table, other: Table, moves: Moves, counts: Array[int64], budget: int) -> int:
    """Expand the next boards of a level, `budget` of them; return FULL, NODES or ON."""
    entries, width = own.entries, own.width
    while counts[AT] < counts[END] and budget > 0:
        budget -= 1
        if own.state[ENTRIES] + 4 > own.state[MOST]:
            return FULL
        if counts[DEQUEUED] >= counts[MOST_DEQUEUED]:
            return NODES
        counts[DEQUEUED] += 1
        if not _may_expand(counts):
            return NODES
        entry = widened(counts[AT])
        counts[AT] += 1
        counts[EXPANDED] += 1
        g = g_of(entries[entry * width + width - 1])
        counts[MAX_DEPTH] = max(counts[MAX_DEPTH], g)
        children = _make_children(own, moves, entry, _unpack(own, entry))
        for child in range(children):
            place = _slot_for(own, counts, child, g + 1)
            if place == _NO_MORE:
                return NODES
            if place >= 0:
                number = _insert(own, child, place, g + 1, 0)
                _meet(own, other, number, widened(counts[SIDE]), counts)
    return ON

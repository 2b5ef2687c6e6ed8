"""Nodes for grids of up to 16 cells: eight 64-bit words, one cache line. `loop.py` searches them.

    BOARD      the board, 4 bits a cell
    INDICES    four words, one for each of up to four partitions: the indices of its patterns; a
               move flips bits of them, or adds to them where tables are indexed by rank
    VALUES     current table values, 4 bits a pattern, three patterns a partition; up to seven
               where there are no more than two partitions
    FACTS      0-3    cell of the blank
               4-12   depth
               13     whether the node is ahead of the bound
               16-31  state of the automaton
               36-63  slack under each partition, 7 bits, the highest of which is the sign
    LOGGED     32-63  the parent's place in the log, counted from 1

    8 7 6      This board under the bound 28, with the partition 1 2 3 4 | 5 6 7 8 and itself again:
    5 4 3
    2 1 .      BOARD    0x12345678            the 8 in cell 0 lowest
               INDICES  0x86758565, twice     that of 1 2 3 4 lowest
               VALUES   0x12012               2 and 1, twice: Manhattan distance 20 and 2 · 3 are 26
               FACTS    0x810081000000008     blank in cell 8, depth 0, state 0; slack 1,
                                              (28 - 26) / 2, and 4 where there is no partition
               LOGGED   0x0                   no parent

A table holds half of what a pattern needs beyond its Manhattan distance. A child's FACTS are its
parent's with the new state, plus the *step* of the move (blank, depth, and one less slack under all
partitions if the tile moves away from its goal cell), less the *rise* of the table value under each
partition. A child is pruned as soon as a sign bit is set. (Negative slack borrows only from the
next higher field, which is read later.)

The first round of look-ups reads two partitions, the second round, if there are more, the other
two. Where there are none at all, every look-up reads a value that is always 0. `packed_plan.py`
makes the records.
"""

from __future__ import annotations

from typing import NamedTuple

from taquin.engine.cpu.layout import (
    DIRECTION,
    DIRECTION_BITS,
    FOUR,
    ONE,
    STATES,
    THREE,
    TWO,
    ZERO,
    Moves,
    Word,
    Words,
    copy_four,
    rise_at,
    word_range,
)
from taquin.engine.cpu.loop import ORIGIN, PARENT, PLACE, Layout, Steps, search_loop
from taquin.engine.cpu.packed_lookup import (
    ADDRESS,
    CELL_BITS,
    CHANGES,
    FALLS,
    KIND,
    MASK,
    MOVE_CELL,
    MOVE_ROW,
    MOVE_SHIFT,
    MOVE_TILE,
    SHIFT,
    SHIFTS,
    VALUE_SHIFT,
    VIEW_CHANGES,
    Lookup,
    Ranks,
)
from taquin.engine.cpu.sharing import Member, search
from taquin.system.native import inlined, prefetch

VIEWS = 4
"""Most partitions of a node."""

BOARD, INDICES, VALUES, FACTS, LOGGED, WIDTH = (Word(n) for n in (0, 1, 5, 6, 7, 8))
"""The words of a node, and their number."""
BLANK, DEPTH, AHEAD, STATE, SLACK, SLACK_BITS = (Word(n) for n in (0, 4, 13, 16, 36, 7))
"""First bit of each field of FACTS, and the bits of slack under one partition."""
EXTRA = Word(14)
"""The bit of FACTS in scratch memory that says that slack has an extra unit."""
LOG = Word(32)
"""First bit of the parent's place in LOGGED."""
CELLS, TILE_BITS = Word(15), Word(4)
"""The mask of a cell or a tile, and the number of its bits."""

HALVES, NEW_VALUES, NEW_FACTS, MOVE, NEW_INDICES, CHILD = (Word(n) for n in (1, 3, 4, 5, 6, 16))
"""The words of a child in scratch memory after its origin: the halves of its values in two
partitions, its VALUES and FACTS, its move, its four INDICES; and the words from one child to the
next."""

LAYOUT = Layout(WIDTH, FACTS, BLANK, CELLS, DEPTH, STATE, LOGGED, LOG, FACTS, AHEAD, CHILD, WIDTH)
_SIGNS = [1 << int(SLACK + SLACK_BITS * Word(view) + SLACK_BITS - ONE) for view in range(VIEWS)]
_FIRST_SIGNS, _ALL_SIGNS = Word(_SIGNS[0] | _SIGNS[1]), Word(sum(_SIGNS))
EACH_SLACK = Word(sum(1 << int(SLACK + SLACK_BITS * Word(view)) for view in range(VIEWS)))
"""One unit of slack under each partition."""
_FLAGGED_EXTRA = Word(EACH_SLACK | ONE << AHEAD)
"""An extra unit of slack, and the flag of a node ahead of the bound."""


class PackedTree(NamedTuple):
    """A goal on up to 16 cells whose tables are indexed by bits."""

    goal: int
    """The goal, as the words of a board."""
    moves: Moves
    """The moves; for each place the kind of move, from MOVE_CELL on the tile's cell, and from
    MOVE_ROW on its row of `Ranks`."""
    steps: Words
    """By direction, tile and cell of the tile: what a move adds to FACTS, but for the state."""
    lookup: Lookup
    """The tables."""


class RankedTree(NamedTuple):
    """A goal on up to 16 cells, some of whose tables are indexed by rank."""

    packed: PackedTree
    ranks: Ranks


@inlined
def _tile(move: Word) -> Word:
    return move >> MOVE_TILE & CELLS


@inlined
def _row(lookup: Lookup, move: Word, view: Word) -> Word:
    """Return the first word of the row of a move's tile in a partition."""
    return (_tile(move) << Word(lookup.tile_bits)) + view * Word(lookup.width)


@inlined
def _indices_after(
    indices: Word, board: Word, move: Word, view: Word, lookup: Lookup, ranks: Ranks | None
) -> Word:
    """Return a partition's indices after a move."""
    change = lookup.rows[_row(lookup, move, view) + (move & KIND)]
    if ranks is None:
        return Word(indices ^ change)
    words = ranks.words
    indices += change
    tile = _tile(move)
    block = words[(tile << DIRECTION_BITS) + view] + (move >> MOVE_ROW)
    group = words[block + FALLS] + (view << VIEW_CHANGES) + (tile << TILE_BITS) + CHANGES
    # On most grids no move passes more than three cells: a constant loop is unrolled.
    for number in word_range(THREE):
        indices += words[group + (board >> words[block + number] & CELLS)]
    for number in word_range(THREE, Word(ranks.most)):
        indices += words[group + (board >> words[block + number] & CELLS)]
    return Word(indices)


@inlined
def _half(indices: Word, row: Word, lookup: Lookup) -> Word:
    """Return the half of the value for a partition's indices, and prefetch it."""
    rows = lookup.rows
    half: Word = (indices >> rows[row + SHIFT] & rows[row + MASK]) + rows[row + ADDRESS]
    prefetch(half >> ONE)
    return half


@inlined
def _fetch(
    stack: Words, child: Word, move: Word, view: Word, lookup: Lookup, ranks: Ranks | None
) -> None:
    """Write a child's indices in two partitions, and prefetch their values."""
    parent = stack[child + ORIGIN] >> PARENT
    board = stack[parent + BOARD]
    one, other = stack[parent + INDICES + view], stack[parent + INDICES + view + ONE]
    one = _indices_after(one, board, move, view, lookup, ranks)
    other = _indices_after(other, board, move, view + ONE, lookup, ranks)
    stack[child + HALVES] = _half(one, _row(lookup, move, view), lookup)
    stack[child + HALVES + ONE] = _half(other, _row(lookup, move, view + ONE), lookup)
    stack[child + NEW_INDICES + view], stack[child + NEW_INDICES + view + ONE] = one, other


@inlined
def _rises(
    stack: Words, child: Word, values: Word, view: Word, lookup: Lookup
) -> tuple[Word, Word]:
    """Return a child's values after two partitions, and how much that reduces slack."""
    move = stack[child + MOVE]
    shift = lookup.rows[_row(lookup, move, view) + VALUE_SHIFT]
    other_shift = lookup.rows[_row(lookup, move, view + ONE) + VALUE_SHIFT]
    rise = rise_at(stack[child + HALVES], values, shift)
    other_rise = rise_at(stack[child + HALVES + ONE], values, other_shift)
    taken = (rise << SLACK + view * SLACK_BITS) + (other_rise << SLACK + (view + ONE) * SLACK_BITS)
    return values + (rise << shift) + (other_rise << other_shift), taken


@inlined
def _is_goal(stack: Words, node: Word, tree: PackedTree) -> bool:
    return bool(stack[node + BOARD] == Word(tree.goal))


@inlined
def _pop(
    stack: Words, node: Word, parent: Word, gets_extra: Word, tree: PackedTree, ranks: Ranks | None
) -> None:
    copy_four(stack, node, parent)
    copy_four(stack, node + FOUR, parent + FOUR)
    stack[parent + FACTS] += gets_extra * (_FLAGGED_EXTRA | ONE << EXTRA)


@inlined
def _begin(stack: Words, child: Word, tree: PackedTree, ranks: Ranks | None) -> None:
    """Write the move of a child, the word of its place and the tile, and fetch its values."""
    origin = stack[child + ORIGIN]
    board = stack[(origin >> PARENT) + BOARD]
    move = tree.moves.by_place[origin & PLACE]
    move = Word(move | (board >> (move >> MOVE_SHIFT & SHIFTS) & CELLS) << MOVE_TILE)
    _fetch(stack, child, move, ZERO, tree.lookup, ranks)
    stack[child + MOVE] = move


@inlined
def _judge(stack: Words, child: Word, tree: PackedTree) -> Word:
    """Write a child's values and facts after two partitions; return 1 if it has slack left."""
    origin, move = stack[child + ORIGIN], stack[child + MOVE]
    parent = origin >> PARENT
    direction = origin & DIRECTION
    facts = stack[parent + FACTS]
    values, taken = _rises(stack, child, stack[parent + VALUES], ZERO, tree.lookup)
    state = facts >> STATE & STATES
    following = Word(tree.moves.follow[state << DIRECTION_BITS | direction])
    facts += (following - state) << STATE
    facts += tree.steps[
        (direction << TILE_BITS | _tile(move)) << TILE_BITS | (move >> MOVE_CELL & CELLS)
    ]
    facts -= taken
    stack[child + NEW_VALUES], stack[child + NEW_FACTS] = values, facts
    return Word(facts & _FIRST_SIGNS == ZERO)


@inlined
def _rounds(tree: PackedTree, ranks: Ranks | None) -> Word:
    return ONE + Word(tree.lookup.has_more)


@inlined
def _fetch_more(
    stack: Words, child: Word, number: Word, tree: PackedTree, ranks: Ranks | None
) -> None:
    _fetch(stack, child, stack[child + MOVE], TWO, tree.lookup, ranks)


@inlined
def _judge_more(stack: Words, child: Word, number: Word, tree: PackedTree) -> Word:
    values, taken = _rises(stack, child, stack[child + NEW_VALUES], TWO, tree.lookup)
    facts = stack[child + NEW_FACTS] - taken
    stack[child + NEW_VALUES], stack[child + NEW_FACTS] = values, facts
    return Word(facts & _ALL_SIGNS == ZERO)


@inlined
def _push(stack: Words, child: Word, node: Word, tree: PackedTree, ranks: Ranks | None) -> None:
    parent, move = stack[child + ORIGIN] >> PARENT, stack[child + MOVE]
    tile = _tile(move)
    blank = stack[parent + FACTS] >> BLANK & CELLS
    taken, put = tile << (move >> MOVE_SHIFT & SHIFTS), tile << (blank << CELL_BITS)
    stack[node + BOARD] = stack[parent + BOARD] ^ taken ^ put
    copy_four(stack, child + NEW_INDICES, node + INDICES)
    facts = stack[child + NEW_FACTS]
    returns_extra = facts >> EXTRA & Word(facts - EACH_SLACK & _ALL_SIGNS == ZERO)
    facts = (facts & ~(ONE << EXTRA)) - returns_extra * _FLAGGED_EXTRA
    stack[node + VALUES], stack[node + FACTS] = stack[child + NEW_VALUES], facts
    stack[node + LOGGED] = stack[parent + LOGGED]


_search = search_loop(
    LAYOUT, Steps(_is_goal, _pop, _begin, _judge, _rounds, _fetch_more, _judge_more, _push)
)


@search.register
def _(tree: PackedTree, member: Member, budget: int) -> None:
    _search(member, budget, tree, None)


@search.register
def _(tree: RankedTree, member: Member, budget: int) -> None:
    _search(member, budget, tree.packed, tree.ranks)

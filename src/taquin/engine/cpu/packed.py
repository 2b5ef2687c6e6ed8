"""The search loop for grids of up to 16 cells: a node is eight 64-bit words, one cache line.

    BOARD      the board, 4 bits a cell
    INDICES    four words, one for each of up to four partitions: the indices of its patterns; a
               move flips bits of them, or adds to them where tables are indexed by rank
    VALUES     table values now in force, 4 bits a pattern, three patterns a partition; up to seven
               where there are no more than two partitions
    FACTS      0-3    cell of the blank
               4-12   depth
               13     whether the node is ahead of the bound
               16-31  state of the automaton
               36-63  room left by each partition, 7 bits, the highest of which is the sign
    LOGGED     32-63  the parent's place in the log, counted from 1

    8 7 6      This board under the bound 28, with the partition 1 2 3 4 | 5 6 7 8 and itself again:
    5 4 3
    2 1 .      BOARD    0x12345678            the 8 in cell 0 lowest
               INDICES  0x86758565, twice     that of 1 2 3 4 lowest
               VALUES   0x12012               2 and 1, twice: Manhattan distance 20 and 2 · 3 are 26
               FACTS    0x810081000000008     blank in cell 8, depth 0, state 0; room for 1 more,
                                              (28 - 26) / 2, and 4 where there is no partition
               LOGGED   0x0                   no parent

*Room* is half of what the bound leaves after depth and heuristic. A table holds half of what a
pattern needs beyond Manhattan distance, and a move changes depth plus Manhattan distance by 0 or 2.
So every change is a small whole number: a child's FACTS are its parent's with the new state, plus
the *step* of the move (blank, depth, and one off all rooms if the tile strays), less the *rise* of
the table value in each partition's room. A child is dropped as soon as a sign bit is set. (A
negative room borrows only from the next higher one, which is read later.)

The upper few nodes of the stack are popped together. All their children are listed and their values
in the first two partitions prefetched before the first is read, so that the processor waits for
many reads at once. Children with room left go the same way through the other two partitions, and
the survivors become nodes. None of these loops branches on a single value. A log leads back from a
goal to the start (`log.py`). `packed_plan.py` makes the records.

Where the next bound is searched too (`sharing.py`), a parent lends its children one more of each
room, and a mark. A child that has room without it gives both back when it becomes a node.
"""

from __future__ import annotations

from typing import NamedTuple

from taquin.engine.cpu.layout import (
    BATCH,
    CHILDREN,
    CHOICE_SIZE,
    DEEPEST,
    DEPTHS,
    DIRECTION,
    DIRECTION_BITS,
    FOUR,
    LOG_PARENT,
    ONE,
    STATES,
    THREE,
    TWO,
    ZERO,
    Moves,
    Scratch,
    Word,
    Words,
    choice_at,
    copy_four,
    rise_at,
    word_range,
)
from taquin.engine.cpu.log import LogField, shorten, write_solution
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
from taquin.engine.cpu.sharing import (
    FOUND,
    GENERATED,
    GENERATED_AHEAD,
    LEAST,
    PATH,
    TOP,
    Member,
    goes_on,
    search,
)
from taquin.system.native import atomic_load, inlined, part, prefetch, widened

VIEWS = 4
"""Partitions a node has room for."""

BOARD, INDICES, VALUES, FACTS, LOGGED, WIDTH = (Word(n) for n in (0, 1, 5, 6, 7, 8))
"""The words of a node, and their number."""
BLANK, DEPTH, AHEAD, STATE, ROOM, ROOM_BITS = (Word(n) for n in (0, 4, 13, 16, 36, 7))
"""First bit of each field of FACTS, and the bits of one partition's room, sign included."""
LENT = Word(14)
"""The bit of a parent's FACTS in scratch memory, and of its children's, that says that one of each
room is lent."""
LOG = Word(32)
"""First bit of the parent's place in LOGGED."""
CELLS, TILE_BITS = Word(15), Word(4)
"""The mask of a cell or a tile, and the number of its bits."""

ORIGIN, HALVES, NEW_VALUES, NEW_FACTS, MOVE, NEW_INDICES, CHILD = (
    Word(n) for n in (0, 1, 3, 4, 5, 6, 16)
)
"""The words of a child in scratch memory: its origin, the halves of its values in two partitions,
its VALUES and FACTS, its move, its four INDICES; and the words from one child to the next."""
PLACE, PARENT = Word(63), Word(10)
"""Of an origin: the mask of the move's place, and the first bit of the parent's address."""

SCRATCH = int(CHILD) * CHILDREN + int(WIDTH) * BATCH + 4 * BATCH
"""Words of scratch memory at the end of a stack: children, parents, chosen children."""
_SIGNS = [1 << int(ROOM + ROOM_BITS * Word(view) + ROOM_BITS - ONE) for view in range(VIEWS)]
_FIRST_SIGNS, _ALL_SIGNS = Word(_SIGNS[0] | _SIGNS[1]), Word(sum(_SIGNS))
_EACH_ROOM = Word(sum(1 << int(ROOM + ROOM_BITS * Word(view)) for view in range(VIEWS)))
_LOAN = Word(_EACH_ROOM | ONE << AHEAD)
"""What a parent lends, but for the bit LENT."""


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
    """Return a child's values after two partitions, and what they take from its rooms."""
    move = stack[child + MOVE]
    shift = lookup.rows[_row(lookup, move, view) + VALUE_SHIFT]
    other_shift = lookup.rows[_row(lookup, move, view + ONE) + VALUE_SHIFT]
    rise = rise_at(stack[child + HALVES], values, shift)
    other_rise = rise_at(stack[child + HALVES + ONE], values, other_shift)
    taken = (rise << ROOM + view * ROOM_BITS) + (other_rise << ROOM + (view + ONE) * ROOM_BITS)
    return values + (rise << shift) + (other_rise << other_shift), taken


@inlined
def _goal_among(stack: Words, low: Word, high: Word, goal: Word) -> Word:
    """Return the uppermost node that is the goal; `high` if none is."""
    solved = high
    for node in word_range(low, high, WIDTH):
        if stack[node + BOARD] == goal:
            solved = node
    return solved


@inlined
def _pop(
    member: Member, low: Word, high: Word, least: Word, scratch: Scratch, moves: Moves
) -> tuple[Word, Word]:
    """Copy nodes to scratch memory, log them and list their children.

    Return the end of the children, and how many have a parent that is ahead of the bound.
    """
    stack, path = member.stack, member.path
    logged = stack[high - WIDTH + LOGGED] >> LOG
    parent, end, ahead = scratch.parents, scratch.children, ZERO
    for node in word_range(low, high, WIDTH):
        copy_four(stack, node, parent)
        copy_four(stack, node + FOUR, parent + FOUR)
        facts = stack[node + FACTS]
        blank = facts >> BLANK & CELLS
        path[logged] = (stack[node + LOGGED] >> LOG) << LOG_PARENT | blank
        logged += ONE
        stack[parent + LOGGED] = logged << LOG
        is_ahead = facts >> AHEAD & ONE
        lends = Word((facts >> DEPTH & DEPTHS) + ONE >= least) & ~is_ahead
        stack[parent + FACTS] = facts + lends * (_LOAN | ONE << LENT)
        choice = choice_at(moves, facts >> STATE & STATES, blank)
        origin = parent << PARENT | blank << DIRECTION_BITS
        for number in word_range(FOUR):
            direction = choice >> (number << ONE) & DIRECTION
            stack[end + number * CHILD + ORIGIN] = origin | direction
        end += (choice >> CHOICE_SIZE) * CHILD
        ahead += (choice >> CHOICE_SIZE) * is_ahead
        parent += WIDTH
    return end, ahead


@inlined
def _move_of(stack: Words, child: Word, moves: Moves) -> Word:
    """Return the move of a child: the word of its place, and the tile."""
    origin = stack[child + ORIGIN]
    board = stack[(origin >> PARENT) + BOARD]
    move = moves.by_place[origin & PLACE]
    return Word(move | (board >> (move >> MOVE_SHIFT & SHIFTS) & CELLS) << MOVE_TILE)


@inlined
def _judge(stack: Words, child: Word, tree: PackedTree) -> Word:
    """Write a child's values and facts after two partitions; return the facts."""
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
    return Word(facts)


@inlined
def _push(stack: Words, child: Word, node: Word) -> None:
    """Make a node of a child."""
    parent, move = stack[child + ORIGIN] >> PARENT, stack[child + MOVE]
    tile = _tile(move)
    blank = stack[parent + FACTS] >> BLANK & CELLS
    taken, put = tile << (move >> MOVE_SHIFT & SHIFTS), tile << (blank << CELL_BITS)
    stack[node + BOARD] = stack[parent + BOARD] ^ taken ^ put
    copy_four(stack, child + NEW_INDICES, node + INDICES)
    facts = stack[child + NEW_FACTS]
    gives_back = facts >> LENT & Word(facts - _EACH_ROOM & _ALL_SIGNS == ZERO)
    facts = (facts & ~(ONE << LENT)) - gives_back * _LOAN
    stack[node + VALUES], stack[node + FACTS] = stack[child + NEW_VALUES], facts
    stack[node + LOGGED] = stack[parent + LOGGED]


@part
def _walk(member: Member, budget: int, tree: PackedTree, ranks: Ranks | None) -> None:
    """Search a stack; see `sharing.search`. `ranks` is None where no table is indexed by rank."""
    stack, control, lookup = member.stack, member.control, tree.lookup
    children = Word(len(stack) - SCRATCH)
    parents = children + CHILD * Word(CHILDREN)
    scratch = Scratch(children, parents, parents + WIDTH * Word(BATCH))
    longest = Word(len(member.path) - DEEPEST - BATCH)
    goal = Word(tree.goal)
    top = control[TOP]
    nodes = made_ahead = 0
    least = Word(atomic_load(member.shared, LEAST))
    control[FOUND] = 0
    while top > 0 and goes_on(member, nodes, budget):
        first = max(0, top - BATCH, top - max(1, (budget - nodes) >> 2))
        low, high = Word(first) * WIDTH, Word(top) * WIDTH
        solved = _goal_among(stack, low, high, goal)
        if solved < high:
            facts, logged = stack[solved + FACTS], stack[solved + LOGGED] >> LOG
            blank, depth = facts >> BLANK & CELLS, facts >> DEPTH & DEPTHS
            write_solution(member, logged, blank, depth, facts >> AHEAD & ONE)
            for word in word_range(solved, high - WIDTH):
                stack[word] = stack[word + WIDTH]
            top -= 1
            if control[FOUND]:
                break
            least = Word(DEEPEST)
            continue
        if stack[high - WIDTH + LOGGED] >> LOG > longest:
            shorten(member, top, LogField(WIDTH, LOGGED, LOG))

        end, ahead = _pop(member, low, high, least, scratch, tree.moves)
        nodes += widened((end - children) // CHILD)
        made_ahead += widened(ahead)
        for child in word_range(children, end, CHILD):
            move = _move_of(stack, child, tree.moves)
            _fetch(stack, child, move, ZERO, lookup, ranks)
            stack[child + MOVE] = move
        chosen = scratch.chosen
        for child in word_range(children, end, CHILD):
            facts = _judge(stack, child, tree)
            stack[chosen] = child
            chosen += Word(facts & _FIRST_SIGNS == ZERO)

        if lookup.has_more:
            for place in word_range(scratch.chosen, chosen):
                child = stack[place]
                _fetch(stack, child, stack[child + MOVE], TWO, lookup, ranks)
            last = chosen
            chosen = scratch.chosen
            for place in word_range(scratch.chosen, last):
                child = stack[place]
                values, taken = _rises(stack, child, stack[child + NEW_VALUES], TWO, lookup)
                facts = stack[child + NEW_FACTS] - taken
                stack[child + NEW_VALUES], stack[child + NEW_FACTS] = values, facts
                stack[chosen] = child
                chosen += Word(facts & _ALL_SIGNS == ZERO)

        node = low
        for place in word_range(scratch.chosen, chosen):
            _push(stack, stack[place], node)
            node += WIDTH
        top = widened(node // WIDTH)
    control[TOP] = top
    control[GENERATED], control[GENERATED_AHEAD] = nodes, made_ahead
    control[PATH] = widened(stack[Word(top - 1) * WIDTH + LOGGED] >> LOG) if top else 0


@search.register
def _(tree: PackedTree, member: Member, budget: int) -> None:
    _walk(member, budget, tree, None)


@search.register
def _(tree: RankedTree, member: Member, budget: int) -> None:
    _walk(member, budget, tree.packed, tree.ranks)

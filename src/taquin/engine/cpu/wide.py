"""The search loop for grids of up to 25 cells: a node is thirteen 64-bit words.

    BOARD      two words: the board, 5 bits a cell, 12 cells a word
    FACTS      0-4    cell 24
               5-9    cell of the blank
               10-18  depth
               19-28  Manhattan distance
               29-44  state of the automaton
               45-63  the parent's place in the log, counted from 1
    VALUES     table values now in force, 4 bits a slot
    ROOMS      room left by each of up to six partitions, plus 2^9, in 10 bits each: bit 9 is set
               while there is room, and no lane ever borrows from the next; and in bit 60 whether
               the node is ahead of the bound
    INDICES    eight words: table indices, 32 bits a slot, two in a word

    8 7 6      This board under the bound 28, with the partition 1 2 3 4 | 5 6 7 8:
    5 4 3
    2 1 .      BOARD    0x8864298e8, 0x0      the 8 in cell 0 lowest, 5 bits a cell
               FACTS    0xa00100              blank in cell 8, depth 0, Manhattan distance 20
               VALUES   0x12                  2 and 1, so the heuristic is 20 + 2 · 3 = 26
               ROOMS    0x201                 room for 1 more, (28 - 26) / 2, and the mark
               INDICES  0x876500008743        that of 1 2 3 4 in the lower half; seven times 0x0

Room, stack, log, the order of the search and what parents lend are those of `packed.py`. A tile has
up to six slots (three partitions and their mirror images). Two are read for every child, the next
two for children that have room left after these, and so on. The usual case, a partition and its
mirror image, is a `PairTree`, with two slots for each tile and narrower nodes. `wide_plan.py` makes
the records.
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
from taquin.system.native import atomic_load, half_word, inlined, part, prefetch, widened

VIEWS = 6
"""Partitions a node has room for."""
SLOTS = 16
"""Slots in a node."""

BOARD, FACTS, VALUES, ROOMS, INDICES, WIDTH = (Word(n) for n in (0, 2, 3, 4, 5, 13))
"""The words of a node, and their number."""
MORE_INDICES = Word(INDICES + FOUR)
"""The last four words of indices, which a `PairTree` does without."""
BLANK, DEPTH, DISTANCE, STATE, LOG = (Word(n) for n in (5, 10, 19, 29, 45))
"""First bit of each field of FACTS but cell 24."""
CELLS, DISTANCES = Word(31), Word(1023)
"""The masks of a cell or a tile, and of a distance."""
BOARD_CELLS = 12
"""Cells in a word of the board."""
LANE = 10
"""Bits of a partition's room, with its mark."""
ROOMY = 1 << LANE - 1
"""The mark that a partition has room."""
AHEAD, LENT = Word(60), Word(61)
"""The bits of ROOMS that say that a node is ahead of the bound, and, in scratch memory, that one of
each room is lent."""

STATE_ROW, PARENT_WIDTH = Word(13), Word(14)
"""A parent in scratch memory is a node and then the row of its state in `Moves.follow`."""
ORIGIN, HALVES, NEW_VALUES, NEW_ROOMS, ROW, MOVE, STRAYS, CHILD = (
    Word(n) for n in (0, 1, 3, 4, 5, 6, 7, 8)
)
"""The words of a child in scratch memory: its origin, the halves of the values of two slots, its
VALUES and ROOMS, its row in the look-up, its move, whether the tile strays; and their number."""
PLACE, PARENT = Word(127), Word(7)
"""Of an origin: the mask of the move's place, and the first bit of the parent's address."""
FROM_WORD, FROM_SHIFT, TO_WORD, TO_SHIFT, MOVE_TILE = (Word(n) for n in (8, 16, 24, 32, 40))
"""First bits of the fields of a move after the tile's cell: the word and the bit of that cell on
the board, those of the blank's cell, and the tile."""
WORDS, SHIFTS = Word(255), Word(63)
"""The masks of the number of a word, and of a shift."""

AWAY, MARKS, SLOT, SLOT_WIDTH, CHANGES, MORE_CHANGES, ROW_WIDTH = (
    Word(n) for n in (0, 1, 4, 4, 28, 32, 36)
)
"""The words of a row of the look-up, for one move of a tile: the cells, as bits, from which it
leads away from home; the marks of the partitions that the first two slots judge, the first four,
and all; six slots; what changes in the words of indices."""
SLOT_INDEX, SLOT_ADDRESS, SLOT_SCALE, SLOT_SHIFT = (Word(n) for n in range(4))
"""The words of a slot: the place of its index among the half words of a node, the half of the value
after the move for index 0, 1 in the lanes of the rooms that count it, first bit of the value."""

SCRATCH = int(CHILD) * CHILDREN + int(PARENT_WIDTH) * BATCH + 4 * BATCH
"""Words of scratch memory at the end of a stack: children, parents, chosen children."""


class WideTree(NamedTuple):
    """A goal on up to 25 cells, with up to six slots for each tile."""

    moves: Moves
    """The moves; for each place the tile's cell and the fields of a move."""
    follow_address: int
    """Where `Moves.follow` is."""
    lookup: Words
    """A row for each tile and direction."""
    last_slot: int
    """Where in a row the slots end that are read."""
    each_room: int
    """1 in the lane of each partition's room."""


class PairTree(NamedTuple):
    """A goal with two slots for each tile, and four words of indices at most."""

    wide: WideTree


@inlined
def _change_four(stack: Words, source: Word, lookup: Words, change: Word, target: Word) -> None:
    """Write four words of indices after a move."""
    first = stack[source] + lookup[change]
    second = stack[source + ONE] + lookup[change + ONE]
    third = stack[source + TWO] + lookup[change + TWO]
    fourth = stack[source + THREE] + lookup[change + THREE]
    stack[target], stack[target + ONE] = first, second
    stack[target + TWO], stack[target + THREE] = third, fourth


@inlined
def _half(stack: Words, parent: Word, lookup: Words, slot: Word) -> Word:
    """Return the half of the value of a slot after a move, and prefetch it."""
    index = half_word(stack, (parent << ONE) + lookup[slot + SLOT_INDEX])
    half: Word = index + lookup[slot + SLOT_ADDRESS]
    prefetch(half >> ONE)
    return half


@inlined
def _fetch(stack: Words, child: Word, slot: Word, lookup: Words) -> None:
    """Prefetch the values of two slots of a child, from a slot of its row on."""
    parent = stack[child + ORIGIN] >> PARENT
    first = stack[child + ROW] + slot
    stack[child + HALVES] = _half(stack, parent, lookup, first)
    stack[child + HALVES + ONE] = _half(stack, parent, lookup, first + SLOT_WIDTH)


@inlined
def _rises(stack: Words, child: Word, values: Word, slot: Word, lookup: Words) -> tuple[Word, Word]:
    """Return a child's values after two slots, and what they take from its rooms."""
    first = stack[child + ROW] + slot
    second = first + SLOT_WIDTH
    shift, other_shift = lookup[first + SLOT_SHIFT], lookup[second + SLOT_SHIFT]
    rise = rise_at(stack[child + HALVES], values, shift)
    other_rise = rise_at(stack[child + HALVES + ONE], values, other_shift)
    taken = rise * lookup[first + SLOT_SCALE] + other_rise * lookup[second + SLOT_SCALE]
    return values + (rise << shift) + (other_rise << other_shift), taken


@inlined
def _goal_among(stack: Words, low: Word, high: Word) -> Word:
    """Return the uppermost node that is a goal; `high` if none is."""
    solved = high
    for node in word_range(low, high, WIDTH):
        if stack[node + FACTS] >> DISTANCE & DISTANCES == ZERO:
            solved = node
    return solved


@inlined
def _pop(
    member: Member,
    low: Word,
    high: Word,
    least: Word,
    scratch: Scratch,
    tree: WideTree,
    pairs: bool | None,
) -> tuple[Word, Word]:
    """Copy nodes to scratch memory, log them and list their children.

    Return the end of the children, and how many have a parent that is ahead of the bound.
    """
    stack, path = member.stack, member.path
    logged = stack[high - WIDTH + FACTS] >> LOG
    parent, end, ahead = scratch.parents, scratch.children, ZERO
    loan = Word(tree.each_room) | ONE << AHEAD | ONE << LENT
    for node in word_range(low, high, WIDTH):
        copy_four(stack, node, parent)
        copy_four(stack, node + FOUR, parent + FOUR)
        stack[parent + FOUR + FOUR] = stack[node + FOUR + FOUR]
        if pairs is None:
            copy_four(stack, node + MORE_INDICES, parent + MORE_INDICES)
        facts = stack[node + FACTS]
        blank = facts >> BLANK & CELLS
        state = facts >> STATE & STATES
        prefetch(Word(tree.follow_address) + (state << DIRECTION_BITS + ONE))
        path[logged] = (facts >> LOG) << LOG_PARENT | blank
        logged += ONE
        # What all children share: no state and no blank yet, the tile one nearer to home.
        facts ^= state << STATE | blank << BLANK | (facts >> LOG ^ logged) << LOG
        stack[parent + FACTS] = facts + (ONE << DEPTH) - (ONE << DISTANCE)
        stack[parent + STATE_ROW] = state << DIRECTION_BITS
        is_ahead = stack[node + ROOMS] >> AHEAD & ONE
        lends = Word((facts >> DEPTH & DEPTHS) + ONE >= least) & ~is_ahead
        stack[parent + ROOMS] += lends * loan
        choice = choice_at(tree.moves, state, blank)
        origin = parent << PARENT | blank << DIRECTION_BITS
        for number in word_range(FOUR):
            direction = choice >> (number << ONE) & DIRECTION
            stack[end + number * CHILD + ORIGIN] = origin | direction
        end += (choice >> CHOICE_SIZE) * CHILD
        ahead += (choice >> CHOICE_SIZE) * is_ahead
        parent += PARENT_WIDTH
    return end, ahead


@inlined
def _write_move(stack: Words, child: Word, moves: Moves) -> None:
    """Write the move of a child: the word of its place, and the tile; and the row of both."""
    origin = stack[child + ORIGIN]
    move = moves.by_place[origin & PLACE]
    word = stack[(origin >> PARENT) + (move >> FROM_WORD & WORDS)]
    tile = word >> (move >> FROM_SHIFT & SHIFTS) & CELLS
    stack[child + ROW] = (tile << DIRECTION_BITS | origin & DIRECTION) * ROW_WIDTH
    stack[child + MOVE] = move | tile << MOVE_TILE


@inlined
def _has_room(rooms: Word, marks: Word) -> Word:
    """Return 1 if all marked partitions have room, else 0."""
    return Word(rooms & marks == marks)


@inlined
def _judge(stack: Words, child: Word, tree: WideTree) -> Word:
    """Write a child's values and rooms after its first two slots; return 1 if it has room left."""
    lookup = tree.lookup
    parent, row = stack[child + ORIGIN] >> PARENT, stack[child + ROW]
    strays = lookup[row + AWAY] >> (stack[child + MOVE] & CELLS) & ONE
    values, taken = _rises(stack, child, stack[parent + VALUES], SLOT, lookup)
    rooms = stack[parent + ROOMS] - strays * Word(tree.each_room) - taken
    stack[child + NEW_VALUES], stack[child + NEW_ROOMS] = values, rooms
    stack[child + STRAYS] = strays
    return _has_room(rooms, lookup[row + MARKS])


@inlined
def _judge_on(stack: Words, child: Word, slot: Word, marks: Word, lookup: Words) -> Word:
    """Do the same after two slots more, from `slot` of its row on; its marks are at `marks`."""
    values, taken = _rises(stack, child, stack[child + NEW_VALUES], slot, lookup)
    rooms = stack[child + NEW_ROOMS] - taken
    stack[child + NEW_VALUES], stack[child + NEW_ROOMS] = values, rooms
    return _has_room(rooms, lookup[stack[child + ROW] + marks])


@inlined
def _push(stack: Words, child: Word, node: Word, tree: WideTree, pairs: bool | None) -> None:
    """Make a node of a child."""
    origin, row, move = stack[child + ORIGIN], stack[child + ROW], stack[child + MOVE]
    parent = origin >> PARENT
    tile = move >> MOVE_TILE
    stack[node + BOARD], stack[node + BOARD + ONE] = stack[parent], stack[parent + ONE]
    facts = stack[parent + FACTS] + (stack[child + STRAYS] << DISTANCE + ONE)
    following = tree.moves.follow[stack[parent + STATE_ROW] | origin & DIRECTION]
    facts += Word(following) << STATE
    stack[node + FACTS] = facts + ((move & CELLS) << BLANK)
    rooms, each_room = stack[child + NEW_ROOMS], Word(tree.each_room)
    gives_back = rooms >> LENT & _has_room(rooms - each_room, each_room * Word(ROOMY))
    rooms = (rooms & ~(ONE << LENT)) - gives_back * (each_room | ONE << AHEAD)
    stack[node + VALUES], stack[node + ROOMS] = stack[child + NEW_VALUES], rooms
    _change_four(stack, parent + INDICES, tree.lookup, row + CHANGES, node + INDICES)
    if pairs is None:
        more = row + MORE_CHANGES
        _change_four(stack, parent + MORE_INDICES, tree.lookup, more, node + MORE_INDICES)
    stack[node + (move >> FROM_WORD & WORDS)] ^= tile << (move >> FROM_SHIFT & SHIFTS)
    stack[node + (move >> TO_WORD & WORDS)] ^= tile << (move >> TO_SHIFT & SHIFTS)


@part
def _walk(member: Member, budget: int, tree: WideTree, pairs: bool | None) -> None:
    """Search a stack; see `sharing.search`. `pairs` is None unless it is that of a `PairTree`."""
    stack, control, lookup = member.stack, member.control, tree.lookup
    children = Word(len(stack) - SCRATCH)
    parents = children + CHILD * Word(CHILDREN)
    scratch = Scratch(children, parents, parents + PARENT_WIDTH * Word(BATCH))
    longest = Word(len(member.path) - DEEPEST - BATCH)
    top = control[TOP]
    nodes = made_ahead = 0
    least = Word(atomic_load(member.shared, LEAST))
    control[FOUND] = 0
    while top > 0 and goes_on(member, nodes, budget):
        first = max(0, top - BATCH, top - max(1, (budget - nodes) >> 2))
        low, high = Word(first) * WIDTH, Word(top) * WIDTH
        solved = _goal_among(stack, low, high)
        if solved < high:
            facts = stack[solved + FACTS]
            blank, depth = facts >> BLANK & CELLS, facts >> DEPTH & DEPTHS
            is_ahead = stack[solved + ROOMS] >> AHEAD & ONE
            write_solution(member, facts >> LOG, blank, depth, is_ahead)
            for word in word_range(solved, high - WIDTH):
                stack[word] = stack[word + WIDTH]
            top -= 1
            if control[FOUND]:
                break
            least = Word(DEEPEST)
            continue
        if stack[high - WIDTH + FACTS] >> LOG > longest:
            shorten(member, top, LogField(WIDTH, FACTS, LOG))

        end, ahead = _pop(member, low, high, least, scratch, tree, pairs)
        nodes += widened((end - children) // CHILD)
        made_ahead += widened(ahead)
        for child in word_range(children, end, CHILD):
            _write_move(stack, child, tree.moves)
            _fetch(stack, child, SLOT, lookup)
        chosen = scratch.chosen
        for child in word_range(children, end, CHILD):
            has_room = _judge(stack, child, tree)
            stack[chosen] = child
            chosen += has_room

        if pairs is None:
            marks = MARKS + ONE
            for slot in word_range(SLOT + TWO * SLOT_WIDTH, Word(tree.last_slot), TWO * SLOT_WIDTH):
                for place in word_range(scratch.chosen, chosen):
                    _fetch(stack, stack[place], slot, lookup)
                last = chosen
                chosen = scratch.chosen
                for place in word_range(scratch.chosen, last):
                    child = stack[place]
                    has_room = _judge_on(stack, child, slot, marks, lookup)
                    stack[chosen] = child
                    chosen += has_room
                marks += ONE

        node = low
        for place in word_range(scratch.chosen, chosen):
            _push(stack, stack[place], node, tree, pairs)
            node += WIDTH
        top = first + widened(chosen - scratch.chosen)
    control[TOP] = top
    control[GENERATED], control[GENERATED_AHEAD] = nodes, made_ahead
    control[PATH] = widened(stack[Word(top - 1) * WIDTH + FACTS] >> LOG) if top else 0


@search.register
def _(tree: WideTree, member: Member, budget: int) -> None:
    _walk(member, budget, tree, None)


@search.register
def _(tree: PairTree, member: Member, budget: int) -> None:
    _walk(member, budget, tree.wide, True)

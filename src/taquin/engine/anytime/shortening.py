"""Make a solution shorter by rotations that together change nothing but its moves.

A *rotation* is four moves of the blank round a block of four cells, in which three tiles change
places. But moves that are taken back at once need not be made. So it costs less where the
solution goes along sides of the block anyway, and the rest of the way round takes their place:

    it goes along     →              instead   ↑ → ↓    two moves more
                      → ↓                      ↓ →      as many moves
                      ↑ → ↓                    →        two moves fewer
                      ↑ → ↓ ←                  nothing  four moves fewer

A rotation turns a pair of tiles that are in each other's place into another pair. A chain of
rotations, in the order of time, that turns a pair into others and at last into itself leaves no
tile in another's place. If they cost less than nothing together, the solution gets shorter.

Each attempt takes a rotation at random that costs nothing or less. It follows what its pair may
become after it, and what may become its pair before it, until the two have a pair in common. A
chain that costs nothing is taken too: the solution is as long as before, but another one, in which
other chains are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from taquin.engine.anytime.puzzle_arrays import Moves, Neighbours, PuzzleArrays, Tiles, follow
from taquin.system.arrays import Array, Matrix, array, filled, int8, int16, int32, uint64, zeros
from taquin.system.kernels import kernel
from taquin.system.native import part, widened

_ATTEMPTS, _MOVES_CHANGED = 4_096, 1 << 18
"""Attempts between two checks of the clock, and moves of solutions that were changed: about 20 ms.
All rotations are listed again after a change."""
_PATIENCE = 40
"""Attempts for each move of a solution, without a shorter one, after which it is left as it is."""
_LEEWAY = 4
"""Moves that rotations may cost on the way to one that saves them."""
_MOST_LABELS, _MOST_IN_CHAIN = 4_096, 64
"""Entries that are followed in one attempt, and rotations of a chain, at most."""
_FACTOR, _SUMMAND = uint64(6364136223846793005), uint64(1442695040888963407)
_LOW_BITS, _WORD = uint64(33), uint64((1 << 64) - 1)
"""A linear congruential generator (the factor is Knuth's), whose low bits are left out."""
_NO_COST = 100
"""The cost of what is not known, or need not be considered."""


class Rotations(NamedTuple):
    """All rotations that could be inserted into a solution, in the order of time.

    Each has three entries, one for each pair of its tiles: three times its number, plus 0, 1 or 2.
    Round one way it turns the first pair into the second, that into the third, and that into the
    first; round the other way it does the reverse.
    """

    times: Array[int32]
    """The moves before each."""
    blocks: Array[int8]
    """In which of the four blocks around the blank it is: 2 for below, plus 1 for to the right."""
    costs: Matrix[int8]
    """How many moves longer it makes the solution, round the one way and round the other."""
    pairs: Array[int32]
    """For each entry its pair."""
    links: Matrix[int32]
    """For each entry the one before it with the same pair, and the one after it; or -1."""


class Labels(NamedTuple):
    """What one attempt knows."""

    costs: Array[int8]
    """For each entry the moves that a chain between it and the first rotation costs."""
    origins: Array[int32]
    """For each entry the one before it on that chain."""
    free: Array[int32]
    """For each entry the first move, or behind the last, that no rotation of that chain changes."""
    queue: Array[int32]
    """The entries with labels, in the order in which they got them."""
    chain: Array[int32]
    """The rotations of a chain: two times the number of each, plus 1 for the other way round."""


class Work(NamedTuple):
    """The solution, and memory."""

    moves: Array[int8]
    """The moves of the solution, and free space after them."""
    other: Array[int8]
    """Room for as many."""
    start: Array[int16]
    """The board that it begins with."""
    board: Array[int16]
    """Room for a board."""
    last: Array[int32]
    """For each pair an entry; -1 between uses."""
    chance: Array[uint64]
    """The state of a generator of random numbers."""


@part
def _draw(chance: Array[uint64], below: int) -> int:
    """Return a random number below another."""
    chance[0] = (chance[0] * _FACTOR + _SUMMAND) & _WORD
    return int((chance[0] >> _LOW_BITS) % uint64(below))


@part
def _cost(moves: Array[int8], length: int, time: int, one: int, two: int) -> int:
    """Return how many moves longer a rotation makes a solution that begins with two directions."""
    if time > 0 and moves[time - 1] + one == 3:
        # It is the same as another before this move, where the solution goes along one side more.
        return _NO_COST
    along = 0
    while along < 4 and time + along < length:
        wanted = two if along == 0 else one if along == 1 else 3 - two if along == 2 else 3 - one
        if moves[time + along] != wanted:
            break
        along += 1
    return 4 - 2 * along


@part
def list_rotations(work: Work, length: int, near: Neighbours, rotations: Rotations) -> int:
    """List the rotations that could be inserted into a solution; return how many there are."""
    board, moves, last = work.board, work.moves, work.last
    kinds, blank = len(board), 0
    for cell in range(kinds):
        board[cell] = work.start[cell]
        if board[cell] == 0:
            blank = cell
    count = 0
    for time in range(length + 1):
        for block in range(4):
            upright, level = 3 * (block >> 1), 1 + (block & 1)
            above, beside = widened(near[blank, upright]), widened(near[blank, level])
            if above < 0 or beside < 0:
                continue
            rotations.times[count] = time
            rotations.blocks[count] = block
            rotations.costs[count, 0] = _cost(moves, length, time, upright, level)
            rotations.costs[count, 1] = _cost(moves, length, time, level, upright)
            one, three = widened(board[above]), widened(board[beside])
            two = widened(board[near[above, level]])
            for number in range(3):
                first = two if number == 1 else one
                second = two if number == 0 else three
                entry = 3 * count + number
                pair = min(first, second) * kinds + max(first, second)
                before = last[pair]
                rotations.pairs[entry] = pair
                rotations.links[entry, 0] = before
                rotations.links[entry, 1] = -1
                if before >= 0:
                    rotations.links[before, 1] = entry
                last[pair] = entry
            count += 1
        if time < length:
            cell = widened(near[blank, moves[time]])
            board[blank] = board[cell]
            board[cell] = 0
            blank = cell
    for entry in range(3 * count):
        last[rotations.pairs[entry]] = -1
    return count


@part
def _spread(
    rotations: Rotations, labels: Labels, first: int, count: int, most: int, side: int
) -> int:
    """Label all that is reached from an entry, in one direction of time; return the labels.

    `side` is 1 for what the pair may become later, and 0 for what may become it. The queue has
    `first` labels of before, and that of the entry at its end.
    """
    place = first
    while place < count:
        entry = widened(labels.queue[place])
        place += 1
        cost = widened(labels.costs[entry])
        following = widened(rotations.links[entry, side])
        if following < 0 or count + 3 > _MOST_LABELS:
            continue
        if cost >= labels.costs[following]:
            continue
        labels.costs[following] = cost
        labels.origins[following] = entry
        labels.free[following] = labels.free[entry]
        labels.queue[count] = following
        count += 1
        rotation = following // 3
        number = following - 3 * rotation
        for way in range(2):
            steps = 1 + way if side == 1 else 2 - way
            target = 3 * rotation + (number + steps) % 3
            more = widened(rotations.costs[rotation, way])
            begin = widened(rotations.times[rotation])
            end = begin + (4 - more) // 2
            if begin < labels.free[entry] if side == 1 else end > labels.free[entry]:
                continue
            if cost + more <= most and cost + more < labels.costs[target]:
                labels.costs[target] = cost + more
                labels.origins[target] = following
                labels.free[target] = end if side == 1 else begin
                labels.queue[count] = target
                count += 1
    return count


@part
def _chain(labels: Labels, entry: int, count: int, side: int) -> int:
    """Write the rotations of the chain that led to an entry behind others; return how many."""
    origin = widened(labels.origins[entry])
    while origin >= 0 and count < _MOST_IN_CHAIN:
        if origin // 3 == entry // 3:
            steps = (entry - origin + 3) % 3
            labels.chain[count] = 2 * (entry // 3) + (steps - 1 if side == 1 else 2 - steps)
            count += 1
        entry, origin = origin, widened(labels.origins[origin])
    return count


@part
def find_chain(
    rotations: Rotations, labels: Labels, last: Array[int32], chance: Array[uint64], first: int
) -> int:
    """Write a cheapest chain with a given rotation; return how many it has, 0 for no chain.

    Only chains that cost nothing or less count. The rotations are in no order.
    """
    rotation, way = first >> 1, first & 1
    number = _draw(chance, 3)
    source, target = 3 * rotation + number, 3 * rotation + (number + 1 + way) % 3
    cost = widened(rotations.costs[rotation, way])
    time = widened(rotations.times[rotation])
    labels.costs[source], labels.origins[source], labels.queue[0] = 0, -1, source
    labels.free[source] = time
    before = _spread(rotations, labels, 0, 1, _LEEWAY, 0)
    for place in range(before):
        entry = widened(labels.queue[place])
        known = last[rotations.pairs[entry]]
        if known < 0 or labels.costs[entry] < labels.costs[known]:
            last[rotations.pairs[entry]] = entry
    labels.costs[target], labels.origins[target], labels.queue[before] = cost, -1, target
    labels.free[target] = time + (4 - cost) // 2
    count = _spread(rotations, labels, before, before + 1, _LEEWAY, 1)
    least, ties, best = 1, 0, -1
    for place in range(before, count):
        entry = widened(labels.queue[place])
        known = last[rotations.pairs[entry]]
        if known < 0:
            continue
        total = widened(labels.costs[entry]) + labels.costs[known]
        if total < least:
            least, ties = total, 0
        if total == least:
            ties += 1
            if _draw(chance, ties) == 0:
                best = entry
    length = 0
    if best >= 0:
        labels.chain[0] = first
        length = _chain(labels, best, 1, 1)
        length = _chain(labels, widened(last[rotations.pairs[best]]), length, 0)
    for place in range(count):
        entry = widened(labels.queue[place])
        labels.costs[entry] = _NO_COST
        last[rotations.pairs[entry]] = -1
    return length if length < _MOST_IN_CHAIN else 0


@part
def _sort(chain: Array[int32], count: int) -> None:
    """Put the rotations of a chain into the order of time."""
    for place in range(1, count):
        rotation = chain[place]
        while place > 0 and chain[place - 1] > rotation:
            chain[place] = chain[place - 1]
            place -= 1
        chain[place] = rotation


@part
def _append(moves: Array[int8], count: int, direction: int) -> int:
    """Add a move behind others, or take back the one before it; return how many there are."""
    if count > 0 and moves[count - 1] + direction == 3:
        return count - 1
    moves[count] = direction
    return count + 1


@part
def insert_chain(
    work: Work, length: int, rotations: Rotations, chain: Array[int32], links: int
) -> int:
    """Write the moves with the rotations of a chain into `work.other`; return their number."""
    _sort(chain, links)
    count = done = 0
    for link in range(links):
        rotation, way = chain[link] >> 1, chain[link] & 1
        block = widened(rotations.blocks[rotation])
        upright, level = 3 * (block >> 1), 1 + (block & 1)
        one, two = (upright, level) if way == 0 else (level, upright)
        for time in range(done, rotations.times[rotation]):
            count = _append(work.other, count, widened(work.moves[time]))
        count = _append(work.other, count, one)
        count = _append(work.other, count, two)
        count = _append(work.other, count, 3 - one)
        count = _append(work.other, count, 3 - two)
        done = widened(rotations.times[rotation])
    for time in range(done, length):
        count = _append(work.other, count, widened(work.moves[time]))
    return count


@part
def _is_other(work: Work, length: int) -> bool:
    """Return whether the moves in `work.other`, as many as before, are other moves."""
    time = 0
    while time < length and work.other[time] == work.moves[time]:
        time += 1
    return time < length


@kernel
def _shorten(
    work: Work, length: int, near: Neighbours, rotations: Rotations, labels: Labels
) -> tuple[int, int]:
    """Change a solution in some attempts; return its length, no longer than before, and them."""
    chain, changed = labels.chain, 0
    count = list_rotations(work, length, near, rotations)
    for attempt in range(_ATTEMPTS):
        first = _draw(work.chance, 2 * count)
        if rotations.costs[first >> 1, first & 1] > 0:
            continue
        links = find_chain(rotations, labels, work.last, work.chance, first)
        if links < 2:
            continue
        others = insert_chain(work, length, rotations, chain, links)
        if others < length or (others == length and _is_other(work, length)):
            length = others
            for time in range(length):
                work.moves[time] = work.other[time]
            changed += length
            if changed >= _MOVES_CHANGED:
                return length, attempt + 1
            count = list_rotations(work, length, near, rotations)
    return length, _ATTEMPTS


def begin(
    puzzle: PuzzleArrays, start: Tiles, moves: Moves, seed: int
) -> tuple[Work, Rotations, Labels]:
    """Return the memory for a solution."""
    size, room, most = puzzle.size, len(moves) + 4 * _MOST_IN_CHAIN, 4 * (len(moves) + 1)
    work = Work(
        *(zeros(room, int8), zeros(room, int8)),
        *(array(start, int16), zeros(size, int16), filled(size * size, -1, int32)),
        array([seed], uint64),
    )
    work.moves[: len(moves)] = moves
    rotations = Rotations(
        *(zeros(most, int32), zeros(most, int8), zeros((most, 2), int8)),
        *(zeros(3 * most, int32), zeros((3 * most, 2), int32)),
    )
    labels = Labels(
        *(filled(3 * most, _NO_COST, int8), zeros(3 * most, int32), zeros(3 * most, int32)),
        *(zeros(_MOST_LABELS, int32), zeros(_MOST_IN_CHAIN, int32)),
    )
    return work, rotations, labels


def shortened(
    puzzle: PuzzleArrays, start: Tiles, moves: Moves, keep_going: Callable[[], bool], seed: int = 0
) -> Iterator[Moves]:
    """Yield moves that lead from a board to the same as those given do, fewer and fewer.

    It ends when none were found for a while. `seed` decides what is tried.
    """
    length, in_vain = len(moves), 0
    work, rotations, labels = begin(puzzle, start, moves, seed)
    target = follow(start, moves, puzzle.near)
    while length and in_vain < _PATIENCE * length and keep_going():
        before = length
        length, attempts = _shorten(work, length, puzzle.near, rotations, labels)
        in_vain += attempts
        if length < before:
            in_vain = 0
            shorter = work.moves[:length].tobytes()
            assert follow(start, shorter, puzzle.near) == target, "tiles are where they were"
            yield shorter

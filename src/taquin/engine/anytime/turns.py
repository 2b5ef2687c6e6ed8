"""Undo the last rings of a solution by turns that are put in on its way.

    . . .       Where the blank goes round among four cells, the three tiles there change places in
    . 6 5       a ring, for four moves. All moves after it do what they did before, to other tiles.
    . 8 .

Two tiles that end in each other's place are a *pair*. A turn of them and a third makes another pair
of it: the third and one of the two. So a pair goes from tiles to tiles wherever the blank comes by,
and is carried by them as they go, until it is the same pair as another; then both are gone. A ring
of more tiles is undone in the same way: by a pair of its first two that becomes one of the next.

Far pairs are brought together so for 20 to 50 moves, where a hundred and more are needed once all
other tiles are at home (`rings.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from taquin.engine.anytime.field import Field, Moves, Neighbours, Tiles, blank_of, follow
from taquin.system.kernels import kernel
from taquin.system.native import part, widened

_ASIDE = 3
"""Most steps that the blank goes aside for a turn, and back."""
_CHEAP = 8
"""Moves for which a way to undo a ring is taken before others are looked for."""
_MOST_RECORDS = 1 << 18
"""Turns that are noted at most; later ones are not."""
_MOST_WRONG = 80
"""Tiles that may be wrong: where more are, a beam was cut short."""
_Pair: TypeAlias = tuple[int, int]
_Record: TypeAlias = NDArray[np.int32]
_PAIR, _BEFORE, _TIME, _WAY, _COST = range(5)
"""A record: a pair, the number of the record of the pair before it, the moves before the turn that
made the one of the other, where the blank went round, and the moves of all turns so far."""


class Chains(NamedTuple):
    """All that a pair may become, and by which turns."""

    records: NDArray[np.int32]
    """The records; the first is the pair itself."""
    known: NDArray[np.int32]
    """For each pair the number of its last record, which is the cheapest, or -1."""


class Turn(NamedTuple):
    """A turn of the three tiles of a block."""

    time: int
    """The moves before it."""
    way: int
    """The number of the way aside, times four, plus that of the block."""
    cost: int
    """Its moves, those to the block and back included."""


@part
def _relax(chains: Chains, count: int, source: int, target: int, turn: Turn) -> int:
    """Note that one pair can become another, if that is cheaper than before; return the records."""
    records, known = chains
    before = known[source]
    if before < 0 or count == len(records):
        return count
    total = records[before, _COST] + turn.cost
    last = known[target]
    if last >= 0 and records[last, _COST] <= total:
        return count
    records[count, _PAIR] = target
    records[count, _BEFORE] = before
    records[count, _TIME] = turn.time
    records[count, _WAY] = turn.way
    records[count, _COST] = total
    known[target] = count
    return count + 1


@part
def _pair(one: int, two: int, kinds: int) -> int:
    """Return the number of a pair of tiles."""
    return min(one, two) * kinds + max(one, two)


@part
def _turn(
    board: Tiles, near: Neighbours, place: int, chains: Chains, count: int, turn: Turn
) -> int:
    """Note what pairs may become by a turn of a block of four cells; return the records.

    The blank is at a place, one of the four; the way of the turn says which block it is.
    """
    block = turn.way & 3
    upright = widened(near[place, 3 * (block >> 1)])
    level = widened(near[place, 1 + (block & 1)])
    if upright < 0 or level < 0:
        return count
    known, kinds = chains.known, len(board)
    one = widened(board[upright])
    two = widened(board[near[upright, 1 + (block & 1)]])
    three = widened(board[level])
    first, second, third = (
        _pair(one, two, kinds),
        _pair(two, three, kinds),
        _pair(one, three, kinds),
    )
    if known[first] < 0 and known[second] < 0 and known[third] < 0:
        return count
    count = _relax(chains, count, first, second, turn)
    count = _relax(chains, count, first, third, turn)
    count = _relax(chains, count, second, first, turn)
    count = _relax(chains, count, second, third, turn)
    count = _relax(chains, count, third, first, turn)
    return _relax(chains, count, third, second, turn)


@part
def _is_far(cell: int, other: int, columns: int, most: int) -> bool:
    """Return whether two cells are more than so many steps apart."""
    rows = abs(cell // columns - other // columns)
    return rows + abs(cell % columns - other % columns) > most


@kernel
def _spread(
    board: Tiles,
    moves: Moves,
    near: Neighbours,
    columns: int,
    asides: NDArray[np.int8],
    chains: Chains,
) -> None:
    """Follow a pair of two tiles along a solution, and all that it may become.

    The pair is that of the first record. `asides` are the ways that the blank may go aside, each
    ended by -1. The board is that after all moves, then.
    """
    one, two = divmod(widened(chains.records[0, _PAIR]), len(board))
    most = asides.shape[1] + 1
    blank = one_at = two_at = 0
    for place in range(len(board)):
        if board[place] == 0:
            blank = place
        elif board[place] == one:
            one_at = place
        elif board[place] == two:
            two_at = place
    count = 1
    for time in range(len(moves) + 1):
        # Until its first turn the pair is where its tiles are, mostly far away.
        is_near = count > 1 or not (
            _is_far(one_at, blank, columns, most) or _is_far(two_at, blank, columns, most)
        )
        for number in range(len(asides) if is_near else 0):
            place = blank
            steps = 0
            while asides[number, steps] >= 0:
                cell = widened(near[place, asides[number, steps]])
                if cell < 0:
                    break
                board[place] = board[cell]
                board[cell] = 0
                place = cell
                steps += 1
            if asides[number, steps] < 0:
                for block in range(4):
                    turn = Turn(time, number * 4 + block, 4 + 2 * steps)
                    count = _turn(board, near, place, chains, count, turn)
            while steps > 0:
                steps -= 1
                cell = widened(near[place, 3 - asides[number, steps]])
                board[place] = board[cell]
                board[cell] = 0
                place = cell
        if time < len(moves):
            cell = widened(near[blank, moves[time]])
            if board[cell] == one:
                one_at = blank
            elif board[cell] == two:
                two_at = blank
            board[blank] = board[cell]
            board[cell] = 0
            blank = cell


def with_turns(puzzle: Field, start: Tiles, moves: Moves, go_on: Callable[[], bool]) -> Moves:
    """Return moves with turns, until they lead to the goal or nothing better is known.

    Those given lead from `start` near to the goal, and need not lead the blank home.
    """
    moves = _home(puzzle, start, moves)
    while True:
        found = None
        for source, targets in _exchanges(puzzle, follow(start, moves, puzzle.near)).items():
            if not go_on():
                return moves
            chain = _cheapest(puzzle, start, moves, source, targets)
            if chain is not None and (found is None or chain[-1][_COST] < found[-1][_COST]):
                found = chain
                if found[-1][_COST] <= _CHEAP:
                    break
        if found is None:
            return moves
        moves = _put_in(puzzle, start, moves, found)


def _home(puzzle: Field, start: Tiles, moves: Moves) -> Moves:
    """Return moves and the blank's way home, down or across first, whichever leaves less wrong."""
    board = follow(start, moves, puzzle.near)
    place, home = divmod(blank_of(board), puzzle.columns), divmod(puzzle.homes[0], puzzle.columns)
    down = [3 if home[0] > place[0] else 0] * abs(home[0] - place[0])
    across = [2 if home[1] > place[1] else 1] * abs(home[1] - place[1])
    ways = [np.array(way, np.int8) for way in (down + across, across + down)]
    return np.concatenate(
        [
            moves,
            min(ways, key=lambda way: len(wrong_tiles(puzzle, follow(board, way, puzzle.near)))),
        ]
    )


def wrong_tiles(puzzle: Field, board: Tiles) -> dict[int, int]:
    """Return for each tile that is not at home the one that belongs there."""
    goal = np.empty_like(board)
    goal[puzzle.homes] = np.arange(puzzle.size)
    places = np.flatnonzero(board != goal)
    return dict(zip(board[places].tolist(), goal[places].tolist(), strict=True))


def _exchanges(puzzle: Field, board: Tiles) -> dict[_Pair, list[_Pair]]:
    """Return pairs and what each may become, one of which is to be chosen: then both are gone."""
    wrong = wrong_tiles(puzzle, board)
    if len(wrong) > _MOST_WRONG:
        return {}
    rings = []
    while wrong:
        ring = [next(iter(wrong))]
        while (tile := wrong.pop(ring[-1])) != ring[0]:
            ring.append(tile)
        rings.append(ring)
    longest = max(rings, key=len, default=[])
    if len(longest) > 2:
        twice = longest + longest
        return {
            (twice[at], twice[at + 1]): [(twice[at + 1], twice[at + 2])]
            for at in range(len(longest))
        }
    pairs = [(ring[0], ring[1]) for ring in rings]
    return {pair: [other for other in pairs if other is not pair] for pair in pairs}


def _cheapest(
    puzzle: Field, start: Tiles, moves: Moves, source: _Pair, targets: list[_Pair]
) -> list[_Record] | None:
    """Return the records from a pair to that of some others which costs least to become."""
    size = puzzle.size
    known = np.full(size * size, -1, np.int32)
    records = np.empty((_MOST_RECORDS, 5), np.int32)
    records[0] = _key(source, size), -1, 0, 0, 0
    known[records[0, _PAIR]] = 0
    board = start.copy()
    chains = Chains(records, known)
    _spread(board, moves, puzzle.near, puzzle.columns, _ASIDES, chains)
    ends = [records[end] for target in targets if (end := known[_key(target, size)]) >= 0]
    if not ends:
        return None
    chain = [min(ends, key=lambda end: int(end[_COST]))]
    while chain[0][_BEFORE] >= 0:
        chain.insert(0, records[chain[0][_BEFORE]])
    return chain


def _put_in(puzzle: Field, start: Tiles, moves: Moves, chain: list[_Record]) -> Moves:
    """Return the moves with the turns of a chain of records."""
    near = puzzle.near
    board, done = start, 0
    way: list[int] = []
    for before, after in pairwise(chain):
        time = int(after[_TIME])
        board = follow(board, moves[done:time], near)
        number, block = divmod(int(after[_WAY]), 4)
        aside = _ASIDES[number][_ASIDES[number] >= 0]
        there = follow(board, aside, near)
        upright, level = 3 * (block >> 1), 1 + (block & 1)
        beside = near[blank_of(there), upright]
        # Round one way, the tile upright from the blank goes to where the next is, and so on.
        one, two = int(there[beside]), int(there[near[beside, level]])
        is_upright_first = (
            _exchanged(before, puzzle.size, _exchanged(after, puzzle.size, one)) == two
        )
        turn = (upright, level) if is_upright_first else (level, upright)
        way += [*moves[done:time], *aside, *turn, 3 - turn[0], 3 - turn[1], *(3 - aside[::-1])]
        done = time
    return _without_returns([*way, *moves[done:]])


def _exchanged(record: _Record, kinds: int, tile: int) -> int:
    """Return the other tile of a record's pair for one of them."""
    one, two = divmod(int(record[_PAIR]), kinds)
    return {one: two, two: one}.get(tile, tile)


def _key(pair: _Pair, kinds: int) -> int:
    return min(pair) * kinds + max(pair)


def _without_returns(directions: list[int]) -> Moves:
    """Return a way of the blank without steps that the next takes back."""
    way: list[int] = []
    for direction in directions:
        if way and way[-1] + direction == 3:
            way.pop()
        else:
            way.append(direction)
    return np.array(way, np.int8)


def _ways_aside() -> NDArray[np.int8]:
    """Return all ways of up to so many steps that take none back at once, each ended by -1."""
    found = [
        [*way, *[-1] * (_ASIDE + 1 - length)]
        for length in range(_ASIDE + 1)
        for way in product(range(4), repeat=length)
        if all(one + two != 3 for one, two in pairwise(way))
    ]
    return np.array(found, np.int8)


_ASIDES = _ways_aside()

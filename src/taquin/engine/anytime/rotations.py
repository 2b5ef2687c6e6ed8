"""Undo the last cycles of a solution by rotations that are inserted on its way.

    . . .       Where the blank goes round among four cells, the three tiles there change places in
    . 6 5       a cycle, for four moves. All moves after it do what they did before, to other tiles.
    . 8 .

Two tiles that end in each other's place are a *pair*. A rotation of them and a third makes another
pair of it: the third and one of the two. So a pair goes from tile to tile wherever the blank comes
by, and is carried by them as they go, until it is the same pair as another; then both are gone. A
longer cycle is undone in the same way: by a pair of its first two that becomes one of the next.

So far pairs are brought together for 20 to 50 moves, where a hundred and more are needed once all
other tiles are at home (`cycles.py`).

A beam that solves a large board spends hundreds of moves on its last tiles, one here and one there.
Such an end is better cut off where the next tile takes long to get home: rotations take its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, product
from math import inf
from typing import NamedTuple, TypeAlias

from taquin.engine.anytime.arrays import (
    Moves,
    Neighbours,
    PuzzleArrays,
    Tiles,
    blank_of,
    cycles_of,
    follow,
    reversed_moves,
    without_returns,
)
from taquin.system.arguments import Matrix
from taquin.system.arrays import Array, array, filled, int8, int16, int32, matrix, over, zeros
from taquin.system.kernels import kernel
from taquin.system.native import part, widened

_DETOUR = 3
"""Most steps that the blank goes aside for a rotation, and back."""
_CHEAP = 8
"""A way to undo a cycle for this many moves is taken at once."""
_MOST_RECORDS = 1 << 18
"""Rotations that are noted at most; later ones are not."""
_MOST_WRONG = 80
"""Tiles that may be wrong: where more are, a beam was cut short."""
_MOST_CUT, _CELLS_FOR_A_CUT = 40, 8
"""Tiles that may be wrong where an end is cut off, and cells of the grid for each of them."""
_LONG = 10
"""Moves for one tile at the end that a rotation may save."""
Board: TypeAlias = Array[int16]
"""A board as kernels read it: the id in each cell."""
_Pair: TypeAlias = tuple[int, int]
_Record: TypeAlias = list[int]
_PAIR, _BEFORE, _TIME, _WAY, _COST = range(5)
"""A record: a pair, the number of the record of the pair before it, the moves before the rotation
that leads from that to this, where the blank goes round, and the moves of all rotations so far."""


class Chains(NamedTuple):
    """All that a pair may become, and by which rotations."""

    records: Matrix[int32]
    """The records; the first is the pair itself."""
    known: Array[int32]
    """For each pair the number of its last record, which is the cheapest, or -1."""


class Rotation(NamedTuple):
    """A rotation of the three tiles of a block."""

    time: int
    """The moves before it."""
    way: int
    """The number of the detour to it, times four, plus that of the block."""
    cost: int
    """Its moves, those to the block and back included."""


@part
def _relax(chains: Chains, count: int, source: int, target: int, rotation: Rotation) -> int:
    """Note that one pair can become another, if that is cheaper than before; return the records."""
    records, known = chains
    before = known[source]
    if before < 0 or count == len(records):
        return count
    total = records[before, _COST] + rotation.cost
    last = known[target]
    if last >= 0 and records[last, _COST] <= total:
        return count
    records[count, _PAIR] = target
    records[count, _BEFORE] = before
    records[count, _TIME] = rotation.time
    records[count, _WAY] = rotation.way
    records[count, _COST] = total
    known[target] = count
    return count + 1


@part
def _pair(one: int, two: int, kinds: int) -> int:
    """Return the number of a pair of tiles."""
    return min(one, two) * kinds + max(one, two)


@part
def _rotate(
    board: Board, near: Neighbours, place: int, chains: Chains, count: int, rotation: Rotation
) -> int:
    """Note what pairs may become by a rotation of a block of four cells; return the records.

    The blank is at a place, one of the four; `rotation.way` says which block it is.
    """
    block = rotation.way & 3
    upright = widened(near[place, 3 * (block >> 1)])
    level = widened(near[place, 1 + (block & 1)])
    if upright < 0 or level < 0:
        return count
    known, kinds = chains.known, len(board)
    one = widened(board[upright])
    two = widened(board[near[upright, 1 + (block & 1)]])
    three = widened(board[level])
    first, second = _pair(one, two, kinds), _pair(two, three, kinds)
    third = _pair(one, three, kinds)
    if known[first] < 0 and known[second] < 0 and known[third] < 0:
        return count
    count = _relax(chains, count, first, second, rotation)
    count = _relax(chains, count, first, third, rotation)
    count = _relax(chains, count, second, first, rotation)
    count = _relax(chains, count, second, third, rotation)
    count = _relax(chains, count, third, first, rotation)
    return _relax(chains, count, third, second, rotation)


@part
def _is_far(cell: int, other: int, columns: int, most: int) -> bool:
    """Return whether two cells are more than `most` steps apart."""
    rows = abs(cell // columns - other // columns)
    return rows + abs(cell % columns - other % columns) > most


@kernel
def _spread(
    board: Board,
    moves: Array[int8],
    near: Neighbours,
    columns: int,
    detours: Matrix[int8],
    chains: Chains,
) -> None:
    """Follow a pair of two tiles along a solution, and all that it may become.

    The first record holds the pair. `detours` are ways of the blank, each ended by -1. At the end
    the board is that after all moves.
    """
    one, two = divmod(widened(chains.records[0, _PAIR]), len(board))
    most = detours.shape[1] + 1
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
        # Until its first rotation the pair is where its tiles are, mostly far away.
        is_near = count > 1 or not (
            _is_far(one_at, blank, columns, most) or _is_far(two_at, blank, columns, most)
        )
        for number in range(len(detours) if is_near else 0):
            place = blank
            steps = 0
            while detours[number, steps] >= 0:
                cell = widened(near[place, detours[number, steps]])
                if cell < 0:
                    break
                board[place] = board[cell]
                board[cell] = 0
                place = cell
                steps += 1
            if detours[number, steps] < 0:
                for block in range(4):
                    rotation = Rotation(time, number * 4 + block, 4 + 2 * steps)
                    count = _rotate(board, near, place, chains, count, rotation)
            while steps > 0:
                steps -= 1
                cell = widened(near[place, 3 - detours[number, steps]])
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


def with_rotations(
    puzzle: PuzzleArrays,
    start: Tiles,
    moves: Moves,
    keep_going: Callable[[], bool],
    *,
    most: float = inf,
) -> Moves:
    """Return moves with rotations, until they lead to the goal or nothing better is known.

    Those given lead from `start` near to the goal, and need not lead the blank home. Once there are
    more than `most`, it ends too.
    """
    moves = _with_blank_home(puzzle, start, moves)
    while len(moves) <= most:
        cheapest: list[_Record] = []
        for exchanges in _exchanges(puzzle, follow(start, moves, puzzle.near)):
            for source, targets in exchanges.items():
                if not keep_going():
                    return moves
                chain = _chain(puzzle, start, moves, source, targets)
                if chain and (not cheapest or chain[-1][_COST] < cheapest[-1][_COST]):
                    cheapest = chain
                    if chain[-1][_COST] <= _CHEAP:
                        break
            if cheapest:
                break
        else:
            break
        moves = _insert(puzzle, start, moves, cheapest)
    return moves


def ends_to_cut(puzzle: PuzzleArrays, moves: Moves) -> list[int]:
    """Return after how many moves of a solution the rest may be cut off, the last first.

    These are where few tiles are wrong, fewer than ever before, and it takes long until they are
    fewer still.
    """
    times = times_of_fewest(puzzle, moves, min(_MOST_CUT, puzzle.size // _CELLS_FOR_A_CUT))
    return [time for time, following in pairwise(times) if following - time > _LONG][::-1]


def times_of_fewest(puzzle: PuzzleArrays, moves: Moves, most: int) -> list[int]:
    """Return after how many moves fewer tiles are wrong than ever before, and no more than most."""
    homes, near = puzzle.homes, puzzle.near
    board, blank = list(puzzle.start), blank_of(puzzle.start)
    wrong = sum(homes[tile] != cell for cell, tile in enumerate(board) if tile)
    fewest, times = min(wrong, most + 1), []
    for time, direction in enumerate(moves, 1):
        cell = near[blank, direction]
        tile = board[cell]
        wrong += (homes[tile] != blank) - (homes[tile] != cell)
        board[blank], board[cell], blank = tile, 0, cell
        if wrong < fewest:
            fewest = wrong
            times.append(time)
    return times


def _with_blank_home(puzzle: PuzzleArrays, start: Tiles, moves: Moves) -> Moves:
    """Return moves that end with the blank at home, by the way that leaves fewer tiles wrong."""
    board = follow(start, moves, puzzle.near)
    choices = []
    for is_row_first in (True, False):
        home = puzzle.homes[0]
        steps = puzzle.steps_between(blank_of(board), home, is_row_first=is_row_first)
        choices.append(bytes(steps))
    best = min(choices, key=lambda way: len(wrong_tiles(puzzle, follow(board, way, puzzle.near))))
    return moves + best


def wrong_tiles(puzzle: PuzzleArrays, board: Tiles) -> dict[int, int]:
    """Return for each tile that is not at home the one that belongs there."""
    tiles = zip(board, puzzle.goal, strict=True)
    return {tile: wanted for tile, wanted in tiles if tile != wanted}


def _exchanges(puzzle: PuzzleArrays, board: Tiles) -> Iterator[dict[_Pair, list[_Pair]]]:
    """Yield pairs, and for each the pairs one of which it has to become: then both are gone.

    Those of each longer cycle come together, the longest first, and then all that are alone.
    """
    wrong = wrong_tiles(puzzle, board)
    if len(wrong) > _MOST_WRONG:
        return
    cycles = sorted(cycles_of(wrong), key=len, reverse=True)
    for cycle in cycles:
        if len(cycle) > 2:
            steps = list(pairwise([*cycle, *cycle[:2]]))
            yield {pair: [following] for pair, following in pairwise(steps)}
    pairs = [(cycle[0], cycle[1]) for cycle in cycles if len(cycle) == 2]
    yield {pair: [other for other in pairs if other is not pair] for pair in pairs}


def _chain(
    puzzle: PuzzleArrays, start: Tiles, moves: Moves, source: _Pair, targets: list[_Pair]
) -> list[_Record]:
    """Return the records from a pair to that of the targets which costs least; [] for no way."""
    size = puzzle.size
    records = zeros((_MOST_RECORDS, 5), int32)
    chains = Chains(records, filled(size * size, -1, int32))
    records[0] = _pair(*source, size), -1, 0, 0, 0
    chains.known[records[0, _PAIR]] = 0
    along = over(moves, int8)
    _spread(array(start, int16), along, puzzle.near, puzzle.columns, _DETOURS, chains)
    ends = [chains.known[_pair(*target, size)] for target in targets]
    record = min((end for end in ends if end >= 0), key=lambda end: records[end, _COST], default=-1)
    chain: list[_Record] = []
    while record >= 0:
        chain.insert(0, records[record].tolist())
        record = records[record, _BEFORE]
    return chain


def _insert(puzzle: PuzzleArrays, start: Tiles, moves: Moves, chain: list[_Record]) -> Moves:
    """Return the moves with the rotations of a chain of records."""
    near = puzzle.near
    board, done = start, 0
    way: list[int] = []
    for before, after in pairwise(chain):
        time = after[_TIME]
        board = follow(board, moves[done:time], near)
        number, block = divmod(after[_WAY], 4)
        detour = bytes(direction for direction in _DETOURS[number] if direction >= 0)
        aside = follow(board, detour, near)
        upright, level = 3 * (block >> 1), 1 + (block & 1)
        beside = near[blank_of(aside), upright]
        # Round one way, the tile upright from the blank goes to where the next is, and so on.
        one, two = aside[beside], aside[near[beside, level]]
        is_upright_first = _partner(before, puzzle, _partner(after, puzzle, one)) == two
        first, second = (upright, level) if is_upright_first else (level, upright)
        way += [*moves[done:time], *detour, first, second, 3 - first, 3 - second]
        way += reversed_moves(detour)
        done = time
    return without_returns([*way, *moves[done:]])


def _partner(record: _Record, puzzle: PuzzleArrays, tile: int) -> int:
    """Return the other tile of a record's pair; any tile that is not of it stays itself."""
    one, two = divmod(record[_PAIR], puzzle.size)
    return {one: two, two: one}.get(tile, tile)


_DETOURS = matrix(
    [
        [*way, *[-1] * (_DETOUR + 1 - length)]
        for length in range(_DETOUR + 1)
        for way in product(range(4), repeat=length)
        if all(one + two != 3 for one, two in pairwise(way))
    ],
    int8,
)
"""All ways of the blank of up to `_DETOUR` steps that take none back at once, each ended by -1."""

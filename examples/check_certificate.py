"""Check a certificate that `taquin solve BOARD --certificate FILE` wrote.

It has a solution, and two groups of boards: *forward* those within a moves of the start, *backward*
those within b moves of the goal, where a + b is one less than the length of the solution. A board
may be missing from a group only if the moves to it and the estimate of the moves from it to the
other end exceed a + b. So each board of a shorter solution would be in the group of its end, and
the one after a moves in both groups. If no board is in both, there is no shorter solution.

This program generates the neighbours of every board by itself, and believes no number in the file.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path


def neighbours(board: str, columns: int) -> Iterator[str]:
    """Yield the boards after one move; a board is one character per cell, row by row."""
    blank = board.index("0")
    cells = [blank - columns, blank + columns]
    cells += [blank - 1] * (blank % columns > 0) + [blank + 1] * ((blank + 1) % columns > 0)
    for cell in cells:
        if 0 <= cell < len(board):
            low, high = sorted((blank, cell))
            yield board[:low] + board[high] + board[low + 1 : high] + board[low] + board[high + 1 :]


def estimate_for(goal: str, columns: int) -> Callable[[str], int]:
    """Return the function that gives a lower bound on the moves from a board to `goal`."""
    lines = [slice(first, first + columns) for first in range(0, len(goal), columns)]
    lines += [slice(first, None, columns) for first in range(columns)]

    # A move brings one tile one cell nearer to its home at most.
    @cache
    def steps(cell: int, tile: str) -> int:
        home = cell if tile == "0" else goal.index(tile)
        return abs(cell // columns - home // columns) + abs(cell % columns - home % columns)

    # Tiles that stay in their home row or column keep their order; others leave it and come back.
    @cache
    def leaving(line: str, wanted: str) -> int:
        order = [wanted.index(tile) for tile in line if tile in wanted and tile != "0"]
        rising: list[int] = []  # the least ends of increasing sequences of each length
        for place in order:
            at = bisect_left(rising, place)
            rising[at : at + 1] = [place]
        return len(order) - len(rising)

    def estimate(board: str) -> int:
        conflicts = sum(leaving(board[line], goal[line]) for line in lines)
        return sum(map(steps, range(len(board)), board)) + 2 * conflicts

    return estimate


def check_group(layers: list[list[str]], ends: list[str], most: int, columns: int) -> set[str]:
    """Return the boards of a group; raise ValueError if one that must be there is missing."""
    estimate = estimate_for(ends[1], columns)
    depths = {board: depth for depth, layer in reversed([*enumerate(layers)]) for board in layer}
    if depths.get(ends[0]) != 0:
        raise ValueError(f"{ends[0]} is not the first board of its group")
    for board, depth in depths.items():
        for other in neighbours(board, columns) if depth < len(layers) - 1 else ():
            if depths.get(other, most + 1) > depth + 1 and depth + 1 + estimate(other) <= most:
                raise ValueError(f"{other} is missing, {depth + 1} moves from {ends[0]}")
    return set(depths)


def check(text: str) -> str:
    """Return what a certificate proves, in a sentence; raise ValueError if it proves nothing."""
    size, start, goal, moves, *lines = text.removeprefix("taquin certificate 1\n").split("\n")
    rows, columns = map(int, size.split())
    if rows < 1 or rows * columns != len(start) or sorted({*start}) != sorted(start):
        raise ValueError("the start does not have the tiles of a board, once each")
    board = start
    for number, tile in enumerate(moves, 1):
        after = [other for other in neighbours(board, columns) if other[board.index(tile)] == "0"]
        if tile == "0" or not after:
            raise ValueError(f"move {number} of the solution, {tile}, is not legal")
        board = after[0]
    if board != goal:
        raise ValueError("the solution does not reach the goal")
    first, second = map(int, lines[0].split())
    layers, most = [line.split() for line in lines[1:]], len(moves) - 1
    ahead, back = layers[: first + 1], layers[first + 1 : first + second + 2]
    forward = check_group(ahead, [start, goal], most, columns)
    backward = check_group(back, [goal, start], most, columns)
    if len(ahead) + len(back) - 2 < most:
        raise ValueError(f"the groups do not cover {len(moves)} moves")
    if moves and forward & backward:
        raise ValueError(f"{min(forward & backward)} is in both groups")
    checked = f"{len(forward) + len(backward):,} boards checked"
    end = f"length {len(moves)}, and no solution is shorter ({checked})"
    return f"from {start} to {goal}, {rows} rows of {columns}: {end}"


if __name__ == "__main__":
    try:
        print(f"Holds: {check(Path(sys.argv[1]).read_text('ascii', 'replace'))}.")
    except (ValueError, IndexError) as why:
        sys.exit(f"Rejected: {why}.")

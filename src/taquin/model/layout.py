"""How walls divide the cells the blank can reach: into rooms, rings and corridors.

    a a b c c c        a  a room: its cells lie on more than one loop (or are a 2×2 square)
    a a # c # c        b  joined to `a` and to `c` by corridors: steps that lie on no loop
    a a # c c c        c  a ring: one loop round a wall

These are the blocks (biconnected components) of the grid. Two blocks share at most one cell, and
blocks hang together like a tree, so a blank outside a block can enter it by one cell only: the
block's *entry*, seen from there. A grid without walls, two rows and two columns at least, is one
room.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from taquin.model.grid import Grid


class Kind(Enum):
    """The shapes of a block."""

    CORRIDOR = "corridor"
    """Two cells side by side, on no common loop."""
    RING = "ring"
    """One loop of at least eight cells."""
    ROOM = "room"
    """Any other block, the loop of four cells included."""


@dataclass(frozen=True, slots=True)
class Block:
    """One room, ring or corridor."""

    kind: Kind
    """Its shape."""
    cells: tuple[int, ...]
    """Its cells, the entry seen from the root first; those of a ring in the order around it."""

    def inside(self, entry: int) -> tuple[int, ...]:
        """Return the other cells when the blank enters by `entry`, a ring's in order from there."""
        at = self.cells.index(entry)
        return self.cells[at + 1 :] + self.cells[:at]


@dataclass(frozen=True, slots=True)
class Layout:
    """The blocks a blank can reach from one cell, and a walk over all of them."""

    cells: frozenset[int]
    """The cells it can reach, the one it stands on included."""
    blocks: tuple[Block, ...]
    """The blocks of these cells; none when there is one cell only."""
    tour: tuple[tuple[int, int], ...]
    """Steps from the root over every cell and back: the cell stepped on, the number of the block
    the step lies in."""

    @property
    def line(self) -> tuple[int, ...]:
        """Return the cells in order if they form one line, straight or bent; else nothing."""
        beside: dict[int, list[int]] = {}
        for block in self.blocks:
            if block.kind is not Kind.CORRIDOR:
                return ()
            for one, other in (block.cells, block.cells[::-1]):
                beside.setdefault(one, []).append(other)
        if any(len(others) > 2 for others in beside.values()):
            return ()
        line = [min((cell for cell, others in beside.items() if len(others) == 1), default=0)]
        while len(line) < len(beside):
            line += [cell for cell in beside[line[-1]] if cell not in line[-2:]]
        return tuple(line) if beside else ()


@lru_cache(maxsize=32)
def layout(grid: Grid, root: int) -> Layout:
    """Return the blocks and a tour from `root`, an open cell; linear in the size of the grid.

    Hopcroft and Tarjan, Efficient algorithms for graph manipulation, CACM 16 (1973).
    """
    order = {root: 0}
    low = {root: 0}
    home: dict[int, int] = {}
    blocks: list[Block] = []
    steps: list[tuple[int, int]] = []
    waiting: list[int] = []
    path = [(root, iter(grid.neighbours(root)))]
    while path:
        cell, ahead = path[-1]
        for other in ahead:
            if other in order:
                low[cell] = min(low[cell], order[other])
                continue
            order[other] = low[other] = len(order)
            waiting.append(other)
            path.append((other, iter(grid.neighbours(other))))
            steps.append((other, other))
            break
        else:
            path.pop()
            if not path:
                break
            parent = path[-1][0]
            steps.append((parent, cell))
            low[parent] = min(low[parent], low[cell])
            if low[cell] == order[parent]:
                inside = [waiting.pop()]
                while inside[-1] != cell:
                    inside.append(waiting.pop())
                home.update(dict.fromkeys(inside, len(blocks)))
                blocks.append(_block(grid, parent, inside))
    tour = tuple((cell, home[child]) for cell, child in steps)
    return Layout(frozenset(order), tuple(blocks), tour)


def _block(grid: Grid, entry: int, inside: list[int]) -> Block:
    if len(inside) == 1:
        return Block(Kind.CORRIDOR, (entry, *inside))
    members = {entry, *inside}
    beside = {cell: members.intersection(grid.neighbours(cell)) for cell in members}
    if len(members) == 4 or any(len(others) > 2 for others in beside.values()):
        return Block(Kind.ROOM, (entry, *sorted(inside)))
    around = [entry, min(beside[entry])]
    while len(around) < len(members):
        around += beside[around[-1]] - {around[-2]}
    return Block(Kind.RING, tuple(around))

"""Why a start can or cannot be solved, in sentences that can be checked by hand.

They speak of how two arrangements of the same tiles differ: what lacks, exchanges, inversions. An
arrangement is a sequence of labels; what is wanted may hold ANY.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.grid import Grid, Kind, Layout
from taquin.model.moves import ANY, BLANK, FILLER, Label
from taquin.model.rows import write_rows
from taquin.system.words import counted

_SHOWN = 16
"""Most labels a sentence lists."""
_COMPLETE = ", and all boards that agree in this can be reached from each other"
"""What makes equal parity enough in a room: Wilson's theorem."""


def lacking(tiles: Sequence[Label], wanted: Sequence[Label]) -> list[Label]:
    """Return the labels in `wanted` for which there are not enough `tiles`.

    >>> lacking("ABB", "AA*")
    ['A']
    """
    rest = Counter(wanted)
    rest.subtract(tiles)
    del rest[ANY]
    return list(rest.elements())


def only_arrangement(tiles: Sequence[Label], wanted: Sequence[Label]) -> tuple[Label, ...] | None:
    """Return the one arrangement of `tiles` that meets `wanted`; None when two tiles can swap.

    Nothing of what is wanted may be lacking.

    >>> only_arrangement("ABC", "C*A")
    ('C', 'B', 'A')
    """
    free = wanted.count(ANY)
    if free > 1 or len(set(tiles)) < len(tiles):
        return None
    if not free:
        return tuple(wanted)
    (rest,) = set(tiles).difference(wanted)
    return tuple(rest if label == ANY else label for label in wanted)


def exchanges(one: Sequence[Label], other: Sequence[Label]) -> int:
    """Return the fewest exchanges of two labels that turn `one` into `other`, all labels distinct.

    >>> exchanges("ABCD", "BCAD")
    2
    """
    target = dict(zip(one, other, strict=True))
    count = len(one)
    while target:
        label, after = target.popitem()
        while after != label:
            after = target.pop(after)
        count -= 1
    return count


def inversions(one: Sequence[Label], other: Sequence[Label]) -> int:
    """Return how many pairs of labels stand in opposite orders, all labels distinct.

    >>> inversions("CBA", "ABC")
    3
    """
    rank = {label: number for number, label in enumerate(other)}
    count = 0
    before: list[int] = []
    for label in one:
        place = bisect(before, rank[label])
        count += len(before) - place
        before.insert(place, rank[label])
    return count


@dataclass(frozen=True, slots=True)
class Ending:
    """What the cells hold once the blank has gone to a cell where it may end."""

    cells: tuple[Label, ...]
    """The labels of all cells, the blank in its last place."""
    misfit: Kind | None = None
    """The kind of a block whose tiles cannot be turned into what the goal wants; None if none."""
    inside: tuple[int, ...] = ()
    """The cells of that block, the one by which the blank enters left out."""

    @property
    def blank(self) -> int:
        """Return the cell where the blank ends."""
        return self.cells.index(BLANK)


def say_walled_off(goal: Goal, start: Board, cell: int) -> str:
    """Tell that `cell`, out of the blank's reach, holds what the goal does not want there."""
    return (
        f"{goal.grid.where(cell)} is walled off from the blank: it holds "
        f"{_name(start.cells[cell])} for good, and the goal wants {_name(goal.cells[cell])} there"
    )


def say_no_end(count: int) -> str:
    """Tell that the goal has a tile in each of the `count` cells the blank can reach."""
    cells = f"each of the {count} cells" if count > 1 else "the only cell"
    return f"the goal wants a tile in {cells} that the blank can reach: it has nowhere to end"


def say_lacking(labels: list[Label]) -> str:
    """Tell that the goal wants `labels` where the blank can go and that they are elsewhere."""
    return (
        f"the goal wants {_list(labels)} among the cells that the blank can reach, where "
        f"{'it is not and cannot' if len(labels) == 1 else 'they are not and cannot'} come"
    )


def say_twins(tiles: list[Label], wanted: list[Label]) -> str:
    """Name tiles or cells of a room that can stand for each other."""
    free = wanted.count(ANY)
    if free > 1:
        return (
            f"the goal leaves {free} cells to any tile: exchanging the tiles of two of them turns "
            f"odd into even, so parity is no obstacle"
        )
    ((label, count),) = Counter(tiles).most_common(1)
    return (
        f"{count} tiles are labelled {label}: exchanging two of them turns odd into "
        f"even, so parity is no obstacle"
    )


def say_parity(goal: Goal, start: Board, cells: list[int], target: Sequence[Label]) -> str:
    """Compare the parity of `start` with the one arrangement of `cells` that the goal leaves."""
    tiles = [start.cells[cell] for cell in cells]
    end = cells[target.index(BLANK)]
    if goal.grid.walls:
        words = _say_exchanges(tiles, target, goal.grid.distance(start.blank, end))
    else:
        words = _say_inversions(goal.grid, tiles, target, start.blank, end)
    if ANY not in [goal.cells[cell] for cell in cells]:
        return words
    solved = list(start.cells)
    for cell, label in zip(cells, target, strict=True):
        solved[cell] = label
    return f"to end as {write_rows(solved, goal.grid.columns)}: {words}"


def say_all_fail(ends: int, why: str) -> str:
    """Tell that none of the `ends` cells for the blank will do, with the reason for one of them."""
    return why if ends == 1 else f"the blank may end in {ends} cells, none of which will do; {why}"


def say_fit(grid: Grid, reach: Layout, ending: Ending) -> str:
    """Tell that a ring, or all blocks, can be turned into what the goal wants."""
    if reach.line:
        return "the tiles stand in one line, already in the order that the goal wants"
    if len(reach.blocks) == 1:
        return "the tiles can go round their ring until they lie as the goal wants"
    return (
        f"with the blank in {grid.where(ending.blank)}, every room, ring and corridor that the "
        f"walls leave holds the tiles the goal wants there, in an order that loops of the blank "
        f"can turn into the goal's"
    )


def say_misfit(goal: Goal, start: Board, reach: Layout, ending: Ending, ends: int) -> str:
    """Tell what does not fit in `ending`, one of the `ends` cells where the blank may end."""
    if reach.line:
        order = [start.cells[cell] for cell in reach.line if start.cells[cell] != BLANK]
        wanted = [goal.cells[cell] for cell in reach.line if goal.cells[cell] != BLANK]
        return (
            f"the tiles stand in one line and cannot pass each other: {_list(order)} "
            f"never becomes {_list(wanted)}"
        )
    tiles = [ending.cells[cell] for cell in ending.inside]
    wanted = [goal.cells[cell] for cell in ending.inside]
    there = goal.grid.where(min(ending.inside))
    if ending.misfit is Kind.RING:
        why = (
            f"the tiles of the ring at {there} can only go round it: {_list(tiles)} "
            f"never becomes {_list(wanted)}"
        )
    elif ending.misfit is Kind.CORRIDOR:
        why = (
            f"the cell in {there} holds {_name(tiles[0])} and the goal wants {_name(wanted[0])}; "
            f"no loop passes through it that could change that"
        )
    elif missing := lacking(tiles, wanted):
        why = (
            f"the room at {there} lacks {_list(missing)}, which the goal wants there and which "
            f"cannot get there"
        )
    else:
        count = exchanges(tiles, only_arrangement(tiles, wanted) or ())
        why = (
            f"{counted(count, 'exchange')} of two tiles would put the room at {there} in order: "
            f"odd, and loops of the blank through a room come to an even number"
        )
    return say_all_fail(ends, f"with the blank in {goal.grid.where(ending.blank)}, {why}")


def _say_inversions(
    grid: Grid, tiles: Sequence[Label], target: Sequence[Label], blank: int, end: int
) -> str:
    """Compare by inversions, the customary count on a grid without walls.

    A tile that slides along its row passes no other; one that slides up or down passes as many as
    the width less one. So on an odd width the parity of the inversions stays, and on an even one it
    changes each time the blank changes its row.
    """
    count = inversions(
        [label for label in tiles if label != BLANK], [label for label in target if label != BLANK]
    )
    row, end_row = blank // grid.columns + 1, end // grid.columns + 1
    if grid.columns % 2:
        ours, theirs, width, number = _parity(count), _parity(0), "odd", "their number"
        here = there = ""
    else:
        ours, theirs = _parity(count + row), _parity(end_row)
        width, number = "even", "their number plus the blank's row"
        here, there = f", blank in row {row} of {grid.rows}", f", blank in row {end_row}"
    return (
        f"{counted(count, 'inversion')}{here}: {ours}, the goal is {theirs}"
        f"{' too' if ours == theirs else ''} (0 inversions{there}). Inversions are the pairs of "
        f"tiles that stand in the other order in the goal, both boards read row by row; on an "
        f"{width} width no move changes whether {number} is odd or even"
        f"{_COMPLETE if ours == theirs else ''}"
    )


def _say_exchanges(tiles: Sequence[Label], target: Sequence[Label], distance: int) -> str:
    """Compare by exchanges, as walls spoil the counting of inversions."""
    count = exchanges(tiles, target)
    ours, theirs = _parity(count), _parity(distance)
    return (
        f"{counted(count, 'exchange')} of two cells would turn the start into the goal, and the "
        f"blank has {counted(distance, 'step')} to go, walls ignored: "
        f"{f'both {ours}' if ours == theirs else f'one {ours}, the other {theirs}'}. Each move is "
        f"one exchange and one step, so the two numbers must be both odd or both even"
        f"{_COMPLETE if ours == theirs else ''}"
    )


def _name(label: Label) -> str:
    return {BLANK: "the blank", FILLER: "a filler"}.get(label, str(label))


def _list(labels: list[Label]) -> str:
    words = [str(label) for label in labels[:_SHOWN]]
    return " ".join(words) + (" …" if len(labels) > _SHOWN else "")


def _parity(number: int) -> str:
    return "odd" if number % 2 else "even"

"""Why a start can or cannot be solved, in sentences that can be checked by hand.

They compare two arrangements of the same tiles by missing tiles, exchanges and inversions. An
arrangement is a sequence of labels; a wanted one may hold ANY.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Sequence

from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.grid import BlockKind, Grid, Layout
from taquin.model.moves import ANY, BLANK, FILLER, Label
from taquin.model.rows import write_rows
from taquin.system.words import counted

_SHOWN = 16
"""The most labels that a sentence lists."""
_COMPLETE = ", and all boards that agree in this can be reached from each other"
"""Wilson's theorem: in a room, equal parity is enough."""


def missing_labels(tiles: Sequence[Label], wanted: Sequence[Label]) -> list[Label]:
    """Return the labels in `wanted` for which there are not enough `tiles`."""
    rest = Counter(wanted)
    rest.subtract(tiles)
    del rest[ANY]
    return list(rest.elements())


def only_arrangement(tiles: Sequence[Label], wanted: Sequence[Label]) -> tuple[Label, ...] | None:
    """Return the only arrangement of `tiles` that meets `wanted`, or None if there are several.

    `tiles` must contain every label of `wanted`.
    """
    free = wanted.count(ANY)
    if free > 1 or len(set(tiles)) < len(tiles):
        return None
    if not free:
        return tuple(wanted)
    (rest,) = set(tiles).difference(wanted)
    return tuple(rest if label == ANY else label for label in wanted)


def exchanges(tiles: Sequence[Label], target: Sequence[Label]) -> int:
    """Return the fewest exchanges of two labels that turn `tiles` into `target`, all distinct."""
    successor = dict(zip(tiles, target, strict=True))
    count = len(tiles)
    # Each cycle of n labels takes n - 1 exchanges.
    while successor:
        first, label = successor.popitem()
        while label != first:
            label = successor.pop(label)
        count -= 1
    return count


def inversions(tiles: Sequence[Label], target: Sequence[Label]) -> int:
    """Return how many pairs of labels stand in opposite orders, all labels distinct."""
    rank = {label: number for number, label in enumerate(target)}
    count = 0
    sorted_ranks: list[int] = []
    for label in tiles:
        index = bisect(sorted_ranks, rank[label])
        count += len(sorted_ranks) - index
        sorted_ranks.insert(index, rank[label])
    return count


def cut_off(goal: Goal, start: Board, inside: frozenset[int], ends: Sequence[int]) -> str:
    """Return why walls make the goal unreachable, or an empty text if they do not.

    `inside` are the cells that the blank can reach, `ends` those among them where it may end.
    """
    for cell, label in enumerate(goal.cells):
        if cell not in inside and label not in (ANY, start.cells[cell]):
            return (
                f"{goal.grid.where(cell)} is walled off from the blank: it always holds "
                f"{_name(start.cells[cell])}, and the goal wants {_name(label)} there"
            )
    if not ends:
        place = f"each of the {len(inside)} cells" if len(inside) > 1 else "the only cell"
        return f"the goal wants a tile in {place} that the blank can reach: it has nowhere to end"
    tiles, wanted = ([board.cells[cell] for cell in sorted(inside)] for board in (start, goal))
    if missing := missing_labels(tiles, wanted):
        return (
            f"the goal wants {_list(missing)} among the cells that the blank can reach, and "
            f"{'it is' if len(missing) == 1 else 'they are'} outside"
        )
    return ""


def misfit(kind: BlockKind, tiles: list[Label], wanted: list[Label], place: str) -> str:
    """Return why no loop through a block gives the wanted tiles, or an empty text if one does.

    `place` names a cell of the block.
    """
    if kind is not BlockKind.ROOM:
        # A corridor has one tile, which cannot move.
        rotations = (tiles[shift:] + tiles[:shift] for shift in range(len(tiles)))
        if any(
            all(want in (ANY, tile) for tile, want in zip(rotation, wanted, strict=True))
            for rotation in rotations
        ):
            return ""
        if kind is BlockKind.CORRIDOR:
            return (
                f"the cell in {place} holds {_name(tiles[0])} and the goal wants "
                f"{_name(wanted[0])}; no loop passes through it that could change that"
            )
        return (
            f"the tiles of the ring at {place} can only rotate: {_list(tiles)} "
            f"never becomes {_list(wanted)}"
        )
    if missing := missing_labels(tiles, wanted):
        return (
            f"the goal wants {_list(missing)} in the room around {place}, and no loop of the blank "
            f"brings {'it' if len(missing) == 1 else 'them'} there"
        )
    target = only_arrangement(tiles, wanted)
    count = 0 if target is None else exchanges(tiles, target)
    if count % 2 == 0:
        return ""
    return (
        f"{counted(count, 'exchange')} of two tiles would solve the room at {place}: odd, and "
        f"loops of the blank through a room make an even number of exchanges"
    )


def twins_reason(tiles: list[Label], wanted: list[Label]) -> str:
    """Return the reason why a room with interchangeable tiles or cells can be solved."""
    ((label, count),) = Counter(tiles).most_common(1)
    twins = f"{count} tiles are labelled {label}: exchanging two of them"
    if (free := wanted.count(ANY)) > 1:
        twins = f"the goal leaves {free} cells to any tile: exchanging the tiles of two of them"
    return f"{twins} changes the parity, so parity is no obstacle"


def parity_reason(goal: Goal, start: Board, cells: list[int], target: Sequence[Label]) -> str:
    """Return the comparison of the parity of `start` with that of `target`, both on `cells`."""
    tiles = [start.cells[cell] for cell in cells]
    end = cells[target.index(BLANK)]
    if goal.grid.walls:
        reason = _exchanges_reason(tiles, target, goal.grid.distance(start.blank, end))
    else:
        reason = _inversions_reason(goal.grid, tiles, target, start.blank, end)
    if ANY not in [goal.cells[cell] for cell in cells]:
        return reason
    solved = list(start.cells)
    for cell, label in zip(cells, target, strict=True):
        solved[cell] = label
    return f"to end as {write_rows(solved, goal.grid.columns)}: {reason}"


def fit_reason(grid: Grid, reach: Layout, end: int) -> str:
    """Return the reason for a start whose blocks all fit the goal with the blank in `end`."""
    if reach.line:
        return "the tiles are in one line, already in the order of the goal"
    if len(reach.blocks) == 1:
        return "the tiles can rotate in their ring until they meet the goal"
    return (
        f"with the blank in {grid.where(end)}, every room, ring and corridor between the walls "
        f"contains the tiles of the goal, in an order that loops of the blank can turn into the "
        f"goal's"
    )


def line_reason(goal: Goal, start: Board, line: Sequence[int]) -> str:
    """Return the reason for tiles in one line whose order differs from the goal's."""
    order, wanted = (
        _list([cells[cell] for cell in line if cells[cell] != BLANK])
        for cells in (start.cells, goal.cells)
    )
    return f"the tiles are in one line and cannot pass each other: {order} never becomes {wanted}"


def _inversions_reason(
    grid: Grid, tiles: Sequence[Label], target: Sequence[Label], blank: int, end: int
) -> str:
    """Compare by inversions, the standard argument on a grid without walls.

    A tile that slides along its row passes no other tile; one that slides up or down passes width
    - 1 others. So with an odd width the parity of the inversions never changes, and with an even
    width it changes whenever the blank changes its row.
    """
    count = inversions(*([label for label in row if label != BLANK] for row in (tiles, target)))
    row, end_row = grid.place(blank)[0] + 1, grid.place(end)[0] + 1
    parity, goal_parity, number = _parity(count), "even", "their number"
    start_row = goal_row = ""
    if grid.columns % 2 == 0:
        parity, goal_parity = _parity(count + row), _parity(end_row)
        number = "their number plus the blank's row"
        start_row, goal_row = f", blank in row {row} of {grid.rows}", f", blank in row {end_row}"
    return (
        f"{counted(count, 'inversion')}{start_row}: {parity}, the goal is {goal_parity}"
        f"{' too' if parity == goal_parity else ''} (0 inversions{goal_row}). Inversions are the "
        f"pairs of tiles that stand in the other order in the goal, both boards read row by row; "
        f"on an {_parity(grid.columns)} width no move changes whether {number} is odd or even"
        f"{_COMPLETE if parity == goal_parity else ''}"
    )


def _exchanges_reason(tiles: Sequence[Label], target: Sequence[Label], distance: int) -> str:
    """Compare by exchanges: with walls, inversions do not decide."""
    count = exchanges(tiles, target)
    first, second = _parity(count), _parity(distance)
    comparison = f"both {first}" if first == second else f"one {first}, the other {second}"
    return (
        f"{counted(count, 'exchange')} of two cells would turn the start into the goal, and the "
        f"blank has {counted(distance, 'step')} to go, walls ignored: {comparison}. Each move is "
        f"one exchange and one step, so the two numbers must be both odd or both even"
        f"{_COMPLETE if first == second else ''}"
    )


def _name(label: Label) -> str:
    return {BLANK: "the blank", FILLER: "a filler"}.get(label, str(label))


def _list(labels: list[Label]) -> str:
    return " ".join(map(str, labels[:_SHOWN])) + (" …" if len(labels) > _SHOWN else "")


def _parity(number: int) -> str:
    return "odd" if number % 2 else "even"

"""Decide whether a start can be solved, and why, without searching; exact for every puzzle.

    1 2 3       1 inversion, the goal has none: no move changes whether their number is odd,
    4 5 6       so this board cannot be solved
    8 7 _

The proof, in five steps:

1. A move exchanges the blank with a tile, so only the part of the grid that the blank can reach
   changes. That part is a tree of blocks: rooms, rings and corridors (see `taquin.model.grid`).
2. Take the blank to the cell where it is to end, on any path. What remains is to permute the tiles
   by walks of the blank that return to that cell. A detour along the same path and back cancels
   out, so such a walk reduces to loops within single blocks, each from the block's entry back to
   it, and each moves only tiles of its block, except in the entry. These sets of cells are
   disjoint, so every block can be judged separately.
3. In a corridor a loop changes nothing. In a ring it rotates the tiles, keeping their order.
4. In a room the loops generate all even permutations and no others: Wilson, Graph puzzles,
   homotopy, and the alternating group, J. Comb. Theory B 16 (1974). A grid has no loop of odd
   length, so neither his case of all permutations nor his one exception, which has a loop of five
   cells, can occur. The 2×2 square is a ring whose rotations are exactly the even permutations.
5. Two tiles with the same label, or two ANY cells of the goal, are interchangeable; then an odd
   permutation is equivalent to an even one.

The cell where the blank ends determines the entry of each block. If the goal leaves that cell open,
one tour tries all candidates; each of its steps changes the entry of one block only.

The first half of the file has the reasons: sentences that can be checked by hand. They compare two
arrangements of the same tiles by missing tiles, exchanges and inversions. An arrangement is a
sequence of labels; the one that the goal wants may hold ANY.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

from taquin.errors import MismatchError, UnsuitableError
from taquin.model.board import Board, BoardLike
from taquin.model.grid import BlockKind, Grid, Layout, layout
from taquin.model.moves import ANY, BLANK, FILLER, Label
from taquin.model.puzzle import NAMED_GOALS, Goal, Puzzle, named_goal
from taquin.model.rows import write_rows
from taquin.reasons import Reason, reason

_SHOWN = 16
"""The most labels that a sentence lists."""


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
    """Return the number of inversions between two sequences of distinct labels."""
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
            place, here = goal.grid.where(cell), _name(start.cells[cell])
            return reason("walled-off", place=place, label=here, wanted=_name(label))
    if not ends:
        return reason("no-end")
    tiles, wanted = ([board.cells[cell] for cell in sorted(inside)] for board in (start, goal))
    if missing := missing_labels(tiles, wanted):
        return reason("cut-off", names=_list(missing))
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
            return reason("corridor", place=place, label=_name(tiles[0]), wanted=_name(wanted[0]))
        return reason("ring", place=place, tiles=_list(tiles), wanted=_list(wanted))
    if missing := missing_labels(tiles, wanted):
        return reason("room-tiles", names=_list(missing), place=place)
    target = only_arrangement(tiles, wanted)
    count = 0 if target is None else exchanges(tiles, target)
    return reason("room-odd", count=count, place=place) if count % 2 else ""


def twins_reason(tiles: list[Label], wanted: list[Label]) -> str:
    """Return the reason why a room with interchangeable tiles or cells can be solved."""
    if (free := wanted.count(ANY)) > 1:
        return reason("free-cells", count=free)
    ((label, count),) = Counter(tiles).most_common(1)
    return reason("twins", count=count, label=label)


def parity_reason(goal: Goal, start: Board, cells: list[int], target: Sequence[Label]) -> str:
    """Return the comparison of the parity of `start` with that of `target`, both on `cells`."""
    tiles = [start.cells[cell] for cell in cells]
    end = cells[target.index(BLANK)]
    if goal.grid.walls:
        why = _exchanges_reason(tiles, target, goal.grid.distance(start.blank, end))
    else:
        why = _inversions_reason(goal.grid, tiles, target, start.blank, end)
    if ANY not in [goal.cells[cell] for cell in cells]:
        return why
    solved = list(start.cells)
    for cell, label in zip(cells, target, strict=True):
        solved[cell] = label
    return reason("to-end", board=write_rows(solved, goal.grid.columns), detail=why)


def fit_reason(grid: Grid, reach: Layout, end: int) -> str:
    """Return the reason for a start whose blocks all fit the goal with the blank in `end`."""
    if reach.line:
        return reason("in-order")
    if len(reach.blocks) == 1:
        return reason("rotates")
    return reason("blocks-fit", place=grid.where(end))


def line_reason(goal: Goal, start: Board, line: Sequence[int]) -> str:
    """Return the reason for tiles in one line whose order differs from the goal's."""
    order, wanted = (
        _list([cells[cell] for cell in line if cells[cell] != BLANK])
        for cells in (start.cells, goal.cells)
    )
    return reason("line-order", tiles=order, wanted=wanted)


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
    if grid.columns % 2:
        return reason("inversions-no" if count % 2 else "inversions-yes", count=count)
    parity, goal_parity = _parity(count + row), _parity(end_row)
    return reason(
        "rows-yes" if parity == goal_parity else "rows-no",
        count=count,
        row=row,
        rows=grid.rows,
        parity=parity,
        goal=goal_parity,
        end=end_row,
    )


def _exchanges_reason(tiles: Sequence[Label], target: Sequence[Label], distance: int) -> str:
    """Compare by exchanges: with walls, inversions do not decide."""
    count = exchanges(tiles, target)
    first, second, steps = _parity(count), _parity(distance), reason("steps", count=distance)
    if first == second:
        return reason("exchanges-yes", count=count, steps=steps, parity=first)
    return reason("exchanges-no", count=count, steps=steps, parity=first, other=second)


def _name(label: Label) -> str:
    return {BLANK: reason("the-blank"), FILLER: reason("a-filler")}.get(label) or str(label)


def _list(labels: list[Label]) -> str:
    return " ".join(map(str, labels[:_SHOWN])) + (" …" if len(labels) > _SHOWN else "")


def _parity(number: int) -> Reason:
    return reason("odd" if number % 2 else "even")


class Solvability(Enum):
    """Whether a start can be solved."""

    YES = "yes"
    """The start can be solved."""
    NO = "no"
    """The start cannot be solved."""
    UNKNOWN = "unknown"
    """Unknown without a search. `solvability` never returns this: it decides every puzzle."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a start can be solved, and the reason."""

    answer: Solvability
    """Yes, no, or unknown."""
    reason: str
    """The reason, a sentence that can be checked by hand."""

    def __bool__(self) -> bool:
        """Return whether the start can be solved, for `if solvability(board)`."""
        return self.answer is Solvability.YES

    def __str__(self) -> str:
        return f"{self.answer.value}: {self.reason}"


def solvability(puzzle: Puzzle | BoardLike, start: BoardLike | None = None) -> Verdict:
    """Decide whether `start` can be solved, and why; exact for any walls, repeated labels and ANY.

    For a board alone, the goal is blank-last. `solvability(board, goal)` is the same as
    `solvability(puzzle, board)`; a goal may be given by its name. Raise MismatchError if start and
    goal differ in size, walls or tiles.

    >>> verdict = solvability("2 1 / 3 0")
    >>> bool(verdict)
    False
    >>> verdict.answer.name, verdict.reason.partition(".")[0]
    ('NO', '1 inversion, blank in row 2 of 2: odd, the goal is even (0 inversions, blank in row 2)')
    """
    goal, start = _goal_and_start(puzzle, start)
    Puzzle(goal).check(start)
    if goal.is_met(start):
        return Verdict(Solvability.YES, reason("solved"))
    reach = layout(goal.grid, start.blank)
    wanted = BLANK if BLANK in goal.cells else ANY
    ends = [cell for cell in sorted(reach.cells) if goal.cells[cell] == wanted]
    if goal.grid.walls and (why := cut_off(goal, start, reach.cells, ends)):
        return Verdict(Solvability.NO, why)
    if len(reach.blocks) == 1 and reach.blocks[0].kind is BlockKind.ROOM:
        return _judge_room(goal, start, sorted(reach.cells), ends)
    return _judge_blocks(goal, start, reach, ends)


def _goal_and_start(puzzle: Puzzle | BoardLike, start: BoardLike | None) -> tuple[Goal, Board]:
    """Return the goal and the board of the arguments of `solvability`, in either order."""
    if isinstance(puzzle, Puzzle):
        if start is None:
            raise UnsuitableError("expected a board to judge: solvability(puzzle, board)")
        return puzzle.goal, Board.of(start)
    first, second = puzzle, "blank-last" if start is None else start
    if start is not None and (isinstance(first, Goal) or _is_name(first)):
        first, second = second, first
    board = Board.of(first)
    if isinstance(second, Puzzle):
        return second.goal, board
    return named_goal(str(second), board.grid) if _is_name(second) else Goal.of(second), board


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value in NAMED_GOALS


def solvable_goals(puzzle: Puzzle, start: Board) -> tuple[str, ...]:
    """Return the names of the named goals for which `start` can be solved.

    >>> solvable_goals(Puzzle(Goal.blank_last(3, 3)), Board.parse("1 2 3 / 8 0 4 / 7 6 5"))
    ('snail',)
    """
    names = []
    for name in NAMED_GOALS:
        with suppress(MismatchError):
            if solvability(Puzzle(named_goal(name, puzzle.grid)), start):
                names.append(name)
    return tuple(names)


def _judge_room(goal: Goal, start: Board, cells: list[int], ends: list[int]) -> Verdict:
    """Judge a start whose blank reaches one room, as on every grid without walls.

    If only one arrangement meets the goal, its parity decides: each move exchanges two cells and
    takes the blank to a cell of the other colour.
    """
    tiles = [start.cells[cell] for cell in cells]
    for end in ends:
        wanted = [BLANK if cell == end else goal.cells[cell] for cell in cells]
        target = only_arrangement(tiles, wanted)
        if target is None:
            return Verdict(Solvability.YES, twins_reason(tiles, wanted))
        why = parity_reason(goal, start, cells, target)
        if (exchanges(tiles, target) - goal.grid.distance(start.blank, end)) % 2 == 0:
            return Verdict(Solvability.YES, why)
    return _no_end(ends, why)


def _no_end(ends: list[int], why: str) -> Verdict:
    """Return the verdict for a blank that can end in no cell; `why` is the reason for one cell."""
    if len(ends) > 1:
        why = reason("any-end", count=len(ends), detail=why)
    return Verdict(Solvability.NO, why)


def _judge_blocks(goal: Goal, start: Board, reach: Layout, ends: list[int]) -> Verdict:
    for end, why in _endings(goal, start, reach, ends):
        if not why:
            return Verdict(Solvability.YES, fit_reason(goal.grid, reach, end))
    if reach.line:
        return Verdict(Solvability.NO, line_reason(goal, start, reach.line))
    return _no_end(ends, reason("with-blank", place=goal.grid.where(end), detail=why))


def _endings(goal: Goal, start: Board, reach: Layout, ends: list[int]) -> Iterator[tuple[int, str]]:
    """Take the blank to each of `ends`; yield the cell, and why the blocks do not fit there."""
    cells = list(start.cells)
    blank = start.blank
    entries = [block.cells[0] for block in reach.blocks]
    misfits: dict[int, str] = {}
    """Block number → why loops cannot arrange its tiles as in the goal."""
    entered = set(range(len(entries)))
    todo = set(ends)
    for cell, number in ((blank, None), *reach.tour):
        if number is not None:
            cells[blank], cells[cell] = cells[cell], BLANK
            blank = entries[number] = cell
            entered.add(number)
        if cell not in todo:
            continue
        for number in entered:
            block = reach.blocks[number]
            inside = block.inside(entries[number])
            tiles, wanted = ([labels[place] for place in inside] for labels in (cells, goal.cells))
            misfits.pop(number, None)
            if why := misfit(block.kind, tiles, wanted, goal.grid.where(min(inside))):
                misfits[number] = why
        entered.clear()
        yield cell, misfits[min(misfits)] if misfits else ""
        todo.remove(cell)
        if not todo:
            return

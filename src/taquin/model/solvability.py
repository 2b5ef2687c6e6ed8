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
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

from taquin.errors import MismatchError, UnsuitableError
from taquin.model import reasons
from taquin.model.board import Board, BoardLike
from taquin.model.goal import NAMED_GOALS, Goal, named_goal
from taquin.model.grid import BlockKind, Layout, layout
from taquin.model.moves import ANY, BLANK
from taquin.model.puzzle import Puzzle
from taquin.model.reasons import exchanges, only_arrangement


class Solvability(Enum):
    """Whether a start can be solved."""

    YES = "yes"
    """It can."""
    NO = "no"
    """It cannot."""
    UNKNOWN = "unknown"
    """Only a search can decide. `solvability` never returns this: it decides every puzzle."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a start can be solved, and the reason."""

    answer: Solvability
    """Yes, no, or unknown."""
    reason: str
    """The reason, a sentence that can be checked by hand."""

    def __bool__(self) -> bool:
        """Return whether it can be solved, for `if solvability(board)`."""
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
        return Verdict(Solvability.YES, "the start is already solved")
    reach = layout(goal.grid, start.blank)
    wanted = BLANK if BLANK in goal.cells else ANY
    ends = [cell for cell in sorted(reach.cells) if goal.cells[cell] == wanted]
    if goal.grid.walls and (why := reasons.cut_off(goal, start, reach.cells, ends)):
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
            return Verdict(Solvability.YES, reasons.twins_reason(tiles, wanted))
        why = reasons.parity_reason(goal, start, cells, target)
        if (exchanges(tiles, target) - goal.grid.distance(start.blank, end)) % 2 == 0:
            return Verdict(Solvability.YES, why)
    return _no_end(ends, why)


def _no_end(ends: list[int], why: str) -> Verdict:
    """Return the verdict that the blank can end in no cell; `why` is the reason for one of them."""
    if len(ends) > 1:
        why = f"the blank may end in {len(ends)} cells, none of which works; {why}"
    return Verdict(Solvability.NO, why)


def _judge_blocks(goal: Goal, start: Board, reach: Layout, ends: list[int]) -> Verdict:
    for end, why in _endings(goal, start, reach, ends):
        if not why:
            return Verdict(Solvability.YES, reasons.fit_reason(goal.grid, reach, end))
    if reach.line:
        return Verdict(Solvability.NO, reasons.line_reason(goal, start, reach.line))
    return _no_end(ends, f"with the blank in {goal.grid.where(end)}, {why}")


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
            if why := reasons.misfit(block.kind, tiles, wanted, goal.grid.where(min(inside))):
                misfits[number] = why
        entered.clear()
        yield cell, misfits[min(misfits)] if misfits else ""
        todo.remove(cell)
        if not todo:
            return

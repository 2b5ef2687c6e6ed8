"""Every verdict is compared with what exhaustive enumeration reaches."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, islice, permutations
from math import factorial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin import ANY, BLANK, WALL, Board, Goal, Grid, Label, Puzzle
from taquin.errors import MismatchError
from taquin.model.solvability import (
    Solvability,
    Verdict,
    exchanges,
    inversions,
    missing_labels,
    only_arrangement,
    solvability,
)
from tests import truth
from tests.puzzles import sample

Cells = truth.Cells


def verdict(goal: str, start: str) -> Verdict:
    return solvability(Puzzle(Goal.parse(goal)), Board.parse(start))


def can_be_solved(puzzle: Puzzle, start: Board) -> bool:
    """Tell whether some board that `start` reaches meets the goal, by visiting them all."""
    reached = truth.distances([start.cells], puzzle.grid.rows, puzzle.grid.columns)
    return any(
        all(wanted in ("*", found) for wanted, found in zip(puzzle.goal.cells, cells, strict=True))
        for cells in reached
    )


def goal_with_blank_in(rows: int, columns: int, cell: int) -> Cells:
    """Return 1, 2, 3 … row by row with the blank in `cell`: one of each class up to relabelling."""
    tiles: list[int | str] = list(range(1, rows * columns))
    return (*tiles[:cell], 0, *tiles[cell:])


LARGER = [(2, 4, (7,)), (2, 4, (1,)), (3, 3, (8,)), (3, 3, (0,)), (3, 3, (1,)), (3, 3, (4,))]
"""Grids with goal blanks that stand for all others by symmetry."""


@pytest.mark.parametrize(
    ("rows", "columns", "blanks", "every"),
    [
        *((rows, columns, range(rows * columns), 1) for rows, columns in ((2, 2), (2, 3), (3, 2))),
        *((rows, columns, range(5), 1) for rows, columns in ((1, 5), (5, 1))),
        (2, 4, (7,), 5),
        (3, 3, (8,), 23),
        *(pytest.param(*larger, 1, marks=pytest.mark.slow) for larger in LARGER),
    ],
)
def test_every_start_of_a_rectangle_is_judged_right(
    rows: int, columns: int, blanks: Iterable[int], every: int
) -> None:
    grid = Grid(rows, columns)
    for blank in blanks:
        goal = goal_with_blank_in(rows, columns, blank)
        solvable = truth.distances([goal], rows, columns)
        # Half of all boards, or in a line as many as the blank has places.
        assert len(solvable) == (factorial(grid.size) // 2 if min(rows, columns) > 1 else 5)
        for cells in islice(permutations(range(grid.size)), 0, None, every):
            expected = Solvability.YES if cells in solvable else Solvability.NO
            assert solvability(Puzzle(Goal(grid, goal)), Board(grid, cells)).answer is expected


@pytest.mark.parametrize("count", [300, pytest.param(2500, marks=pytest.mark.slow)])
def test_random_walled_repeated_and_partial_puzzles_are_judged_right(count: int) -> None:
    walled = repeated = partial = solvable = 0
    for seed in range(count):
        drawn = sample(seed, most_open=8)
        puzzle, start = drawn.puzzle(), Board(drawn.puzzle().grid, drawn.start)
        expected = Solvability.YES if can_be_solved(puzzle, start) else Solvability.NO
        found = solvability(puzzle, start)
        assert found.answer is expected, (puzzle.goal.text(), start.text(), found.reason)
        walled += bool(puzzle.grid.walls)
        repeated += len(set(start.cells) - {WALL}) < len(puzzle.grid.open_cells)
        partial += ANY in puzzle.goal.cells
        solvable += expected is Solvability.YES
    # The rules settle every puzzle: the fraction of UNKNOWN is 0, with walls and without.
    assert min(walled, repeated, partial) >= 0.4 * count
    assert 0.2 * count <= solvable <= 0.8 * count


def test_every_place_of_named_tiles_in_the_ring_of_the_obstacle_study_is_judged_right() -> None:
    grid = Grid(4, 4, frozenset({5, 6, 9, 10}))
    start = Board.parse(". . . . / . # # . / . # # . / A B C 0")
    reached = truth.distances([start.cells], 4, 4)
    assert len(reached) == 12 * 11
    for a, b, c in permutations(grid.open_cells, 3):
        named = {a: "A", b: "B", c: "C", **dict.fromkeys(grid.walls, WALL)}
        goal = Goal(grid, tuple(named.get(cell, ANY) for cell in range(16)))
        expected = any((cells[a], cells[b], cells[c]) == ("A", "B", "C") for cells in reached)
        found = solvability(Puzzle(goal), start).answer
        assert found is (Solvability.YES if expected else Solvability.NO)


REASONS = """
1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0 · 7 6 5 4 / 3 2 1 0 / 8 9 10 11 / 12 13 14 15 · no
    · 21 inversions, blank in row 2 of 4: odd, the goal is even (0 inversions, blank in row 4)
1 2 3 / 4 5 6 / 7 8 0 · 0 1 3 / 4 2 5 / 7 8 6 · yes
    · 4 inversions: even, the goal is even too (0 inversions)
1 2 3 / 8 0 4 / 7 6 5 · 2 1 3 / 8 0 4 / 7 6 5 · no
    · 1 inversion: odd, the goal is even (0 inversions)
1 2 / 3 0 · 1 2 / 3 0 · yes · the start is already solved
A A B / B 0 1 · 0 1 A / B A B · yes · 2 tiles are labelled A: exchanging
1 * * / * 0 * · 0 5 4 / 3 2 1 · yes · the goal leaves 4 cells to any tile
2 * / 3 0 · 1 2 / 3 0 · no · to end as 2 1 / 3 0: 1 inversion, blank in
2 1 / 3 * · 1 2 / 3 0 · no · to end as 2 1 / 3 0: 1 inversion, blank in
2 * / * 3 · 1 2 / 3 0 · yes · to end as
3 2 / * * · 1 2 / 3 0 · no · the blank may end in 2 cells, none of which
1 2 3 0 / · 1 3 0 2 / · no · 1 3 2 never becomes 1 2 3
1 2 3 0 / · 1 0 2 3 / · yes · one line, already in the order
1 # 2 / 3 # 0 · 3 # 2 / 1 # 0 · no · row 1, column 1 is walled off from
1 # 0 / 2 # * · 2 # 3 / 1 # 0 · no · it always holds 2, and the goal
* 2 # 1 / · 2 0 # 1 / · yes · one line
1 2 # * / · 2 0 # 1 / · no · the goal wants a tile in every cell
1 # * / · 0 # 1 / · no · the goal wants a tile in every cell
1 0 # / 2 * # / # # * · 3 0 # / 2 4 # / # # 1 · no
    · the goal wants 1 among the cells that the blank can reach, but walls
1 2 # / 3 4 5 / 6 7 0 · 2 1 # / 3 4 5 / 6 7 0 · no
    · 1 exchange of two cells would turn the start into the goal, and the blank has
    0 steps to go, walls ignored: one odd, the other even
1 2 # / 3 4 5 / 6 7 0 · 1 2 # / 3 4 0 / 6 7 5 · yes
    · 1 exchange of two cells would turn the start into the goal, and the blank has
    1 step to go, walls ignored: both odd
1 2 3 / 4 # 5 / 6 7 0 · 2 1 3 / 4 # 5 / 6 7 0 · no
    · the tiles of the ring at row 1, column 1 can only rotate:
0 1 2 / 4 # 3 / 6 7 5 · 1 2 3 / 4 # 5 / 6 7 0 · yes · the tiles can rotate in their ring
1 2 3 4 / # # 5 0 · 2 1 3 4 / # # 5 0 · no
    · with the blank in row 2, column 4, the cell in row 1, column 1 holds 2 and the goal
    wants 1; no loop passes through it
1 2 3 4 / # # 5 0 · 1 2 5 3 / # # 4 0 · yes
    · with the blank in row 2, column 4, every room, ring and corridor
1 2 3 4 / # # 5 0 · 1 2 4 3 / # # 5 0 · no
    · 1 exchange of two tiles would solve the room at row 1, column 3: odd
1 2 * 4 / 3 0 # # · 1 2 4 5 / 3 0 # # · no
    · with the blank in row 2, column 2, the cell in row 1, column 4 holds 5 and
5 2 3 1 / 4 0 # # · 1 2 3 5 / 4 0 # # · no · with the blank in row 2, column 2,
1 2 3 # / 4 5 0 6 / # # 7 8 · 1 2 7 # / 4 5 0 6 / # # 3 8 · no
    · the goal wants 3 in the room around row 1, column 1, and no loop of the blank brings
"""
"""Goals, starts, answers, and words of the reasons."""


@pytest.mark.parametrize("line", REASONS.strip("\n").replace("\n    ", " ").split("\n"))
def test_the_reason_can_be_checked_by_hand(line: str) -> None:
    goal, start, answer, words = line.split(" · ")
    found = verdict(goal, start)
    assert found.answer is (Solvability.YES if answer == "yes" else Solvability.NO)
    assert words.replace("  ", " ") in found.reason
    puzzle = Puzzle(Goal.parse(goal))
    if len(puzzle.grid.open_cells) <= 8:
        assert can_be_solved(puzzle, Board.parse(start)) == (answer == "yes")


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 4), (3, 4), (4, 3), (2, 5)])
def test_the_inversions_in_the_reason_are_those_a_hand_count_finds(rows: int, columns: int) -> None:
    chance = Random(rows * 10 + columns)
    goal = Goal.snail(rows, columns)
    order = [label for label in goal.cells if label != 0]
    for _ in range(50):
        cells = tuple(chance.sample(range(rows * columns), rows * columns))
        start = Board(Grid(rows, columns), cells)
        tiles = [label for label in cells if label != 0]
        count = sum(order.index(a) > order.index(b) for a, b in combinations(tiles, 2))
        found = solvability(Puzzle(goal), start)
        assert found.reason.startswith(f"{count} inversion")
        mine = count + (cells.index(0) // columns if columns % 2 == 0 else 0)
        theirs = goal.cells.index(0) // columns if columns % 2 == 0 else 0
        assert (found.answer is Solvability.YES) == ((mine - theirs) % 2 == 0)


def test_a_start_with_other_tiles_is_refused() -> None:
    with pytest.raises(MismatchError):
        verdict("1 2 / 3 0", "1 2 / 4 0")


def test_large_boards_and_mazes_are_settled_without_a_search() -> None:
    goal = Goal.blank_last(60, 60)
    twisted = Board(goal.grid, (goal.cells[1], goal.cells[0], *goal.cells[2:]))
    assert solvability(Puzzle(goal), twisted).answer is Solvability.NO
    walls = frozenset(r * 41 + c for r in range(1, 41, 2) for c in range(41) if c % 4 != r % 4)
    maze = Goal.blank_last(41, 41, walls)
    cells = list(maze.cells)
    one, other = maze.grid.open_cells[0], maze.grid.open_cells[-2]
    cells[one], cells[other] = cells[other], cells[one]
    open_goal = Goal(maze.grid, tuple(ANY if label == BLANK else label for label in maze.cells))
    for wanted in (maze, open_goal):
        assert solvability(Puzzle(wanted), Board(maze.grid, tuple(cells))).answer is Solvability.NO


def test_what_lacks_is_counted_with_repeats_and_any_lacks_nothing() -> None:
    assert missing_labels([1, 2, 3], [3, 2, 1]) == []
    assert missing_labels([1, 1, 2], [1, 2, 2]) == [2]
    assert missing_labels([1, 2], [3, 3]) == [3, 3]
    assert missing_labels([1, 2], [ANY, ANY]) == []


def test_two_equal_tiles_or_two_any_cells_leave_several_arrangements() -> None:
    assert only_arrangement([1, 2, 3], [3, 2, 1]) == (3, 2, 1)
    assert only_arrangement([1, 2, 3], [3, ANY, 1]) == (3, 2, 1)
    assert only_arrangement([1, 1, 3], [3, 1, 1]) is None
    assert only_arrangement([1, 2, 3], [3, ANY, ANY]) is None


@given(st.permutations(range(8)), st.permutations(range(8)))
def test_inversions_are_the_pairs_in_opposite_order(one: list[Label], other: list[Label]) -> None:
    opposite = sum(
        (one.index(a) < one.index(b)) != (other.index(a) < other.index(b))
        for a, b in combinations(range(8), 2)
    )
    assert inversions(one, other) == opposite
    assert inversions(one, one) == 0


@given(st.permutations(range(8)), st.permutations(range(8)))
def test_exchanges_sort_and_agree_with_inversions_in_parity(
    one: list[Label], other: list[Label]
) -> None:
    count, cells = 0, list(one)
    for place, label in enumerate(other):
        at = cells.index(label)
        if at != place:
            cells[place], cells[at] = cells[at], cells[place]
            count += 1
    assert exchanges(one, other) == count
    assert (exchanges(one, other) - inversions(one, other)) % 2 == 0

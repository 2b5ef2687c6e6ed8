"""Tables of slides and the search with them: true bounds, shortest solutions, equal counts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import factorial
from typing import Any

import numpy as np
import pytest

import taquin as tq
from taquin import Goal, Metric, Puzzle, random_board, random_walk
from taquin.analysis.explore import _Space, narrow
from taquin.engine import many
from taquin.engine.base import run
from taquin.engine.general import parallel
from taquin.engine.general.engine import General
from taquin.engine.general.form import form_of
from taquin.engine.general.parallel import DepthFirstSearch, ParallelSearcher
from taquin.engine.general.slides import SlidesPlan, keys_for
from taquin.search.control import Control
from taquin.search.result import Limit, Limits, Outcome, Task, Want
from taquin.system.threads import thread_pool
from taquin.tables.build import BuildTeam
from taquin.tables.distances import plane_parity, weights
from taquin.tables.relabelled import (
    COLUMNS,
    ROWS,
    LineDistances,
    SlideKey,
    entry_bytes,
    number_of,
    orders_of,
    slide_keys,
)
from taquin.tables.shape import Shape
from taquin.tables.store import TableStore
from tests import truth
from tests.cli.runs import run as run_command

Vector = np.ndarray[Any, Any]


def quiet(done: int, total: int) -> None:
    """Report nothing."""


def puzzle_of(rows: int, columns: int, blank: int | None = None) -> Puzzle:
    """Return a puzzle in slides whose tiles are numbered by their cells."""
    size = rows * columns
    labels: list[tq.Label] = list(range(1, size))
    labels.insert(size - 1 if blank is None else blank, 0)
    return Puzzle(tq.Goal(tq.Grid(rows, columns), tuple(labels)), Metric.MULTI)


@cache
def plan_of(puzzle: Puzzle, pictures: tuple[str, ...] = ()) -> SlidesPlan:
    """Return the plan with the tables of a puzzle, or with tables of one's own."""
    form, _ = form_of(puzzle, tq.Board(puzzle.grid, puzzle.goal.cells))
    keys = keys_for(form)
    if pictures:
        first = keys[0]
        keys = tuple(
            SlideKey(first.rows, first.columns, first.blank, classes_of(picture))
            for picture in pictures
        )
    return SlidesPlan(form, keys, [key.build(2, quiet) for key in keys])


def classes_of(picture: str) -> tuple[int, ...]:
    return tuple(max(0, "abcd".find(letter)) for letter in picture)


def shortest(plan: SlidesPlan, puzzle: Puzzle, board: tq.Board, threads: int = 1) -> int:
    """Return the length of a shortest solution, which is replayed."""
    _, tiles = form_of(puzzle, board)
    bound = plan.estimate(tiles)
    searcher = ParallelSearcher(plan, tiles, threads)
    path: tuple[int, ...] | None = (tiles.index(0),) if bound == 0 else ()
    while path == ():
        path = searcher.search(bound, lambda: True, 1 << 60)
        bound += path == ()
    assert path is not None
    cells = list(board.cells)
    for blank, target in pairwise(path):
        step = 1 if blank // puzzle.grid.columns == target // puzzle.grid.columns else 0
        step = (step or puzzle.grid.columns) * (1 if target > blank else -1)
        for cell in range(blank, target, step):
            cells[cell], cells[cell + step] = cells[cell + step], 0
    assert tuple(cells) == puzzle.goal.cells
    assert len(path) - 1 == bound
    return bound


@pytest.mark.parametrize("shape", [Shape(2, 4, 7), Shape(3, 3, 4), Shape(3, 2, 0), Shape(2, 5, 9)])
def test_every_distance_and_entry_is_that_of_a_plain_search(shape: Shape) -> None:
    keys = slide_keys(shape)
    if shape.columns == 5:
        # The entries of long lines take two bytes.
        keys = (SlideKey(2, 5, 0, classes_of(".aabcaaada")),)
    for key in keys:
        goal = tuple("abcd"[number] for number in key.classes)
        blank = key.blank
        solved: truth.Cells = (*goal[:blank], 0, *goal[blank + 1 :])
        left = truth.distances([solved], key.rows, key.columns, multi=True)
        lines = LineDistances(key, 1, quiet)
        with thread_pool(1) as pool:
            counts = lines.fill(BuildTeam(pool, key.entries, 1))
        table = key.build(2, quiet)
        assert key.is_sound(table)
        assert key.histogram(table) == counts[:-1]
        orders, _ = orders_of(key.sizes)
        for cells, distance in left.items():
            at = cells.index(0)
            places = divmod(at, key.columns)
            by_rows = [label for label in cells if label]
            columnwise = sorted(range(len(cells)), key=lambda cell: (cell % key.columns, cell))
            by_columns = [cells[cell] for cell in columnwise if cells[cell]]
            found = []
            for kind, labels in ((ROWS, by_rows), (COLUMNS, by_columns)):
                word = sum("abcd".index(str(label)) << 2 * n for n, label in enumerate(labels))
                number = places[kind] * orders.total + number_of(word, orders)
                found.append((number, lines.distances[kind][number]))
            assert distance == (cells != solved and 1 + min(own for _, own in found))
            for kind, (number, own) in enumerate(found):
                other = found[1 - kind][1]
                width = entry_bytes(key.lengths[kind])
                begin = key.begins[kind] + width * number
                entry = int.from_bytes(table.items[begin : begin + width], "little")
                assert entry >> 2 * places[1 - kind] & 3 == other - own + 1


class Bounds:
    """The bounds on many boards of one shape at once."""

    def __init__(self, shape: Shape) -> None:
        self.shape, self.image = min(shape.symmetries)
        self.views = []
        rows, columns = self.shape.rows, self.shape.columns
        turned = [cell % columns * columns + cell // columns for cell in range(self.shape.size)]
        for key in slide_keys(shape):
            lines = LineDistances(key, 2, quiet)
            with thread_pool(2) as pool:
                lines.fill(BuildTeam(pool, key.entries, 2))
            distances = [np.asarray(each.items) for each in lines.distances]
            self.views.append((np.array(key.classes), distances))
            if rows == columns and turned[self.shape.blank] == self.shape.blank:
                mirrored = np.array([key.classes[cell] for cell in turned])
                self.views.append((mirrored, distances[::-1]))
        self.orders, _ = orders_of(key.sizes)

    def of(self, boards: Vector, blank: int) -> Vector:
        """Return the bounds on boards with the blank in one cell; a row for each cell."""
        cells = sorted(range(self.shape.size), key=self.image.__getitem__)
        image, columns = np.array(self.image), self.shape.columns
        place = divmod(self.image[blank], columns)
        starts = np.asarray(self.orders.starts.items)
        ranks = np.asarray(self.orders.ranks.items)
        least = np.full(boards.shape[1], 255, np.uint8)
        for kind in (ROWS, COLUMNS):
            # The cells of the boards in the order in which those of the tables are read.
            order = cells
            if kind == COLUMNS:
                order = sorted(
                    cells, key=lambda cell: (self.image[cell] % columns, self.image[cell])
                )
            order = [cell for cell in order if cell != blank]
            greatest = np.zeros(boards.shape[1], np.uint8)
            for classes, distances in self.views:
                class_of_home = classes[image].astype(np.int32)
                word = np.zeros(boards.shape[1], np.int32)
                for tile, cell in enumerate(order):
                    word |= (class_of_home << 2 * tile)[boards[cell]]
                head = word & (1 << self.orders.head_bits) - 1
                number = starts[head] + ranks[word >> self.orders.head_bits]
                number += place[kind] * self.orders.total
                np.maximum(greatest, distances[kind][number], out=greatest)
            np.minimum(least, greatest + np.uint8(1), out=least)
        return least


def levels(shape: Shape, planes: range) -> Iterator[tuple[int, int, Vector]]:
    """Yield distance, cell of the blank (one of `planes`) and boards, but for the goal.

    Of boards there is a row for each cell: where the tiles in it belong.
    """
    space = _Space(shape, Metric.MULTI)
    level = 1
    with thread_pool(2) as pool:
        while sum(pool.map(space._fill, range(shape.size))):
            space._front, space._next = space._next, space._front
            for plane in planes:
                bits = np.asarray(space._front[plane].items).view(np.uint8)
                numbers = np.flatnonzero(np.unpackbits(bits, bitorder="little"))
                for first in range(0, len(numbers), _PART):
                    yield level, plane, boards_of(shape, plane, numbers[first : first + _PART])
            level += 1


def boards_of(shape: Shape, plane: int, numbers: Vector) -> Vector:
    """Return the boards with these numbers and the blank in this cell (`tables.distances`)."""
    tiles = shape.size - 1
    digits = np.zeros((tiles, len(numbers)), np.int8)
    rest = numbers.astype(np.int32)
    for place, value in enumerate(weights(shape.size)[:-2]):
        digits[place], rest = np.divmod(rest, np.int32(value))
    digits[tiles - 2] = digits.sum(axis=0) & 1 ^ plane_parity(shape, plane)
    for place in range(tiles - 2, -1, -1):
        digits[place + 1 :] += digits[place + 1 :] >= digits[place]
    homes = np.array([cell for cell in range(shape.size) if cell != shape.blank])
    boards = np.full((shape.size, len(numbers)), shape.blank)
    boards[:plane], boards[plane + 1 :] = homes[digits[:plane]], homes[digits[plane:]]
    return boards


_PART = 1 << 17
"""Boards at a time: they fit into the cache of a processor."""


_SLOW = (
    (2, 5, 0.002, 1),
    (3, 3, 1.0, 1),
    (2, 6, 5e3 / 239_500_800, 4),
    (3, 4, 1e4 / 239_500_800, 4),
)
"""Grids, the share of the boards that are solved, and into how many parts the test is split."""


@pytest.mark.parametrize(
    ("rows", "columns", "share", "part", "parts"),
    [
        (3, 3, 0.003, 0, 1),
        *[
            pytest.param(rows, columns, share, part, parts, marks=pytest.mark.slow)
            for rows, columns, share, parts in _SLOW
            for part in range(parts)
        ],
    ],
)
def test_no_bound_exceeds_the_distance_of_any_board_and_lengths_are_equal(
    rows: int, columns: int, share: float, part: int, parts: int
) -> None:
    shape, _ = narrow(Shape(rows, columns, rows * columns - 1))
    bounds = Bounds(shape)
    puzzle = puzzle_of(shape.rows, shape.columns, shape.blank)
    plan = plan_of(puzzle)
    labels = np.array(puzzle.goal.cells)
    rng = random.Random(rows * columns)
    solved = 0
    planes = range(part, shape.size, parts)
    seen = int(shape.blank in planes)
    for distance, blank, boards in levels(shape, planes):
        count = boards.shape[1]
        seen += count
        least = bounds.of(boards, blank)
        assert least.max(initial=0) <= distance
        for number in range(count) if share == 1 else chosen(rng, count, share):
            board = tq.Board(puzzle.grid, tuple(labels[boards[:, number]].tolist()))
            assert shortest(plan, puzzle, board) == distance
            assert plan.estimate(form_of(puzzle, board)[1]) == least[number]
            solved += 1
    assert seen == len(planes) * factorial(shape.size - 1) // 2
    assert solved > seen * share / 2


def chosen(rng: random.Random, count: int, share: float) -> list[int]:
    """Return random numbers below `count`, a share of all."""
    mean = count * share
    return rng.sample(range(count), min(count, int(mean) + (rng.random() < mean % 1)))


@pytest.mark.parametrize(
    ("rows", "columns", "blanks"), [(3, 4, (0, 1, 4, 5, 6, 10)), (2, 5, (9, 7)), (5, 2, (4,))]
)
def test_any_goal_is_reached_by_a_shortest_way(
    rows: int, columns: int, blanks: tuple[int, ...]
) -> None:
    for blank in blanks:
        puzzle = puzzle_of(rows, columns, blank)
        for seed in range(4):
            board = random_walk(puzzle, 9, seed=seed)
            result = run(Task(puzzle, board), General(1, None), Control())
            assert shortest(plan_of(puzzle), puzzle, board) == result.cost


def levels_around(cells: truth.Cells, count: int) -> list[set[truth.Cells]]:
    """Return the boards of 4×4 at each distance from one."""
    levels = [{cells}]
    for _ in range(count):
        found = {near for each in levels[-1] for near in truth.line_neighbours(each, 4, 4)}
        levels.append(found.difference(*levels[-2:]))
    return levels


def test_boards_near_the_goal_of_4x4_have_the_lengths_of_a_bidirectional_search() -> None:
    puzzle = puzzle_of(4, 4)
    # Tables of a few kilobytes: those of three tiles and all others.
    plan = plan_of(puzzle, (".ddddddddddcddba", ".ddddddddddddcba"))
    from_goal = levels_around(puzzle.goal.cells, 6)
    lengths = set()
    for seed in range(60):
        board = random_walk(puzzle, 3 + seed % 10, seed=seed)
        lengths.add(found := shortest(plan, puzzle, board))
        from_board = levels_around(board.cells, 6)
        assert found == min(
            one + other
            for one, far in enumerate(from_goal)
            for other, near in enumerate(from_board)
            if not far.isdisjoint(near)
        )
    assert len(lengths) > 6


@pytest.mark.slow
def test_100_random_boards_of_4x4_have_the_lengths_of_a_search_without_tables() -> None:
    puzzle = puzzle_of(4, 4)
    for seed in range(1, 101):
        task = Task(puzzle, random_board(puzzle.goal, seed))
        cost = run(task, General(1, "large"), Control()).cost
        assert cost == run(task, General(1, None), Control()).cost


def test_threads_change_no_count_and_a_limit_on_nodes_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parallel, "_ALONE", 50)
    monkeypatch.setattr(parallel, "_ROOTS", 4)
    puzzle = puzzle_of(3, 4)
    plan = plan_of(puzzle)
    for seed in range(8):
        _, tiles = form_of(puzzle, random_board(puzzle.goal, seed))
        found = []
        for threads in (1, 3):
            searcher = ParallelSearcher(plan, tiles, threads)
            bound = plan.estimate(tiles)
            counts = []
            while not (path := searcher.search(bound, lambda: True, 1 << 60)):
                counts.append(searcher.nodes)
                bound += 1
            found.append((path, counts, searcher.nodes))
        assert found[0] == found[1]
        search = DepthFirstSearch(plan, tiles, bound)
        assert [search.advance(budget) for budget in (1, 7, 2)] == [1, 7, 2]


def test_the_engine_uses_tables_on_disk_and_lists_the_same_solutions(
    own_tables: TableStore,
) -> None:
    puzzle = puzzle_of(3, 4)
    tasks = [Task(puzzle, random_board(puzzle.goal, seed)) for seed in range(3)]
    before = [run(task, General(1), Control()) for task in tasks]
    listing = Task(puzzle, tasks[0].start, want=Want.EVERY)
    every = set(General(1).every(listing, Control()))
    built = run_command("tables", "build", "3x4", "--metric", "multi")
    assert built.exit_code == 0
    assert len(own_tables.tables()) == 2
    for task, result in zip(tasks, before, strict=True):
        after = run(task, General(1), Control())
        assert (after.cost, after.optimal, after.lower_bound) == (result.cost, True, result.cost)
        assert puzzle.is_goal(after.boards()[-1])
        assert (after.stats.generated or 0) < (result.stats.generated or 0)
        unused = run(task, General(1, None), Control())
        assert unused.stats.generated == result.stats.generated
    assert set(General(1).every(listing, Control())) == every
    limit = Limits(nodes=10_000)
    cut = run(Task(puzzle, random_board(puzzle.goal, 5), limits=limit), General(1), Control(limit))
    assert cut.outcome is Outcome.SOLVED or cut.limit is Limit.NODES
    assert (cut.stats.generated or 0) <= 10_000
    assert own_tables.verify(own_tables.tables()[0].name) is None


def test_many_boards_have_tables_built_once(
    own_tables: TableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(many, "_SLIDES_PAY", 3)
    monkeypatch.setattr(many, "_PAYING", (3,))
    puzzle = puzzle_of(3, 3)
    boards = [random_board(puzzle.goal, seed) for seed in range(30)]
    left = {}
    for board in boards:
        left[board] = run(Task(puzzle, board), General(1, None), Control()).cost
    results = list(tq.solve_many(boards, puzzle))
    assert [result.cost for result in results] == [left[board] for board in boards]
    assert len(own_tables.tables()) == 2


def test_tables_of_slides_are_refused_and_removed(own_tables: TableStore) -> None:
    assert run_command("tables", "build", "2x4", "--metric", "multi").exit_code == 0
    assert own_tables.tables()
    refused = run_command("tables", "build", "3x3", "--metric", "multi", "--set", "large")
    assert refused.exit_code == 2
    assert "cannot be combined with --metric multi" in refused.output
    assert run_command("tables", "build", "5x5", "--metric", "multi").exit_code == 2
    assert run_command("tables", "remove", "--all").exit_code == 0
    assert not own_tables.tables()


# A two-sided search that shares nothing with taquin: it packs a board into 64 bits, four for each
# cell, and keeps whole levels as sorted arrays. Two slides along the same line are one or none, so
# a board that was reached along a row is left along its column only, and one that was reached both
# ways not at all.

Packed = np.ndarray[Any, np.dtype[np.uint64]]
"""Packed boards in ascending order, all with the same place of the blank."""

NONE: Packed = np.empty(0, np.uint64)
ROW, COLUMN = 0, 1
FAR = 17
"""The level around the goal that is kept: 0.11 billion boards, 0.9 GB."""


def packed(cells: tuple[int, ...]) -> int:
    return sum(tile << 4 * cell for cell, tile in enumerate(cells))


def line_of(cell: int, axis: int) -> list[int]:
    """Return the cells of the row or of the column of a cell."""
    row, column = divmod(cell, 4)
    return [4 * row + k for k in range(4)] if axis == ROW else [4 * k + column for k in range(4)]


def slid(boards: Packed, blank: int, target: int, axis: int) -> Packed:
    """Return boards after the slide that takes the blank to another cell of its line."""
    low, high = min(blank, target), max(blank, target)
    moved = [cell for cell in line_of(blank, axis) if low <= cell <= high and cell != blank]
    mask = np.uint64(sum(15 << 4 * cell for cell in moved))
    step = np.uint64(4 if axis == ROW else 16)
    tiles = boards & mask
    tiles = tiles >> step if target > blank else tiles << step
    return (boards & ~mask) | tiles


def are_in(boards: Packed, others: Packed) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return which of the boards are among others."""
    if not len(others):
        return np.zeros(len(boards), np.bool_)
    places = np.searchsorted(others, boards)
    places[places == len(others)] = 0
    return np.equal(others[places], boards)


@dataclass
class Level:
    """The boards at one distance, by the cell of the blank."""

    everything: list[Packed]
    reached: tuple[list[Packed], list[Packed]]
    """Those that were reached along a row only, and along a column only."""

    def __len__(self) -> int:
        return sum(map(len, self.everything))

    def successors(self, target: int, axis: int) -> Packed:
        """Return the boards that slides along an axis with the blank to a cell lead to."""
        found = [
            slid(self.reached[1 - axis][blank], blank, target, axis)
            for blank in line_of(target, axis)
            if blank != target
        ]
        boards = np.concatenate(found)
        boards.sort()
        is_new = np.ones(len(boards), np.bool_)
        is_new[1:] = boards[1:] != boards[:-1]
        return boards[is_new]

    def meets(self, others: list[Packed]) -> bool:
        """Return whether one of the boards of the next level is among others."""
        return any(
            are_in(self.successors(cell, axis), others[cell]).any()
            for cell in range(16)
            for axis in (ROW, COLUMN)
        )


def packed_levels(cells: tuple[int, ...]) -> Iterator[Level]:
    """Yield the boards at distance 0, 1, 2 … of a board."""
    alone = [NONE] * 16
    alone[cells.index(0)] = np.array([packed(cells)], np.uint64)
    before = [NONE] * 16
    # The first board may be left along both lines.
    level = Level(alone, (alone, alone))
    while True:
        yield level
        everything, rows, columns = [], [], []
        for cell in range(16):
            by_axis = []
            for axis in (ROW, COLUMN):
                boards = level.successors(cell, axis)
                for known in (before[cell], level.everything[cell]):
                    boards = boards[~are_in(boards, known)]
                by_axis.append(boards)
            along_row, along_column = by_axis
            both = are_in(along_row, along_column)
            rows.append(along_row[~both])
            columns.append(along_column[~are_in(along_column, along_row)])
            union = np.concatenate((rows[-1], along_column))
            union.sort()
            everything.append(union)
        before, level = level.everything, Level(everything, (rows, columns))


def test_the_levels_are_those_of_a_plain_search() -> None:
    cells: tuple[int, ...] = (5, 1, 2, 3, 4, 0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    last: set[tuple[int, ...]] = set()
    plain = {cells}
    for level, _ in zip(packed_levels(cells), range(8), strict=False):
        assert {int(board) for boards in level.everything for board in boards} == set(
            map(packed, plain)
        )
        near = {found for each in plain for found in truth.line_neighbours(each, 4, 4)}
        last, plain = plain, near - plain - last


@pytest.mark.slow
def test_100_random_boards_of_4x4_have_the_lengths_of_a_two_sided_search() -> None:
    goal = Goal.blank_last(4, 4)
    puzzle = Puzzle(goal, Metric.MULTI)
    boards = {seed: random_board(goal, seed) for seed in range(1, 101)}
    lengths = {}
    for seed, board in boards.items():
        moves = run(Task(puzzle, board), General(1, "large"), Control()).moves
        assert moves is not None
        assert puzzle.replay(board, moves)[-1].cells == goal.cells
        lengths[seed] = len(moves)
    distances = enumerate(packed_levels(tuple(map(int, goal.cells))))
    around_goal = next(level.everything for distance, level in distances if distance == FAR)
    for seed, length in lengths.items():
        assert FAR < length <= FAR + 19, "a solution longer than two levels of this size"
        cells = tuple(map(int, boards[seed].cells))
        for distance, level in enumerate(packed_levels(cells), 1):
            # The solution was replayed: what is left to show is that none is shorter. Where that
            # is cheap, the search finds the solution itself.
            if FAR + distance == length + (length < 34):
                break
            assert level.meets(around_goal) == (FAR + distance == length), seed

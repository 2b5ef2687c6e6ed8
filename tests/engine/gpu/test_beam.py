"""The beam on the GPU keeps the boards that its definition says, level by level."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

from taquin.engine.anytime.beam import BeamPass
from taquin.engine.anytime.puzzle_arrays import PuzzleArrays, follow
from taquin.engine.gpu import beam as beams
from taquin.engine.gpu.beam import BUCKETS, NO_ORIGIN, NODE_WORDS, NOTED, GpuBeam
from taquin.engine.gpu.device import Device
from tests.engine.anytime import is_solved, naive_value, random_puzzle, value_of


class Node(NamedTuple):
    """A board of a level, as the kernels write it."""

    cells: tuple[int, ...]
    blank: int
    last: int
    misses: int
    value: int


def nodes_of(beam: GpuBeam, puzzle: PuzzleArrays, level: int, count: int) -> list[Node]:
    """Return the nodes of a level that was just made, with the boards to which their ways lead."""
    names = [puzzle.size + 1, *puzzle.homes[1:]]
    nodes = []
    for row in beam._levels[level % 2].reshape(-1, NODE_WORDS)[:count]:
        way = beam._way_to(row, level, level % NOTED)
        board = follow(puzzle.start, way, puzzle.near)
        value, facts = int(row[4:5].view(np.int32)[0]), int(row[5])
        cells = tuple(names[number] for number in board)
        nodes.append(Node(cells, facts & 1023, facts >> 10 & 7, facts >> 13, value))
    return nodes


class NaiveLevels:
    """Which children of a level are kept, by the definition in words of `kernels/beam.cu`."""

    def __init__(self, puzzle: PuzzleArrays, width: int) -> None:
        self.puzzle, self.width = puzzle, width
        self.first = value_of(puzzle, puzzle.start)
        self.per_cell = max(1, 3 * width // puzzle.size)
        self.seen: set[tuple[int, ...]] = set()
        self.least = 0
        self.limit: float = float("inf")
        self.shift = 2 if puzzle.size > 144 else 0

    def value(self, cells: tuple[int, ...]) -> int:
        return naive_value(self.puzzle, cells) - self.first

    def children(self, level: list[Node]) -> dict[tuple[int, ...], Node]:
        """Return the children that were not known before and are worth a look."""
        found: dict[tuple[int, ...], Node] = {}
        for node in level:
            for direction, cell in enumerate(self.puzzle.near[node.blank]):
                if cell < 0 or direction == 3 - node.last:
                    continue
                cells = list(node.cells)
                cells[node.blank], cells[cell] = cells[cell], cells[node.blank]
                board, value = tuple(cells), self.value(tuple(cells))
                if value > self.limit:
                    continue
                if board not in self.seen:
                    self.seen.add(board)
                    misses = sum(home != place for place, home in enumerate(cells)) - 1
                    found[board] = Node(board, cell, direction, misses, value)
        return found

    def bucket(self, value: int) -> int:
        base = self.least - (beams.DROP << self.shift)
        return min(BUCKETS - 1, max(0, value - base >> self.shift))

    def cut(self, buckets: list[int], wanted: int) -> int:
        """Return the bucket that is kept in part, or one above all."""
        return sorted(buckets)[wanted] if len(buckets) > wanted else BUCKETS

    def check(self, level: list[Node], kept: list[Node]) -> None:
        """Assert that the nodes kept of a level's children are those of the definition."""
        children = self.children(level)
        by_cell: dict[int, list[int]] = {}
        for child in children.values():
            by_cell.setdefault(child.blank, []).append(self.bucket(child.value))
        cuts = {cell: self.cut(buckets, self.per_cell) for cell, buckets in by_cell.items()}
        best = [sorted(buckets)[: self.per_cell] for buckets in by_cell.values()]
        buckets = sorted(chain.from_iterable(best))
        cut, far = self.cut(buckets, self.width), self.cut(buckets, 2 * self.width)
        base = self.least - (beams.DROP << self.shift)
        self.limit = float("inf")
        if far < BUCKETS - 1:
            self.limit = base + (far + 1 << self.shift) - 1
        boards = {node.cells: node for node in kept}
        for board, node in boards.items():
            expected = children[board]
            assert (node.blank, node.misses, node.value) == (
                expected.blank,
                expected.misses,
                expected.value,
            )
        for board, child in children.items():
            bucket = self.bucket(child.value)
            if bucket < min(cut, cuts[child.blank]):
                assert board in boards
        # Of each bucket and each cell there are as many as there should be.
        assert sorted(self.bucket(node.value) for node in kept) == buckets[: self.width]
        assert max(Counter(node.blank for node in kept).values()) <= self.per_cell
        assert len(boards) == len(kept)
        self.least = min(node.value for node in kept)


@pytest.mark.parametrize(
    ("rows", "columns", "width", "levels"),
    [
        (3, 3, 30, 20),
        pytest.param(4, 5, 90, 45, marks=pytest.mark.slow),
        pytest.param(5, 3, 1000, 14, marks=pytest.mark.slow),
        pytest.param(16, 16, 60, 20, marks=pytest.mark.slow),
    ],
)
def test_each_level_keeps_what_the_definition_says(
    device: Device,
    rows: int,
    columns: int,
    width: int,
    levels: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # No two boards share a mark.
    monkeypatch.setattr(beams, "_MARKS_FOR_A_BOARD", (1 << 24) // width)
    puzzle = random_puzzle(rows, columns, seed=rows)
    beam = GpuBeam(device, rows, columns, width)
    assert beam.begin(puzzle, puzzle.start)
    naive = NaiveLevels(puzzle, width)
    level = nodes_of(beam, puzzle, 0, 1)
    for made in range(levels):
        beam.advance(made)
        state = beam.state()
        if int(state["solved"]) != NO_ORIGIN:
            break
        kept = nodes_of(beam, puzzle, made + 1, int(state["count"]))
        naive.check(level, kept)
        level = kept
    assert made > 8


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("rows", "columns", "width"), [(2, 3, 50), (4, 4, 300), (5, 5, 400)])
def test_a_walk_leads_to_the_goal_or_another_board_and_a_solved_one_needs_none(
    device: Device, rows: int, columns: int, width: int
) -> None:
    beam = GpuBeam(device, rows, columns, width)
    for seed in range(3):
        puzzle = random_puzzle(rows, columns, seed)
        found = beam.search(puzzle, puzzle.start, lambda: True)
        assert found.solved
        assert is_solved(puzzle, found.moves)
    assert beam.generated > 0
    assert beam.search(puzzle, puzzle.goal, lambda: True) == BeamPass(b"", True)
    other = random_puzzle(rows, columns, 7).start
    found = beam.search(puzzle.towards(other), puzzle.start, lambda: True)
    assert found.solved
    assert follow(puzzle.start, found.moves, puzzle.near) == other


def test_a_walk_that_is_cut_leads_to_its_best_board(device: Device) -> None:
    puzzle = random_puzzle(6, 6, 1)
    beam = GpuBeam(device, 6, 6, 64)
    chance = Random(1)
    lengths = set()
    for longest in (1, 5, 31, 32, 33, 64, 70, chance.randrange(71, 100)):
        found = beam.search(puzzle, puzzle.start, lambda: True, longest=longest)
        assert not found.solved
        assert found.is_cut
        assert len(found.moves) <= longest
        board = follow(puzzle.start, found.moves, puzzle.near)
        first, last = (value_of(puzzle, each) for each in (puzzle.start, board))
        assert last - first == int(beam.state()["best"])
        lengths.add(len(found.moves))
    assert len(lengths) > 5
    looks = iter(range(3))
    assert beam.search(puzzle, puzzle.start, lambda: next(looks, None) is not None).is_cut


@pytest.mark.gpu
@pytest.mark.parametrize("side", [5, 6, 17])
def test_a_walk_on_a_real_gpu_leads_to_the_goal_or_its_best_board(
    real_gpu: Device, side: int
) -> None:
    puzzle = random_puzzle(side, side, 1)
    beam = GpuBeam(real_gpu, side, side, 1 << 16)
    found = beam.search(puzzle, puzzle.start, lambda: True, longest=400)
    board = follow(puzzle.start, found.moves, puzzle.near)
    assert found.solved == (board == puzzle.goal) == (side < 10)
    first, last = (value_of(puzzle, each) for each in (puzzle.start, board))
    assert found.solved or last - first == int(beam.state()["best"])

"""One bound has the same nodes on the GPU and on the CPU, given the same tables and pruning."""

from __future__ import annotations

import random
from math import inf
from typing import Any

import numpy as np
import pytest
from tools.duplicate_operators import forbidden_words

from taquin.engine.cpu.automaton import Automaton, machine
from taquin.engine.cpu.packed import PackedPlan
from taquin.engine.cpu.team import Piece
from taquin.engine.cpu.wide import WidePlan
from taquin.engine.gpu.device import Device
from taquin.engine.gpu.plan import GpuAutomaton, GpuPlan, GpuTables, views_of
from taquin.engine.gpu.resident import BestVariant, Variant
from taquin.engine.gpu.searcher import (
    CAPACITY,
    HISTORY_WORDS,
    Frontier,
    GpuBatch,
    GpuSearcher,
    NodeStacks,
    StackMemory,
    Warps,
)
from taquin.tables.build import build_table
from taquin.tables.distances import DistanceTable
from taquin.tables.patterns import Partition, table_for, table_set
from taquin.tables.shape import Cells, Normal, Shape
from tests import naive
from tests.engine.gpu.standin import StandIn

CORNER = Shape(3, 3, 0)
UNLIKE: Partition = ((1, 2, 3, 4, 5), (6, 7, 8))
SYMMETRIC: Partition = ((1, 3, 4), (2, 5), (6, 7, 8))
"""Its first pattern is its own mirror image: both views share the slot."""
WITHOUT_ONE: Partition = ((1, 2, 3, 4, 5), (6, 7))
"""It leaves out a tile, and its mirror image another one."""
TURNED = Shape(3, 4, 3)
OBLONG: Partition = ((1, 2, 4, 5, 6), (3, 7, 10, 11), (8, 9))
SQUARE: Partition = (
    *((0, 1, 5), (2, 3, 4), (6, 7, 11), (8, 9, 14), (10, 15, 16)),
    *((13, 18, 19), (17, 22, 23), (20, 21, 24)),
)
SMALL = table_set(CORNER, "small")
WORD = 8
"""Moves of the longest needless words."""
CASES: list[tuple[Shape, Partition | None, tuple[Partition, ...], int]] = [
    (CORNER, None, SMALL, 200),
    (CORNER, UNLIKE, (), 200),
    (CORNER, SYMMETRIC, (), 200),
    (CORNER, WITHOUT_ONE, (), 200),
    (CORNER, SYMMETRIC, SMALL, 200),
    (TURNED, OBLONG, (), 80),
    (Shape(5, 5, 12), None, (SQUARE,), 40),
]
"""Grid, large patterns of its smallest image, small ones, steps of a random walk."""


WEAK: Partition = ((0, 1, 2, 4), (5, 6, 7, 11), (8, 9, 10))


def walked(shape: Shape, seed: int, steps: int) -> Normal:
    """Return a board some random steps from the goal."""
    chance = random.Random(seed)
    return Normal(shape, naive.shuffled(shape.rows, shape.columns, shape.goal, steps, chance))


def followed(normal: Normal, path: Cells) -> Cells:
    return naive.replay(normal.shape.rows, normal.shape.columns, normal.board, path)


def mirrored(shape: Shape, large: Partition) -> tuple[Partition, ...]:
    """Return the large partition of a shape's smallest image and its mirror image, turned back.

    Tiles that it leaves out are patterns of their own.
    """
    first, image = min(shape.symmetries)
    mirrors = [other for same, other in first.symmetries[1:] if same == first][-1:]
    found = []
    for turn in (tuple(range(shape.size)), *mirrors):
        cells = [image.index(turn.index(cell)) for cell in range(shape.size)]
        turned = tuple(tuple(sorted(cells[c] for c in pattern)) for pattern in large)
        left_out = set(range(shape.size)).difference({shape.blank}, *turned)
        found.append((*turned, *((cell,) for cell in sorted(left_out))))
    return tuple(found)


def counted_on_cpu(
    normal: Normal, partitions: tuple[Partition, ...], words: Automaton
) -> list[int]:
    """Return the nodes of each bound without a solution, and how many bounds there are."""
    shape = normal.shape
    keys = {table_for(shape, pattern)[0] for partition in partitions for pattern in partition}
    kind = PackedPlan if shape.size <= 16 else WidePlan
    plan = kind(shape, partitions, {key: build_table(key) for key in keys}, words)
    start = plan.start(normal)
    bound, counts = start.estimate, list[int]()
    while True:
        piece = Piece(start.node(bound), plan.width)
        nodes = piece.search(plan, 1 << 60)
        if piece.solution is not None:
            return [*counts, bound]
        counts.append(nodes)
        bound += 2


def plan_of(
    device: Device, shape: Shape, large: Partition | None, small: tuple[Partition, ...]
) -> GpuPlan:
    words = GpuAutomaton(device, machine(forbidden_words(shape.rows, shape.columns, WORD)))
    return GpuPlan(device, views_of(shape, large, small), words, GpuTables(device))


def searcher_of(
    device: Device,
    normal: Normal,
    large: Partition | None,
    small: tuple[Partition, ...],
    *,
    backward: bool = False,
    capacity: int = CAPACITY,
) -> GpuSearcher:
    plan = plan_of(device, (normal.inverse if backward else normal).shape, large, small)
    traced = Warps(plan, StackMemory(device), trace=HISTORY_WORDS)
    plain = Warps(plan, StackMemory(device), capacity=capacity)
    return GpuSearcher(normal, traced, plain, backward=backward)


def counted_on_gpu(searcher: GpuSearcher, normal: Normal) -> list[int]:
    """Return the nodes of each bound without a solution, and the bound that has one."""
    bound, counts = searcher.estimate, list[int]()
    while not (path := searcher.search(bound, lambda: True, inf)):
        assert path == ()
        counts.append(searcher.nodes)
        bound += 2
    assert path[0] == normal.where[0]
    assert len(path) == bound + 1
    assert followed(normal, path) == normal.shape.goal
    return [*counts, bound]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("shape", "large", "small", "steps"), CASES)
def test_every_bound_has_the_nodes_of_the_cpu(
    device: Device, shape: Shape, large: Partition | None, small: tuple[Partition, ...], steps: int
) -> None:
    words = machine(forbidden_words(shape.rows, shape.columns, 8))
    partitions = (*(mirrored(shape, large) if large else ()), *small)
    for seed in range(2):
        normal = walked(shape, seed, steps)
        searcher = searcher_of(device, normal, large, small)
        found = counted_on_gpu(searcher, normal)
        assert found == counted_on_cpu(normal, partitions, words)


def test_a_search_from_the_goal_finds_solutions_of_the_board(device: Device) -> None:
    known = DistanceTable(CORNER)
    for seed in range(4):
        normal = walked(CORNER, seed, 200)
        small = table_set(normal.inverse.shape, "small")
        searcher = searcher_of(device, normal, None, small, backward=True)
        assert counted_on_gpu(searcher, normal)[-1] == known.moves_left(normal.board)


@pytest.mark.slow
@pytest.mark.parametrize("backward", [False, True])
def test_a_search_ahead_of_the_bound_finds_shortest_solutions(
    device: Device, monkeypatch: pytest.MonkeyPatch, backward: bool
) -> None:
    monkeypatch.setattr("taquin.engine.gpu.searcher._ROOTS", 4)
    found = 0
    for seed in range(8):
        normal = walked(TURNED, seed, 1000)
        blank = normal.where[0] if backward else TURNED.blank
        weak = tuple((cell,) for cell in range(TURNED.size) if cell != blank)
        known, searcher = (
            searcher_of(device, normal, None, (weak,), backward=backward) for _ in range(2)
        )
        *_, length = counted_on_gpu(known, normal)
        bound = searcher.estimate
        path = searcher.search(bound, lambda: True, inf)
        while not path:
            bound += 2
            path = searcher.solution_ahead(lambda: True, inf)
            found += bool(path)
            path = path or searcher.search(bound, lambda: True, inf)
        assert len(path) - 1 == length
        assert followed(normal, path) == TURNED.goal
    assert found > 1


def naive_level(normal: Normal, words: Automaton, depth: int) -> list[tuple[int, Cells]]:
    """Return the allowed paths of so many moves in order, and the board that each leads to."""
    level = [(0, 0, normal.board)]
    for _ in range(depth):
        children = []
        for path, state, board in level:
            blank = board.index(0)
            for way, cell in normal.shape.steps[blank]:
                if words.allowed[state] >> way & 1:
                    child = list(board)
                    child[blank], child[cell] = child[cell], 0
                    children.append((path << 2 | way, words.follow[state][way], tuple(child)))
        level = children
    return sorted((path, board) for path, _, board in level)


def test_a_frontier_has_a_node_for_each_allowed_path(device: Device) -> None:
    plan = plan_of(device, CORNER, None, SMALL)
    words = machine(forbidden_words(3, 3, WORD))
    normal = walked(CORNER, 2, 200)
    frontier = Frontier(Warps(plan, StackMemory(device)))
    # No board is farther than 31 moves, so this bound cuts nothing off.
    frontier.begin(plan.nodes(plan.read(np.array([normal.board])), np.array([60]))[0])
    for _ in range(14):
        assert frontier.advance(1 << 20)
    roots = [frontier.root(number) for number in range(frontier.count)]
    boards = plan.boards(np.array([node for node, _ in roots]))
    reached = sorted(zip((path for _, path in roots), map(tuple, boards.tolist()), strict=True))
    assert reached == naive_level(normal, words, 14)
    assert not frontier.advance(frontier.count // 2)


def test_a_frontier_without_memory_stays_where_it_is(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    advance = Frontier.advance

    def fail_at_the_fourth_level(frontier: Frontier, most: int) -> bool:
        if frontier.depth == 3:
            raise MemoryError
        return advance(frontier, most)

    normal = walked(CORNER, 2, 200)
    whole, short = (searcher_of(device, normal, None, SMALL) for _ in range(2))
    whole.search(22, lambda: True, inf)
    monkeypatch.setattr(Frontier, "advance", fail_at_the_fourth_level)
    assert short.search(22, lambda: True, inf) == ()
    assert short.nodes >= whole.nodes == 39


@pytest.mark.parametrize("most", [0, 1, 7, 20, 38])
def test_a_limit_on_nodes_is_never_passed_and_a_search_ends_when_asked_to(
    device: Device, most: int
) -> None:
    # Bound 22 of this board has 39 nodes and no solution.
    searcher = searcher_of(device, walked(CORNER, 2, 200), None, SMALL)
    assert searcher.search(22, lambda: True, most) is None
    assert searcher.nodes <= most
    assert searcher.search(searcher.estimate, lambda: False, inf) is None


def test_a_full_stack_is_dealt_out_and_nothing_is_lost(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taquin.engine.gpu.searcher._ROOTS", 1)
    normal = walked(TURNED, 0, 80)
    usual = searcher_of(device, normal, OBLONG, ())
    usual.search(22, lambda: True, inf)
    narrow = searcher_of(device, normal, OBLONG, (), capacity=12)
    narrow.search(22, lambda: True, inf)
    assert narrow.nodes == usual.nodes > 100
    # With one warp nothing here would show that dealing out loses no node.
    assert isinstance(device, StandIn)
    assert device.processors > 1


def test_nodes_are_numbered_from_the_bottoms_to_the_tops() -> None:
    heights = np.array([1, 0, 3, 2], np.uint32)
    starts, order = NodeStacks(None, heights, 4).numbering()
    assert starts.tolist() == [0, 3, 5]
    assert order.tolist() == [2, 3, 0, 1]


def test_many_boards_at_once_get_shortest_solutions(device: Device) -> None:
    batch = GpuBatch(plan_of(device, CORNER, UNLIKE, SMALL))
    known = DistanceTable(CORNER)
    boards = [walked(CORNER, seed, 3 * seed) for seed in range(80)]
    cells = np.array([normal.board for normal in boards])
    answers = batch.solve(cells, lambda nodes: True)
    assert answers.solved.all()
    assert answers.lengths.tolist() == [known.moves_left(normal.board) for normal in boards]
    for number, normal in enumerate(boards):
        assert followed(normal, batch.path(answers, cells, number)) == CORNER.goal
    # It ends when asked to.
    ended = batch.solve(np.array([CORNER.goal, walked(CORNER, 1, 200).board]), lambda nodes: False)
    assert ended.solved.tolist() == [True, False]


def test_the_variant_that_costs_least_goes_on(device: Device) -> None:
    normal = walked(TURNED, 0, 80)
    weak = searcher_of(device, normal, None, (WEAK,))
    strong = searcher_of(device, normal, OBLONG, ())
    bound = weak.estimate
    for costs, name in (((1, 1), "strong"), ((1, 100), "weak")):
        variants = [
            Variant("weak", costs[0], 1, lambda: weak),
            Variant("strong", costs[1], 1, lambda: strong),
            Variant("late", 0.0001, 10**9, lambda: pytest.fail("the tree is small")),
        ]
        searcher = BestVariant(variants)
        assert searcher.search(bound, lambda: True, inf) == ()
        assert (searcher.name, searcher.nodes) == ("weak", weak.nodes)
        assert searcher.solution_ahead(lambda: True, inf) == ()
        assert searcher.name == name
        while not (path := searcher.search(bound, lambda: True, inf)):
            bound += 2
        assert followed(normal, path) == TURNED.goal
        bound = weak.estimate


def test_variants_that_come_later_are_compared_on_the_same_bound(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    normal = walked(TURNED, 0, 80)
    searchers = {
        "weak": searcher_of(device, normal, None, (WEAK,)),
        "same": searcher_of(device, normal, None, (WEAK,)),
        "strong": searcher_of(device, normal, OBLONG, ()),
    }
    searched: list[tuple[str, int]] = []
    search = GpuSearcher.search

    def noted(searcher: GpuSearcher, bound: int, *rest: Any) -> Cells | None:
        searched.extend((name, bound) for name, each in searchers.items() if each is searcher)
        return search(searcher, bound, *rest)

    monkeypatch.setattr(GpuSearcher, "search", noted)
    bound = searchers["weak"].estimate
    search(searchers["weak"], bound, lambda: True, inf)
    few = searchers["weak"].nodes
    searcher = BestVariant(
        [
            Variant("weak", 1, 1, lambda: searchers["weak"]),
            Variant("same", 2, 1, lambda: searchers["same"]),
            Variant("strong", 1, few + 1, lambda: searchers["strong"]),
        ]
    )
    assert searcher.search(bound, lambda: True, inf) == ()
    assert searcher.solution_ahead(lambda: True, inf) == ()
    assert searcher.name == "weak"
    assert searcher.search(bound + 2, lambda: True, inf) == ()
    # The bound has the nodes of the variant that searched it first; those of the other follow.
    assert searcher.nodes == searchers["weak"].nodes
    assert searcher.solution_ahead(lambda: True, inf) == ()
    assert searcher.name == "strong"
    assert searched == [*(("weak", bound), ("same", bound), ("weak", bound + 2), ("strong", bound))]
    assert searcher.nodes == searchers["weak"].nodes + searchers["strong"].nodes
    # What a comparison found ahead of its bound would be of no use, so it looks for nothing there.
    assert searchers["strong"].solution_ahead(lambda: True, inf) == ()
    assert searchers["strong"].nodes == 0


def test_a_comparison_of_variants_ends_early(device: Device) -> None:
    normal = walked(TURNED, 0, 80)
    views = (None, (WEAK,))
    variant = Variant("some", 1, 1, lambda: searcher_of(device, normal, *views))
    searcher = BestVariant([variant, variant])
    bound = searcher.estimate + 2
    assert searcher.search(bound, lambda: True, inf) == ()
    searched = searcher.nodes
    assert searcher.solution_ahead(lambda: False, inf) is None
    assert 0 < searcher.nodes <= 2 * searched


def test_a_variant_too_large_for_the_gpu_is_left_out(device: Device) -> None:
    normal = walked(CORNER, 2, 200)
    here = searcher_of(device, normal, None, SMALL)

    def too_large() -> GpuSearcher:
        raise MemoryError

    variants = [Variant("here", 1, 1, lambda: here), Variant("large", 1, 1, too_large)]
    searcher = BestVariant(variants)
    assert searcher.search(22, lambda: True, inf) == ()
    assert searcher.nodes == 39
    assert searcher.solution_ahead(lambda: True, inf) == ()
    assert searcher.name == "here"

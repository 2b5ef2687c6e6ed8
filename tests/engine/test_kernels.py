"""Each kernel generates exactly the nodes of a plain recursive search with the same heuristic."""

import random
from functools import cache
from itertools import permutations
from pathlib import Path
from types import ModuleType

import pytest
from tools.duplicate_operators import forbidden_words

from taquin.engine.cluster import Part
from taquin.engine.cpu import packed, wide
from taquin.engine.cpu.automaton import Automaton, machine
from taquin.engine.cpu.layout import BATCH, DEEPEST, counted_directions
from taquin.engine.cpu.packed import PackedPlan
from taquin.engine.cpu.team import CpuPlan, Piece, Stacks
from taquin.engine.cpu.wide import WidePlan
from taquin.system.arrays import array, uint8, uint32, zeros
from taquin.system.compiled import SOURCES
from taquin.tables.build import PatternRecipe, Table, value_at
from taquin.tables.patterns import PACKED_CELLS, Partition, PatternKey, table_for, table_set
from taquin.tables.shape import Shape
from tests import naive
from tests.engine.boards import normal

RANKED: Partition = ((1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11))
THREES: Partition = ((1, 2, 4, 5), (3, 6, 7, 10), (8, 9, 11))
FOUR: tuple[Partition, ...] = (
    ((1, 2, 5), (3, 4), (6, 7, 8)),
    ((3, 6, 7), (1, 4), (2, 5, 8)),
    ((1, 2, 4, 5), (3, 6, 7, 8)),
    ((1, 3, 4, 5), (2, 6, 7, 8)),
)
SIX: tuple[Partition, ...] = (*FOUR, ((1, 2, 3, 4), (5, 6, 7, 8)), ((1, 4, 7), (2, 3, 5), (6, 8)))
SHARED: tuple[Partition, ...] = (
    ((1, 2), (3, 4, 5), (6, 7, 8)),
    ((1, 2), (3, 4, 6), (5, 7, 8)),
    ((1, 2), (3, 5, 7), (4, 6, 8)),
)
"""Some tiles sit in one pattern here, which counts for all partitions, others in three."""


class Twin:
    """The heuristic of a set of partitions, read from the tables one value at a time."""

    def __init__(
        self, rows: int, columns: int, partitions: tuple[Partition, ...], halvings: int = 0
    ) -> None:
        self.shape, self.partitions, self.halvings = Shape(rows, columns, 0), partitions, halvings
        self.served = {
            pattern: table_for(self.shape, pattern, halvings)
            for part in partitions
            for pattern in part
        }
        self.tables = {
            key: PatternRecipe(key).build(None, lambda done, total: None)
            for key, _ in self.served.values()
        }

    def __call__(self, board: tuple[int, ...]) -> int:
        where = {tile: cell for cell, tile in enumerate(board)}
        walked = sum(
            naive.distance(cell, tile, self.shape.columns) for tile, cell in where.items() if tile
        )
        return walked + 2 * max(
            (sum(self._value(pattern, where) for pattern in part) for part in self.partitions),
            default=0,
        )

    def _value(self, pattern: tuple[int, ...], where: dict[int, int]) -> int:
        key, image = self.served[pattern]
        cells = {image[tile]: image[where[tile]] for tile in pattern}
        index = naive.index_of(key, [cells[tile] for tile in key.tiles])
        return value_at(self.tables[key], index >> self.halvings)


@cache
def automaton_of(rows: int, columns: int) -> Automaton:
    return machine(forbidden_words(rows, columns, 8))


def plan_of(twin: Twin, kind: str) -> CpuPlan:
    automaton = automaton_of(twin.shape.rows, twin.shape.columns)
    if kind == "packed":
        return PackedPlan(twin.shape, twin.partitions, twin.tables, automaton, twin.halvings)
    tables = {
        key: table if key.cells > PACKED_CELLS else in_base_16(key, table)
        for key, table in twin.tables.items()
    }
    return WidePlan(twin.shape, twin.partitions, tables, automaton)


def in_base_16(key: PatternKey, table: Table) -> Table:
    """Return the table of a small grid as it would be indexed on a large one."""
    size = len(key.tiles)
    values = bytearray(16**size)
    for where in permutations(range(key.cells), size):
        index = sum(cell << 4 * (size - 1 - i) for i, cell in enumerate(where))
        values[index] = value_at(table, naive.index_of(key, where))
    pairs = zip(values[0::2], values[1::2], strict=True)
    return array([low | high << 4 for low, high in pairs], uint8)


def foresighted(plan: CpuPlan, root: list[int], least: int) -> Stacks:
    """Return the memory of a search to its end, ahead of the bound from a depth on."""
    stacks = Stacks(plan.width)
    stacks.look_ahead(least)
    stacks.put(root)
    stacks.work(plan, 0, 1 << 60)
    return stacks


def compare(twin: Twin, kind: str) -> None:
    """Compare the nodes of some bounds."""
    rows, columns = twin.shape.rows, twin.shape.columns
    plan = plan_of(twin, kind)
    automaton = automaton_of(rows, columns)
    rng = random.Random(11)
    goal = tuple(range(rows * columns))
    compared = ahead = 0
    for _ in range(8):
        board = naive.random_board(rows, columns, goal, rng)
        start = plan.start(normal(rows, columns, board))
        assert start.estimate == twin(board)
        for bound in range(start.estimate, start.estimate + 12, 2):
            piece = Piece(start.node(bound), plan.width)
            nodes = piece.search(plan, 2_000)
            if piece.solution is not None or piece.size:
                break
            assert nodes == naive.bound_nodes(rows, columns, board, bound, twin, automaton)
            compared += 1
            for least in (0, bound // 2, bound - 8):
                stacks = foresighted(plan, start.node(bound), least)
                assert stacks.nodes - stacks.nodes_ahead == nodes
                if stacks.solution_ahead is None:
                    every = naive.bound_nodes(rows, columns, board, bound, twin, automaton, least)
                    assert stacks.nodes == every
                    ahead += stacks.nodes_ahead
    assert compared >= 5
    assert ahead > 0


def ranked(rows: int, columns: int) -> tuple[Partition, Partition]:
    """Return partitions with seven ranked tiles each; the second is the first, upside down."""
    last = rows * columns - 1
    return (
        (tuple(range(1, 8)), tuple(range(8, last + 1))),
        (tuple(range(last - 6, last + 1)), tuple(range(1, last - 6))),
    )


CASES: list[tuple[str, int, int, tuple[Partition, ...], int]] = [
    ("packed", 3, 4, (), 0),
    ("packed", 3, 4, table_set(Shape(3, 4, 0), "small"), 0),
    ("wide", 3, 3, FOUR, 0),
    ("wide", 5, 5, (), 0),
    ("packed", 3, 3, (((1, 2, 4), (5, 8)),), 0),
    ("packed", 3, 3, (((1, 2, 3, 4, 5, 6, 7),), ((2, 5, 8), (4, 7))), 2),
]
SLOW_CASES: list[tuple[str, int, int, tuple[Partition, ...], int]] = [
    ("packed", 4, 4, (), 0),
    ("packed", 3, 3, table_set(Shape(3, 3, 0), "small"), 0),
    ("packed", 3, 4, (RANKED,), 0),
    ("packed", 3, 3, FOUR, 0),
    ("wide", 3, 3, FOUR[:2], 0),
    ("wide", 3, 3, SIX, 0),
    ("wide", 3, 3, SHARED, 0),
    ("wide", 3, 4, (THREES,), 0),
    ("wide", 3, 6, (), 0),
    ("packed", 3, 3, (((1, 2), (3,), (4, 5), (6,), (7,), (8,)), ((2, 5, 8),)), 0),
    ("packed", 3, 3, (((1, 2, 4, 5), (3, 6, 7)),), 1),
    ("packed", 3, 3, (((1, 2, 3, 4, 5, 6, 7),), ((2, 5, 8), (4, 7))), 0),
    ("packed", 3, 3, (((1, 2, 4), (8,)), ((3, 6),), ((5, 7),)), 4),
    ("wide", 3, 3, (((1, 2, 4), (5, 8)), ((3, 6, 7),)), 0),
    *(("packed", *grid, ranked(*grid), 0) for grid in ((3, 4), (4, 3), (2, 6), (6, 2))),
]


@pytest.mark.parametrize(
    ("kind", "rows", "columns", "partitions", "halvings"),
    [*CASES, *(pytest.param(*case, marks=pytest.mark.slow) for case in SLOW_CASES)],
)
def test_nodes_of_a_bound_are_those_of_the_twin(
    kind: str, rows: int, columns: int, partitions: tuple[Partition, ...], halvings: int
) -> None:
    twin = Twin(rows, columns, partitions, halvings)
    has_ranks = any(len(pattern) == 7 for part in partitions for pattern in part)
    assert has_ranks is any(key.ranked for key in twin.tables)
    compare(twin, kind)


DRAWN = {
    packed: "0x12345678 0x86758565 0x86758565 0x0 0x0 0x12012 0x810081000000008 0x0",
    wide: "0x8864298e8 0x0 0xa00100 0x12 0x201 0x876500008743" + 7 * " 0x0",
}
"""The words of the node that is drawn in the header of each loop."""


@pytest.mark.parametrize("loop", DRAWN, ids=["packed", "wide"])
def test_the_node_that_is_drawn_is_the_node_of_that_board(loop: ModuleType) -> None:
    twin = Twin(3, 3, (((1, 2, 3, 4), (5, 6, 7, 8)),))
    plan = plan_of(twin, "packed" if loop is packed else "wide")
    start = plan.start(normal(3, 3, (8, 7, 6, 5, 4, 3, 2, 1, 0)))
    words = start.node(28)
    assert " ".join(f"{word:#x}" for word in words) == DRAWN[loop]
    source = Path(SOURCES, f"{'ida16' if loop is packed else 'ida25'}.c").read_text(
        encoding="utf-8"
    )
    assert all(word in source for word in DRAWN[loop].split())
    assert start.estimate == 20 + 2 * 3
    facts = words[loop.FACTS]
    assert facts >> loop.BLANK & 15 == 8
    if loop is packed:
        room_bits = [packed.SLACK + packed.SLACK_BITS * view for view in range(4)]
        assert [facts >> bit & 127 for bit in room_bits] == [1, 1, 4, 4]
    else:
        assert facts >> wide.DISTANCE & 1023 == 20
        assert words[wide.SLACKS] == wide.SLACK_MARK + 1


def test_a_choice_lists_directions_so_that_the_first_is_popped_first() -> None:
    assert counted_directions()[0b1110] == 0x31B


def held_by(piece: Piece) -> Part:
    return Part(piece.words.tobytes(), piece.path.tobytes())


def test_a_search_cut_in_slices_and_pieces_generates_the_same_nodes() -> None:
    plan = plan_of(Twin(4, 4, ()), "packed")
    goal = tuple(range(16))
    start = plan.start(normal(4, 4, naive.random_board(4, 4, goal, random.Random(12))))
    root = start.node(start.estimate + 4)
    whole = Piece(root, plan.width)
    total = whole.search(plan, 1 << 60)
    assert whole.solution is None
    piece = Piece(root, plan.width)
    parts = [held_by(piece)]
    cut = 0
    while parts:
        parts.pop().put_into(piece)
        cut += piece.search(plan, 37)
        parts += held_by(piece).halves(plan.width) if piece.size else []
    assert cut == total > 1000


@pytest.mark.parametrize("kind", ["packed", "wide"])
def test_a_solution_ahead_is_one_of_the_next_bound_and_ends_nothing(kind: str) -> None:
    plan = plan_of(Twin(3, 4, (THREES,)), kind)
    goal = tuple(range(12))
    early = 0
    for seed in range(10):
        board = naive.random_board(3, 4, goal, random.Random(seed))
        start = plan.start(normal(3, 4, board))
        bound, is_next = start.estimate, True
        while True:
            alone = Piece(start.node(bound), plan.width)
            alone.search(plan, 1 << 60)
            if alone.solution is not None:
                break
            every, some = (foresighted(plan, start.node(bound), least) for least in (0, bound - 12))
            for stacks in (every, some):
                assert stacks.solution is None
                if stacks.solution_ahead is not None:
                    assert len(stacks.solution_ahead) == bound + 3
                    assert naive.replay(3, 4, board, stacks.solution_ahead) == goal
            is_next = every.solution_ahead is not None
            early += some.solution_ahead is not None
            bound += 2
        assert is_next, "the last bound, searched ahead as a whole, has a solution"
        last = foresighted(plan, start.node(bound), 0)
        assert last.solution is not None
        assert len(last.solution) == bound + 1
        assert naive.replay(3, 4, board, last.solution) == goal
    assert early > 3


@pytest.mark.parametrize("kind", ["packed", "wide"])
def test_a_short_log_leads_back_all_the_same(kind: str) -> None:
    plan = plan_of(Twin(3, 4, (THREES,)), kind)
    goal = tuple(range(12))
    for seed in range(5):
        board = naive.random_board(3, 4, goal, random.Random(seed))
        start = plan.start(normal(3, 4, board))
        solutions = []
        for length in (2 * BATCH * DEEPEST, 300):
            bound = start.estimate
            while True:
                stacks = Stacks(plan.width)
                stacks.paths = zeros((1, length + DEEPEST), uint32)
                stacks.put(start.node(bound))
                stacks.work(plan, 0, 1 << 60)
                if stacks.solution is not None:
                    break
                bound += 2
            solutions.append(stacks.solution)
            assert naive.replay(3, 4, board, stacks.solution) == goal
        assert solutions[0] == solutions[1]

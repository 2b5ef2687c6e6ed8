"""The engine finds shortest solutions, whatever the grid, the goal, the tables and the threads."""

import random
import threading
import time
from pathlib import Path

import pytest

from taquin.engine.conductor import all_solutions, search
from taquin.engine.result import EngineOutcome, EngineProgress
from taquin.tables.store import TableStore
from tests import naive, truth
from tests.engine.boards import normal

KORF_GOAL = tuple(range(16))
HARD = (14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3)


def korf(data: Path) -> list[tuple[tuple[int, ...], int]]:
    rows = [
        list(map(int, line.split()))
        for line in (data / "korf100.txt").read_text().splitlines()
        if not line.startswith("#")
    ]
    return [(tuple(row[1:17]), row[18]) for row in rows]


def solved(
    store: TableStore,
    rows: int,
    columns: int,
    start: tuple[int, ...],
    goal: tuple[int, ...],
    tables: str | None = "small",
    threads: int = 1,
) -> int:
    """Return the length of the engine's solution, replayed."""
    result = search(normal(rows, columns, start, goal), tables=tables, threads=threads, store=store)
    assert result.outcome is EngineOutcome.SOLVED
    assert result.cost == result.lower_bound == len(result.blanks) - 1
    assert naive.replay(rows, columns, start, result.blanks) == goal
    return result.cost


@pytest.mark.parametrize("tables", ["small", None])
@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2)])
def test_every_small_board_for_every_goal_blank(
    store: TableStore, rows: int, columns: int, tables: str | None
) -> None:
    for blank in range(rows * columns):
        goal = (*range(1, blank + 1), 0, *range(blank + 1, rows * columns))
        for board, distance in truth.distances([goal], rows, columns).items():
            assert solved(store, rows, columns, board, goal, tables) == distance


@pytest.mark.slow
def test_every_3x3_board(store: TableStore) -> None:
    goal = (1, 2, 3, 4, 5, 6, 7, 8, 0)
    for board, distance in truth.distances([goal], 3, 3).items():
        assert solved(store, 3, 3, board, goal) == distance


@pytest.mark.parametrize(("rows", "columns"), [(2, 4), (4, 2), (3, 3)])
def test_random_boards_and_goals_against_the_whole_space(
    store: TableStore, rows: int, columns: int
) -> None:
    rng = random.Random(4)
    for _ in range(2):
        goal = list(range(rows * columns))
        rng.shuffle(goal)
        known = truth.distances([tuple(goal)], rows, columns)
        for board in rng.sample(sorted(known), 60):
            assert solved(store, rows, columns, board, tuple(goal)) == known[board]


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (2, 5),
        (5, 2),
        (3, 4),
        pytest.param(2, 7, marks=pytest.mark.slow),
        pytest.param(3, 5, marks=pytest.mark.slow),
    ],
)
def test_rectangles_agree_with_their_own_reverse_and_with_manhattan(
    store: TableStore, rows: int, columns: int
) -> None:
    rng = random.Random(5)
    goal = list(range(rows * columns))
    rng.shuffle(goal)
    for _ in range(4):
        board = naive.shuffled(rows, columns, tuple(goal), 60, rng)
        length = solved(store, rows, columns, board, tuple(goal))
        turned = [
            tuple(b[r * columns + c] for c in range(columns) for r in range(rows))
            for b in (board, tuple(goal))
        ]
        assert solved(store, columns, rows, turned[0], turned[1]) == length
        assert solved(store, rows, columns, board, tuple(goal), None) == length


def test_korf_instances_with_two_threads_and_one(store: TableStore, data: Path) -> None:
    for board, length in korf(data)[:12]:
        for threads in (1, 2):
            assert solved(store, 4, 4, board, KORF_GOAL, "small", threads) == length


@pytest.mark.slow
def test_all_of_korfs_instances(store: TableStore, data: Path) -> None:
    for board, length in korf(data):
        assert solved(store, 4, 4, board, KORF_GOAL) == length


@pytest.mark.slow
def test_ten_thousand_random_3x4_boards_against_a_second_set(store: TableStore) -> None:
    rng = random.Random(6)
    goal = (*range(1, 12), 0)
    for _ in range(10_000):
        board = naive.random_board(3, 4, goal, rng)
        # The mirrored puzzle has a goal whose partitions are looked up the other way round.
        length = solved(store, 3, 4, board, goal)
        assert solved(store, 3, 4, goal, board) == length


@pytest.mark.slow
def test_a_thousand_random_4x4_boards_against_a_second_set(store: TableStore) -> None:
    rng = random.Random(7)
    goal = (*range(1, 16), 0)
    for _ in range(1_000):
        board = naive.random_board(4, 4, goal, rng)
        length = solved(store, 4, 4, board, goal)
        # Backwards the goal's blank is elsewhere, which takes other partitions and other tables.
        assert solved(store, 4, 4, goal, board) == length


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), [(3, 6), (2, 9)])
def test_tables_agree_with_manhattan_beyond_sixteen_cells(
    store: TableStore, rows: int, columns: int
) -> None:
    rng = random.Random(8)
    goal = tuple(range(rows * columns))
    for _ in range(3):
        board = naive.shuffled(rows, columns, goal, 50, rng)
        alone = solved(store, rows, columns, board, goal, None)
        assert solved(store, rows, columns, board, goal, "small") == alone


@pytest.mark.slow
def test_two_24_puzzles(store: TableStore, data: Path) -> None:
    for line in (data / "korf50_24.txt").read_text().splitlines():
        if line.split()[0] in ("38", "40"):
            row = list(map(int, line.split()))
            board, goal = tuple(row[1:26]), tuple(range(25))
            assert solved(store, 5, 5, board, goal, "large", 2) == row[26]


def test_node_counts_of_complete_bounds_do_not_depend_on_threads(store: TableStore) -> None:
    results = [
        search(normal(4, 4, HARD), tables=None, threads=threads, nodes=20_000_000, store=store)
        for threads in (1, 2, 5)
    ]
    complete = [result.nodes_by_bound[:-1] for result in results]
    assert len(complete[0]) >= 5
    assert complete[0] == complete[1] == complete[2]


def test_start_equal_to_goal_takes_no_move(store: TableStore) -> None:
    result = search(normal(4, 4, KORF_GOAL), threads=2, store=store)
    assert (result.cost, result.blanks, result.nodes) == (0, (0,), 0)


def test_unsolvable_boards_are_named_so(store: TableStore) -> None:
    swapped = (0, 2, 1, *range(3, 16))
    result = search(normal(4, 4, swapped), store=store)
    assert (result.outcome, result.cost) == (EngineOutcome.UNSOLVABLE, None)


@pytest.mark.parametrize("threads", [1, 2])
def test_limits_stop_soon_and_keep_the_proven_bound(store: TableStore, threads: int) -> None:
    search(normal(4, 4, HARD), tables=None, nodes=1, store=store)
    begun = time.perf_counter()
    late = search(normal(4, 4, HARD), tables=None, threads=threads, seconds=0.3, store=store)
    assert time.perf_counter() - begun < 0.3 + 0.25
    assert late.outcome is EngineOutcome.TIME_LIMIT
    assert 41 <= late.lower_bound <= 57
    few = search(normal(4, 4, HARD), tables=None, threads=threads, nodes=100_000, store=store)
    assert few.outcome is EngineOutcome.NODE_LIMIT
    assert 100_000 <= few.nodes < 100_000 + 70_000 * threads


def test_the_caller_can_stop_from_another_thread(store: TableStore) -> None:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    begun = time.perf_counter()
    result = search(
        normal(4, 4, HARD), tables=None, threads=2, store=store, should_stop=stop.is_set
    )
    assert result.outcome is EngineOutcome.STOPPED
    assert time.perf_counter() - begun < 0.2 + 0.25


def test_an_interrupt_returns_the_proven_bound(store: TableStore) -> None:
    seen = []

    def interrupt(progress: EngineProgress) -> None:
        if progress.stage == "search":
            seen.append(progress.done)
            if progress.done > 1_000_000:
                raise KeyboardInterrupt

    result = search(normal(4, 4, HARD), tables=None, threads=2, store=store, progress=interrupt)
    assert result.outcome is EngineOutcome.INTERRUPTED
    assert result.lower_bound >= 41
    assert result.nodes >= seen[-1] > 1_000_000


def test_an_interrupted_enumeration_does_not_claim_to_have_found_all(store: TableStore) -> None:
    def interrupt(progress: EngineProgress) -> None:
        if progress.stage == "search":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(all_solutions(normal(4, 4, HARD), tables=None, store=store, progress=interrupt))


def test_limits_end_the_building_of_tables_and_leave_no_part_of_one(tmp_path: Path) -> None:
    empty = TableStore(tmp_path)

    def interrupt(progress: EngineProgress) -> None:
        if progress.stage == "tables":
            raise KeyboardInterrupt

    for outcome, result in (
        (EngineOutcome.TIME_LIMIT, search(normal(4, 4, HARD), seconds=0.0, store=empty)),
        (
            EngineOutcome.STOPPED,
            search(normal(4, 4, HARD), should_stop=lambda: True, store=empty),
        ),
        (
            EngineOutcome.INTERRUPTED,
            search(normal(4, 4, HARD), progress=interrupt, store=empty),
        ),
    ):
        assert (result.outcome, result.nodes) == (outcome, 0)
        assert result.lower_bound == 41
    assert not [file for file in tmp_path.iterdir() if file.suffix != ".lock"]


def test_memory_limit_chooses_a_smaller_set(store: TableStore) -> None:
    easy = naive.shuffled(4, 4, KORF_GOAL, 30, random.Random(9))
    assert search(normal(4, 4, easy), memory=50_000_000, store=store).tables == "small"
    assert search(normal(4, 4, easy), memory=1_000_000, store=store).tables is None


def test_progress_names_its_stages(store: TableStore) -> None:
    seen: list[EngineProgress] = []
    search(normal(4, 4, HARD), store=store, progress=seen.append)
    assert seen[0].stage == "compile"
    bounds = [report.bound for report in seen if report.bound is not None]
    assert bounds == sorted(bounds)
    assert bounds[-1] == 57


@pytest.mark.parametrize("shape", [(2, 3), (3, 3)])
def test_all_solutions_are_those_of_an_exhaustive_search(
    store: TableStore, shape: tuple[int, int]
) -> None:
    rows, columns = shape
    goal = (*range(1, rows * columns), 0)
    known = truth.distances([goal], rows, columns)
    for board in random.Random(10).sample(sorted(known), 12):
        found = list(all_solutions(normal(rows, columns, board, goal), store=store))
        assert len(found) == len(set(found))
        assert set(found) == truth.shortest_paths(board, known, rows, columns)


def test_all_solutions_stop_at_the_cap(store: TableStore) -> None:
    goal = (*range(1, 9), 0)
    board = (8, 6, 7, 2, 5, 4, 3, 0, 1)
    assert len(list(all_solutions(normal(3, 3, board, goal), most=3, store=store))) == 3

"""The engine finds shortest solutions, whatever the grid, the goal, the tables and the threads."""

import random
import threading
from collections.abc import Iterable
from itertools import islice

import pytest

from taquin.analysis.solutions import every_solution
from taquin.engine.cpu.engine import Cpu, affordable
from taquin.search.control import Control
from taquin.search.result import Counters, Limit, Outcome
from taquin.system.machine import process_memory
from taquin.tables.store import TableStore
from tests import naive, truth
from tests.engine.boards import normal, search, task

KORF_GOAL = tuple(range(16))
HARD = (14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3)


def solved(
    rows: int,
    columns: int,
    start: tuple[int, ...],
    goal: tuple[int, ...],
    tables: str | None = "small",
    threads: int = 1,
) -> int:
    """Return the length of the engine's solution, replayed."""
    result = search(task(rows, columns, start, goal), tables, threads)
    assert result.outcome is Outcome.SOLVED
    assert result.boards()[-1].cells == goal
    assert result.cost is not None
    assert result.cost == result.lower_bound == result.bounds[-1][0]
    return result.cost


@pytest.mark.parametrize(
    ("rows", "columns", "tables", "blanks"),
    [
        (2, 2, "small", range(4)),
        (2, 3, None, range(6)),
        pytest.param(3, 2, "small", range(6), marks=pytest.mark.slow),
        pytest.param(3, 3, "small", [8], marks=pytest.mark.slow),
    ],
)
def test_every_small_board_for_every_goal_blank(
    rows: int, columns: int, tables: str | None, blanks: Iterable[int]
) -> None:
    for blank in blanks:
        goal = (*range(1, blank + 1), 0, *range(blank + 1, rows * columns))
        for board, distance in truth.distances([goal], rows, columns).items():
            assert solved(rows, columns, board, goal, tables) == distance


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("rows", "columns"), [(2, 4), (4, 2), (3, 3)])
def test_random_boards_and_goals_against_the_whole_space(rows: int, columns: int) -> None:
    rng = random.Random(4)
    for _ in range(2):
        goal = list(range(rows * columns))
        rng.shuffle(goal)
        known = truth.distances([tuple(goal)], rows, columns)
        for board in rng.sample(sorted(known), 60):
            assert solved(rows, columns, board, tuple(goal)) == known[board]


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
    rows: int, columns: int
) -> None:
    rng = random.Random(5)
    goal = list(range(rows * columns))
    rng.shuffle(goal)
    for _ in range(4):
        board = naive.shuffled(rows, columns, tuple(goal), 60, rng)
        length = solved(rows, columns, board, tuple(goal))
        turned = [
            tuple(b[r * columns + c] for c in range(columns) for r in range(rows))
            for b in (board, tuple(goal))
        ]
        assert solved(columns, rows, turned[0], turned[1]) == length
        assert solved(rows, columns, board, tuple(goal), None) == length


@pytest.mark.parametrize(
    ("count", "threads"), [(12, (1, 2)), pytest.param(100, (1,), marks=pytest.mark.slow)]
)
def test_korfs_instances_have_their_lengths(count: int, threads: tuple[int, ...]) -> None:
    for board, (_, length, *_) in islice(truth.published("korf100.txt").values(), count):
        for number in threads:
            assert solved(4, 4, board, KORF_GOAL, "small", number) == length


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "count"), [(3, 10_000), (4, 1_000)])
def test_random_boards_agree_with_their_reverse(rows: int, count: int) -> None:
    rng = random.Random(6)
    goal = (*range(1, 4 * rows), 0)
    for _ in range(count):
        board = naive.random_board(rows, 4, goal, rng)
        # Backwards the goal's blank is elsewhere, which takes other partitions and other tables.
        assert solved(rows, 4, goal, board) == solved(rows, 4, board, goal)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), [(3, 6), (2, 9)])
def test_grids_beyond_sixteen_cells_agree_with_manhattan(rows: int, columns: int) -> None:
    rng = random.Random(8)
    goal = tuple(range(rows * columns))
    for _ in range(3):
        board = naive.shuffled(rows, columns, goal, 40, rng)
        length = solved(rows, columns, board, goal, None)
        assert solved(rows, columns, board, goal) == length <= 40


@pytest.mark.slow
def test_the_ten_easiest_of_korfs_24_puzzles() -> None:
    boards = truth.published("korf50_24.txt")
    for number in (1, 5, 25, 28, 30, 32, 37, 38, 40, 44):
        board, (length, *_) = boards[number]
        assert solved(5, 5, board, tuple(range(25)), "large", 2) == length


def test_node_counts_of_complete_bounds_do_not_depend_on_threads() -> None:
    asked = task(4, 4, HARD, nodes=20_000_000)
    complete = [search(asked, None, threads).bounds[:-1] for threads in (1, 2, 5)]
    assert len(complete[0]) >= 5
    assert complete[0] == complete[1] == complete[2]


@pytest.mark.usefixtures("own_tables")
@pytest.mark.parametrize(("seconds", "is_told"), [(None, True), (60.0, False)])
def test_what_no_limit_on_nodes_ends_is_told_before_it_begins(
    seconds: float | None, is_told: bool
) -> None:
    said: list[str] = []
    bounded = task(5, 5, (1, 0, *range(2, 25)), nodes=20_000, seconds=seconds)
    Cpu().solve(bounded, Control(bounded.limits, notice=said.append, stop=lambda: True))
    assert ["one on nodes does not" in line for line in said] == [True] * is_told


def test_the_caller_can_stop_from_another_thread() -> None:
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    result = search(task(4, 4, HARD), None, 2, stop=stop.is_set)
    assert (result.outcome, result.reason) == (Outcome.STOPPED, "stopped on request")


def test_an_interrupted_enumeration_does_not_claim_to_have_found_all() -> None:
    def interrupt(counters: Counters, seconds: float) -> None:
        if not counters.stage:
            raise KeyboardInterrupt

    control = Control(progress=interrupt)
    assert list(every_solution(task(4, 4, HARD), Cpu(None, 1), control)) == []
    assert (control.is_over, control.reason) == (True, "interrupted")


def test_limits_hold_for_an_enumeration_too() -> None:
    goal, board = (*range(1, 9), 0), (8, 6, 7, 2, 5, 4, 3, 0, 1)
    # The last look at the clock comes after the search for the length, before the enumeration.
    looks = 0

    def late() -> bool:
        nonlocal looks
        looks += 1
        return looks > 20

    asked = task(3, 3, board, goal)
    control = Control(stop=late)
    found = list(every_solution(asked, Cpu(None, 1), control))
    whole = list(every_solution(asked, Cpu(None, 1), Control()))
    assert control.is_over
    assert len(found) < len(whole)


def test_limits_end_the_building_of_tables_and_leave_no_part_of_one(own_tables: TableStore) -> None:
    def interrupt(counters: Counters, seconds: float) -> None:
        if "table" in counters.stage:
            raise KeyboardInterrupt

    late = search(task(4, 4, HARD, seconds=0.0))
    stopped = search(task(4, 4, HARD), stop=lambda: True)
    interrupted = search(task(4, 4, HARD), progress=interrupt)
    assert late.limit is Limit.SECONDS
    assert (stopped.outcome, interrupted.outcome) == (Outcome.STOPPED, Outcome.STOPPED)
    assert interrupted.reason == "interrupted"
    for result in (late, stopped, interrupted):
        # Manhattan distance is 41; linear conflicts are known at a glance too.
        assert (result.stats.generated, result.lower_bound) == (0, 43)
    assert not [file for file in own_tables.folder.iterdir() if file.suffix != ".lock"]


def test_memory_limit_chooses_a_smaller_set() -> None:
    easy = naive.shuffled(4, 4, KORF_GOAL, 30, random.Random(9))
    search(task(4, 4, easy))
    held = process_memory()
    for more, used in ((50_000_000, "patterns(small)"), (8_000_000, "manhattan")):
        result = search(task(4, 4, easy, memory=held + more), "large")
        assert str(result.algorithm) == f"idastar({used})"


@pytest.mark.parametrize(
    ("wanted", "memory", "chosen"),
    [
        ("large", 800_000_000, "large"),
        ("large", 500_000_000, "medium"),
        ("large", 100_000_000, "small"),
        ("small", 100_000_000, "small"),
        ("large", None, "large"),
        (None, None, None),
    ],
)
def test_a_small_machine_takes_a_smaller_set(
    monkeypatch: pytest.MonkeyPatch, wanted: str | None, memory: int | None, chosen: str | None
) -> None:
    monkeypatch.setattr("taquin.engine.cpu.engine.safe_memory", lambda: memory)
    assert affordable(normal(5, 5, tuple(range(25))), wanted, None) == chosen


def test_progress_names_its_stages_and_the_bound_rises() -> None:
    seen: list[tuple[str, float]] = []
    search(task(4, 4, HARD), progress=lambda now, _: seen.append((now.stage, now.bound)))
    assert seen[0][0] == "loading the compiled search"
    bounds = [bound for stage, bound in seen if not stage]
    assert bounds == sorted(bounds)
    assert bounds[-1] == 57


@pytest.mark.parametrize("shape", [(2, 3), (3, 3)])
def test_all_solutions_are_those_of_an_exhaustive_search(shape: tuple[int, int]) -> None:
    rows, columns = shape
    goal = (*range(1, rows * columns), 0)
    known = truth.distances([goal], rows, columns)
    for board in random.Random(10).sample(sorted(known), 12):
        asked = task(rows, columns, board, goal)
        found = list(every_solution(asked, Cpu(threads=1), Control()))
        paths = set()
        for moves in found:
            boards = asked.puzzle.replay(asked.start, moves)
            paths.add(tuple(each.blank for each in boards))
        assert len(found) == len(paths)
        assert paths == truth.shortest_paths(board, known, rows, columns)
        most = list(every_solution(asked, Cpu(), Control(), 1))
        assert len(most) == 1

"""Control: what ends a search, what its clock counts, and what its result says. Clocks are fake."""

from dataclasses import replace
from math import inf

import pytest

from taquin import AStar, Board, FromFunction, Goal, Puzzle
from taquin.events import Finished
from taquin.notation.moves import moves_on
from taquin.search import control
from taquin.search.control import (
    INTERRUPTED,
    TABLES_FIRST,
    Control,
    Ended,
    LowerBound,
    MemoryLimit,
    Phase,
    cancelled,
)
from taquin.search.driver import tables_first, trace
from taquin.search.result import (
    Count,
    Counters,
    EngineTag,
    Limit,
    Limits,
    Outcome,
    Preparation,
    Result,
    Task,
    effort,
)

START = Board.parse("1 2 3 / 4 5 6 / 7 0 8")
PUZZLE = Puzzle(Goal.blank_last(3, 3))
TASK = Task(PUZZLE, START)
"""One move from the goal, so every solution has an odd number of moves."""
SOLUTION = moves_on(START, "L")


class FakeClock:
    """Wall-clock and processor time that a test sets."""

    def __init__(self) -> None:
        self.now = self.cpu = 0.0

    def wait(self, seconds: float, cpu: float = 0.0) -> None:
        """Let time pass."""
        self.now += seconds
        self.cpu += cpu


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    fake = FakeClock()
    monkeypatch.setattr(control, "perf_counter", lambda: fake.now)
    monkeypatch.setattr(control, "process_time", lambda: fake.cpu)
    return fake


def result_of(searched: Control, counters: Counters | None = None, solved: bool = False) -> Result:
    return searched.result(
        TASK, AStar(), EngineTag("test"), counters or Counters(), moves=SOLUTION if solved else None
    )


def test_seconds_and_processor_time_leave_out_preparation_and_pauses(watch: FakeClock) -> None:
    searched = Control(Limits(seconds=60))
    watch.wait(5, cpu=4)
    searched.begin()
    watch.wait(2, cpu=1)
    with searched.clock.paused():
        watch.wait(7, cpu=6)
        assert searched.seconds_left() == 53
    watch.wait(1, cpu=0.5)
    assert (searched.seconds, searched.cpu_seconds) == (3, 1.5)


def test_a_watcher_takes_no_time_of_the_search(watch: FakeClock) -> None:
    for event in trace(PUZZLE, START, AStar()):
        watch.wait(60, cpu=60)
        if isinstance(event, Finished):
            stats = event.result.stats
    assert (stats.seconds, stats.cpu_seconds) == (0, 0)


def test_a_limit_on_seconds_counts_preparation_and_the_result_tells_them_apart(
    watch: FakeClock,
) -> None:
    searched = Control(Limits(seconds=10))
    searched.building("4x4", 0, 10)
    watch.wait(4)
    searched.prepare("loading the compiled search")
    watch.wait(0.5)
    searched.begin()
    watch.wait(5)
    assert searched.tick(Counters()), "9.5 seconds of 10 are over"
    assert searched.seconds_left() == 0.5
    watch.wait(0.5)
    assert not searched.tick(Counters())
    result = result_of(searched)
    assert (result.limit, result.reason) == (Limit.SECONDS, "limit of 10 seconds")
    assert result.stats.seconds == 5.5
    assert result.preparation == Preparation(building=4, loading=0.5)
    # It is named with the effort where it took a second or more.
    quick = result_of(Control(), solved=True)
    slow = replace(quick, preparation=Preparation(building=2.0, loading=0.3))
    assert "plus" not in effort(quick)
    assert effort(slow).endswith("; plus 2.0 s to build tables")


def test_a_limit_on_seconds_ends_the_building_of_tables_or_leaves_no_time_for_any(
    watch: FakeClock,
) -> None:
    searched = Control(Limits(seconds=3))
    watch.wait(1)
    searched.building("4x4", 0, 10)
    watch.wait(2)
    with pytest.raises(Ended):
        searched.building("4x4", 5, 10)
    none = Control(Limits(seconds=0))
    with pytest.raises(Ended):
        none.prepare("loading")
    assert searched.limit is none.limit is Limit.SECONDS


def test_a_limit_on_processor_time_counts_no_waiting(watch: FakeClock) -> None:
    searched = Control(Limits(seconds=3600, cpu_seconds=2))
    assert searched.tick(Counters())
    watch.wait(100, cpu=1.5)
    assert searched.tick(Counters())
    assert searched.seconds_left() == 0.5
    watch.wait(1, cpu=0.5)
    assert not searched.tick(Counters())
    assert (searched.limit, searched.seconds_left()) == (Limit.CPU_SECONDS, 0)
    assert searched.reason == "limit of 2 seconds of processor time"


def test_phases_may_be_left_out_of_the_limit(watch: FakeClock) -> None:
    searched = Control(Limits(seconds=3), uncounted=TABLES_FIRST)
    watch.wait(5)
    searched.building("4x4", 0, 10)
    watch.wait(20)
    assert searched.seconds_left() == 3
    searched.begin()
    watch.wait(2)
    assert searched.tick(Counters())
    part = searched.part(2.5)
    part.building("4x4", 5, 10)
    watch.wait(9)
    part.begin()
    assert part.seconds_left() == 0.5
    watch.wait(1)
    assert not part.tick(Counters())
    # User code is loaded within the limit of one of many boards.
    assert tables_first(AStar()) == TABLES_FIRST
    assert tables_first(AStar(FromFunction(lambda board: 0))) == (Phase.BUILDING,)


def test_a_part_and_a_discarded_attempt_count_towards_the_limit(watch: FakeClock) -> None:
    whole = Control(Limits(seconds=10))
    watch.wait(1)

    def attempt() -> Result:
        whole.begin()
        watch.wait(2)
        whole.tick(Counters(generated=6))
        return result_of(whole)

    assert whole.attempt(5, attempt, counts=False) is None
    assert (whole.seconds, whole.seconds_left()) == (0, 7)
    part = whole.part(5)
    part.begin()
    watch.wait(2)
    assert not part.tick(Counters()), "three seconds before it, and two of its own"
    whole.take_over(result_of(part))
    assert (whole.seconds, whole.seconds_left()) == (2, 5)


@pytest.mark.parametrize(
    ("counting", "expanded", "limit"),
    [
        (Count.EXPANDED, 10, None),
        (Count.EXPANDED, 11, Limit.NODES),
        (Count.GENERATED, 0, Limit.NODES),
    ],
)
def test_only_generated_nodes_end_a_search_at_the_limit_itself(
    counting: Count, expanded: int, limit: Limit | None
) -> None:
    counters = Counters(expanded=expanded, generated=10)
    spent = Control(Limits(nodes=10, counting=counting))
    assert spent.exceeded(counters) is limit
    assert spent.nodes_left(counters) == (10 - expanded if counting is Count.EXPANDED else 0)
    assert Control().nodes_left(counters) == inf


def test_memory_is_read_now_and_then_and_where_it_cannot_be_that_is_said_once(
    watch: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, said = 1 << 19, list[str]()
    monkeypatch.setattr(control, "process_memory", lambda: memory)
    spent = Control(Limits(memory=1 << 20))
    assert spent.exceeded(Counters()) is None
    memory = 1 << 21
    assert spent.exceeded(Counters()) is None, "it was read a moment ago"
    watch.wait(1)
    assert spent.exceeded(Counters()) is Limit.MEMORY
    memory = 0
    limit = MemoryLimit(1 << 20, said.append)
    for _ in range(2):
        assert not limit.is_reached()
        watch.wait(1)
    assert said == ["The limit on memory has no effect: this system does not say what is in use."]


def test_the_caller_and_ctrl_c_cancel_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (cancelled(None), cancelled(lambda: False)) == ("", "")
    assert cancelled(lambda: True) == "stopped on request"
    monkeypatch.setattr(control, "interrupted", lambda: True)
    assert cancelled(lambda: True) == INTERRUPTED


def test_the_first_reason_for_the_end_counts() -> None:
    searched = Control(stop=lambda: True)
    assert not searched.tick(Counters())
    searched.end(Limit.NODES)
    searched.stop("another reason")
    searched.refute()
    result = result_of(searched)
    assert (result.outcome, result.reason) == (Outcome.STOPPED, "stopped on request")
    assert searched.limit is None
    refuted = Control()
    refuted.refute("parity")
    assert result_of(refuted).outcome is Outcome.UNSOLVABLE


def test_progress_hears_of_every_tick_with_a_bound_of_the_right_parity(watch: FakeClock) -> None:
    heard: list[tuple[float, float]] = []
    searched = Control(progress=lambda counters, seconds: heard.append((counters.bound, seconds)))
    searched.concern(TASK)
    searched.begin()
    watch.wait(2)
    searched.tick(Counters(bound=4))
    assert heard == [(5, 2)]


@pytest.mark.parametrize("report", ["report", "prepare"])
def test_a_stage_of_an_ended_search_raises(report: str) -> None:
    searched = Control()
    getattr(searched, report)("loading")
    searched.stop("enough")
    with pytest.raises(Ended):
        getattr(searched, report)("loading")


def test_a_report_belongs_to_the_search_and_a_preparation_does_not(watch: FakeClock) -> None:
    searched = Control()
    searched.prepare("reading tables", Phase.LOADING)
    watch.wait(1)
    searched.report("second pass")
    watch.wait(2)
    assert searched.seconds == 2


@pytest.mark.parametrize(
    ("raised", "reason"), [(KeyboardInterrupt(), INTERRUPTED), (MemoryError(), "out of memory")]
)
def test_a_guard_turns_what_ends_a_search_into_its_reason(
    raised: BaseException, reason: str
) -> None:
    searched = Control(Limits(seconds=0))
    searched.begin()
    with searched.guard():
        raise raised
    assert searched.reason == reason


def test_a_guard_passes_on_faults_and_what_only_user_code_can_raise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(ValueError, match="no good"), Control().guard():
        raise ValueError("no good")
    monkeypatch.setattr("taquin.system.interrupts.are_for_parent", True)
    with pytest.raises(KeyboardInterrupt), Control().guard():
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("limit", "size", "reason"),
    [
        (Limit.NODES, inf, "limit of 7 nodes expanded"),
        (Limit.DEPTH, inf, "limit of 9 moves"),
        (Limit.DEPTH, 1, "limit of 1 move"),
        (Limit.WIDTH, 5, "the beam of width 5 ran dry"),
        (Limit.CAP, 1000, "cap of 1,000 nodes kept"),
        (Limit.MEMORY, None, "out of memory"),
    ],
)
def test_a_limit_is_worded_with_its_size(limit: Limit, size: float | None, reason: str) -> None:
    searched = Control(Limits(nodes=7, depth=9, counting=Count.EXPANDED))
    searched.end(limit, size)
    assert (searched.limit, searched.reason) == (limit, reason)


def test_a_bound_has_the_parity_of_every_solution_and_an_assumed_one_is_only_a_claim() -> None:
    bound = LowerBound(proven=3.5)
    assert bound.moves == 4
    bound.parity = 1
    assert bound.moves == 5
    assert bound.raised(inf) == inf
    bound = LowerBound(proven=4, parity=0, assumes="h is admissible")
    claims = [bound.claim_on(length, counted=7) for length in (4, 6, 8, 10)]
    assert claims == ["", "h is admissible", "h is admissible", ""]
    assert bound.shown(Counters(bound=8)).bound == 4


def test_a_bound_beyond_the_depth_limit_ends_the_search() -> None:
    searched = Control(Limits(depth=4))
    searched.prove(4)
    assert not searched.is_over
    searched.concern(TASK)
    searched.prove(4)
    assert searched.limit is Limit.DEPTH


def test_work_apart_keeps_the_listeners_and_no_reason_to_end() -> None:
    lines: list[str] = []
    limits = Limits(nodes=1, seconds=1, depth=1, memory=1)
    whole = Control(limits, stop=lambda: True, notice=lines.append)
    apart = whole.apart()
    apart.notice("a wait")
    assert (apart.limits, lines) == (Limits(), ["a wait"])
    assert (whole.tick(Counters()), apart.tick(Counters())) == (False, True)


def test_a_part_has_its_time_when_the_search_proper_begins_but_no_more_than_the_whole(
    watch: FakeClock,
) -> None:
    part, late = Control().part(1.0), Control(Limits(seconds=0.0)).part(3600.0)
    watch.wait(2.0)
    assert part.tick(Counters(stage="loading code")), "preparation has no limit of time"
    part.begin()
    late.begin()
    assert not late.tick(Counters())
    watch.wait(1.0)
    assert not part.tick(Counters())
    assert part.limit is Limit.SECONDS


def test_a_part_continues_the_whole_which_takes_its_result_over(watch: FakeClock) -> None:
    whole = Control(Limits(nodes=100))
    whole.begin()
    whole.prove(3)
    watch.wait(2, cpu=1)
    part = whole.part(10)
    part.begin()
    watch.wait(3, cpu=2)
    assert (part.seconds, part.cpu_seconds, part.proven) == (5, 3, 3)
    part.prove(5)
    whole.take_over(result_of(part, Counters(generated=40), solved=True))
    assert (whole.seconds, whole.cpu_seconds) == (5, 3)
    assert whole.nodes_left(Counters(generated=10)) == 50
    assert result_of(whole).moves == SOLUTION


@pytest.mark.parametrize(("counts", "nodes", "seconds"), [(True, 35, 2), (False, 5, 0)])
def test_an_attempt_without_success_leaves_its_nodes_and_seconds_where_it_counts(
    watch: FakeClock, counts: bool, nodes: int, seconds: float
) -> None:
    searched = Control(Limits(nodes=100))

    def run_out() -> Result:
        searched.begin()
        watch.wait(2)
        searched.tick(Counters(generated=30))
        return result_of(searched, Counters(generated=30))

    assert searched.attempt(30, run_out, counts=counts) is None
    assert (searched.is_over, searched.limit, searched.reason) == (False, None, "")
    result = searched.attempt(50, lambda: result_of(searched, Counters(generated=5), solved=True))
    assert result is not None
    assert (result.stats.generated, searched.seconds) == (nodes, seconds)


def test_a_result_is_no_longer_than_its_bound_says_and_keeps_the_counters_named() -> None:
    searched = Control()
    searched.prove(3)
    result = searched.result(
        *(TASK, AStar(), EngineTag("test"), Counters(expanded=1, generated=2)),
        counts=("generated",),
        moves=SOLUTION,
        bounds=((1, 2),),
    )
    assert (result.outcome, result.cost, result.lower_bound) == (Outcome.SOLVED, 1, 1)
    assert (result.stats.expanded, result.stats.generated, result.bounds) == (None, 2, ((1, 2),))

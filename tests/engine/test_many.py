"""Many boards in a stream: each is answered as if it were alone, in order, on any threads."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import pytest

import taquin as tq
from taquin.engine import many
from taquin.engine.cpu.engine import Cpu
from taquin.engine.many import Answer, Many, solve_many
from taquin.engine.task import Auto, Wishes
from taquin.errors import NotationError, TaquinError
from taquin.search.control import Control
from taquin.search.result import Limit, Limits, Outcome, Result, Task
from tests import naive
from tests.engine.boards import search, task

FOUR = tuple(range(16))
HARD = (15, 14, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0)
"""One of the hardest boards: nothing here solves it in time."""


def boards(count: int, seed: int = 1) -> list[tuple[int, ...]]:
    """Return boards of 4×4 that are solved within milliseconds."""
    rng = random.Random(seed)
    return [naive.shuffled(4, 4, FOUR, rng.randrange(90), rng) for _ in range(count)]


def facts(answer: Answer) -> object:
    """Return what does not depend on the machine or the time."""
    if isinstance(answer, TaquinError):
        return str(answer)
    assert isinstance(answer, Result)
    return (
        *(answer.outcome, answer.moves, answer.lower_bound, answer.limit, answer.reason),
        *(answer.bounds, answer.stats.generated, answer.algorithm, answer.engine),
    )


@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (3, 4), (2, 5)])
def test_boards_have_the_solutions_and_counts_of_one_at_a_time(rows: int, columns: int) -> None:
    goal, rng = tuple(range(rows * columns)), random.Random(rows)
    starts = [naive.random_board(rows, columns, goal, rng) for _ in range(20)]
    unsolvable = (0, 2, 1, *goal[3:])
    tasks = [task(rows, columns, start) for start in [goal, *starts, unsolvable, starts[0]]]
    results = Cpu("small", 1).solve_many(tasks, Control())
    assert [facts(result) for result in results] == [facts(search(each)) for each in tasks]
    assert any(len(result.bounds) > 2 for result in results)
    assert sum(result.outcome is Outcome.UNSOLVABLE for result in results) == 1
    assert all(result.stats.seconds > 0 for result in results if result.stats.generated)


@pytest.mark.parametrize("limits", [{"nodes": 10_000}, {"nodes": 33_200}, {"depth": 50}])
def test_limits_hold_for_each_board_as_if_it_were_alone(limits: dict[str, Any]) -> None:
    rng = random.Random(5)
    starts = [naive.random_board(4, 4, FOUR, rng) for _ in range(12)]
    tasks = [task(4, 4, start, **limits) for start in starts]
    results = Cpu("small", 1).solve_many(tasks, Control())
    assert [facts(result) for result in results] == [facts(search(each)) for each in tasks]
    assert {result.outcome for result in results} >= {Outcome.LIMIT_REACHED}


def test_a_limit_on_seconds_ends_one_board_and_the_next_is_solved() -> None:
    search(task(4, 4, FOUR))
    easy = boards(3)
    tasks = [task(4, 4, start, seconds=0.3) for start in (easy[0], HARD, easy[1])]
    first, ended, last = Cpu("small", 1).solve_many(tasks, Control())
    assert (first.optimal, last.optimal) == (True, True)
    assert (ended.limit, ended.moves) == (Limit.SECONDS, None)
    assert ended.stats.seconds >= 0.05
    assert ended.lower_bound >= 60


@pytest.mark.parametrize("threads", [2, 5])
def test_answers_are_in_order_and_the_same_on_any_number_of_threads(threads: int) -> None:
    small = [task(3, 3, naive.shuffled(3, 3, tuple(range(9)), 20, random.Random(3)))]
    fault = NotationError("no board", 7)
    stream: list[Task | TaquinError] = []
    for number, start in enumerate(boards(150)):
        stream += [task(4, 4, start)]
        stream += [fault] if number % 40 == 5 else small if number % 70 == 30 else []
    alone = list(Many(Wishes(Cpu("small", 1))).answers(stream))
    beside = list(Many(Wishes(Cpu("small", threads))).answers(stream))
    assert [facts(answer) for answer in beside] == [facts(answer) for answer in alone]
    assert [answer is fault for answer in alone] == [entry is fault for entry in stream]
    assert [answer.start for answer in alone if isinstance(answer, Result)] == [
        entry.start for entry in stream if isinstance(entry, Task)
    ]


def test_a_stream_is_read_only_a_little_ahead() -> None:
    taken = 0

    def endless() -> Iterator[Task]:
        nonlocal taken
        while True:
            taken += 1
            yield task(4, 4, FOUR)

    solver = Many(Wishes(Cpu("small", 2))).answers(endless())
    for answered, answer in enumerate(islice(solver, 3_000)):
        assert isinstance(answer, Result)
        assert taken - answered < 2_000
    solver.close()  # type: ignore[attr-defined]


def test_everything_is_answered_before_the_stream_is_waited_for() -> None:
    answered: list[Answer] = []
    starts = boards(40)

    def slow() -> Iterator[Task]:
        for number, start in enumerate(starts):
            assert len(answered) == number
            yield task(4, 4, start)

    for answer in Many(Wishes(Cpu("small", 2)), is_ready=lambda: False).answers(slow()):
        answered.append(answer)
    assert len(answered) == len(starts)


@pytest.mark.parametrize("threads", [1, 3])
def test_the_stop_button_keeps_what_is_done(threads: int) -> None:
    presses = threading.Event()
    easy = [task(4, 4, start) for start in boards(100)]

    def stream() -> Iterator[Task]:
        yield from easy
        presses.set()
        yield from easy

    answers = list(
        Many(Wishes(Cpu("small", threads)), stop=lambda: "enough" * presses.is_set()).answers(
            stream()
        )
    )
    assert len(answers) <= len(easy)
    outcomes = [answer.outcome for answer in answers if isinstance(answer, Result)]
    assert len(outcomes) == len(answers)
    assert outcomes.count(Outcome.SOLVED) >= 32
    assert set(outcomes) <= {Outcome.SOLVED, Outcome.STOPPED}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("last", [0, 40, 150])
def test_a_stream_that_is_ended_answers_a_beginning_of_it(threads: int, last: int) -> None:
    starts = boards(200)
    stream = Many(Wishes(Cpu("small", threads)))
    answers = []
    for number, answer in enumerate(stream.answers(task(4, 4, start) for start in starts)):
        assert isinstance(answer, Result)
        answers.append(answer)
        if number == last:
            stream.end("enough")
    assert not stream.is_complete
    assert {answer.outcome for answer in answers[:-1]} <= {Outcome.SOLVED}
    whole = Many(Wishes(Cpu("small", 1)))
    truth = list(islice(whole.answers(task(4, 4, start) for start in starts), len(answers)))
    solved = [answer for answer in answers if answer.outcome is Outcome.SOLVED]
    assert [facts(answer) for answer in solved] == [
        facts(answer) for answer in truth[: len(solved)]
    ]


@pytest.mark.parametrize("threads", [1, 3])
def test_no_board_follows_one_that_its_engine_stopped_by_itself(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve = Cpu.solve_many

    def interrupted(engine: Cpu, tasks: Sequence[Task], control: Control) -> list[Result]:
        # As when the search hears Ctrl-C before anyone else does.
        control.stop("interrupted")
        return solve(engine, tasks, control)

    monkeypatch.setattr(Cpu, "solve_many", interrupted)
    starts = boards(50) * 60
    answers = [*Many(Wishes(Cpu("small", threads))).answers(task(4, 4, start) for start in starts)]
    assert [answer.outcome for answer in answers if isinstance(answer, Result)] == [Outcome.STOPPED]


def test_large_tables_are_built_once_the_boards_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[str | None] = []
    together = Cpu.solve_many

    def noted(engine: Cpu, tasks: Sequence[Task], control: Control) -> list[Result]:
        used.extend([engine.tables] * len(tasks))
        return together(Cpu("small", 1), tasks, control)

    monkeypatch.setattr(Cpu, "solve_many", noted)
    monkeypatch.setattr(many, "_PAYING", (4, 1_000, 40))
    monkeypatch.setattr(many, "_LOADING_PAYS", 4)
    monkeypatch.setattr(many, "_BUILDING_PAYS", 40)
    said: list[str] = []
    tasks = [task(4, 4, start) for start in boards(50)]
    monkeypatch.setattr(many, "missing_tables", lambda *_: ["a table"])
    list(Many(Wishes(Auto(threads=1)), grows=True, notice=said.append).answers(tasks))
    assert used == ["small"] * 39 + ["large"] * 11
    assert said == ["40 boards: building the large tables, once; they pay by now."]
    used.clear()
    monkeypatch.setattr(many, "missing_tables", lambda *_: [])
    list(Many(Wishes(Auto(threads=1)), grows=True, notice=said.append).answers(tasks))
    assert used == ["small"] * 3 + ["large"] * 47
    assert len(said) == 1
    used.clear()
    list(Many(Wishes(Auto(threads=1))).answers(tasks))
    assert used == ["small"] * 50


def test_a_limit_leaves_a_board_among_many_with_a_solution() -> None:
    starts = [HARD, *boards(2)]
    limited = list(solve_many(starts, [*range(16)], max_nodes=20_000))
    assert (limited[0].outcome, limited[0].optimal) == (Outcome.LIMIT_REACHED, False)
    assert limited[0].boards()[-1].cells == FOUR
    assert [result.optimal for result in limited[1:]] == [True, True]


def test_solve_many_takes_what_solve_takes() -> None:
    texts = ["1 2 3 / 4 0 5 / 7 8 6", [[1, 2], [0, 3]]]
    assert [result.cost for result in tq.solve_many(texts)] == [2, 1]
    assert [str(result.algorithm) for result in tq.solve_many(texts, algorithm="bfs")] == [
        "bfs",
        "bfs",
    ]
    snail = tq.Puzzle(tq.Goal.parse("1 2 3 / 8 0 4 / 7 6 5"))
    assert next(tq.solve_many(["1 2 3 / 8 6 4 / 7 0 5"], snail)).cost == 1
    answers = tq.solve_many(["1 2 3 / 4 0 5 / 7 8 6", "no board"])
    assert next(answers).cost == 2
    with pytest.raises(NotationError):
        next(answers)
    with pytest.raises(tq.errors.UnsuitableError):
        tq.solve_many([], limits=Limits(seconds=1), seconds=2)


def test_boards_among_many_may_have_walled_off_labels_that_the_goal_wants_elsewhere() -> None:
    puzzle = tq.Puzzle(tq.Goal.parse("0 2 / # # / 1 3"), tq.Metric.MULTI)
    assert next(tq.solve_many(["0 1 / # # / 2 3"], puzzle)).outcome is Outcome.UNSOLVABLE

"""One thread, one seed and one limit on nodes give the same answer of the anytime engine."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

import taquin as tq
from taquin import Limits, Outcome, Result
from taquin.engine import Anytime
from taquin.errors import UnsuitableError
from tests.cli.runs import run as run_command

NODES = 60_000
GOALS = {
    "6x6": "blank-last",
    "5x7": "blank-last",
    "partial": "* * * 1 / * * 2 * / * 3 * 4 / 5 * * *",
}
BOARDS = {
    "6x6": tq.random_board("6x6", 10),
    "5x7": tq.random_board("5x7", 3),
    "partial": tq.Board.parse("1 2 3 4 / 5 . . . / . . . . / . . . @"),
}


def answer(name: str, seed: int = 0, nodes: int = NODES, within: float = 1.0) -> Result:
    engine = Anytime(threads=1, seed=seed, within=within)
    return tq.solve(BOARDS[name], GOALS[name], algorithm=engine, limits=Limits(nodes=nodes))


def facts(result: Result) -> tuple[object, ...]:
    return result.moves, result.lower_bound, result.stats.generated, result.limit, result.outcome


@contextmanager
def noise() -> Iterator[None]:
    """Keep another thread busy, which takes half of the time away."""
    is_over = threading.Event()

    def work() -> None:
        while not is_over.is_set():
            sum(range(10_000))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


@pytest.mark.parametrize("name", BOARDS)
def test_the_same_nodes_give_the_same_answer_whatever_else_the_machine_does(name: str) -> None:
    first = answer(name)
    assert first.moves is not None
    assert first.puzzle.is_goal(first.boards()[-1])
    # It looks at the limit every few levels of a beam.
    assert first.outcome is Outcome.SOLVED
    assert NODES <= (first.stats.generated or 0) < 2 * NODES
    with noise():
        assert facts(answer(name)) == facts(first)
    assert facts(answer(name)) == facts(first)


def test_the_search_for_a_proof_keeps_the_limit_too() -> None:
    board = tq.random_board("3x4", 5)
    results = [
        tq.solve(board, algorithm=Anytime(threads=1), limits=Limits(nodes=nodes))
        for nodes in (10_000, 10_000, 10**9)
    ]
    assert facts(results[0]) == facts(results[1])
    assert (results[0].stats.generated or 0) < 20_000
    # With nodes enough it ends with a proof, and without any limit on time.
    assert results[2].optimal
    assert results[2].cost == tq.solve(board).cost


def test_more_nodes_give_no_longer_solution_and_other_seeds_other_ones() -> None:
    costs = [answer("6x6", nodes=nodes).cost or 0 for nodes in (10_000, 50_000, 500_000)]
    assert costs == sorted(costs, reverse=True)
    assert costs[0] > costs[-1]
    answers = {tq.write_moves(answer("5x7", seed, 100_000).moves or ()) for seed in range(4)}
    assert len(answers) > 1


def test_a_solution_that_is_good_enough_ends_it_at_the_same_node() -> None:
    first = answer("6x6", nodes=10**9, within=2.0)
    assert first.gap is not None
    assert first.gap <= 1.0
    with noise():
        assert facts(answer("6x6", nodes=10**9, within=2.0)) == facts(first)


def test_a_seed_below_zero_is_refused() -> None:
    with pytest.raises(UnsuitableError, match="the seed must be 0 or more"):
        Anytime(seed=-1)


def test_a_new_process_gives_the_answer_of_a_warm_one() -> None:
    words = ["solve", BOARDS["6x6"].text(), "--engine", "anytime(seed=2)", "--threads", "1"]
    words += ["--max-nodes", str(NODES), "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "taquin", *words], capture_output=True, text=True, check=False
    )
    here = run_command(*words)
    assert done.returncode == here.exit_code == 0
    cold, warm = json.loads(done.stdout), json.loads(here.stdout)
    assert cold["moves"] == warm["moves"]
    assert cold["lower_bound"] == warm["lower_bound"]

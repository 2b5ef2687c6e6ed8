"""Searches beside each other in one process: in forked children, and in many Python threads."""

from __future__ import annotations

import os
import random
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

import taquin as tq
from taquin.search.result import Counters

HARD = "13 1 10 4 / 8 12 6 3 / 15 9 5 14 / 0 7 2 11"
LENGTHS = {
    HARD: 49,
    "8 6 7 / 2 5 4 / 3 0 1": 31,
    "6 4 7 / 8 5 0 / 3 2 1": 31,
    "1 2 3 / 4 0 5 / 7 8 6": 2,
    "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 15 14 0": None,
}
"""The moves of shortest solutions; None where parity forbids any."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.parametrize("engine", ["cpu", "general"])
def test_a_process_that_forks_in_the_midst_of_a_search_and_its_child_find_what_they_look_for(
    engine: str,
) -> None:
    children: list[int] = []

    def fork(counters: Counters, seconds: float) -> None:
        if children or not counters.generated:
            return
        with warnings.catch_warnings():
            # Newer Pythons warn of what is tested here.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            try:
                os._exit(tq.solve(HARD, engine=engine).cost or 0)
            finally:
                os._exit(255)
        children.append(child)

    assert tq.solve(HARD, engine=engine, progress=fork).cost == LENGTHS[HARD]
    (child,) = children
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == LENGTHS[HARD]


def test_eight_python_threads_at_once_find_what_one_finds() -> None:
    def lengths(seed: int) -> dict[str, int | None]:
        boards = random.Random(seed).sample(sorted(LENGTHS), len(LENGTHS))
        return {board: tq.solve(board).cost for board in boards}

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lengths, range(8))) == [LENGTHS] * 8

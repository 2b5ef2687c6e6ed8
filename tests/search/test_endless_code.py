"""User code in the library runs in this process; Ctrl-C ends a function that never returns."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

import taquin as tq
from taquin.errors import UserCodeError
from taquin.search.events import Finished

NEAR = "1 2 3 / 4 0 5 / 7 8 6"


@pytest.fixture(autouse=True)
def _default_interrupts() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pressed(board: tq.Board) -> int:
    signal.raise_signal(signal.SIGINT)
    while True:
        pass


def test_one_ctrl_c_ends_an_endless_heuristic() -> None:
    search = tq.AStar(tq.FromFunction(pressed))
    result = tq.solve(NEAR, algorithm=search)
    assert (result.outcome, result.reason) == (tq.Outcome.STOPPED, "interrupted")
    *_, last = tq.trace(NEAR, algorithm=search)
    assert isinstance(last, Finished)
    assert last.result.outcome is tq.Outcome.STOPPED
    assert tq.audit(tq.FromFunction(pressed)).stopped == "interrupted"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_limit_takes_effect_when_a_function_returns() -> None:
    calls = []

    def slow(board: tq.Board) -> int:
        calls.append(board)
        if len(calls) == 20:
            from time import sleep

            sleep(0.3)
        return 0

    search = tq.AStar(tq.FromFunction(slow))
    result = tq.solve("8 6 7 / 2 5 4 / 3 0 1", algorithm=search, limits=tq.Limits(seconds=0.2))
    assert result.limit is tq.Limit.SECONDS
    assert (result.stats.expanded or 0) > 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("raise SystemExit(1)", r"line 2: called sys.exit\(1\)"),
        ("raise StopIteration", "line 2: StopIteration"),
        ("raise GeneratorExit", "line 2: GeneratorExit"),
        ("return h(board)", "line 2: RecursionError"),
    ],
)
def test_what_a_function_raises_is_one_sentence(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(f"def h(board):\n    {line}\n")
    with pytest.raises(UserCodeError, match=said):
        tq.solve(NEAR, algorithm=f"astar({file}:h)")
    with pytest.raises(UserCodeError, match=said):
        list(tq.trace(NEAR, algorithm=f"{file}:h"))

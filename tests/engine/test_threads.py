"""An exception in a thread reaches the caller, and no thread prints a traceback."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from threading import current_thread, main_thread
from typing import Any

import pytest

import taquin as tq
from taquin.cli.visualise.serve import _open
from taquin.engine.anytime.improver import Improver
from taquin.engine.base import run
from taquin.engine.cpu.engine import Cpu
from taquin.engine.cpu.team import Stacks
from taquin.engine.general.engine import General
from taquin.engine.general.parallel import ParallelSearcher
from taquin.search.control import Control
from taquin.search.result import Task

HARD = tq.random_board("5x5", 1)


class BrokenThreadError(Exception):
    """What a thread raises that is not the caller's."""


@pytest.fixture(autouse=True)
def printed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Collect what threads would print; it must be nothing."""
    told: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", told.append)
    yield told
    assert told == []


def broken(work: Callable[..., Any]) -> Callable[..., Any]:
    """Return `work`, which raises in threads that are not the caller's."""

    def works(*how: Any) -> Any:
        if current_thread() is not main_thread():
            raise BrokenThreadError
        return work(*how)

    return works


@pytest.mark.parametrize(
    ("engine", "owner", "name"),
    [
        (tq.engine.Anytime(threads=2), Improver, "run"),
        (Cpu(None, threads=2), Stacks, "work"),
        (General(threads=2), ParallelSearcher, "_work"),
    ],
    ids=str,
)
def test_an_exception_in_a_thread_of_an_engine_reaches_the_caller(
    engine: Any, owner: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, broken(getattr(owner, name)))
    for module in ("cpu.team", "general.parallel"):
        monkeypatch.setattr(f"taquin.engine.{module}.threads_worth", lambda *_: 2)
    # No thread would solve it in time, so that the exception ends the search.
    task = Task(tq.Puzzle(tq.Goal.blank_last(5, 5)), HARD)
    with pytest.raises(BrokenThreadError):
        run(task, engine, Control())


def test_a_browser_that_fails_leaves_the_page_open(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise OSError("no display")

    monkeypatch.setattr("webbrowser.get", fails)
    thread = threading.Thread(target=_open, args=("http://localhost:1/",))
    thread.start()
    thread.join()

"""The small parts that everything else is made of: files, threads, interrupts, suggestions."""

from __future__ import annotations

import signal
import threading
from concurrent.futures import Future
from pathlib import Path
from threading import Event

import pytest

from taquin.cli.visualise.serve import _open
from taquin.system.files import atomic_write
from taquin.system.formatting import did_you_mean, size_as_given
from taquin.system.interrupts import AtOnce, DeferredInterrupts
from taquin.system.threads import CallerExecutor, thread_pool


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    path.write_bytes(b"old")

    def fail() -> None:
        with atomic_write(path) as file:
            file.write(b"new, but only half of")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"kept.txt": b"old"}
    with atomic_write(path) as file:
        file.write(b"new")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"kept.txt": b"new"}


def test_without_threads_a_task_runs_at_once_and_its_exception_is_kept() -> None:
    done = CallerExecutor().submit(divmod, 7, 2)
    failed = CallerExecutor().submit(divmod, 7, 0)
    assert (done.done(), done.result()) == (True, (3, 1))
    assert (failed.done(), type(failed.exception())) == (True, ZeroDivisionError)


def test_tasks_that_wait_for_a_thread_are_cancelled_if_the_block_raises() -> None:
    began, goes_on = Event(), Event()
    futures: list[Future[bool]] = []

    def first() -> bool:
        began.set()
        return goes_on.wait(60)

    def interrupt() -> None:
        with thread_pool(1) as pool:
            futures.extend(pool.submit(task) for task in (first, bool))
            # The only thread is free once the other task is cancelled.
            futures[1].add_done_callback(lambda task: goes_on.set())
            assert began.wait(60)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert (futures[0].result(), futures[1].cancelled()) == (True, True)


def test_an_interrupt_after_a_block_of_user_code_is_deferred_again() -> None:
    with DeferredInterrupts() as block:
        with AtOnce(), AtOnce(), pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert block.is_interrupted
    with DeferredInterrupts() as block:
        with AtOnce():
            pass
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            pytest.fail("Ctrl-C was not deferred")
        assert block.is_interrupted


@pytest.mark.parametrize(
    ("name", "meant"),
    [("ma", "manhattan"), ("m", ""), ("mis", "misplaced"), ("manhatan", "manhattan"), ("qq", "")],
)
def test_a_suggestion_begins_with_what_was_typed_or_resembles_it(name: str, meant: str) -> None:
    known = ["misplaced", "manhattan", "gaschnig"]
    assert did_you_mean(name, known) == (f"Did you mean {meant}? " if meant else "")


def test_a_size_is_told_in_the_unit_with_the_shortest_number() -> None:
    sizes = {1024: "1 KiB", 1025: "1,025 bytes", 1536: "1.5 KiB", 10**12: "1 TB", 999: "999 bytes"}
    assert {size: size_as_given(size) for size in sizes} == sizes


def test_a_browser_that_fails_prints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []

    def fails() -> None:
        raise OSError("no display")

    monkeypatch.setattr(threading, "excepthook", told.append)
    monkeypatch.setattr("webbrowser.get", fails)
    thread = threading.Thread(target=_open, args=("http://localhost:1/",))
    thread.start()
    thread.join()
    assert told == []

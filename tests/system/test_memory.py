"""The memory of a process is read on every system: here as Linux, Windows and macOS give it."""

from __future__ import annotations

import ctypes
import sys
import threading
from functools import partial
from types import SimpleNamespace

import pytest

from taquin.system import machine, threads
from taquin.system.threads import thread_pool

MB = 1 << 20


class FakePsutil:
    """The library psutil on a machine of 8 GB."""

    def virtual_memory(self) -> SimpleNamespace:
        return SimpleNamespace(total=8 << 30)

    def Process(self) -> SimpleNamespace:  # noqa: N802
        return SimpleNamespace(
            memory_info=lambda: SimpleNamespace(rss=300 * MB, peak_wset=400 * MB),
            memory_full_info=lambda: SimpleNamespace(uss=200 * MB),
        )


def missing(file: str) -> bytes:
    raise FileNotFoundError(file)


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_windows_and_macos_give_resident_and_private_memory_and_windows_the_peak(
    platform: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setitem(sys.modules, "psutil", FakePsutil())
    if platform == "darwin":
        monkeypatch.setattr(machine, "_content", missing)
    assert machine.process_memory() == 300 * MB
    assert machine.process_memory(private=True) == 200 * MB
    if platform == "darwin":
        assert machine.peak_memory() == resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return
    assert machine.peak_memory() == 400 * MB
    assert machine.safe_memory(2) == 3 << 30
    with machine.memory_ceiling(MB):
        assert len(bytes(8 * MB)) == 8 * MB, "Windows has no such limit"


def test_a_browser_counts_what_is_in_use_once_its_heap_is_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = SimpleNamespace(mallinfo=partial(SimpleNamespace, uordblks=90 * MB))
    monkeypatch.setattr(sys, "platform", "emscripten")
    monkeypatch.setattr(ctypes, "CDLL", lambda file: library)
    for heap, held in ((20 * MB, 20 * MB), (900 * MB, 90 * MB)):
        library.emscripten_get_heap_size = partial(int, heap)
        assert machine.process_memory() == machine.process_memory(private=True) == held
        assert machine.peak_memory() == heap


def test_a_system_that_says_nothing_of_memory_has_it_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "platform", "wasi")
    monkeypatch.setattr(machine, "_content", missing)
    monkeypatch.setitem(sys.modules, "resource", None)
    assert machine.process_memory() == machine.peak_memory() == 0


def test_linux_needs_no_library_for_what_is_held_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psutil", None)
    large = bytearray(64 * MB)
    large[::4096] = b"x" * len(large[::4096])
    before = machine.process_memory()
    del large
    assert before - machine.process_memory() > 48 * MB


def test_where_threads_cannot_be_started_the_caller_does_the_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(threads, "HAS_THREADS", False)
    with thread_pool(4) as pool:
        here = set(pool.map(lambda _: threading.get_ident(), range(10)))
        failing = pool.submit(divmod, 1, 0)
    assert here == {threading.get_ident()}
    with pytest.raises(ZeroDivisionError):
        failing.result()

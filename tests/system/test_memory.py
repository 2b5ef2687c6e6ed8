"""The memory of a process is read on every system: here as Linux, Windows and macOS give it."""

from __future__ import annotations

import ctypes
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from taquin.system import machine, memory_calls

MB = 1 << 20
SIZES = {"WorkingSetSize": 300 * MB, "PrivateUsage": 200 * MB, "PeakWorkingSetSize": 400 * MB}


class Kernel32:
    """The library of Windows, on a machine of 8 GB."""

    def __init__(self, works: bool = True) -> None:
        self.works = works
        self.GetCurrentProcess = lambda: (1 << 64) - 1

    def K32GetProcessMemoryInfo(self, process: Any, counters: Any, size: int) -> int:  # noqa: N802
        # As 32 bits, the handle would be that of no process.
        assert (process.value, size) == ((1 << 64) - 1, 80)
        if self.works:
            for name, value in SIZES.items():
                setattr(counters._obj, name, value)
        return self.works

    def GlobalMemoryStatusEx(self, status: Any) -> int:  # noqa: N802
        assert status._obj.dwLength == 64
        status._obj.ullTotalPhys = (8 << 30) if self.works else 0
        return self.works


def on(monkeypatch: pytest.MonkeyPatch, platform: str, name: str, library: object) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(ctypes, name, lambda file: library, raising=False)


def test_windows_gives_resident_private_and_peak_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    on(monkeypatch, "win32", "WinDLL", Kernel32())
    assert machine.process_memory() == 300 * MB
    assert machine.process_memory(private=True) == 200 * MB
    assert machine.peak_memory() == 400 * MB
    assert machine.safe_memory(2) == 3 << 30
    with machine.memory_ceiling(MB):
        assert len(bytes(8 * MB)) == 8 * MB, "Windows has no such limit"


def test_a_windows_that_refuses_leaves_memory_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    on(monkeypatch, "win32", "WinDLL", Kernel32(works=False))
    assert machine.process_memory() == machine.peak_memory() == 0
    assert machine.safe_memory() is None


def test_macos_gives_what_is_held_now_and_not_the_peak(monkeypatch: pytest.MonkeyPatch) -> None:
    def proc_pid_rusage(process: int, flavour: int, usage: Any) -> int:
        assert flavour == 0
        usage._obj.ri_resident_size, usage._obj.ri_phys_footprint = 300 * MB, 200 * MB
        return 0

    resource = pytest.importorskip("resource")
    on(monkeypatch, "darwin", "CDLL", SimpleNamespace(proc_pid_rusage=proc_pid_rusage))
    assert machine.process_memory() == 300 * MB
    assert machine.process_memory(private=True) == 200 * MB
    assert machine.peak_memory() == resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_a_browser_counts_what_is_in_use_once_its_heap_is_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = SimpleNamespace(mallinfo=lambda: SimpleNamespace(uordblks=90 * MB))
    on(monkeypatch, "emscripten", "CDLL", library)
    for heap, held in ((20 * MB, 20 * MB), (900 * MB, 90 * MB)):
        library.emscripten_get_heap_size = lambda heap=heap: heap
        assert machine.process_memory() == machine.process_memory(private=True) == held
        assert machine.peak_memory() == heap


def test_a_system_that_says_nothing_of_memory_has_it_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(file: str) -> bytes:
        raise FileNotFoundError(file)

    monkeypatch.setattr(sys, "platform", "wasi")
    monkeypatch.setattr(machine, "_content", missing)
    monkeypatch.setitem(sys.modules, "resource", None)
    assert machine.process_memory() == machine.peak_memory() == 0


def test_linux_needs_no_c_library_for_what_is_held_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_calls, "process_memory", None)
    large = bytearray(64 * MB)
    large[::4096] = b"x" * len(large[::4096])
    before = machine.process_memory()
    del large
    assert before - machine.process_memory() > 48 * MB

"""What Windows does otherwise: files that are open, locks, ports, Ctrl-C, quoting. All faked."""

from __future__ import annotations

import ctypes
import io
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from taquin.cli.screen import status_line
from taquin.engine.cluster import ctrl_c_blocked
from taquin.errors import MachineError
from taquin.search.grammar import parts_of
from taquin.system import files
from taquin.system.files import atomic_write, locked
from taquin.tables.store import TableStore
from taquin.web.app import listen
from tests.tables.test_store import Counting


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse, as Windows does, to replace or delete a file that this process has mapped."""
    monkeypatch.setattr(sys, "platform", "win32")
    no_lock = SimpleNamespace(locking=lambda *call: None, LK_NBLCK=2)
    monkeypatch.setitem(sys.modules, "msvcrt", no_lock)
    monkeypatch.setattr(files, "_POLL_SECONDS", 0)
    monkeypatch.setattr(os, "replace", _unless_mapped(os.replace))
    monkeypatch.setattr(os, "unlink", _unless_mapped(os.unlink))


def _unless_mapped(call: Callable[..., None]) -> Callable[..., None]:
    def refusing(*paths: str | Path) -> None:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            if os.path.realpath(paths[-1]) in maps.read():
                raise PermissionError(13, "Access is denied", paths[-1])
        call(*paths)

    return refusing


@pytest.mark.usefixtures("windows")
def test_a_damaged_table_is_replaced_unless_it_is_in_use_and_the_sentence_says_why(
    tmp_path: Path,
) -> None:
    notices: list[str] = []
    store, recipe = TableStore(tmp_path, notice=notices.append), Counting()
    path = store.path_of(recipe.name)

    def damage() -> None:
        content = bytearray(path.read_bytes())
        content[5000] ^= 1
        path.write_bytes(content)

    store.get(recipe)
    damage()
    store.get(recipe)
    assert len(notices) == 1
    assert "rebuilding table counting: the checksum" in notices[0]
    assert store.verify(recipe.name) is None
    in_use = store.get(recipe)
    damage()
    assert len(store.get(recipe)) == len(in_use)
    assert notices[2:] == [
        f"tables stay in memory: cannot write to {tmp_path} (the file there is open in another "
        f"program, or read-only)"
    ]
    with pytest.raises(MachineError, match="table counting is in use: end the searches"):
        store.remove(recipe.name)
    assert [path.suffix for path in sorted(tmp_path.iterdir())] == [".lock", ".table"]
    del in_use
    store.remove(recipe.name)
    assert not store.tables()


@pytest.mark.usefixtures("windows")
def test_a_file_that_is_open_for_a_moment_is_replaced_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, refused = os.replace, list[str]()

    def busy(draft: str, target: str) -> None:
        if len(refused) < 3:
            refused.append(target)
            raise PermissionError(13, "Access is denied", target)
        replace(draft, target)

    monkeypatch.setattr(os, "replace", busy)
    with atomic_write(tmp_path / "file") as file:
        file.write(b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert len(refused) == 3
    monkeypatch.setattr(sys, "platform", "linux")
    refused.clear()
    with pytest.raises(PermissionError), atomic_write(tmp_path / "file"):
        pass
    assert len(refused) == 1, "elsewhere waiting would not help"


def test_a_lock_waits_while_another_process_has_it_but_not_where_there_are_no_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[OSError] = []

    def locking(handle: int, mode: int, size: int) -> None:
        assert (mode, size) == (2, 1)
        if answers:
            raise answers.pop()

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    for others in (0, 2):
        answers += [PermissionError(13, "Permission denied")] * others
        waits: list[int] = []
        with locked(tmp_path / "lock", partial(waits.append, 1)):
            pass
        assert len(waits) == others
    answers.append(OSError(22, "Invalid argument"))
    with pytest.raises(OSError, match="Invalid argument"), locked(tmp_path / "lock", lambda: None):
        pass


@pytest.mark.parametrize(("platform", "option"), [("win32", -5), ("linux", socket.SO_REUSEADDR)])
def test_two_servers_never_share_a_port(
    monkeypatch: pytest.MonkeyPatch, platform: str, option: int
) -> None:
    # SO_REUSEADDR lets them on Windows, and nowhere else.
    options: list[Any] = []

    class Socket:
        def __init__(self, *kind: int) -> None: ...
        def bind(self, address: object) -> None: ...
        def listen(self, backlog: int) -> None: ...
        def setsockopt(self, *values: int) -> None:
            options.append(values)

    with monkeypatch.context() as patch:
        patch.setattr(sys, "platform", platform)
        patch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
        patch.setattr(socket, "socket", Socket)
        listen("127.0.0.1", 8000)
    shared = {-5, socket.SO_REUSEADDR}
    assert [chosen for _, chosen, on in options if chosen in shared and on] == [option]


def test_processes_started_in_the_block_inherit_that_ctrl_c_is_ignored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[tuple[object, bool]] = []
    kernel = SimpleNamespace(SetConsoleCtrlHandler=lambda *call: calls.append(call))
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "WinDLL", lambda name: kernel, raising=False)
    with ctrl_c_blocked():
        assert calls == [(None, True)]
    assert calls == [(None, True), (None, False)]


@pytest.mark.parametrize(("is_console", "is_drawn"), [(1, True), (0, False)])
def test_a_status_line_is_drawn_once_windows_allows_to_erase_it(
    monkeypatch: pytest.MonkeyPatch, is_console: int, is_drawn: bool
) -> None:
    # Otherwise it would show the escape sequences.
    class Kernel:
        def __init__(self) -> None:
            self.GetStdHandle = lambda number: {-12: 7}[number]

        def GetConsoleMode(self, handle: Any, mode: Any) -> int:  # noqa: N802
            mode._obj.value = 3
            return is_console

        def SetConsoleMode(self, handle: Any, mode: int) -> int:  # noqa: N802
            assert (handle.value, mode) == (7, 7)
            return 1

    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(ctypes, "WinDLL", lambda name: Kernel(), raising=False)
    monkeypatch.setattr(sys, "stderr", shown := Screen())
    with status_line("counting"):
        pass
    assert ("counting" in shown.getvalue()) is is_drawn


def test_a_drive_is_part_of_a_file() -> None:
    for text in (r"astar:C:\my\own.py:count:weight=2", r"astar(C:\my\own.py:count, weight=2)"):
        name, options = parts_of(text)
        assert (name, str(options["heuristic"])) == ("astar", r"C:\my\own.py:count")


def test_typical_commands_need_nothing_that_only_posix_systems_have(tmp_path: Path) -> None:
    program = [sys.executable, str(Path(__file__).with_name("without_posix.py")), str(tmp_path)]
    environment = os.environ | {"TAQUIN_CACHE": str(tmp_path), "TAQUIN_DEBUG": "1"}
    done = subprocess.run(program, env=environment, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr

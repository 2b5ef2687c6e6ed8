"""A program that runs typical commands on a system that has nothing of POSIX, as Windows has not.

The libraries are imported as they are; then what only POSIX systems have is taken away, and taquin
meets the rest. An argument names a folder for its files. Prints what went wrong, if anything.
"""

import ctypes
import mmap
import os
import shlex
import signal
import socket
import sys
from contextlib import suppress
from importlib import import_module
from types import SimpleNamespace
from typing import Any

LIBRARIES = "asyncio click.testing concurrent.futures.thread multiprocessing numpy pathlib platform"
LIBRARIES += " platformdirs.unix select sqlite3 subprocess tempfile uuid webbrowser"
MODULES = "fcntl grp posix pty pwd readline resource termios tty"
NAMES = {
    os: "O_NONBLOCK fork getuid killpg register_at_fork sched_getaffinity setsid sysconf uname",
    mmap: "MADV_HUGEPAGE MAP_ANONYMOUS MAP_PRIVATE",
    signal: "SIGALRM SIGCONT SIGHUP SIGQUIT SIGTSTP SIGWINCH SIG_BLOCK pthread_sigmask",
    import_module("_signal"): "ITIMER_REAL SIGALRM pthread_sigmask setitimer",
    socket: "AF_UNIX",
}
BOARD = '"1 2 3 / 4 0 5 / 7 8 6"'
STUDY = """
[[boards]]
scramble = { size = "2x3", moves = 5, count = 2, seed = 1 }
[[searches]]
algorithm = "astar"
"""
COMMANDS = f"""
solve {BOARD} --engine glass --max-memory 1G --max-seconds 900
solve {BOARD} -H own.py:f --max-seconds 900
check {BOARD}
show {BOARD} -o board.svg
play {BOARD}
trace {BOARD}
tree {BOARD}
engines
tables
study run mini.toml --store records.sqlite --processes 1
study report mini.toml --store records.sqlite
repl
"""


class _Kernel32:
    """A library of Windows all of whose functions fail."""

    def __init__(self, name: str) -> None: ...

    def __getattr__(self, name: str) -> object:
        self.__dict__[name] = lambda *arguments: 0
        return self.__dict__[name]


def take_posix_away() -> None:
    for library in LIBRARIES.split():
        with suppress(ModuleNotFoundError):
            import_module(library)
    sys.modules |= dict.fromkeys(MODULES.split())  # type: ignore[arg-type]
    for module, names in NAMES.items():
        for name in names.split():
            delattr(module, name)
    setattr(ctypes, "WinDLL", _Kernel32)  # noqa: B010
    sizes: Any = SimpleNamespace(rss=1 << 28, peak_wset=1 << 28, total=1 << 33)
    process: Any = SimpleNamespace(memory_info=lambda: sizes)
    psutil: Any = SimpleNamespace(Process=lambda: process, virtual_memory=lambda: sizes)
    sys.modules["psutil"] = psutil
    msvcrt: Any = SimpleNamespace(locking=lambda *call: None, LK_NBLCK=2)
    sys.modules["msvcrt"] = msvcrt
    sys.platform = "win32"


def run_commands() -> None:
    from click.testing import CliRunner

    from taquin.cli.main import taquin

    for file, text in (("mini.toml", STUDY), ("own.py", "def f(board):\n    return 0\n")):
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(text)
    for line in COMMANDS.strip().split("\n"):
        ended = CliRunner().invoke(taquin, shlex.split(line), input="U\nhint\nexit\n")
        if ended.exit_code:
            print(line, ended.exit_code, ended.output)


if __name__ == "__main__":
    os.chdir(sys.argv[1])
    take_posix_away()
    run_commands()

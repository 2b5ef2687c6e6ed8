"""Worker processes: how a parent starts one, and how the worker talks to its parent.

    parent ── pickled requests ──► standard input   worker   standard output ── answers ──► parent

The form of the answers is up to the two of them. A worker exits when its input closes, even in the
middle of a request, so that no worker outlives its parent.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from subprocess import DEVNULL, PIPE, Popen
from threading import Lock, Thread
from typing import Any, BinaryIO


def worker_command(module: str) -> tuple[list[str], dict[str, Any]]:
    """Return the command that calls `main` of a module in a worker process, and its options.

    The options are those of `subprocess.Popen` and of `asyncio.create_subprocess_exec`.
    """
    command = [sys.executable, "-c", f"from {module} import main; main()"]
    # The worker finds modules where its parent does; one of them may define a heuristic.
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    environment = {**os.environ, "PYTHONPATH": path}
    return command, {"stdin": PIPE, "stdout": PIPE, "stderr": DEVNULL, "env": environment}


def exit_in_words(status: int) -> str:
    """Return how a process ended, given its status as `subprocess.Popen.wait` returns it.

    >>> exit_in_words(3), exit_in_words(-9)
    ('exit status 3', 'SIGKILL, perhaps out of memory')
    """
    if status >= 0:
        return f"exit status {status}"
    name = signal.Signals(-status).name
    return f"{name}, perhaps out of memory" if name == "SIGKILL" else name


class WorkerProcess:
    """A worker process as its parent sees it, which answers in pickles; replaced when it ends.

    Only `send` and `close` may be called from other threads.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: Popen[bytes] | None = None
        self._sending = Lock()
        self._options: dict[str, Any] = {}
        """Options of `Popen` besides those of `worker_command`."""
        self.is_closed = False
        """Whether nothing is to be started any more."""

    @property
    def pid(self) -> int | None:
        """The id of the process; None while there is none."""
        return self._process.pid if self._process else None

    def start(self) -> Any:
        """Start a process and return its first answer; None if it dies, or if this is closed."""
        self.launch()
        return None if self.is_closed else self.read()

    def launch(self) -> None:
        """Start a process if there is none, and do not wait for its first answer."""
        if self.is_closed or self._process is not None:
            return
        command, options = worker_command(self._module)
        self._process = Popen(command, **options, **self._options)
        if self.is_closed:
            self._process.kill()

    def send(self, request: bytes) -> None:
        """Send a pickled request; the next answer says whether the process still lives."""
        process = self._process
        if process is not None and process.stdin is not None:
            with self._sending, suppress(OSError, ValueError):
                process.stdin.write(request)
                process.stdin.flush()

    def read(self) -> Any:
        """Return the next answer; None if the process died before that was complete."""
        process = self._process
        return None if process is None else answer_of(process)

    def kill(self) -> None:
        """Kill the process, whatever it is doing."""
        process = self._process
        if process is None:
            return
        if "start_new_session" in self._options:
            # What the worker has started ends with it; a group may outlive its first process.
            with suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
        process.kill()

    def wait(self, seconds: float) -> int:
        """Return the status of a process that ends; raise `subprocess.TimeoutExpired` if not."""
        return self._process.wait(seconds) if self._process else 0

    def close(self) -> None:
        """Kill the process, and start no other."""
        self.is_closed = True
        self.kill()

    def __del__(self) -> None:
        self.close()
        self.reap()

    def reap(self) -> str:
        """Close the pipes, wait for the end of the process, and return how it ended."""
        process, self._process = self._process, None
        if process is None:
            return "closed"
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        return exit_in_words(process.wait())


def answer_of(process: Popen[bytes]) -> Any:
    """Return the next answer of a process; None if it died before that was complete."""
    try:
        return pickle.load(process.stdout) if process.stdout else None
    except (EOFError, OSError, pickle.UnpicklingError, ValueError):
        return None


def receive_requests(handle: Callable[[Any], None]) -> BinaryIO:
    """Pass every request to `handle`, in a thread; return the stream to write answers to.

    A request that cannot be unpickled is passed as the exception, and is the last. A worker calls
    this once, before anything else. Ctrl-C is left to the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Libraries and user code must neither read requests nor print between the answers.
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, sys.stdin.fileno())
    os.close(nothing)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    Thread(target=_receive, args=(requests, handle), daemon=True).start()
    return answers


def _receive(requests: BinaryIO, handle: Callable[[Any], None]) -> None:
    try:
        while True:
            handle(pickle.load(requests))
    except EOFError:
        pass
    except Exception as error:
        # Nobody knows where the next request begins.
        handle(error)
        requests.read()
    finally:
        # Processes that the worker has started end with it, if it leads a group of its own.
        with suppress(AttributeError, OSError):
            if os.getpgid(0) == os.getpid():
                os.killpg(0, signal.SIGKILL)
        # An orderly exit would wait for the request that the worker is doing.
        os._exit(0)

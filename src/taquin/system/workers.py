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
from subprocess import DEVNULL, PIPE
from threading import Thread
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

"""Connect to a Dask scheduler, or start workers on this machine, out of reach of Ctrl-C."""

from __future__ import annotations

import ctypes
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from logging import CRITICAL
from os import PathLike, fspath
from os.path import isfile
from typing import Any

from taquin.errors import InputError, MissingError
from taquin.system.extras import not_installed
from taquin.system.machine import safe_memory, usable_cores
from taquin.system.words import shorten

_PATIENCE = 10
"""Seconds to wait for a scheduler to answer."""
_LOCAL = re.compile(r"local(?::([0-9]{1,4}))?")
_MOST_WORKERS = 1024
LENT = object()
"""Stands for the cluster of a client that the caller made, and closes."""
_WORKER_MEMORY = 100_000_000
"""Bytes that a worker takes before it has done anything."""


def connect(address: Any) -> tuple[Any, Any]:
    """Return a client of the scheduler at `address`, and the cluster that `local:N` started.

    `address` may also be the path of a scheduler file, which `dask scheduler --scheduler-file`
    writes, or a `distributed.Client`, which is returned with LENT.

    Raise InputError for a number of workers that this machine cannot have and for an asynchronous
    client, MissingError when Dask is not installed, or no scheduler answers.
    """
    if not isinstance(address, str | PathLike):
        if not hasattr(address, "get_executor") or address.asynchronous:
            raise InputError(
                f"expected the address of a Dask scheduler, a scheduler file or a client that is "
                f"not asynchronous; found {shorten(repr(address), 60)}"
            )
        return address, LENT
    where = address if isinstance(address, PathLike) else None
    address = fspath(address)
    if not address.strip():
        # Dask would start a cluster of its own choice.
        raise InputError(
            "expected the address of a Dask scheduler, such as tcp://host:8786, or local:4 for "
            "four workers here; found nothing"
        )
    workers = local_workers(address)
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MissingError(not_installed("a cluster needs Dask", "cluster")) from None
    local: Any = None
    try:
        if workers is not None:
            with ctrl_c_blocked():
                local = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    # Any free port: two clusters may run beside each other.
                    dashboard_address="127.0.0.1:0",
                    memory_limit=None,
                    silence_logs=CRITICAL,
                )
        if where is not None or isfile(address):
            return distributed.Client(scheduler_file=address, timeout=_PATIENCE), None
        return distributed.Client(local or address, timeout=_PATIENCE), local
    except Exception as error:
        # Dask raises whatever the parser of addresses, the resolver and the sockets raise.
        if local is not None:
            with suppress(Exception):
                local.close()
        cause = " ".join((str(error) or type(error).__name__).split())[:200]
        raise MissingError(
            f"no Dask scheduler answers at {shorten(address, 60)}: {cause}; expected an address "
            f"such as tcp://host:8786, a scheduler file, or local:4 for four workers here"
        ) from None


def local_workers(address: Any) -> int | None:
    """Return the number of workers that `local` or `local:N` asks for; None for anything else."""
    if not isinstance(address, str) or not address.startswith("local"):
        return None
    memory = safe_memory()
    most = _MOST_WORKERS if memory is None else min(_MOST_WORKERS, memory // _WORKER_MEMORY)
    match = _LOCAL.fullmatch(address)
    workers = int(match[1] or usable_cores()) if match else 0
    if not 1 <= workers <= max(1, most):
        raise InputError(
            f"expected local:N with N from 1 to {max(1, most)}, the workers that this machine has "
            f"memory for, found {shorten(address)}"
        )
    return workers


@contextmanager
def ctrl_c_blocked() -> Iterator[None]:
    """Keep Ctrl-C, which a terminal sends to all processes, from those started in the block.

    Threads and processes inherit a blocked signal; here it is deferred to the end of the block. On
    Windows processes inherit that Ctrl-C is ignored; here it is lost.
    """
    if sys.platform == "win32":
        set_handler = ctypes.WinDLL("kernel32").SetConsoleCtrlHandler
        set_handler(None, True)
        try:
            yield
        finally:
            set_handler(None, False)
        return
    from multiprocessing.resource_tracker import ensure_running

    # The first child would start it, and it would unblock the signal.
    ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def disconnect(client: Any, local: Any) -> None:
    """Close a client unless it is LENT, and stop the cluster that `connect` started."""
    if local is LENT:
        return
    try:
        client.close(timeout=_PATIENCE)
    finally:
        if local is not None:
            local.close(timeout=_PATIENCE)

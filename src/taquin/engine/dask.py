"""Dask at arm's length: a scheduler to ask or workers to start here, and Ctrl-C kept from them."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from logging import CRITICAL
from typing import Any

from taquin.errors import InputError, MissingError
from taquin.system.machine import safe_memory, usable_cores
from taquin.system.words import shorten

_PATIENCE = 10
"""Seconds to wait for a scheduler to answer."""
_HERE = "local"
_LOCAL = re.compile(r"local(?::([0-9]{1,4}))?")
_MOST_WORKERS = 1024
_WORKER_MEMORY = 100_000_000
"""Bytes that a worker takes before it has done anything."""


def connect(address: str) -> tuple[Any, Any]:
    """Return a client of the scheduler at `address`, and the cluster that `local:N` started.

    Raise InputError for a number of workers that this machine cannot have, MissingError when Dask
    is not installed, or no scheduler answers.
    """
    if not address.strip():
        # Dask would start a cluster of its own choice.
        raise InputError(
            "expected the address of a Dask scheduler, such as tcp://host:8786, or local:4 for "
            "four workers here; found nothing"
        )
    workers = workers_here(address)
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MissingError(
            "a cluster needs Dask, which is not installed: pip install 'taquin[cluster]'"
        ) from None
    local: Any = None
    try:
        if workers is not None:
            with deaf_children():
                local = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    # Any free port: two clusters may run beside each other.
                    dashboard_address="127.0.0.1:0",
                    memory_limit=None,
                    silence_logs=CRITICAL,
                )
        return distributed.Client(local or address, timeout=_PATIENCE), local
    except Exception as error:
        # Dask raises whatever the parser of addresses, the resolver and the sockets raise.
        if local is not None:
            with suppress(Exception):
                local.close()
        raise MissingError(
            f"no Dask scheduler answers at {shorten(address, 60)}: {_shown(error)}; expected an "
            f"address such as tcp://host:8786, or local:4 for four workers here"
        ) from None


def workers_here(address: str) -> int | None:
    """Return the number of workers that `local` or `local:N` asks for; None for an address."""
    if not address.startswith(_HERE):
        return None
    memory = safe_memory()
    most = _MOST_WORKERS if memory is None else min(_MOST_WORKERS, memory // _WORKER_MEMORY)
    match = _LOCAL.fullmatch(address)
    wanted = int(match[1] or usable_cores()) if match else 0
    if not 1 <= wanted <= max(1, most):
        raise InputError(
            f"expected local:N with N from 1 to {max(1, most)}, the workers that this machine has "
            f"memory for, found {shorten(address)}"
        )
    return wanted


@contextmanager
def deaf_children() -> Iterator[None]:
    """Keep Ctrl-C, which a terminal sends to all of them, from the processes made in the block.

    A blocked signal stays blocked in the threads and the processes that are made meanwhile; here it
    is only deferred to the end of the block.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing.resource_tracker import ensure_running

    # Started by the first child, it would unblock the signal on its way.
    ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _shown(error: Exception) -> str:
    return " ".join((str(error) or type(error).__name__).split())[:200]


def disconnect(client: Any, local: Any) -> None:
    """Let go of a scheduler, and stop the cluster that `connect` started, whatever happens."""
    try:
        client.close(timeout=_PATIENCE)
    finally:
        if local is not None:
            local.close(timeout=_PATIENCE)

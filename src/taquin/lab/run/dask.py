"""Connect to the workers of a Dask scheduler: at an address, or `local:N` for N workers here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from taquin.errors import MissingError
from taquin.system.machine import usable_cores

_LOCAL = re.compile(r"local(?::([0-9]+))?")
_PATIENCE = 10
"""Seconds to wait for a scheduler to answer."""


def connect(address: str) -> tuple[Any, Any]:
    """Return a client of the scheduler at `address`, and the cluster that `local:N` started.

    Raise TaquinError when Dask is not installed, or no scheduler answers.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MissingError(
            "a cluster needs Dask, which is not installed: pip install 'taquin[cluster]'"
        ) from None
    match = _LOCAL.fullmatch(address)
    local: Any = None
    try:
        if match:
            local = distributed.LocalCluster(
                n_workers=int(match[1] or usable_cores()),
                threads_per_worker=1,
                host="127.0.0.1",
                # Any free port: two clusters may run beside each other.
                dashboard_address="127.0.0.1:0",
                memory_limit=None,
            )
        return distributed.Client(local or address, timeout=_PATIENCE), local
    except (OSError, ValueError, RuntimeError) as error:
        if local is not None:
            local.close()
        raise MissingError(
            f"no Dask scheduler answers at {address}: {error}; expected an address such as "
            f"tcp://host:8786, or local:4 for four workers here"
        ) from None


@contextmanager
def cluster_executor(address: str) -> Iterator[tuple[Executor, int]]:
    """Yield an executor of `concurrent.futures` on a cluster, and how many tasks it does at once.

    It serves `taquin.lab.split`. Raise what `connect` raises.
    """
    client, local = connect(address)
    try:
        executor: Executor = client.get_executor(pure=False)
        yield executor, max(1, sum(client.nthreads().values()))
    finally:
        disconnect(client, local)


def disconnect(client: Any, local: Any) -> None:
    """Let go of a scheduler, and stop the cluster that `connect` started, whatever happens."""
    try:
        client.close(timeout=_PATIENCE)
    finally:
        if local is not None:
            local.close(timeout=_PATIENCE)

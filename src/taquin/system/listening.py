"""Who is told what is compiled, which takes seconds. Needs neither NumPy nor a compiler."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeAlias

Listener: TypeAlias = Callable[[str], AbstractContextManager[None]]
"""Is told what is compiled, and returns the block in which that is done; it may raise."""
_listeners: list[Listener] = []
"""Who wants to know what is compiled; the last one is told."""


@contextmanager
def listening_to_compilation(listener: Listener) -> Iterator[None]:
    """Have whatever is compiled in this block, which takes seconds, compiled in the listener's."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def report_compilation(what: str) -> Iterator[None]:
    """Compile in this block what is told to the last listener, if there is any."""
    with _listeners[-1](what) if _listeners else nullcontext():
        yield

"""Report what is being compiled, which takes seconds. Needs neither NumPy nor a compiler."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeAlias

Listener: TypeAlias = Callable[[str], AbstractContextManager[None]]
"""Takes a description of what is compiled; returns the block to compile in, and may raise."""
_listeners: list[Listener] = []
"""The active listeners; the last one receives the reports."""


@contextmanager
def listening_to_compilation(listener: Listener) -> Iterator[None]:
    """Report whatever is compiled in this block to `listener`."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def report_compilation(description: str) -> AbstractContextManager[None]:
    """Return the block in which to compile, given by the last listener if there is one."""
    return _listeners[-1](description) if _listeners else nullcontext()

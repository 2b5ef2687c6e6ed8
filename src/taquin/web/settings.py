"""What the server allows: the limits that no request can raise."""

from __future__ import annotations

from dataclasses import dataclass, field

from taquin.system.machine import safe_memory, usable_cores

BODY_BYTES = 64 * 1024
"""Bytes of the largest body of a request."""
_MOST_MEMORY = 2 << 30


def _running() -> int:
    return max(2, usable_cores())


def _memory() -> int:
    """Return what a search may hold so that all of them together leave the machine alive."""
    return min(_MOST_MEMORY, safe_memory(_running() + 2) or _MOST_MEMORY)


@dataclass(frozen=True, slots=True)
class Settings:
    """The limits of a server."""

    seconds: float = 60.0
    """Most seconds of a search."""
    nodes: int = 1_000_000_000
    """Most nodes of a search that counts them."""
    memory: int = field(default_factory=_memory)
    """Most bytes of memory of a search."""
    cells: int = 400
    """Most cells of a board."""
    running: int = field(default_factory=_running)
    """Searches that run at the same time."""
    waiting: int = 16
    """Searches that may wait for their turn; more are sent away."""
    warm: bool = True
    """Whether compiled code is loaded before it is asked for."""

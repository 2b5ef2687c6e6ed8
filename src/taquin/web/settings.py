"""The limits of the server, which no request can raise."""

from __future__ import annotations

from dataclasses import dataclass, field

from taquin.system.machine import safe_memory, usable_cores

CODE_FILE = "mine.py"
"""The file name of user code in searches: `astar(mine.py:name)`."""
BODY_BYTES = 64 * 1024
"""Bytes of the largest body of a request."""
_MOST_MEMORY = 2 << 30


def _running() -> int:
    return max(2, usable_cores())


def _memory() -> int:
    """Return a limit per worker that is safe if every worker reaches it."""
    return min(_MOST_MEMORY, safe_memory(_running() + 4) or _MOST_MEMORY)


@dataclass(frozen=True, slots=True)
class Settings:
    """The limits of a server."""

    seconds: float = 60.0
    """The most seconds of a search."""
    nodes: int = 1_000_000_000
    """The most nodes of a search that counts them."""
    memory: int = field(default_factory=_memory)
    """The most bytes of memory of a search."""
    cells: int = 400
    """The most cells of a board."""
    running: int = field(default_factory=_running)
    """Searches that run at the same time."""
    waiting: int = 64
    """The length of the queue of searches; further ones are rejected."""
    warm: bool = True
    """Whether compiled code is loaded before the first request."""
    user_code: str | None = None
    """The text of CODE_FILE, from a request in a browser; always None on a server."""

"""The limits of the server, which no request can raise."""

from __future__ import annotations

from dataclasses import dataclass, field

from taquin.system.machine import safe_memory, usable_cores

CODE_FILE = "mine.py"
"""What searches call the file of the user's own code: `astar(mine.py:name)`."""
BODY_BYTES = 64 * 1024
"""Bytes of the largest body of a request."""
_MOST_MEMORY = 2 << 30


def _running() -> int:
    return max(2, usable_cores())


def _memory() -> int:
    """Return a share of the memory that is safe when every worker uses as much."""
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
    """Searches that may wait for a worker; further ones are refused."""
    warm: bool = True
    """Whether compiled code is loaded before the first request."""
    user_code: str | None = None
    """The text of CODE_FILE, which came with a request in a browser; a server never has any."""

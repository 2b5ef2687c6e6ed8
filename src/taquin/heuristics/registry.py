"""The built-in heuristics by their names in the grammar (see `taquin.search.grammar`)."""

from __future__ import annotations

from typing import Any

from taquin.heuristics.base import Heuristic
from taquin.system.lazy import LazyRegistry


class _ReadyMade(LazyRegistry):
    def loaded(self, value: Any) -> Heuristic:
        """Return a heuristic with the defaults of its class."""
        heuristic: Heuristic = value()
        return heuristic


ALIASES: dict[str, str] = {"h1": "misplaced", "hamming": "misplaced", "h2": "manhattan"}
"""Alternative names of heuristics."""
_HOMES = {
    "zero": "base:Zero",
    "misplaced": "misplaced:Misplaced",
    "manhattan": "manhattan:Manhattan",
    "manhattan-agent": "manhattan:ManhattanWithAgent",
    "linear-conflict": "linear_conflict:LinearConflict",
    "corner-tiles": "corners:CornerTiles",
    "last-moves": "corners:LastMoves",
    "euclidean": "straight_line:Euclidean",
    "chebyshev": "straight_line:Chebyshev",
    "gaschnig": "gaschnig:Gaschnig",
    "inversion-distance": "inversion:InversionDistance",
    "walking-distance": "walking:WalkingDistance",
    "patterns": "patterns:Patterns",
}
HEURISTICS: dict[str, Heuristic] = _ReadyMade(
    {name: f"heuristics.{home}" for name, home in _HOMES.items()}
    | {alias: f"heuristics.{_HOMES[name]}" for alias, name in ALIASES.items()}
)
"""Every ready-made heuristic by each of its names without options, aliases last."""

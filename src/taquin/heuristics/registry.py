"""The built-in heuristics by their names in the grammar (see `taquin.search.grammar`)."""

from __future__ import annotations

from taquin.heuristics.base import Heuristic, Zero
from taquin.heuristics.corners import CornerTiles, LastMoves
from taquin.heuristics.gaschnig import Gaschnig
from taquin.heuristics.inversion import InversionDistance
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.heuristics.manhattan import Manhattan, ManhattanWithAgent
from taquin.heuristics.misplaced import Misplaced
from taquin.heuristics.patterns import Patterns
from taquin.heuristics.straight_line import Chebyshev, Euclidean
from taquin.heuristics.walking import WalkingDistance

_BUILT_IN: tuple[Heuristic, ...] = (
    Zero(),
    Misplaced(),
    Manhattan(),
    ManhattanWithAgent(),
    LinearConflict(),
    CornerTiles(),
    LastMoves(),
    Euclidean(),
    Chebyshev(),
    Gaschnig(),
    InversionDistance(),
    WalkingDistance(),
    Patterns(),
)

ALIASES: dict[str, str] = {"h1": "misplaced", "hamming": "misplaced", "h2": "manhattan"}
"""Alternative names of heuristics."""
HEURISTICS = {heuristic.name.partition("(")[0]: heuristic for heuristic in _BUILT_IN}
"""Every built-in heuristic by each of its names without options, aliases last."""
HEURISTICS.update({alias: HEURISTICS[name] for alias, name in ALIASES.items()})

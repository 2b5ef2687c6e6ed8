# Public names, beside those of `taquin` itself; each is loaded on first use.

__all__: list[str]

from taquin.heuristics.base import Zero as Zero
from taquin.heuristics.linear_conflict import CornerTiles as CornerTiles
from taquin.heuristics.linear_conflict import LastMoves as LastMoves
from taquin.heuristics.per_tile import Chebyshev as Chebyshev
from taquin.heuristics.per_tile import Euclidean as Euclidean
from taquin.heuristics.per_tile import Gaschnig as Gaschnig
from taquin.heuristics.per_tile import ManhattanWithAgent as ManhattanWithAgent
from taquin.heuristics.registry import Sum as Sum
from taquin.heuristics.registry import estimate_by_tile as estimate_by_tile
from taquin.heuristics.walking import InversionDistance as InversionDistance

"""Estimates of the moves still needed."""

from taquin.heuristics.audit import Audit, Fall, Overestimate, audit
from taquin.heuristics.base import Evaluator, Heuristic, bound, prepare
from taquin.heuristics.combine import Maximum, Sum
from taquin.heuristics.function import FromFunction
from taquin.heuristics.gaschnig import Gaschnig
from taquin.heuristics.inversion import InversionDistance
from taquin.heuristics.linear_conflict import LinearConflict
from taquin.heuristics.manhattan import Manhattan
from taquin.heuristics.manhattan_agent import ManhattanWithAgent
from taquin.heuristics.misplaced import Misplaced
from taquin.heuristics.patterns import Patterns
from taquin.heuristics.registry import ALIASES, HEURISTICS, heuristic_named
from taquin.heuristics.walking import WalkingDistance
from taquin.heuristics.zero import Zero

__all__ = [
    "ALIASES",
    "HEURISTICS",
    "Audit",
    "Evaluator",
    "Fall",
    "FromFunction",
    "Gaschnig",
    "Heuristic",
    "InversionDistance",
    "LinearConflict",
    "Manhattan",
    "ManhattanWithAgent",
    "Maximum",
    "Misplaced",
    "Overestimate",
    "Patterns",
    "Sum",
    "WalkingDistance",
    "Zero",
    "audit",
    "bound",
    "heuristic_named",
    "prepare",
]

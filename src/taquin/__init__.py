"""Solve any sliding-tile puzzle, watch the search, and measure searches against each other.

    import taquin as tq

    result = tq.solve(tq.Board.parse("8 6 7 / 2 5 4 / 3 0 1"))
    print(result.cost, result.stats.expanded)

Every public name is listed in `__all__` and loaded when it is first used, so that importing the
package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from taquin._version import __version__

if TYPE_CHECKING:
    from taquin import lab as lab
    from taquin.engine.choose import all_solutions as all_solutions
    from taquin.engine.choose import moves_left as moves_left
    from taquin.engine.choose import solve as solve
    from taquin.engine.survey import Survey as Survey
    from taquin.engine.survey import survey as survey
    from taquin.errors import BoardError as BoardError
    from taquin.errors import IllegalMoveError as IllegalMoveError
    from taquin.errors import MismatchError as MismatchError
    from taquin.errors import NotationError as NotationError
    from taquin.errors import TaquinError as TaquinError
    from taquin.errors import UnsuitableError as UnsuitableError
    from taquin.heuristics import Audit as Audit
    from taquin.heuristics import FromFunction as FromFunction
    from taquin.heuristics import Gaschnig as Gaschnig
    from taquin.heuristics import Heuristic as Heuristic
    from taquin.heuristics import InversionDistance as InversionDistance
    from taquin.heuristics import LinearConflict as LinearConflict
    from taquin.heuristics import Manhattan as Manhattan
    from taquin.heuristics import ManhattanWithAgent as ManhattanWithAgent
    from taquin.heuristics import Maximum as Maximum
    from taquin.heuristics import Misplaced as Misplaced
    from taquin.heuristics import Sum as Sum
    from taquin.heuristics import WalkingDistance as WalkingDistance
    from taquin.heuristics import Zero as Zero
    from taquin.heuristics import audit as audit
    from taquin.model.board import Board as Board
    from taquin.model.goal import Goal as Goal
    from taquin.model.grid import Grid as Grid
    from taquin.model.moves import ANY as ANY
    from taquin.model.moves import BLANK as BLANK
    from taquin.model.moves import FILLER as FILLER
    from taquin.model.moves import WALL as WALL
    from taquin.model.moves import Direction as Direction
    from taquin.model.moves import Label as Label
    from taquin.model.moves import Metric as Metric
    from taquin.model.moves import Move as Move
    from taquin.model.puzzle import Puzzle as Puzzle
    from taquin.model.scramble import random_board as random_board
    from taquin.model.scramble import random_walk as random_walk
    from taquin.model.solvability import Solvability as Solvability
    from taquin.model.solvability import Verdict as Verdict
    from taquin.model.solvability import solvability as solvability
    from taquin.notation import Form as Form
    from taquin.notation import read_board as read_board
    from taquin.notation import read_goal as read_goal
    from taquin.notation import read_moves as read_moves
    from taquin.notation import write_board as write_board
    from taquin.notation import write_goal as write_goal
    from taquin.notation import write_moves as write_moves
    from taquin.search.algorithm import Algorithm as Algorithm
    from taquin.search.algorithms import AStar as AStar
    from taquin.search.algorithms import Beam as Beam
    from taquin.search.algorithms import Bidirectional as Bidirectional
    from taquin.search.algorithms import BreadthFirst as BreadthFirst
    from taquin.search.algorithms import CappedBeam as CappedBeam
    from taquin.search.algorithms import DepthFirst as DepthFirst
    from taquin.search.algorithms import Greedy as Greedy
    from taquin.search.algorithms import IDAStar as IDAStar
    from taquin.search.algorithms import IterativeDeepening as IterativeDeepening
    from taquin.search.algorithms import RecursiveBestFirst as RecursiveBestFirst
    from taquin.search.algorithms import UniformCost as UniformCost
    from taquin.search.conventions import Conventions as Conventions
    from taquin.search.conventions import Duplicates as Duplicates
    from taquin.search.conventions import GoalTest as GoalTest
    from taquin.search.conventions import Ties as Ties
    from taquin.search.driver import trace as trace
    from taquin.search.events import Backtracked as Backtracked
    from taquin.search.events import BoundRaised as BoundRaised
    from taquin.search.events import Discarded as Discarded
    from taquin.search.events import Event as Event
    from taquin.search.events import Expanded as Expanded
    from taquin.search.events import Fate as Fate
    from taquin.search.events import Finished as Finished
    from taquin.search.events import Generated as Generated
    from taquin.search.events import GoalFound as GoalFound
    from taquin.search.events import Node as Node
    from taquin.search.events import Started as Started
    from taquin.search.result import Count as Count
    from taquin.search.result import Limits as Limits
    from taquin.search.result import Outcome as Outcome
    from taquin.search.result import Result as Result
    from taquin.search.result import Stats as Stats

_HOMES = {
    "taquin.errors": (
        "TaquinError",
        "NotationError",
        "BoardError",
        "MismatchError",
        "IllegalMoveError",
        "UnsuitableError",
    ),
    "taquin.model.moves": (
        "ANY",
        "BLANK",
        "FILLER",
        "WALL",
        "Direction",
        "Label",
        "Metric",
        "Move",
    ),
    "taquin.model.grid": ("Grid",),
    "taquin.model.board": ("Board",),
    "taquin.model.goal": ("Goal",),
    "taquin.model.puzzle": ("Puzzle",),
    "taquin.model.solvability": ("Solvability", "Verdict", "solvability"),
    "taquin.model.scramble": ("random_board", "random_walk"),
    "taquin.notation": (
        "Form",
        "read_board",
        "read_goal",
        "read_moves",
        "write_board",
        "write_goal",
        "write_moves",
    ),
    "taquin.heuristics": (
        "Audit",
        "FromFunction",
        "Gaschnig",
        "Heuristic",
        "InversionDistance",
        "LinearConflict",
        "Manhattan",
        "ManhattanWithAgent",
        "Maximum",
        "Misplaced",
        "Sum",
        "WalkingDistance",
        "Zero",
        "audit",
    ),
    "taquin.search.conventions": ("Conventions", "Duplicates", "GoalTest", "Ties"),
    "taquin.search.result": ("Count", "Limits", "Outcome", "Result", "Stats"),
    "taquin.search.events": (
        "Backtracked",
        "BoundRaised",
        "Discarded",
        "Event",
        "Expanded",
        "Fate",
        "Finished",
        "Generated",
        "GoalFound",
        "Node",
        "Started",
    ),
    "taquin.search.algorithm": ("Algorithm",),
    "taquin.search.algorithms": (
        "AStar",
        "Beam",
        "Bidirectional",
        "BreadthFirst",
        "CappedBeam",
        "DepthFirst",
        "Greedy",
        "IDAStar",
        "IterativeDeepening",
        "RecursiveBestFirst",
        "UniformCost",
    ),
    "taquin.search.driver": ("trace",),
    "taquin.engine.choose": ("all_solutions", "moves_left", "solve"),
    "taquin.engine.survey": ("Survey", "survey"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = ["__version__", "lab", *sorted(_HOME_OF)]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for."""
    if name == "lab":
        return import_module("taquin.lab")
    module = _HOME_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'taquin' has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return __all__

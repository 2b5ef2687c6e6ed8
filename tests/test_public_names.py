"""The public names, written down: a change here is a change of the API, and meant."""

from __future__ import annotations

import re
from pathlib import Path

import taquin

PUBLIC = [
    "ANY",
    "AStar",
    "Algorithm",
    "Audit",
    "BLANK",
    "Backtracked",
    "Beam",
    "Bidirectional",
    "Board",
    "BoardError",
    "BoundRaised",
    "BreadthFirst",
    "CappedBeam",
    "Conventions",
    "Count",
    "DepthFirst",
    "Direction",
    "Discarded",
    "Drawing",
    "Duplicates",
    "Event",
    "Expanded",
    "FILLER",
    "Fate",
    "Finished",
    "Form",
    "FromFunction",
    "Gaschnig",
    "Generated",
    "Goal",
    "GoalFound",
    "GoalTest",
    "Grade",
    "Greedy",
    "Grid",
    "Heuristic",
    "IDAStar",
    "IllegalMoveError",
    "Improved",
    "InputError",
    "InversionDistance",
    "IterativeDeepening",
    "Label",
    "Limit",
    "Limits",
    "LinearConflict",
    "MachineError",
    "Manhattan",
    "ManhattanWithAgent",
    "Maximum",
    "Metric",
    "MismatchError",
    "MissingError",
    "Misplaced",
    "Move",
    "Node",
    "NotationError",
    "Outcome",
    "OwnCodeError",
    "Patterns",
    "Puzzle",
    "RecursiveBestFirst",
    "Result",
    "Solvability",
    "Started",
    "Stats",
    "StorageError",
    "Sum",
    "Survey",
    "TaquinError",
    "Ties",
    "UniformCost",
    "UnsuitableError",
    "Verdict",
    "WALL",
    "WalkingDistance",
    "Zero",
    "__version__",
    "all_solutions",
    "audit",
    "boards_at_depth",
    "grade",
    "lab",
    "moves_left",
    "random_board",
    "random_walk",
    "read_board",
    "read_goal",
    "read_moves",
    "solvability",
    "solve",
    "survey",
    "trace",
    "write_board",
    "write_goal",
    "write_moves",
]


def test_the_list_of_public_names_is_this_one() -> None:
    assert sorted(taquin.__all__) == sorted(PUBLIC)


def test_every_public_name_can_be_had() -> None:
    for name in PUBLIC:
        assert getattr(taquin, name) is not None
    assert set(PUBLIC) <= set(dir(taquin))


def test_the_sample_of_the_readme_runs_as_printed() -> None:
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    sample = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert sample is not None
    names: dict[str, object] = {}
    exec(sample[1], names)
    result = names["result"]
    assert isinstance(result, taquin.Result)
    assert result.cost == 31

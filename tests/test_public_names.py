"""The public names, written down: a change here is a change of the API, and meant."""

from __future__ import annotations

import taquin

PUBLIC = """
__version__ Algorithm all_solutions AllSolutions ANY Anytime AnytimeRepairing AStar Audit
audit audit_all
Backtracked Beam Bidirectional BLANK Board BoardError BoardLike boards_at_depth BoardSample
BoundRaised BreadthFirst BudgetedTreeSearch CappedBeam Chebyshev classroom Comparison Conventions
CornerTiles Count DepthFirst Direction Discarded Duplicates DynamicPotential Engine estimate
estimate_by_tile estimates Euclidean Event Expanded Fate FILLER Finished Focal Form FromFunction
Gaschnig Generated Goal GoalFound GoalLike GoalTest Grade grade Greedy Grid Heuristic HillClimbing
IDAStar IllegalMoveError Improved InputError InversionDistance IterativeDeepening lab Label
LastMoves LearningRealTime Limit Limits LimitTest LinearConflict LocalSearchSpace MachineError
Manhattan ManhattanWithAgent Maximum MeetInTheMiddle Metric MismatchError Misplaced MissingError
Move moves_left NearOptimalBidirectional Node notation NotationError Outcome PartialExpansion
Patterns Progress Puzzle random_board random_walk RandomOrder read_board read_goal read_moves
RecursiveBestFirst Result SearchLike SimulatedAnnealing Solvability solvability solve solve_many
Started Stats StorageError Sum Survey survey TaquinError Ties trace UniformCost UnsuitableError
UserCodeError Verdict views WalkingDistance WALL WeightedIDAStar write_board write_goal
write_moves Zero
"""


def test_the_public_names_are_these_and_can_be_loaded() -> None:
    names = PUBLIC.split()
    assert sorted(taquin.__all__) == sorted(names)
    assert all(getattr(taquin, name) is not None for name in names)
    assert set(names) <= set(dir(taquin))

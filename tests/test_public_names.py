"""The public names, written down: a change here is a change of the API, and meant."""

from __future__ import annotations

from importlib import import_module

import pytest

PUBLIC = {
    "taquin": """
        __version__ Algorithm all_solutions analysis ANY AStar audit Beam Bidirectional BLANK Board
        BoardLike boards_at_depth BreadthFirst classroom DepthFirst Direction engine errors estimate
        estimates events FILLER FromFunction Goal GoalLike grade Greedy Grid Heuristic heuristics
        IDAStar IterativeDeepening lab Label Limit Limits LinearConflict Manhattan Maximum Metric
        Misplaced Move moves_left notation Outcome Patterns Puzzle random_board random_walk
        read_board read_goal read_moves Result search Solvability solvability solve solve_many Stats
        survey TaquinError trace UniformCost Verdict views WalkingDistance WALL write_board
        write_goal write_moves
    """,
    "taquin.analysis": "AllSolutions Audit audit_all BoardSample Comparison Grade Survey",
    "taquin.engine": "Anytime Auto Cluster CompleteTable Cpu Engine General GlassBox Gpu Textbook",
    "taquin.events": """
        Backtracked BoundRaised Discarded Event Expanded Fate Finished Generated GoalFound Improved
        Node Started
    """,
    "taquin.heuristics": """
        Chebyshev CornerTiles estimate_by_tile Euclidean Gaschnig InversionDistance LastMoves
        ManhattanWithAgent Sum Zero
    """,
    "taquin.search": """
        AnytimeRepairing BudgetedTreeSearch CappedBeam Conventions Count Duplicates DynamicPotential
        Focal GoalTest HillClimbing LearningRealTime LimitTest LocalSearchSpace MeetInTheMiddle
        NearOptimalBidirectional PartialExpansion Progress RandomOrder RecursiveBestFirst SearchLike
        SimulatedAnnealing Ties WeightedIDAStar
    """,
}


@pytest.mark.parametrize("module", PUBLIC)
def test_the_public_names_are_these_and_can_be_loaded(module: str) -> None:
    names, package = PUBLIC[module].split(), import_module(module)
    assert sorted(package.__all__) == sorted(names)
    assert all(getattr(package, name) is not None for name in names)
    assert set(names) <= set(dir(package))

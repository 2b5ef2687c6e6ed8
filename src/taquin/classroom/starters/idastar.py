"""Homework 3: iterative-deepening A* for the sliding puzzle.

taquin solve "8 1 3 / 4 0 2 / 7 6 5" -a idastar.py:idastar
python -m unittest test_homework               the tests that your teacher runs
"""

from heuristic import estimate


def idastar(board):
    """Return a shortest solution, as a list of boards from the start to the goal."""
    bound = estimate(board)
    while True:
        path = [board]
        next_bound = search(path, 0, bound)
        if next_bound is None:
            return path
        bound = next_bound


def search(path, g, bound):
    """Search below the last board of the path within a bound on f = g + h.

    Return None once the path ends at the goal. Otherwise return the least f above the bound.
    """
    raise NotImplementedError("search depth-first: do not go back to the board before the last")

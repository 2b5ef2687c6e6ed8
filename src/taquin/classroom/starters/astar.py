"""Homework 2: A* search for the sliding puzzle.

taquin solve "8 1 3 / 4 0 2 / 7 6 5" -a astar.py:astar
taquin compare "8 1 3 / 4 0 2 / 7 6 5" -a astar.py:astar -a astar -a bfs
python -m unittest test_homework               the tests that your teacher runs
"""

from heapq import heappop, heappush
from itertools import count

from heuristic import estimate


def astar(board):
    """Return a shortest solution, as a list of boards from the start to the goal.

    board.is_goal()       whether it is solved
    board.moves()         the legal moves: counted as one board expanded
    board.apply(move)     the board after a move: counted as one board generated

    Boards can be compared with == and used as keys of dictionaries and sets.
    """
    order = count()  # Breaks ties in the heap, because boards have no order.
    frontier = [(estimate(board), next(order), 0, board)]
    parents = {board: None}
    while frontier:
        f, _, g, here = heappop(frontier)
        if here.is_goal():
            path = []
            while here is not None:
                path.append(here)
                here = parents[here]
            return path[::-1]
        # Expand `here`: for each move, look at the child, and push it unless a path to it that is
        # as short is known. Remember its parent.
        raise NotImplementedError("expand the board here")

"""A puzzle with the interface of course libraries, so that their searches solve it unchanged.

    from taquin.classroom import Problem

    astar_search(Problem("8 1 3 / 4 0 2 / 7 6 5"))          # of AIMA's search.py
    astar(Problem("8 1 3 / 4 0 2 / 7 6 5"))                 # of simpleai

States are tuples of the cells, row by row, with 0 for the blank. Actions are UP, DOWN, LEFT and
RIGHT, the direction of the *blank*, as in those libraries. `actions` counts a state expanded, and
`result` one generated.
"""

from __future__ import annotations

from typing import Any

from taquin.heuristics.base import Heuristic, evaluator_for
from taquin.heuristics.per_tile import Manhattan
from taquin.model.board import Board, BoardLike
from taquin.model.moves import Direction, Label
from taquin.model.puzzle import Puzzle, named_goal
from taquin.model.space import Space

_BLANK_DIRECTIONS = {way.opposite.name: way for way in Direction}


class State(tuple[Label, ...]):
    """The cells of a board, with the board."""

    board: Board

    @classmethod
    def of(cls, board: Board) -> State:
        """Return the state of a board."""
        state = cls(board.cells)
        state.board = board
        return state


class Problem:
    """A board to solve, with the members of AIMA's `Problem` and simpleai's `SearchProblem`.

    >>> problem = Problem("1 2 3 / 4 5 6 / 7 0 8")
    >>> problem.actions(problem.initial)
    ['UP', 'LEFT', 'RIGHT']
    >>> problem.goal_test(problem.result(problem.initial, "RIGHT"))
    True
    """

    def __init__(
        self, board: BoardLike, puzzle: Puzzle | None = None, heuristic: Heuristic | None = None
    ) -> None:
        """Pose a board: the goal is blank-last, and `h` Manhattan, unless others are given.

        The board of a search in user code brings its own puzzle.
        """
        start = Board.of(board)
        own = getattr(start, "puzzle", None)
        self.puzzle = puzzle or own or Puzzle(named_goal("blank-last", start.grid))
        self.initial = self.initial_state = State.of(start)
        self.goal = self.puzzle.goal.cells
        self.expanded = self.generated = 0
        self._space = Space(self.puzzle, start)
        self._h = evaluator_for(heuristic or Manhattan(), self._space).value

    def actions(self, state: tuple[Label, ...]) -> list[str]:
        """Return the directions in which the blank can go."""
        self.expanded += 1
        return [move.direction.opposite.name for move in self._board(state).moves()]

    def result(self, state: tuple[Label, ...], action: str) -> State:
        """Return the state after the blank goes in a direction."""
        self.generated += 1
        return State.of(self._board(state).slide(_BLANK_DIRECTIONS[action]))

    def goal_test(self, state: tuple[Label, ...]) -> bool:
        """Return whether a state is solved."""
        return self.puzzle.is_goal(self._board(state))

    is_goal = goal_test

    def path_cost(self, cost: float, state: object, action: object, after: object) -> float:
        """Return the cost of a path that is one move longer."""
        return cost + 1

    def cost(self, state: object, action: object, after: object) -> int:
        """Return the cost of a move."""
        return 1

    def h(self, node: Any) -> int:
        """Return the estimate of a node or of a state."""
        return self._h(self._space.encode(self._board(getattr(node, "state", node))))

    heuristic = h

    def value(self, state: tuple[Label, ...]) -> int:
        """Return the value that local searches maximise: the estimate, negative."""
        return -self.h(state)

    def state_representation(self, state: tuple[Label, ...]) -> str:
        """Return the text of a state."""
        return self._board(state).text()

    def action_representation(self, action: str) -> str:
        """Return the text of an action."""
        return str(action)

    def _board(self, state: tuple[Label, ...]) -> Board:
        if isinstance(state, State):
            return state.board
        # A state that the search has built itself.
        start = self.initial.board
        counted = getattr(start, "elsewhere", None)
        return counted(tuple(state)) if counted else Board(start.grid, state)

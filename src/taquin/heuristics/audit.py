"""Check a heuristic on every board of a small puzzle: a proof for it, or a counterexample.

The boards are found backwards from all goal boards, level by level, so each is met at its true
distance; a move can be taken back, so backwards and forwards are the same. Every estimate is
compared with the distance, and every move with the fall of the estimate along it. That takes the
moves as well as the levels, so the walk of `levels_from_goal` is done here once more, in one pass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from taquin.errors import UnsuitableError
from taquin.heuristics.base import bound
from taquin.heuristics.estimate import HeuristicLike, as_heuristic
from taquin.heuristics.own import blamed
from taquin.model.board import Board, BoardLike
from taquin.model.goal import Goal
from taquin.model.moves import ANY
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space, fewest_boards, goal_states
from taquin.notation.values import GoalLike, as_goal
from taquin.system.hooks import Pictured
from taquin.system.words import rounded


@dataclass(frozen=True, slots=True)
class Overestimate:
    """A board whose estimate exceeds its distance: the heuristic is not admissible."""

    board: Board
    """The board."""
    estimate: int
    """What the heuristic says of it."""
    distance: int
    """What it takes, in moves of the puzzle's metric."""

    def __str__(self) -> str:
        return f"estimate {self.estimate}, distance {self.distance} on {self.board.text()}"


@dataclass(frozen=True, slots=True)
class Fall:
    """A move along which the estimate falls by more than one: the heuristic is not consistent."""

    parent: Board
    """The board before the move."""
    child: Board
    """The board after it."""
    parent_estimate: int
    """What the heuristic says before the move."""
    child_estimate: int
    """What it says after the move."""

    def __str__(self) -> str:
        return (
            f"one move from {self.parent.text()} to {self.child.text()} lowers the estimate from "
            f"{self.parent_estimate} to {self.child_estimate}"
        )


@dataclass(frozen=True, slots=True)
class Audit(Pictured):
    """What was found on all boards from which the goal can be reached."""

    puzzle: Puzzle
    """The puzzle whose boards were checked."""
    heuristic: str
    """The name of the heuristic."""
    boards: int
    """How many boards were checked: all of them."""
    overestimate: Overestimate | None
    """The overestimated board nearest the goal, the first of these in order; None: admissible."""
    fall: Fall | None
    """The too steep move from the board nearest the goal, the first in order; None: consistent."""
    mean_estimate: float
    """Mean of the estimates over the boards."""
    mean_distance: float
    """Mean of the true distances over the boards."""
    max_error: int
    """Largest difference between an estimate and its distance."""

    @property
    def admissible(self) -> bool:
        """Tell whether no board is overestimated."""
        return self.overestimate is None

    @property
    def consistent(self) -> bool:
        """Tell whether the estimate falls by at most one along every move."""
        return self.fall is None

    @property
    def strength(self) -> float:
        """Return mean estimate by mean distance: 1.0 is perfect for an admissible heuristic."""
        return self.mean_estimate / self.mean_distance if self.mean_distance else 1.0

    def __str__(self) -> str:
        return "\n".join(f"{self.heuristic}: {verdict}" for verdict in self.verdicts())

    def verdicts(self) -> list[str]:
        """Return the findings as sentences: admissibility, consistency, strength."""
        where = f"on all {self.boards:,} boards of {self.puzzle.grid}"
        return [
            f"not admissible: {self.overestimate}" if self.overestimate else f"admissible {where}",
            f"not consistent: {self.fall}" if self.fall else f"consistent {where}",
            f"mean estimate {self.mean_estimate:.2f} for a mean distance of "
            f"{self.mean_distance:.2f} ({self.strength:.0%}), largest error {self.max_error}",
        ]


@blamed()
def audit(
    heuristic: HeuristicLike,
    puzzle: Puzzle | GoalLike = None,
    start: BoardLike | None = None,
    limit: int = 500_000,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """Check `heuristic` on every board from which the goal of `puzzle` can be reached.

    The heuristic is a value, its name, or a function of a board; the puzzle one with its goal, or
    the goal alone, and 3×3 when not given. `start` tells which tiles lie on the board; it is needed
    where the goal has ANY cells. `progress` is told after each level: distance, boards so far.
    Raise UnsuitableError without a start that is needed, and for more than `limit` boards. 3×3
    takes a few seconds.
    """
    asked = as_heuristic(heuristic)
    if not isinstance(puzzle, Puzzle):
        eight = Goal.blank_last(3, 3)
        puzzle = Puzzle(as_goal(puzzle, Board.of(eight)))
    if start is None:
        if ANY in puzzle.goal.cells:
            raise UnsuitableError(
                "a goal with ANY cells does not tell which tiles lie on the board: give a start"
            )
        start = Board(puzzle.goal.grid, puzzle.goal.cells)
    start = Board.of(start)
    fewest = fewest_boards(puzzle, start)
    if fewest > limit:
        raise _too_large(puzzle, f"at least {rounded(fewest)}", limit)
    space = Space(puzzle, start)
    value, steps = bound(asked, space).value, space.stepper()
    estimates = {state: value(state) for state in goal_states(space, limit)}
    level = list(estimates)
    distance = total = max_error = 0
    overestimate: Overestimate | None = None
    fall: Fall | None = None
    while level:
        errors = [estimates[state] - distance for state in level]
        total += distance * len(level)
        max_error = max(max_error, max(errors), -min(errors))
        if overestimate is None and max(errors) > 0:
            state = min(state for state in level if estimates[state] > distance)
            overestimate = Overestimate(space.decode(state), estimates[state], distance)
        reached = []
        falls = []
        for state in level:
            if len(estimates) > limit:
                raise _too_large(puzzle, f"more than {limit:,}", limit)
            here = estimates[state]
            for child, _, _, _ in steps(state):
                there = estimates.get(child)
                if there is None:
                    there = estimates[child] = value(child)
                    reached.append(child)
                if here > there + 1:
                    falls.append((state, child))
        if fall is None and falls:
            parent, child = min(falls)
            fall = Fall(
                space.decode(parent), space.decode(child), estimates[parent], estimates[child]
            )
        level = reached
        distance += 1
        if reached and progress is not None:
            progress(distance, len(estimates))
    return Audit(
        puzzle=puzzle,
        heuristic=asked.name,
        boards=len(estimates),
        overestimate=overestimate,
        fall=fall,
        mean_estimate=sum(estimates.values()) / len(estimates),
        mean_distance=total / len(estimates),
        max_error=max_error,
    )


def _too_large(puzzle: Puzzle, boards: str, limit: int) -> UnsuitableError:
    return UnsuitableError(
        f"{puzzle.grid} has {boards} boards with these tiles and an audit visits all of "
        f"them, up to {limit:,}; audit a smaller grid, such as 3×3, or raise the limit"
    )

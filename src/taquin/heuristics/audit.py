"""Check a heuristic on every board of a small puzzle: the result is a proof or a counterexample.

The audit enumerates the boards backwards from all goal boards, level by level, so each is reached
at its true distance. It compares every estimate with the distance, and checks the decrease of the
estimate along every move. If a time limit or Ctrl-C ends it early, its findings hold for every
board within some distance of the goal, and a counterexample remains valid.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import perf_counter

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Heuristic, evaluator_for
from taquin.heuristics.estimate import HeuristicLike, as_heuristic
from taquin.heuristics.own import interruptible
from taquin.heuristics.user_code import blaming_user_code
from taquin.model.board import Board, BoardLike
from taquin.model.goal import Goal
from taquin.model.moves import ANY
from taquin.model.puzzle import Puzzle
from taquin.model.space import Space, State, fewest_boards, goal_states
from taquin.notation.values import GoalLike, as_goal
from taquin.system import interrupts
from taquin.system.hooks import Pictured
from taquin.system.interrupts import DeferredInterrupts, raise_if_interrupted
from taquin.system.words import counted, rounded


@dataclass(frozen=True, slots=True)
class Overestimate:
    """A board whose estimate exceeds its distance: the heuristic is not admissible."""

    board: Board
    estimate: int
    distance: int
    """In moves of the puzzle's metric; in a sample, the length of the best known solution."""

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
    child_estimate: int

    def __str__(self) -> str:
        return (
            f"one move from {self.parent.text()} to {self.child.text()} lowers the estimate from "
            f"{self.parent_estimate} to {self.child_estimate}"
        )


@dataclass(frozen=True, slots=True)
class Audit(Pictured):
    """The findings for all boards from which the goal is reachable, or for those nearest to it."""

    puzzle: Puzzle
    heuristic: str
    """The name of the heuristic."""
    boards: int
    """The number of boards checked: all of them, unless the audit was stopped."""
    overestimate: Overestimate | None
    """The first overestimated board nearest to the goal; None: admissible."""
    fall: Fall | None
    """The first inconsistent move of a board nearest to the goal; None: consistent."""
    mean_estimate: float
    mean_distance: float
    max_error: int
    """Largest difference between an estimate and its distance."""
    depth: int
    """All boards within this many moves of the goal were checked."""
    stopped: str = ""
    """The reason why the audit stopped early; empty if all boards were checked."""
    sampled: bool = False
    """Whether the boards are a random sample, which is not a proof."""

    @property
    def admissible(self) -> bool:
        """Whether it is proven admissible; false if `stopped` or `sampled`."""
        return self.overestimate is None and not (self.stopped or self.sampled)

    @property
    def consistent(self) -> bool:
        """Whether it is proven consistent; false if `stopped` or `sampled`."""
        return self.fall is None and not (self.stopped or self.sampled)

    @property
    def strength(self) -> float:
        """The mean estimate divided by the mean distance; the ideal is 1.0."""
        return self.mean_estimate / self.mean_distance if self.mean_distance else 1.0

    def __str__(self) -> str:
        return "\n".join(f"{self.heuristic}: {verdict}" for verdict in self.verdicts())

    def verdicts(self) -> list[str]:
        """Return the findings as sentences: admissibility, consistency, strength."""
        where = f"on all {self.boards:,} boards of {self.puzzle.grid}"
        admissible, consistent = f"admissible {where}", f"consistent {where}"
        if self.stopped and not self.boards:
            unknown = f"or not is unknown: stopped at the first board, {self.stopped}"
            return [f"admissible {unknown}", f"consistent {unknown}", "no estimate was made"]
        if self.sampled:
            where = f"a sample of {counted(self.boards, 'board')} of {self.puzzle.grid}: no proof"
            admissible, consistent = f"no overestimate on {where}", f"no move too steep on {where}"
        elif self.stopped:
            boards, moves = counted(self.boards, "board"), counted(self.depth, "move")
            where = f"{boards} within {moves} of the goal; stopped there, {self.stopped}"
            admissible, consistent = (
                f"no overestimate on {where}",
                f"no move too steep from {where}",
            )
        return [
            f"not admissible: {self.overestimate}" if self.overestimate else admissible,
            f"not consistent: {self.fall}" if self.fall else consistent,
            f"mean estimate {self.mean_estimate:.2f} for a mean distance of "
            f"{self.mean_distance:.2f} ({self.strength:.0%}), largest error {self.max_error}",
        ]


@blaming_user_code()
def audit(
    heuristic: HeuristicLike,
    puzzle: Puzzle | GoalLike = None,
    start: BoardLike | None = None,
    limit: int = 500_000,
    *,
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """Check `heuristic` on every board from which the goal of `puzzle` can be reached.

    The puzzle is a `Puzzle`, a goal, or a size such as `2x3`; the default is 3×3, which takes a few
    seconds. `start` determines the tiles; it is required if the goal has ANY cells. `progress` is
    called after each level with the distance and the number of boards. After `seconds`, and on
    Ctrl-C, the audit ends with its findings so far (`Audit.stopped`). Raise UnsuitableError if a
    required start is missing, and for more than `limit` boards.
    """
    if not isinstance(puzzle, Puzzle):
        puzzle = Puzzle(as_goal(puzzle, Board.of(Goal.blank_last(3, 3))))
    return audit_walk(as_heuristic(heuristic), puzzle, start, limit, seconds).finding(progress)


def audit_walk(
    heuristic: Heuristic, puzzle: Puzzle, start: BoardLike | None, limit: int, seconds: float | None
) -> AuditWalk:
    """Return the walk of an audit, not yet started; raise the same exceptions as `audit`."""
    if start is None:
        if ANY in puzzle.goal.cells:
            raise UnsuitableError(
                "a goal with ANY cells does not determine the tiles of the board: give a start"
            )
        start = Board(puzzle.goal.grid, puzzle.goal.cells)
    start = Board.of(start)
    fewest = fewest_boards(puzzle, start)
    if fewest > limit:
        raise _too_large(puzzle, f"at least {rounded(fewest)}", limit)
    return AuditWalk(heuristic, Space(puzzle, start), limit, seconds)


def time_is_up(seconds: float) -> str:
    """Return the reason for an audit that a time limit stopped."""
    return f"limit of {seconds:g} second{'' if seconds == 1 else 's'}"


class AuditWalk:
    """The walk over all boards, level by level, and its findings so far."""

    def __init__(
        self, heuristic: Heuristic, space: Space, limit: int, seconds: float | None
    ) -> None:
        self._heuristic, self._space, self._limit = heuristic, space, limit
        self._seconds = inf if seconds is None else seconds
        self._began = perf_counter()
        self._boards = self._estimates = self._distances = self._max_error = self._distance = 0
        self._overestimate: Overestimate | None = None
        self._fall: Fall | None = None

    def finding(self, progress: Callable[[int, int], None] | None = None) -> Audit:
        """Check all boards until a limit or Ctrl-C, and return the findings."""
        stopped = ""
        try:
            with DeferredInterrupts(), interruptible(self._heuristic):
                stopped = self._run(progress)
        except KeyboardInterrupt:
            if interrupts.are_for_parent:
                # User code raised it.
                raise
            stopped = "interrupted"
        return self.audit(stopped)

    def _run(self, progress: Callable[[int, int], None] | None) -> str:
        """Check level by level; return why the walk stopped early; raise KeyboardInterrupt."""
        space, limit = self._space, self._limit
        value, steps = evaluator_for(self._heuristic, space).value, space.stepper()
        self._began = perf_counter()
        estimates = {state: value(state) for state in goal_states(space, limit)}
        level = list(estimates)
        while level:
            self._check(level, estimates)
            reached: list[State] = []
            falls: list[tuple[State, State]] = []
            try:
                for state in level:
                    if len(estimates) > limit:
                        raise _too_large(space.puzzle, f"more than {limit:,}", limit)
                    if perf_counter() - self._began >= self._seconds:
                        return time_is_up(self._seconds)
                    raise_if_interrupted()
                    parent_estimate = estimates[state]
                    for child, _, _, _ in steps(state):
                        child_estimate = estimates.get(child)
                        if child_estimate is None:
                            child_estimate = estimates[child] = value(child)
                            reached.append(child)
                        if parent_estimate > child_estimate + 1:
                            falls.append((state, child))
            finally:
                if self._fall is None and falls:
                    parent, child = min(falls)
                    ends = estimates[parent], estimates[child]
                    self._fall = Fall(space.decode(parent), space.decode(child), *ends)
            level = reached
            self._distance += 1
            if reached and progress is not None:
                progress(self._distance, len(estimates))
        return ""

    def _check(self, level: list[State], estimates: dict[State, int]) -> None:
        distance = self._distance
        errors = [estimates[state] - distance for state in level]
        self._boards += len(level)
        self._distances += distance * len(level)
        self._estimates += sum(errors) + distance * len(level)
        self._max_error = max(self._max_error, max(errors), -min(errors))
        if self._overestimate is None and max(errors) > 0:
            state = min(state for state in level if estimates[state] > distance)
            board = self._space.decode(state)
            self._overestimate = Overestimate(board, estimates[state], distance)

    def audit(self, stopped: str) -> Audit:
        """Return the findings so far."""
        return Audit(
            puzzle=self._space.puzzle,
            heuristic=self._heuristic.name,
            boards=self._boards,
            overestimate=self._overestimate,
            fall=self._fall,
            mean_estimate=self._estimates / max(1, self._boards),
            mean_distance=self._distances / max(1, self._boards),
            max_error=self._max_error,
            depth=self._distance if stopped else self._distance - 1,
            stopped=stopped,
        )


def _too_large(puzzle: Puzzle, boards: str, limit: int) -> UnsuitableError:
    return UnsuitableError(
        f"{puzzle.grid} has {boards} boards with these tiles and an audit visits all of "
        f"them, up to {limit:,}; audit a sample, a smaller grid, such as 3×3, or raise the limit"
    )

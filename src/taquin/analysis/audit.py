"""Audit heuristics: on every board of a small puzzle, which is a proof, or on a sample of boards.

`audit` checks one heuristic. It enumerates the boards backwards from all goal boards, level by
level, so each is reached at its true distance. It compares every estimate with the distance, and
checks the decrease of the estimate along every move. If a time limit or Ctrl-C ends it early, its
findings hold for every board within some distance of the goal, and a counterexample remains valid.

`audit_all` checks several heuristics at once, and says which dominates which:

    heuristic        admissible  consistent  mean  dominates
    misplaced        yes         yes         4.17
    manhattan        yes         yes         7.00  misplaced

Up to some hundred thousand boards, every board is visited, which proves the claims. For any size
there is a sample: boards after random walks from the goal, compared with their shortest solutions.
It can refute a claim but prove none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, permutations
from math import inf
from time import perf_counter

from taquin.engine.base import run
from taquin.engine.task import Auto
from taquin.errors import InputError, UnsuitableError
from taquin.heuristics.base import Heuristic, evaluator_for
from taquin.heuristics.registry import HeuristicLike, as_heuristic
from taquin.heuristics.user_code import blaming_user_code, interruptible
from taquin.model.board import Board, BoardLike
from taquin.model.moves import ANY
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_walk
from taquin.model.space import Space, State, fewest_boards, goal_states, levels_from_goal
from taquin.notation.boards import GoalLike, as_goal
from taquin.search.control import INTERRUPTED, Control
from taquin.search.grammar import heuristic_named
from taquin.search.result import Limits, Task
from taquin.system import interrupts
from taquin.system.formatting import counted, rounded
from taquin.system.interrupts import DeferredInterrupts, raise_if_interrupted
from taquin.system.lazy import Pictured


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
    return extent_of(puzzle, start, limit, seconds).auditor(as_heuristic(heuristic)).run(progress)


def _time_is_up(seconds: float) -> str:
    """Return the reason for an audit that a time limit stopped."""
    return f"limit of {seconds:g} second{'' if seconds == 1 else 's'}"


class Auditor:
    """Audits a heuristic on all boards, level by level, and keeps its findings."""

    is_sample = False

    def __init__(self, heuristic: Heuristic, extent: Extent, space: Space) -> None:
        self._heuristic, self._extent, self._space = heuristic, extent, space
        self._seconds = inf if extent.seconds is None else extent.seconds
        self._boards = self._estimates = self._distances = self._max_error = self._distance = 0
        self._overestimate: Overestimate | None = None
        self._fall: Fall | None = None

    def run(self, progress: Callable[[int, int], None] | None = None) -> Audit:
        """Check all boards until a limit or Ctrl-C, and return the findings."""
        stopped = ""
        try:
            with DeferredInterrupts(), interruptible(self._heuristic):
                stopped = self._check_all(progress)
        except KeyboardInterrupt:
            if interrupts.are_for_parent:
                # User code raised it.
                raise
            stopped = INTERRUPTED
        return self.findings(stopped)

    def _check_all(self, progress: Callable[[int, int], None] | None) -> str:
        """Check level by level; return the reason for an early stop; raise KeyboardInterrupt."""
        space, limit = self._space, self._extent.limit
        value, steps = evaluator_for(self._heuristic, space).value, space.stepper()
        began = perf_counter()
        estimates = {state: value(state) for state in goal_states(space, limit)}
        level = list(estimates)
        while level:
            distance = self._distance
            errors = [estimates[state] - distance for state in level]
            self._boards += len(level)
            self._distances += distance * len(level)
            self._estimates += sum(errors) + distance * len(level)
            self._max_error = max(self._max_error, max(errors), -min(errors))
            if self._overestimate is None and max(errors) > 0:
                state = min(state for state in level if estimates[state] > distance)
                self._overestimate = Overestimate(space.decode(state), estimates[state], distance)
            reached: list[State] = []
            falls: list[tuple[State, State]] = []
            try:
                for state in level:
                    if len(estimates) > limit:
                        raise _too_large(space.puzzle, f"more than {limit:,}", limit)
                    if perf_counter() - began >= self._seconds:
                        return _time_is_up(self._seconds)
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

    def findings(self, stopped: str) -> Audit:
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
            depth=self._distance if stopped or self.is_sample else self._distance - 1,
            stopped=stopped,
            sampled=self.is_sample,
        )


def _too_large(puzzle: Puzzle, boards: str, limit: int) -> UnsuitableError:
    return UnsuitableError(
        f"{puzzle.grid} has {boards} boards with these tiles and an audit visits all of "
        f"them, up to {limit:,}; audit a sample, a smaller grid, such as 3×3, or raise the limit"
    )


LONGEST_WALK = 40
"""Moves of the longest random walk to a board of a sample; the shortest has one."""
_SOLVING_SECONDS = 2.0
"""Seconds of search for a shortest solution of such a board; after that, the walk stands for it."""

AuditProgress = Callable[[int, int], None]
"""Called now and then with two counters: depth and boards."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The audits of several heuristics, and how they compare."""

    audits: tuple[Audit, ...]
    """The audit of each, in order, without those that failed."""
    dominated: Mapping[str, tuple[str, ...]]
    """By name, the heuristics that each dominates: it is never lower on the boards compared, and
    higher on some."""
    boards: int
    """The number of boards on which they were compared."""
    faults: Mapping[str, str]
    """Why a heuristic could not be audited, by its name."""


def audit_all(
    heuristics: Iterable[HeuristicLike],
    puzzle: Puzzle | GoalLike = None,
    start: BoardLike | None = None,
    limit: int = 500_000,
    *,
    sample: int | None = None,
    seed: int = 1,
    seconds: float | None = None,
    progress: AuditProgress | None = None,
) -> Comparison:
    """Check several heuristics as `audit` checks one, and compare them board by board.

    With `sample`, that many random boards are checked instead of all. `seconds` limits the audit of
    each heuristic, and their comparison. The error of a heuristic is listed in `faults`; it is
    raised if all fail.

    >>> found = audit_all(["misplaced", "manhattan"], "2x3")
    >>> found.dominated["manhattan"]
    ('misplaced',)
    """
    checked = [
        heuristic_named(heuristic) if isinstance(heuristic, str) else as_heuristic(heuristic)
        for heuristic in heuristics
    ]
    extent = extent_of(puzzle, start, limit, seconds, (sample, seed), progress)
    return compared(checked, extent, partial(_audit_here, extent, progress), dominance)


@dataclass(frozen=True, slots=True)
class Extent:
    """The boards on which heuristics are audited."""

    puzzle: Puzzle
    start: Board | None
    limit: int
    """The most boards."""
    seconds: float | None
    """The limit on each audit and on the comparison; None for no limit."""
    drawn: tuple[tuple[Board, int], ...] | None = None
    """The boards of a sample, each with the best solution known; None for all boards."""

    def auditor(self, heuristic: Heuristic) -> Auditor:
        """Return the auditor of a heuristic; raise the exceptions of `audit`."""
        if self.drawn is not None:
            return SampleAuditor(heuristic, self, Space(self.puzzle, self.drawn[0][0]))
        if self.start is None:
            raise UnsuitableError(
                "a goal with ANY cells does not determine the tiles of the board: give a start"
            )
        if (fewest := fewest_boards(self.puzzle, self.start)) > self.limit:
            raise _too_large(self.puzzle, f"at least {rounded(fewest)}", self.limit)
        return Auditor(heuristic, self, Space(self.puzzle, self.start))


def extent_of(
    puzzle: Puzzle | GoalLike,
    start: BoardLike | None,
    limit: int,
    seconds: float | None,
    sample: tuple[int | None, int] = (None, 1),
    progress: AuditProgress | None = None,
) -> Extent:
    """Return the boards to audit on: all, or a sample given by size and seed."""
    if not isinstance(puzzle, Puzzle):
        puzzle = Puzzle(as_goal(puzzle, Board.of(Goal.blank_last(3, 3))))
    if start is None and ANY not in puzzle.goal.cells:
        start = Board.of(puzzle.goal)
    size, seed = sample
    drawn = None if size is None else tuple(_drawn(puzzle, start, size, seed, progress))
    return Extent(puzzle, None if start is None else Board.of(start), limit, seconds, drawn)


@blaming_user_code()
def _audit_here(extent: Extent, progress: AuditProgress | None, heuristic: Heuristic) -> Audit:
    return extent.auditor(heuristic).run(progress)


def compared(
    heuristics: Sequence[Heuristic],
    extent: Extent,
    audit_one: Callable[[Heuristic], Audit],
    dominance_of: Callable[[Sequence[Heuristic], Extent], tuple[dict[str, tuple[str, ...]], int]],
) -> Comparison:
    """Audit each heuristic by `audit_one`, and compare them by `dominance_of`."""
    audits: list[Audit] = []
    faults: dict[str, str] = {}
    errors: list[InputError] = []
    nothing: dict[str, tuple[str, ...]] = {heuristic.name: () for heuristic in heuristics}
    for heuristic in heuristics:
        try:
            finding = audit_one(heuristic)
            audits.append(finding)
            if finding.stopped == INTERRUPTED:
                return Comparison(tuple(audits), nothing, 0, faults)
        except InputError as error:
            errors.append(error)
            faults[heuristic.name] = str(error)
    if not audits:
        raise errors[0]
    # Skip heuristics that failed on the first board.
    known = {audit.heuristic for audit in audits if audit.boards}
    sound = [heuristic for heuristic in heuristics if heuristic.name in known]
    if len(audits) == 1 or not sound:
        return Comparison(tuple(audits), nothing, audits[0].boards, faults)
    dominated, boards = dominance_of(sound, extent)
    return Comparison(tuple(audits), nothing | dominated, boards, faults)


def _drawn(
    puzzle: Puzzle, start: BoardLike | None, count: int, seed: int, progress: AuditProgress | None
) -> Iterable[tuple[Board, int]]:
    """Yield random boards, each with the length of the best solution known."""
    labels = None if start is None else Board.of(start).cells
    limits = Limits(seconds=_SOLVING_SECONDS)
    for number in range(1, count + 1):
        moves = 1 + (number - 1) * LONGEST_WALK // count
        board = random_walk(puzzle, moves, seed, number=number, labels=labels)
        result = run(Task(puzzle, board, limits=limits), Auto(), Control(limits))
        yield board, moves if result.cost is None else min(moves, result.cost)
        if progress is not None:
            progress(moves, number)


class SampleAuditor(Auditor):
    """Audits a heuristic on boards with known solutions and on their successors."""

    is_sample = True

    def run(self, progress: AuditProgress | None = None) -> Audit:
        """Check the boards, and return the audit."""
        with interruptible(self._heuristic):
            return self.findings(self._check_all(progress))

    def _check_all(self, progress: AuditProgress | None) -> str:
        space, puzzle, began = self._space, self._extent.puzzle, perf_counter()
        evaluate = evaluator_for(self._heuristic, space).value
        for board, distance in self._extent.drawn or ():
            if perf_counter() - began >= self._seconds:
                return _time_is_up(self._seconds)
            estimate = evaluate(space.encode(board))
            self._boards += 1
            self._estimates += estimate
            self._distances += distance
            self._max_error = max(self._max_error, abs(estimate - distance))
            least = inf if self._overestimate is None else self._overestimate.distance
            if distance < min(estimate, least):
                self._overestimate = Overestimate(board, estimate, distance)
            for _, child in puzzle.successors(board):
                after = evaluate(space.encode(child))
                if abs(estimate - after) > 1 and self._fall is None:
                    way = Fall(board, child, estimate, after)
                    self._fall = way if estimate > after else Fall(child, board, after, estimate)
        return ""


@blaming_user_code()
def dominance(
    heuristics: Sequence[Heuristic], extent: Extent
) -> tuple[dict[str, tuple[str, ...]], int]:
    """Return which heuristics each one dominates, by name, and the number of boards compared."""
    drawn = extent.drawn or ()
    space = Space(
        extent.puzzle, drawn[0][0] if drawn else extent.start or Board.of(extent.puzzle.goal)
    )
    sampled = [space.encode(board) for board, _ in drawn]
    states = sampled or chain.from_iterable(levels_from_goal(space))
    evaluators = [evaluator_for(heuristic, space).value for heuristic in heuristics]
    never_lower = set(permutations(range(len(heuristics)), 2))
    ever_higher: set[tuple[int, int]] = set()
    boards, began = 0, perf_counter()
    limit = inf if extent.seconds is None else extent.seconds
    with interruptible(tuple(heuristics)):
        for state in states:
            if not boards % 64 and perf_counter() - began > limit:
                break
            values = [evaluate(state) for evaluate in evaluators]
            for pair in list(never_lower) if len(set(values)) > 1 else ():
                first, second = pair
                if values[first] < values[second]:
                    never_lower.discard(pair)
                elif values[first] > values[second]:
                    ever_higher.add(pair)
            boards += 1
    names = [heuristic.name for heuristic in heuristics]
    dominant = never_lower & ever_higher
    return {
        name: tuple(names[second] for first, second in sorted(dominant) if names[first] == name)
        for name in names
    }, boards

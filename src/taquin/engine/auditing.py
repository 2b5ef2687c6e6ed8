"""Audit several heuristics at once: which is admissible, and which dominates which.

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
from operator import attrgetter
from statistics import fmean
from time import perf_counter

from taquin.engine.choose import Auto, run
from taquin.errors import InputError
from taquin.heuristics.audit import Audit, AuditWalk, Fall, Overestimate, audit_walk, time_is_up
from taquin.heuristics.base import Heuristic, evaluator_for
from taquin.heuristics.estimate import HeuristicLike, as_heuristic
from taquin.heuristics.own import interruptible
from taquin.heuristics.user_code import blaming_user_code
from taquin.model.board import Board, BoardLike
from taquin.model.goal import Goal
from taquin.model.moves import ANY
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_walk
from taquin.model.space import Space, levels_from_goal
from taquin.notation.values import GoalLike, as_goal
from taquin.search.control import INTERRUPTED, Control
from taquin.search.result import Limits, Task
from taquin.search.terms import heuristic_named

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
    if not isinstance(puzzle, Puzzle):
        puzzle = Puzzle(as_goal(puzzle, Board.of(Goal.blank_last(3, 3))))
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
    """The limit on the audit of each heuristic, and on their comparison; None for none."""
    drawn: tuple[tuple[Board, int], ...] | None = None
    """The boards of a sample, each with the best solution known; None for all boards."""

    def walk(self, heuristic: Heuristic) -> AuditWalk | SampleWalk:
        """Return the audit of a heuristic, about to begin."""
        if self.drawn is None:
            return audit_walk(heuristic, self.puzzle, self.start, self.limit, self.seconds)
        return SampleWalk(heuristic, self)


def extent_of(
    puzzle: Puzzle,
    start: BoardLike | None,
    limit: int,
    seconds: float | None,
    sample: tuple[int | None, int],
    progress: AuditProgress | None,
) -> Extent:
    """Return the boards to audit on: all, or a sample given by size and seed."""
    if start is None and ANY not in puzzle.goal.cells:
        start = Board.of(puzzle.goal)
    size, seed = sample
    drawn = None if size is None else tuple(_drawn(puzzle, start, size, seed, progress))
    return Extent(puzzle, None if start is None else Board.of(start), limit, seconds, drawn)


@blaming_user_code()
def _audit_here(extent: Extent, progress: AuditProgress | None, heuristic: Heuristic) -> Audit:
    return extent.walk(heuristic).finding(progress)


def compared(
    heuristics: Sequence[Heuristic],
    extent: Extent,
    audit_one: Callable[[Heuristic], Audit],
    dominance_of: Callable[[Sequence[Heuristic], Extent], tuple[dict[str, tuple[str, ...]], int]],
) -> Comparison:
    """Return the audit of each heuristic by `audit_one`, and how they compare."""
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


class SampleWalk:
    """The audit of a heuristic on boards with known solutions and on the moves from them."""

    def __init__(self, heuristic: Heuristic, extent: Extent) -> None:
        self._heuristic, self._extent = heuristic, extent
        self._overestimates: list[Overestimate] = []
        self._falls: list[Fall] = []
        self._pairs: list[tuple[int, int]] = []

    def finding(self, progress: AuditProgress | None = None) -> Audit:
        """Check the boards, and return the audit."""
        with interruptible(self._heuristic):
            return self.audit(self._run())

    def _run(self) -> str:
        puzzle, drawn, seconds = self._extent.puzzle, self._extent.drawn or (), self._extent.seconds
        space, began = Space(puzzle, drawn[0][0]), perf_counter()
        evaluate = evaluator_for(self._heuristic, space).value
        for board, distance in drawn:
            if seconds is not None and perf_counter() - began >= seconds:
                return time_is_up(seconds)
            estimate = evaluate(space.encode(board))
            self._pairs.append((estimate, distance))
            if estimate > distance:
                self._overestimates.append(Overestimate(board, estimate, distance))
            for _, child in puzzle.successors(board):
                after = evaluate(space.encode(child))
                if estimate > after + 1:
                    self._falls.append(Fall(board, child, estimate, after))
                elif after > estimate + 1:
                    self._falls.append(Fall(child, board, after, estimate))
        return ""

    def audit(self, stopped: str) -> Audit:
        """Return the audit so far."""
        pairs = list(self._pairs)
        return Audit(
            puzzle=self._extent.puzzle,
            heuristic=self._heuristic.name,
            boards=len(pairs),
            overestimate=min(self._overestimates, key=attrgetter("distance"), default=None),
            fall=self._falls[0] if self._falls else None,
            mean_estimate=fmean(estimate for estimate, _ in pairs) if pairs else 0.0,
            mean_distance=fmean(distance for _, distance in pairs) if pairs else 0.0,
            max_error=max((abs(estimate - distance) for estimate, distance in pairs), default=0),
            depth=0,
            stopped=stopped,
            sampled=True,
        )


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

"""Audit several heuristics at once: which is admissible, and which dominates which.

    heuristic        admissible  consistent  mean  dominates
    misplaced        yes         yes         4.17
    manhattan        yes         yes         7.00  misplaced

Up to some hundred thousand boards every board is visited, which proves the claims. A sample serves
any size: boards after random walks from the goal, compared with their shortest solutions. It can
refute a claim and prove none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, permutations
from math import inf
from operator import attrgetter
from statistics import fmean
from time import perf_counter

from taquin.engine.choose import Auto, run
from taquin.errors import InputError
from taquin.heuristics.audit import Audit, Fall, Overestimate, audit
from taquin.heuristics.base import Heuristic, evaluator_for
from taquin.heuristics.estimate import HeuristicLike, as_heuristic
from taquin.heuristics.own import alarm_for
from taquin.heuristics.user_code import blaming_user_code
from taquin.model.board import Board, BoardLike
from taquin.model.goal import Goal
from taquin.model.moves import ANY
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_walk
from taquin.model.space import Space, State, levels_from_goal
from taquin.notation.values import GoalLike, as_goal
from taquin.search.control import INTERRUPTED, Control
from taquin.search.result import Limits, Task
from taquin.search.terms import heuristic_named
from taquin.system.interrupts import CutShort

LONGEST_WALK = 40
"""Moves of the longest random walk to a board of a sample; the shortest has one."""
_SOLVING_SECONDS = 2.0
"""Seconds in which a shortest solution of such a board is looked for; else the walk is known."""

AuditProgress = Callable[[int, int], None]
"""Called now and then with two numbers that grow."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was found on several heuristics."""

    audits: tuple[Audit, ...]
    """The findings on each, in order, those left out that failed."""
    dominated: Mapping[str, tuple[str, ...]]
    """By name, the heuristics that each dominates: it is never lower on the boards compared, and
    higher on some of them."""
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
    each heuristic, and their comparison. An error in one heuristic is a fault of its own; raise it
    if all fail.

    >>> found = audit_all(["misplaced", "manhattan"], "2x3")
    >>> found.dominated["manhattan"]
    ('misplaced',)
    """
    if not isinstance(puzzle, Puzzle):
        puzzle = Puzzle(as_goal(puzzle, Board.of(Goal.blank_last(3, 3))))
    if start is None and ANY not in puzzle.goal.cells:
        start = Board.of(puzzle.goal)
    drawn = [] if sample is None else list(_drawn(puzzle, start, sample, seed, progress))
    audits: list[Audit] = []
    faults: dict[str, str] = {}
    errors: list[InputError] = []
    checked = [
        heuristic_named(heuristic) if isinstance(heuristic, str) else as_heuristic(heuristic)
        for heuristic in heuristics
    ]
    nothing: dict[str, tuple[str, ...]] = {heuristic.name: () for heuristic in checked}
    for heuristic in checked:
        try:
            if sample is None:
                finding = audit(heuristic, puzzle, start, limit, seconds=seconds, progress=progress)
            else:
                finding = _audit_of_sample(heuristic, puzzle, drawn, seconds)
            audits.append(finding)
            if finding.stopped == INTERRUPTED:
                return Comparison(tuple(audits), nothing, 0, faults)
        except InputError as error:
            errors.append(error)
            faults[heuristic.name] = str(error)
    if not audits:
        raise errors[0]
    if len(audits) == 1:
        return Comparison(tuple(audits), nothing, audits[0].boards, faults)
    sound = [heuristic for heuristic in checked if heuristic.name not in faults]
    space = Space(puzzle, drawn[0][0] if drawn else Board.of(start or puzzle.goal))
    sampled = [space.encode(board) for board, _ in drawn]
    states = sampled or chain.from_iterable(levels_from_goal(space))
    dominated, boards = _dominance(sound, space, states, seconds)
    return Comparison(tuple(audits), dominated, boards, faults)


def _drawn(
    puzzle: Puzzle, start: BoardLike | None, count: int, seed: int, progress: AuditProgress | None
) -> Iterable[tuple[Board, int]]:
    """Yield random boards, each with the length of a shortest solution or at least of one."""
    labels = None if start is None else Board.of(start).cells
    limits = Limits(seconds=_SOLVING_SECONDS)
    for number in range(1, count + 1):
        moves = 1 + (number - 1) * LONGEST_WALK // count
        board = random_walk(puzzle, moves, seed, number=number, labels=labels)
        result = run(Task(puzzle, board, limits=limits), Auto(), Control(limits))
        yield board, moves if result.cost is None else min(moves, result.cost)
        if progress is not None:
            progress(moves, number)


@blaming_user_code()
def _audit_of_sample(
    heuristic: Heuristic, puzzle: Puzzle, drawn: Sequence[tuple[Board, int]], seconds: float | None
) -> Audit:
    """Return the findings on boards with known solutions and on the moves from them."""
    space, began = Space(puzzle, drawn[0][0]), perf_counter()
    overestimates: list[Overestimate] = []
    falls: list[Fall] = []
    pairs: list[tuple[int, int]] = []
    stopped = ""

    def seconds_left() -> float:
        return inf if seconds is None else seconds - (perf_counter() - began)

    try:
        with alarm_for(heuristic, seconds_left):
            evaluate = evaluator_for(heuristic, space).value
            for board, distance in drawn:
                if seconds_left() <= 0:
                    raise CutShort
                estimate = evaluate(space.encode(board))
                pairs.append((estimate, distance))
                if estimate > distance:
                    overestimates.append(Overestimate(board, estimate, distance))
                for _, child in puzzle.successors(board):
                    after = evaluate(space.encode(child))
                    if estimate > after + 1:
                        falls.append(Fall(board, child, estimate, after))
                    elif after > estimate + 1:
                        falls.append(Fall(child, board, after, estimate))
    except CutShort:
        stopped = f"limit of {seconds:g} seconds"
    return Audit(
        puzzle=puzzle,
        heuristic=heuristic.name,
        boards=len(pairs),
        overestimate=min(overestimates, key=attrgetter("distance"), default=None),
        fall=falls[0] if falls else None,
        mean_estimate=fmean(estimate for estimate, _ in pairs) if pairs else 0.0,
        mean_distance=fmean(distance for _, distance in pairs) if pairs else 0.0,
        max_error=max((abs(estimate - distance) for estimate, distance in pairs), default=0),
        depth=0,
        stopped=stopped,
        sampled=True,
    )


@blaming_user_code()
def _dominance(
    heuristics: Sequence[Heuristic], space: Space, states: Iterable[State], seconds: float | None
) -> tuple[dict[str, tuple[str, ...]], int]:
    """Return which heuristics each one dominates, by name, and the number of boards compared."""
    evaluators = [evaluator_for(heuristic, space).value for heuristic in heuristics]
    never_lower = set(permutations(range(len(heuristics)), 2))
    ever_higher: set[tuple[int, int]] = set()
    boards, began = 0, perf_counter()
    limit = inf if seconds is None else seconds
    with suppress(CutShort), alarm_for(tuple(heuristics), lambda: limit - (perf_counter() - began)):
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

"""How many nodes IDA* will generate, before it runs.

There are two forecasts of a bound:

    sampled      for this board, by stratified sampling: the tree is grown level by level, and of
                 the nodes of one type (cell of the blank, estimate, highest f on the path) one
                 random node represents all. The expectation over such *probes* is the true number
                 (Knuth, Mathematics of Computation 29, 1975; Chen, SIAM Journal on Computing 21,
                 1992).
    by formula   for a random board: the nodes at each depth by the blank's cell, times the share of
                 boards with the blank there whose estimate is within the bound (Korf, Reid and
                 Edelkamp, Artificial Intelligence 129, 2001). A board with a higher estimate than
                 most has fewer nodes.

The last bound ends as soon as a solution is found: on Korf's 100 boards after 0.31 of that bound on
average, on 100 random boards of 3×4 after 0.32. So the forecast of a whole search counts
`LAST_SHARE` of the last bound. The compiled search finds solutions sooner, after 0.21 of it on 59
random boards of 4×4, because it searches ahead of the bound; its forecast is too high.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, islice
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import TypeAlias

from taquin.analysis.audit import sample_estimates
from taquin.engine.base import Engine
from taquin.engine.classic import normal_of
from taquin.engine.cpu.automaton import AutomatonRecipe
from taquin.engine.cpu.engine import Cpu
from taquin.engine.glass import GlassBox
from taquin.errors import UnsuitableError
from taquin.heuristics.base import Heuristic, evaluator_for
from taquin.heuristics.pattern_databases import Patterns
from taquin.heuristics.per_tile import Manhattan
from taquin.model.grid import blank_ways, branching_factor
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import stream
from taquin.model.space import Space, State
from taquin.search.algorithms import IDAStar
from taquin.search.conventions import Duplicates
from taquin.search.result import Task
from taquin.tables.patterns import drawn
from taquin.tables.store import TableStore

LAST_SHARE = 0.3
"""The mean share of the last bound that is searched before a solution is found."""
PROBES, _FEWEST_PROBES = 48, 4
"""Probes of a forecast, about a quarter of a second for Manhattan distance on 4×4; and their
minimum for large trees."""
_MOST_WORK = 400_000
"""Evaluated nodes after which no further probe begins."""
SAMPLE = 5_000
"""Random boards that give the formula the distribution of estimates."""
_Choices: TypeAlias = Callable[[int, int], Sequence[tuple[int, int]]]
"""The blank's cell and the pruning state → the next cells, each with its pruning state. The pruning
state is the blank's previous cell, or a state of the automaton that prunes duplicate operators."""


@dataclass(frozen=True, slots=True)
class BoundForecast:
    """The forecast of the nodes generated in one bound."""

    bound: int
    nodes: float
    """For this board, sampled."""
    error: float
    """The standard error of `nodes`."""
    formula: float | None
    """For a random board, by the formula; None if the formula does not apply."""


@dataclass(frozen=True, slots=True)
class IDAStarTree:
    """The search tree of IDA*, and which of its nodes are counted."""

    task: Task
    heuristic: Heuristic
    counts_parent: bool
    """Whether the move back to the parent is generated, and then discarded."""
    visits_parent: bool
    """Whether the search moves back to the parent."""
    is_pruned: bool
    """Whether duplicate operators are pruned, as in the compiled search."""

    @property
    def space(self) -> Space:
        """The states of the search."""
        return Space(self.task.puzzle, self.task.start)

    def sampled(
        self, bound: int, probes: int = PROBES, seed: int = 1
    ) -> Callable[[int], tuple[float, float]]:
        """Return the function from each bound up to `bound` to its nodes and standard error."""
        rng = stream("forecast", seed, 1, self.task.puzzle.grid)
        done: list[dict[int, float]] = []
        work = 0
        while len(done) < probes and (len(done) < _FEWEST_PROBES or work < _MOST_WORK):
            generated, evaluated = self._probe(bound, rng)
            done.append(generated)
            work += evaluated

        def nodes(wanted: int) -> tuple[float, float]:
            totals = [sum(count for f, count in probe.items() if f <= wanted) for probe in done]
            return fmean(totals), stdev(totals) / sqrt(len(totals))

        return nodes

    def _probe(self, bound: int, rng: Random) -> tuple[dict[int, float], int]:
        """Return the nodes generated by the highest f of their parents, and the nodes evaluated."""
        space, choices = self.space, self._choices()
        evaluator, slide = evaluator_for(self.heuristic, space), space.slider()
        first = evaluator.value(space.start)
        level: dict[tuple[int, int, int], tuple[State, int, float]] = {
            (space.start.index(0), first, first): (space.start, -1, 1.0)
        }
        generated: defaultdict[int, float] = defaultdict(float)
        depth = evaluated = 0
        while level:
            depth += 1
            below: dict[tuple[int, int, int], tuple[State, int, float]] = {}
            for (blank, value, highest), (state, pruning, weight) in level.items():
                steps = choices(blank, pruning)
                generated[highest] += weight * (len(steps) + (self.counts_parent and depth > 1))
                evaluated += len(steps)
                for cell, next_pruning in steps:
                    child = slide(state, blank, cell)
                    estimate = evaluator.step(value, child, state[cell], cell, blank)
                    f = max(highest, depth + estimate)
                    if f > bound:
                        continue
                    kind = (cell, estimate, f)
                    if kind in below:
                        other, its_pruning, so_far = below[kind]
                        total = so_far + weight
                        if rng.random() * total < weight:
                            other, its_pruning = child, next_pruning
                        below[kind] = (other, its_pruning, total)
                    else:
                        below[kind] = (child, next_pruning, weight)
            level = below
        return generated, evaluated

    def _choices(self) -> _Choices:
        """Return the cells to which the blank moves, by its cell and the pruning state."""
        grid = self.task.puzzle.grid
        if not self.is_pruned:
            return lambda blank, previous: [
                (cell, blank)
                for cell in grid.neighbours(blank)
                if self.visits_parent or cell != previous
            ]
        recipe = AutomatonRecipe(grid.rows, grid.columns)
        automaton = recipe.automaton(TableStore().get(recipe))
        steps = normal_of(self.task).shape.steps

        @cache
        def pruned(blank: int, state: int) -> list[tuple[int, int]]:
            state = max(0, state)
            return [
                (cell, automaton.follow[state][direction])
                for direction, cell in steps[blank]
                if automaton.allowed[state] >> direction & 1
            ]

        return pruned

    def by_formula(self, bound: int) -> float | None:
        """Return the nodes of a bound for a random board with its blank in the same cell.

        None for puzzles that are not classic, and if duplicate operators are pruned.
        """
        puzzle, grid = self.task.puzzle, self.task.puzzle.grid
        if self.is_pruned or self.visits_parent:
            return None
        try:
            estimates = _distribution(self.heuristic, puzzle)
        except UnsuitableError:
            return None
        ways = islice(blank_ways(grid, self.space.start.index(0)), bound + 1)
        total = 0.0
        for depth, arrived in enumerate(ways):
            for cell, count in enumerate(arrived):
                successors = len(grid.neighbours(cell)) - (depth > 0 and not self.counts_parent)
                share = min(1.0, estimates[cell](bound - depth))
                total += count * share * successors
        return total


def _shares(weights: dict[int, float]) -> Callable[[int], float]:
    """Return the cumulative distribution of estimates."""
    values = sorted(weights)
    sums = list(accumulate((weights[value] for value in values), initial=0.0))
    return lambda value: sums[bisect_right(values, value)]


_distributions: dict[tuple[str, Puzzle], list[Callable[[int], float]]] = {}
"""A cache, by the text of the heuristic."""


def _distribution(heuristic: Heuristic, puzzle: Puzzle) -> list[Callable[[int], float]]:
    """Return the distribution of the estimates of random boards by the blank's cell.

    Low estimates contribute most, so the sample is weighted by importance.
    """
    if (name := (str(heuristic), puzzle)) in _distributions:
        return _distributions[name]
    size = puzzle.grid.size
    base = 1 / branching_factor(puzzle.grid)
    sample = sample_estimates(heuristic, puzzle, SAMPLE, base=base)
    weights: list[dict[int, float]] = [{} for _ in range(size)]
    for board in sample.boards:
        of_cell = weights[board.blank]
        # The blank is in each cell on the same number of boards.
        weight = board.weight * size / sample.drawn
        of_cell[board.estimate] = of_cell.get(board.estimate, 0.0) + weight
    _distributions[name] = [_shares(of_cell) for of_cell in weights]
    return _distributions[name]


def tree_of(task: Task, engine: Engine) -> IDAStarTree:
    """Return the tree that an engine searches for a task; raise UnsuitableError if it is no IDA*.

    `engine` is the result of `Engine.engine_for`.
    """
    search = task.algorithm
    if isinstance(engine, Cpu) and search is None:
        tables = engine.tables and drawn(task.puzzle.goal, engine.tables)
        return _compiled(task, Manhattan() if tables is None else Patterns(tables))
    if not isinstance(search, IDAStar) or task.puzzle.metric is not Metric.SINGLE:
        raise UnsuitableError(
            f"forecasts support only IDA* in the single-tile metric, idastar(…) or the engine cpu, "
            f"found {search or engine}"
        )
    duplicates = search.conventions.duplicates
    if duplicates not in (Duplicates.PARENT, Duplicates.NONE):
        raise UnsuitableError(
            f"forecasts support only duplicates=parent and duplicates=none, found {search}"
        )
    visits_parent = duplicates is Duplicates.NONE
    return IDAStarTree(task, search.heuristic, not visits_parent, visits_parent, is_pruned=False)


def _compiled(task: Task, heuristic: Heuristic) -> IDAStarTree:
    """Return the tree of the engine `cpu`."""
    return IDAStarTree(task, heuristic, counts_parent=False, visits_parent=False, is_pruned=True)


def forecast(
    tree: IDAStarTree, bounds: Iterable[int], probes: int = PROBES
) -> tuple[BoundForecast, ...]:
    """Return the forecast of each bound; sampling costs as much as for the last bound alone.

    A bound with no more nodes than the one before is omitted: no f lies between them.
    """
    wanted = sorted(set(bounds))
    if not wanted:
        return ()
    nodes = tree.sampled(wanted[-1], probes)
    forecasts: list[BoundForecast] = []
    for bound in wanted:
        expected, error = nodes(bound)
        if not forecasts or expected > forecasts[-1].nodes:
            forecasts.append(BoundForecast(bound, expected, error, tree.by_formula(bound)))
    return tuple(forecasts)


def expected_nodes(task: Task, engine: str, bounds: Sequence[int]) -> float | None:
    """Return the forecast of a search that ended in the last of these bounds; None for no IDA*.

    `task` has the algorithm that ran, and `engine` is the name of the engine.
    """
    search = task.algorithm
    try:
        if engine == Cpu.name and isinstance(search, IDAStar):
            tree = _compiled(task, search.heuristic)
        else:
            tree = tree_of(task, GlassBox())
    except UnsuitableError:
        return None
    return whole_search(forecast(tree, bounds)) if bounds else None


def whole_search(bounds: Sequence[BoundForecast]) -> float:
    """Return the nodes of a search that finds a solution in the last of these bounds."""
    *completed, last = (bound.nodes for bound in bounds)
    return sum(completed) + LAST_SHARE * last

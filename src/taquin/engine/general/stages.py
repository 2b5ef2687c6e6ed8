"""Which search suits a puzzle, and which follows when the board proves hard.

    at first   few tiles         an exact table
               few boards        breadth first from both ends
               any other         iterative deepening on small tables

    then       less than some tens of millions of entries or boards: the same two
               corridors, rings  breadth first while there is memory: there are few boards, and
                                 deepening meets each of them again and again
               any other         iterative deepening on large tables

A bound stays proven, so the next search continues at the same bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from math import factorial, prod

from taquin.engine.deepening import Searcher
from taquin.engine.general.breadth import BYTES_A_BOARD, Boards, Breadth
from taquin.engine.general.estimates import EXACT, LARGE, SMALL, exact_plan, exact_size, plan_of
from taquin.engine.general.filling import Tick
from taquin.engine.general.form import FREE, GeneralForm, Tiles, ways_on
from taquin.engine.general.plans import WalkPlan
from taquin.engine.general.team import Team, Walker
from taquin.tables.shape import Cells

_HARD = 5_000_000
"""Nodes of a bound after which the next search takes over: the next bound would take longer than
filling large tables."""
_EXACT_AT_LAST = 1 << 26
"""Most entries of an exact table for a hard board: it takes some seconds to fill."""
_FEW_BOARDS, _MANY_BOARDS = 50_000, 20_000_000
"""Most boards of a space to search breadth first: at first, and when a board proves hard."""
_MOST_BOARDS = 50_000_000
"""Most boards to keep, whatever the memory: about half a minute."""
_NARROW = 1.5
"""Average number of ways on from a cell below which deepening is hopeless; 2.1 on an open 4×4."""
_MOST_GOALS = 10_000
"""Most solved boards from which a search may begin."""


class Stages:
    """The searches of one board, one after the other: a `Searcher` for `Deepening`."""

    def __init__(
        self,
        form: GeneralForm,
        start: Tiles,
        *,
        threads: int,
        memory: int,
        tick: Tick,
        hard: int = _HARD,
    ) -> None:
        self._form, self._start, self._threads = form, start, threads
        self._memory, self._tick, self._hard = memory, tick, hard
        self._left = self._searches()
        self._searcher: Searcher = next(self._left)

    @property
    def nodes(self) -> int:
        """Nodes generated in the present bound, by all searches of it."""
        return self._before + self._searcher.nodes

    _before = 0

    def search(self, bound: int, keep_going: Callable[[], bool], most: float) -> Cells | None:
        """Return a solution within `bound`, () for none; None when the search was ended early."""
        blank = self._start.index(0)
        if is_solved(self._form, self._start):
            return self._form.on_grid((blank,))
        was_hard = self.nodes >= self._hard
        self._before = 0
        if was_hard:
            self._searcher = next(self._left, self._searcher)
        while True:
            try:
                path = self._searcher.search(bound, keep_going, most - self._before)
                return path and self._form.on_grid(path)
            except MemoryError:
                after = next(self._left, None)
                if after is None:
                    raise
                self._before += self._searcher.nodes
                self._searcher = after

    def after(self, bound: int) -> int:
        """Return the bound to search next."""
        if isinstance(self._searcher, Team):
            return bound + max(self._form.rise, self._searcher.tally.excess)
        return bound + self._form.rise

    def _searches(self) -> Iterator[Searcher]:
        form, boards = self._form, how_many(self._form)
        entries = min(LARGE, self._memory // 16)
        if exact_size(form) <= min(EXACT, entries):
            yield self._team(exact_plan(form, self._tick, self._threads))
            return
        if boards <= _FEW_BOARDS:
            yield self._breadth(_FEW_BOARDS)
            return
        yield self._team(plan_of(form, SMALL, self._tick, self._threads))
        if exact_size(form) <= min(_EXACT_AT_LAST, self._memory // 16):
            yield self._team(exact_plan(form, self._tick, self._threads))
            return
        kept = min(_MOST_BOARDS, self._memory // BYTES_A_BOARD)
        if (boards <= min(_MANY_BOARDS, kept) or is_narrow(form)) and solved_boards(form):
            yield self._breadth(kept)
        yield self._team(plan_of(form, entries, self._tick, self._threads))

    def _team(self, plan: WalkPlan) -> Team:
        return Team(plan, self._start, self._threads)

    def _breadth(self, most: int) -> Breadth:
        form = self._form
        values = max(form.groups) + 1
        boards = Boards(ways_on(form), form.size, values, most)
        start = [form.groups[tile] for tile in self._start]
        return Breadth(boards, start, solved_boards(form))


def best_walker(
    form: GeneralForm, start: Tiles, length: int, *, threads: int, memory: int, tick: Tick
) -> Walker:
    """Return a walk over all shortest solutions; they have `length` moves."""
    if exact_size(form) <= min(_EXACT_AT_LAST, memory // 16):
        return Walker(exact_plan(form, tick, threads), start, length)
    return Walker(plan_of(form, min(LARGE, memory // 16), tick, threads), start, length)


def is_solved(form: GeneralForm, board: Tiles) -> bool:
    """Return whether a board is solved."""
    return all(
        wanted in (FREE, form.groups[tile]) for wanted, tile in zip(form.wanted, board, strict=True)
    )


def how_many(form: GeneralForm) -> int:
    """Return the number of arrangements of the tiles, reachable or not."""
    counts = Counter(form.groups)
    counts[form.groups[-1]] += max(0, form.frees - 1)
    return factorial(form.size) // prod(map(factorial, counts.values()))


def is_narrow(form: GeneralForm) -> bool:
    """Return whether the blank has little choice, as in corridors and rings."""
    ways = Counter(cell for cell, _ in ways_on(form).edges)
    choices = sum(count * (count - 1) for count in ways.values())
    return choices <= _NARROW * ways.total()


def solved_boards(form: GeneralForm) -> list[tuple[int, ...]]:
    """Return all solved boards with groups for tiles; an empty list if there are too many."""
    left = Counter(form.groups)
    left[form.groups[-1]] += max(0, form.frees - 1)
    left -= Counter(group for group in form.wanted if group != FREE)
    ways = factorial(left.total()) // prod(map(factorial, left.values()))
    if ways > _MOST_GOALS:
        return []
    boards: list[tuple[int, ...]] = []

    def fill(cells: list[int], free: list[int]) -> None:
        if not free:
            boards.append(tuple(cells))
            return
        for group in sorted(+left):
            left[group] -= 1
            cells[free[0]] = group
            fill(cells, free[1:])
            left[group] += 1

    fill(list(form.wanted), [cell for cell, group in enumerate(form.wanted) if group == FREE])
    return boards

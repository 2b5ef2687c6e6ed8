"""A better lower bound where a shortest solution is out of reach: IDA* as a proof.

    bound 146   the estimate of the start (Manhattan distance and linear conflicts), searched to its
                end without a solution: every solution has 148 moves or more
    bound 148   searched to its end …

Each bound takes about sixteen times as long as the one before, so a second goes nearly as far as
anything can go: 10 to 16 moves on 6×6. The search from the goal to the start is as good a proof as
that from the start to the goal, and often takes a tenth of the nodes, because a blank in a corner
has few moves. Each bound is searched in the direction that is expected to take fewer.

Duplicate-operator pruning (`cpu/automaton.py`) would save a quarter of the nodes, and raise the
bound by 0.2 moves on average: this search does without.

*Slack* is half of what the bound leaves: (bound - depth - estimate) / 2. A step reduces it by one
or not at all, because the lengths of all solutions have the same parity.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import NamedTuple

from taquin.engine.anytime.puzzle_arrays import (
    Moves,
    Neighbours,
    PuzzleArrays,
    blank_of,
    reversed_moves,
    turned_round,
)
from taquin.heuristics.linear_conflict import steps_aside
from taquin.system.arrays import Array, Matrix, array, int32, matrix, zeros
from taquin.system.compiled import Compiled

_FEW = 100_000
"""Nodes of a bound up to which both directions are searched: 5 ms."""
_SLICE = 1 << 16
"""Nodes between two checks of the clock: 3 ms."""
_DISTANCE, _LAST = 2, 3
"""Places in a row of `Prove.path`."""
_NO_MOVE = 9


class GridLines(NamedTuple):
    """The grid by its lines: rows, then columns."""

    of_cells: Matrix[int32]
    """For each cell its row and its column; behind them the blank's name, which is in no line."""
    facts: Matrix[int32]
    """Of each line its first cell, from each cell to the next, and how many there are."""
    scratch: Matrix[int32]
    """Memory for the tiles of one line."""


class Prove(NamedTuple):
    """A part of a search; the result is the number of nodes."""

    board: Array[int32]
    path: Matrix[int32]
    """For each depth the blank, slack and Manhattan distance, the last direction of the blank, and
    the next one to try."""
    lines: GridLines
    near: Neighbours
    depth: int
    """The depth before and after; -1 when the tree is exhausted."""
    budget: int


_prove = Compiled("prove", Prove)


class _Tree:
    """Iterative deepening from the start of a classic puzzle."""

    def __init__(self, puzzle: PuzzleArrays) -> None:
        rows, columns, size = puzzle.rows, puzzle.columns, puzzle.size
        cells = [(cell // columns, rows + cell % columns) for cell in range(size)]
        facts = [(row * columns, 1, columns) for row in range(rows)]
        facts += [(column, columns, rows) for column in range(columns)]
        scratch = zeros((2, max(rows, columns)), int32)
        self._lines = GridLines(matrix([*cells, (-1, -1)], int32), matrix(facts, int32), scratch)
        self._near = puzzle.near
        homes: list[int] = [puzzle.homes[number] for number in puzzle.start]
        pairs = [(cells[cell], cells[home]) for cell, home in enumerate(homes)]
        self._blank = blank_of(puzzle.start)
        del pairs[self._blank]
        self._distance = sum(abs(one[0] - two[0]) + abs(one[1] - two[1]) for one, two in pairs)
        homes[self._blank] = size
        self._start = array(homes, int32)
        aside = 0
        for number, (first, step, count) in enumerate(facts):
            line = [homes[cell] for cell in range(first, first + step * count, step)]
            axis = number >= rows
            aside += steps_aside([n for n in line if n < size and cells[n][axis] == number])
        self.estimate = self._distance + 2 * aside
        """Manhattan distance and linear conflicts of the start."""
        self.bound, self.nodes = self.estimate - 2, 1
        """The current or last bound, and its nodes so far."""

    def begin(self, bound: int) -> None:
        """Begin the tree of a bound."""
        self.bound, self.nodes = bound, 0
        board, self._path = array(self._start.items, int32), zeros((bound + 2, 5), int32)
        slack = (bound - self.estimate) // 2
        self._path[0] = self._blank, slack, self._distance, _NO_MOVE, 0
        self._call = _prove.given(Prove(board, self._path, self._lines, self._near, 0, 0))

    def search(self, budget: int) -> Moves | None:
        """Search on for some nodes; return a solution, b"" at the end of the bound, else None."""
        self._call.put("budget", budget)
        self.nodes += self._call()
        depth = self._call.get("depth")
        if depth >= 0 and self._path[depth, _DISTANCE] > 0:
            return None
        return bytes([self._path[step, _LAST] for step in range(1, depth + 1)])

    def expected(self, bound: int) -> int:
        """Return the expected nodes of a bound: 16 times the nodes of the bound before it."""
        return self.nodes << 2 * (bound - self.bound)


class Proof:
    """A lower bound of a classic puzzle that rises by 2 with each bound that has no solution."""

    def __init__(self, puzzle: PuzzleArrays) -> None:
        self._trees = (_Tree(puzzle), _Tree(turned_round(puzzle)))
        self._tree: _Tree | None = None
        """The tree that is being searched."""
        self.bound: int = self._trees[0].estimate
        """The proven lower bound on every solution."""
        self.solution: Moves | None = None
        """A shortest solution, once found."""
        self.nodes = 0
        """Nodes generated so far."""
        self._expected = 0

    @property
    def expected(self) -> float:
        """The expected number of remaining nodes of the bound; 0 after a solution."""
        if self.solution is not None:
            return inf
        if self._tree is None:
            tree, bound = self._choice()
            return tree.expected(bound)
        # A bound that exceeds its expectation may double it.
        return max(self._expected - self._tree.nodes, self._tree.nodes)

    def search(self, most: float, keep_going: Callable[[], bool]) -> None:
        """Search the present bound for `most` nodes, to its end, or until it should not go on."""
        if self._tree is None:
            self._tree, bound = self._choice()
            self._expected = self._tree.expected(bound)
            self._tree.begin(bound)
        tree, before = self._tree, self.nodes - self._tree.nodes
        most += tree.nodes
        moves = None
        while moves is None and tree.nodes < most and keep_going():
            moves = tree.search(_SLICE)
            self.nodes = before + tree.nodes
        if moves:
            self.solution = moves if tree is self._trees[0] else reversed_moves(moves)
        elif moves is not None:
            self._tree = None
            self.bound = max(self.bound, tree.bound + 2)

    def _choice(self) -> tuple[_Tree, int]:
        """Return the direction and the bound to search next.

        Both are tried as long as that takes next to nothing: few nodes say little about more.
        """
        for tree in self._trees:
            if tree.nodes < _FEW:
                return tree, tree.bound + 2
        return min(self._trees, key=lambda tree: tree.expected(self.bound)), self.bound

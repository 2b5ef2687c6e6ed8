"""The packed states of one puzzle from one start, which the glass-box searches visit.

    1 2 3        labels   (0, 1, 2, 3, A)   an id is an index into it; the blank is id 0
    A _ A        state    bytes 1 2 3 4 0 4  one id per cell

A state is `bytes` for up to 256 different labels and a tuple of ints beyond that. Both index,
slice, compare and hash alike, so searches need not distinguish them. Sliding a tile whose label is
unique is `bytes.translate` with a table that swaps two ids: the fastest swap in pure Python.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from math import factorial, lgamma, log, prod

from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.model.grid import Grid
from taquin.model.moves import ANY, BLANK, KORF_ORDER, WALL, Direction, Label, Move, label_order
from taquin.model.puzzle import Puzzle
from taquin.reasons import reason

State = bytes | tuple[int, ...]
"""One id per cell."""
Step = tuple[State, int, int, int]
"""A successor, and the last tile that slid: its id, its origin and its target."""
ANY_ID = -1
"""In `Space.goal_ids`, a cell that may hold any tile."""


@lru_cache(maxsize=8)
def _rays(
    grid: Grid, directions: tuple[Direction, ...], most: int | None, bumps: bool
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return, by the blank's cell and direction, the cells whose tiles can slide there."""
    ways = [direction.opposite for direction in directions]
    return tuple(
        tuple(filter(None, (_ray(grid, blank, way, most, bumps) for way in ways)))
        if blank not in grid.walls
        else ()
        for blank in range(grid.size)
    )


def _ray(grid: Grid, blank: int, way: Direction, most: int | None, bumps: bool) -> tuple[int, ...]:
    """Return at most `most` cells that the blank can go through, a wall at their end if bumped."""
    ray = grid.ray(blank, way, most)
    return Grid(grid.rows, grid.columns).ray(blank, way, most)[: len(ray) + 1] if bumps else ray


class Space:
    """The states of a puzzle from one start, packed for searching.

    `directions` is the order in which successors are generated. With `bumps`, a step of the blank
    into a wall is generated too, as a state with the blank on the wall (see `is_blocked`), which
    has no successors.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        start: Board,
        directions: Sequence[Direction] = KORF_ORDER,
        bumps: bool = False,
    ) -> None:
        puzzle.check(start)
        self.puzzle = puzzle
        self.directions = tuple(directions)
        self.bumps = bumps
        counts = start.labels
        # The blank has id 0, and the ids of a classic board are its numbers.
        self.labels: tuple[Label, ...] = tuple(sorted(counts, key=label_order))
        self._slides: dict[tuple[int, int], tuple[Direction, tuple[int, ...]]] = {}
        """The cells of the blank before and after a move → its direction and the tiles' cells."""
        self._ids = {label: number for number, label in enumerate(self.labels)}
        self.goal_ids: tuple[int, ...] = tuple(
            ANY_ID if label == ANY else self._ids[label] for label in puzzle.goal.cells
        )
        self.goal_state = None if ANY_ID in self.goal_ids else self.pack(self.goal_ids)
        """The only solved state; None if ANY cells allow several."""
        self._swaps: tuple[bytes | None, ...] = tuple(
            bytes.maketrans(bytes((0, number)), bytes((number, 0)))
            if counts[label] == 1 and len(self.labels) <= 256
            else None
            for number, label in enumerate(self.labels)
        )
        self.start: State = self.encode(start)

    @cached_property
    def rays(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each cell of the blank and each direction, the cells whose tiles can slide there.

        Computed on demand: on 100×100 they take longer than an estimate, which does not need them.
        """
        # In the single metric, complete rays would be slow on a large board.
        puzzle = self.puzzle
        return _rays(puzzle.grid, self.directions, puzzle.metric.longest, self.bumps)

    def pack(self, ids: Sequence[int]) -> State:
        """Return the state of one id per cell."""
        return bytes(ids) if len(self.labels) <= 256 else tuple(ids)

    @property
    def longest_slide(self) -> int:
        """The most tiles that one move can slide."""
        return max((len(ray) for rays in self.rays for ray in rays), default=1)

    @property
    def branching(self) -> int:
        """The most successors of any state."""
        return max(1, max(sum(map(len, rays)) for rays in self.rays))

    def encode(self, board: Board) -> State:
        """Return the state of a board with the tiles of the start."""
        return self.pack([self._ids[label] for label in board.cells])

    def decode(self, state: State) -> Board:
        """Return the board of a state; with the blank on a wall, the board before that step."""
        cells = [self.labels[number] for number in state]
        if self.bumps and self.is_blocked(state):
            wall = state.index(0)
            origin = next(cell for cell in self.puzzle.grid.open_cells if cells[cell] == WALL)
            cells[origin], cells[wall] = BLANK, WALL
        return Board.trusted(self.puzzle.grid, tuple(cells))

    def slider(self) -> Callable[[State, int, int], State]:
        """Return the function (state, blank cell, tile cell) → state with the two swapped."""
        swaps = self._swaps
        repeated = [label for label, table in zip(self.labels, swaps, strict=True) if table is None]
        if repeated in ([], [WALL]) and not self.bumps:

            def slide(state: State, blank: int, cell: int) -> State:
                return state.translate(swaps[state[cell]])  # type: ignore[union-attr]

            return slide
        return swap

    def goal_test(self) -> Callable[[State], bool]:
        """Return the function that decides whether a state is solved."""
        if self.goal_state is not None:
            return self.goal_state.__eq__
        wanted = [(cell, number) for cell, number in enumerate(self.goal_ids) if number != ANY_ID]

        def is_goal(state: State) -> bool:
            return all(state[cell] == number for cell, number in wanted)

        return is_goal

    def stepper(self) -> Callable[[State], Iterator[Step]]:
        """Return the function that yields the successors of a state."""
        rays, slide = self.rays, self.slider()

        def steps(state: State) -> Iterator[Step]:
            start_blank = state.index(0)
            for ray in rays[start_blank]:
                child, blank = state, start_blank
                for cell in ray:
                    tile = child[cell]
                    child = slide(child, blank, cell)
                    yield child, tile, cell, blank
                    blank = cell

        return steps

    def successors(self, state: State) -> list[State]:
        """Return the successors of a state, in the order of `directions`."""
        return [child for child, _, _, _ in self.stepper()(state)]

    def is_blocked(self, state: State) -> bool:
        """Return whether the blank is on a wall, which only happens with `bumps`."""
        return state.index(0) in self.puzzle.grid.walls

    def move_between(self, state: State, child: State) -> Move:
        """Return the move from `state` to `child`; in a step into a wall, `#` moves."""
        blank, target = state.index(0), child.index(0)
        if (blank, target) not in self._slides:
            grid, most = self.puzzle.grid, self.puzzle.metric.longest
            rays = {
                direction: _ray(grid, blank, direction.opposite, most, self.bumps)
                for direction in Direction
            }
            way = next((direction for direction, ray in rays.items() if target in ray), None)
            if way is None:
                raise ValueError("no move leads from one state to the other")
            self._slides[blank, target] = way, rays[way][: rays[way].index(target) + 1]
        direction, cells = self._slides[blank, target]
        return Move(tuple(self.labels[state[cell]] for cell in cells), direction)


def swap(state: State, blank: int, cell: int) -> State:
    """Return `state` with two cells exchanged; labels may repeat."""
    low, high = (blank, cell) if blank < cell else (cell, blank)
    first, second = state[low : low + 1], state[high : high + 1]
    # bytes and tuples slice and join alike, but their types cannot be mixed statically.
    return state[:low] + second + state[low + 1 : high] + first + state[high + 1 :]  # type: ignore[operator]


_STATES_PER_TICK = 4096
MOST_GOAL_STATES = 100_000
"""The maximum number of listed goal states: with more, a search from the goal is hopeless."""


def goal_states(space: Space, most: int = MOST_GOAL_STATES) -> list[State]:
    """Return the states that meet the goal of `space`: one if the goal names every cell.

    Raise UnsuitableError if ANY cells allow more than `most` of them.
    """
    rest = left_over(space)
    count = arrangements(rest)
    if count > most:
        raise UnsuitableError(reason("goal-open", count=count))
    free = [cell for cell, number in enumerate(space.goal_ids) if number == ANY_ID]
    return [space.pack(cells) for cells in fillings(list(space.goal_ids), free, rest)]


def levels_from_goal(
    space: Space, tick: Callable[[], None] = lambda: None
) -> Iterator[list[State]]:
    """Yield the lists of states at distance 0, 1, 2 … from the goal.

    `tick` is called every few milliseconds and may raise. Raise UnsuitableError if ANY cells allow
    more than MOST_GOAL_STATES goal states.
    """
    slide, rays = space.slider(), space.rays
    level = goal_states(space)
    seen = set(level)
    while level:
        yield level
        next_level: list[State] = []
        for first in range(0, len(level), _STATES_PER_TICK):
            tick()
            for state in level[first : first + _STATES_PER_TICK]:
                # `Space.stepper` inlined, which saves a third of the time.
                start_blank = state.index(0)
                for ray in rays[start_blank]:
                    child, blank = state, start_blank
                    for cell in ray:
                        child, blank = slide(child, blank, cell), cell
                        if child not in seen:
                            seen.add(child)
                            next_level.append(child)
        level = next_level


def left_over(space: Space) -> Counter[int]:
    """Return the ids, the blank's included, to which the goal assigns no cell."""
    return Counter(space.start) - Counter(space.goal_ids)


def arrangements(tiles: Counter[int] | Counter[Label]) -> int:
    """Return the number of different sequences of `tiles`."""
    return factorial(tiles.total()) // prod(map(factorial, tiles.values()))


_ENORMOUS = 10**400
"""Stands for all larger numbers, which are slow to compute."""


def fewest_boards(puzzle: Puzzle, start: Board) -> int:
    """Return a lower bound on the number of reachable boards, without listing any."""
    grid = puzzle.grid
    tiles = Counter(start.labels)
    tiles.pop(WALL, None)
    solved = _fewest_arrangements(tiles - Counter(puzzle.goal.fixed.values()))
    if grid.walls or min(grid.rows, grid.columns) == 1:
        return solved
    # Moves reach half of all arrangements or, if two tiles are alike, all of them.
    return max(solved, _fewest_arrangements(tiles) // 2)


def _fewest_arrangements(tiles: Counter[Label]) -> int:
    """Return the number of different sequences of `tiles`, or `_ENORMOUS` if there are more."""
    # Use logarithms: the factorial of a million takes minutes.
    size = lgamma(tiles.total() + 1) - sum(lgamma(count + 1) for count in tiles.values())
    is_enormous = tiles.total() > 10_000 and size > log(_ENORMOUS)
    return _ENORMOUS if is_enormous else arrangements(tiles)


def fillings(cells: list[int], free: list[int], rest: Counter[int]) -> Iterator[list[int]]:
    """Yield `cells` with every arrangement of `rest` in its free cells, always the same list."""
    if not free:
        yield cells
        return
    for number in sorted(rest):
        if rest[number]:
            rest[number] -= 1
            cells[free[0]] = number
            yield from fillings(cells, free[1:], rest)
            rest[number] += 1

"""Searches in user code: a function of a board, or a class with the members of `Algorithm`.

    def my_search(board):
        board.is_goal()          whether it is solved; board.goal is the goal
        board.moves()            counted as one board expanded
        board.apply(move)        counted as one board generated
        return …                 the solution, in any form

The function gets a `SearchBoard`, or, if its parameter is named `problem`, a `Problem` as course
libraries have it; a second parameter `goal` is the goal as a board. Limits and Ctrl-C take effect
in its counted calls, and its solution is replayed. A function that yields boards as it expands them
is watched while it runs, any other once it has ended. Heuristics and options follow the board:
`my_search(board, h, depth=9)`.

Solutions are read in any common form:

    moves       "LURD", ["up", "left"], ["Move 0 up"], [8, 6, 3], ["8", "6", "3"], Moves, (-1, 0),
                of the tile or of the blank
    positions   boards, tuples, nested lists, arrays, texts: "813402765", "8-1-3 4-e-2 7-6-5"
    nodes       with `state` and `parent`, the last one or all of them, as in course libraries
    and         (solution, cost), (cost, solution): numbers beside the solution are ignored

Positions may begin with the start or with the first one after it. The boards of the solution are
found by replaying it, so a wrong one is never accepted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from math import inf
from numbers import Number
from operator import itemgetter
from time import perf_counter
from typing import Any, ClassVar, Self

from taquin.errors import IllegalMoveError, NotationError, UnsuitableError, UserCodeError
from taquin.heuristics.base import Heuristic, evaluator_for, is_foreign
from taquin.heuristics.per_tile import Manhattan
from taquin.heuristics.user_code import (
    Claims,
    UserCode,
    as_function,
    goal_board,
    how_to_claim,
    parameters_of,
    refuse_async,
    takes_goal,
)
from taquin.model.board import Board, BoardLike, MoveLike
from taquin.model.moves import ANY, BLANK, Direction, Label, Metric, Move
from taquin.model.puzzle import Goal, Puzzle, named_goal
from taquin.model.space import Space
from taquin.notation.moves import read_moves
from taquin.search import events as on
from taquin.search.control import Ended
from taquin.search.events import Entry, Event, Fate
from taquin.search.result import Count, Counters
from taquin.search.run import NODE_LIMIT, STANDARD, Algorithm, Exhausted, Found, Loop, SearchRun
from taquin.system.formatting import counted, safe_repr

_TICK_SECONDS = 0.02
_STRIDE = 16
"""Boards generated between two checks of the clock."""
_COUNTS = ("expanded", "generated", "max_depth")


class SearchBoard(Board):
    """The board of a search in user code: it has the goal, and counts its moves.

    The boards of one search have a class of their own, with their grid and their recorder.
    """

    __slots__ = ("blank", "depth", "entry", "parent")

    blank: int
    """The cell of the blank."""
    depth: int
    """Moves from the start."""
    parent: SearchBoard | None
    """The board that it was generated from; None for the start."""
    entry: Entry
    """Its node in the tree of a watched search; unset in any other."""
    _recorder: ClassVar[_Recorder]

    # Filling instances of a frozen class takes four times as long. Python calls its own function
    # for both methods unless both are those of `object`.
    __setattr__, __delattr__ = object.__setattr__, object.__delattr__

    @classmethod
    def without_parent(cls, cells: tuple[Label, ...]) -> SearchBoard:
        """Return a board with these cells, without parent, at depth 0."""
        board = _new(cls)
        board.cells, board.blank = cells, cells.index(BLANK)  # type: ignore[misc]
        board.parent, board.depth = None, 0
        return board

    @property
    def goal(self) -> Goal:
        """The goal of the search."""
        return self._recorder.goal

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle of the search."""
        return self._recorder.puzzle

    def is_goal(self) -> bool:
        """Return whether the board is solved."""
        recorder = self._recorder
        return self.cells == recorder.goal_cells or (
            recorder.has_any and recorder.goal.is_met(self)
        )

    def moves(self, metric: Metric | str | None = None) -> tuple[Move, ...]:
        """Return the legal moves, and count one board expanded."""
        recorder = self._recorder
        recorder.expand(self)
        if metric is None and recorder.is_single:
            cells = self.cells
            return tuple([moves[cells[cell]] for cell, moves in recorder.around[self.blank]])
        return Board.moves(self, metric or recorder.puzzle.metric)

    def apply(self, move: MoveLike) -> SearchBoard:
        """Return the board after a move, or several, and count each board generated."""
        if type(move) is Move:
            # A fast path, ten times as fast as the code below.
            recorder, tiles, cells = self._recorder, move.tiles, self.cells
            step = recorder.steps[self.blank].get(move.direction)
            if step and len(tiles) == 1 and cells[step[0]] == tiles[0]:
                counters = recorder.counters
                if counters.generated >= recorder.next_check:
                    recorder.check_generated()
                counters.generated += 1
                board = _new(type(self))
                board.blank, board.cells = step[0], step[1](cells)  # type: ignore[misc]
                board.parent, board.depth = self, self.depth + 1
                if recorder.is_watched:
                    recorder.generate(board)
                return board
        after: Any = Board.apply(self, move)
        return after  # type: ignore[no-any-return]

    def slide(self, direction: Direction | str, count: int = 1) -> SearchBoard:
        """Return the board after a slide, and count one board generated."""
        recorder = self._recorder
        board = self.without_parent(Board.slide(self, direction, count).cells)
        recorder.check_generated()
        recorder.counters.generated += 1
        board.parent, board.depth = self, self.depth + 1
        if recorder.is_watched:
            recorder.generate(board)
        return board

    def __eq__(self, other: object) -> bool:
        if type(other) is type(self):
            return self.cells == other.cells
        return isinstance(other, Board) and (self.cells, self.grid) == (other.cells, other.grid)

    __hash__ = Board.__hash__

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


_new = object.__new__


class _Moves(dict[Label, Move]):
    """The moves of every tile in one direction, created on first use."""

    def __init__(self, direction: Direction) -> None:
        self.direction = direction

    def __missing__(self, tile: Label) -> Move:
        move = self[tile] = Move((tile,), self.direction)
        return move


def _swap(first: int, second: int, size: int) -> Callable[[Sequence[Label]], tuple[Label, ...]]:
    """Return a function that exchanges two cells."""
    order = [*range(size)]
    order[first], order[second] = second, first
    return itemgetter(*order)


class _Recorder:
    """Count the steps of a search in user code, check its limits, and keep its events."""

    def __init__(self, run: SearchRun) -> None:
        self.run, self.puzzle = run, run.space.puzzle
        self.counters, self.goal = run.counters, self.puzzle.goal
        self.goal_cells, self.has_any = self.goal.cells, ANY in self.goal.cells
        self.is_single = self.puzzle.metric is Metric.SINGLE
        self.is_watched = bool(run.watch)
        self.events: list[Event] = []
        self.is_node_limit = False
        grid, ways = self.goal.grid, [_Moves(direction) for direction in Direction]
        self.around = [
            [(ray[0], way) for way in ways if (ray := grid.ray(cell, way.direction.opposite, 1))]
            for cell in range(grid.size)
        ]
        """For each cell of the blank: the cells beside it, with the moves of the tiles there."""
        self.steps = [
            {way.direction: (cell, _swap(blank, cell, grid.size)) for cell, way in around}
            for blank, around in enumerate(self.around)
        ]
        """The same cells by the direction of their tiles, with the functions that move them."""
        self._max_expanded, self._max_generated, *_ = run.node_limits
        self.next_check = 0.0
        """The number of boards generated at which limits are checked next."""
        self._next_tick = 0.0
        self._size, self._takes_tuples = grid.size, False
        """The cells of a position; whether the search has yielded a tuple of them before."""
        self._moved: Any = None
        """The board whose moves the search asked for last, unless it has yielded it since."""
        self._yielded: Any = None
        """The board that it yielded last, unless it has asked for its moves since."""
        self._entries: dict[tuple[Label, ...], Entry] = {}
        shared = {"__slots__": (), "grid": grid, "_recorder": self}
        kind: type[SearchBoard] = type("SearchBoard", (SearchBoard,), shared)
        self.start = kind.without_parent(run.space.decode(run.space.start).cells)
        if run.watch:
            self.events.append(on.Started(self._node(self.start)))

    def expand(self, board: Board) -> None:
        """Count an expansion by a call of `moves()`, unless the board was just yielded."""
        if board.cells == self._yielded:
            self._yielded = None
            return
        self._moved = board.cells
        self._count_expanded(board)

    def _count_expanded(self, board: Board | None) -> None:
        """Count an expansion of a board, or of a position that is none."""
        counters = self.counters
        self._check(counters.expanded >= self._max_expanded)
        if self.is_watched and board is not None:
            frontier = max(0, len(self._entries) - counters.expanded - 1)
            self.events.append(on.Expanded(self._node(board), frontier, counters.expanded))
        counters.expanded += 1
        if (depth := getattr(board, "depth", 0)) > counters.max_depth:
            counters.max_depth = depth

    def expand_yielded(self, position: object) -> None:
        """Count an expansion of a position that the search yields, unless it got its moves."""
        is_tuple = isinstance(position, tuple) and len(position) == self._size
        board, cells = None, position
        # Reading a position takes ten times as long as counting it, so only the first is checked.
        if not (is_tuple and self._takes_tuples) or self.is_watched:
            board = read_position(position, self.start)
            if board is None:
                raise UnsuitableError(
                    f"a search must yield the positions that it expands, found "
                    f"{safe_repr(position)}"
                )
            if not isinstance(board, SearchBoard):
                self.puzzle.check(board)
            self._takes_tuples, cells = is_tuple, board.cells
        if cells == self._moved:
            self._moved = None
        else:
            self._count_expanded(board)
            self._yielded = cells

    def check_generated(self) -> None:
        """Raise Ended if a limit is reached."""
        self._check(self.counters.generated >= self._max_generated)

    def generate(self, board: SearchBoard) -> None:
        """Keep the event of a board generated."""
        fate = Fate.DUPLICATE if board.cells in self._entries else Fate.ENQUEUED
        self.events.append(on.Generated(self._node(board), fate))

    def _check(self, is_node_limit: bool) -> None:
        """Raise Ended if a limit is reached."""
        if is_node_limit:
            self.is_node_limit = True
            raise Ended
        self.next_check = min(self.counters.generated + _STRIDE, self._max_generated)
        if (now := perf_counter()) >= self._next_tick:
            self._next_tick = now + _TICK_SECONDS
            self.run.check()

    def _node(self, board: Board) -> on.Node:
        """Return the node of a board; one that is no SearchBoard is found by its cells."""
        watch = self.run.watch
        assert watch is not None, "only a watched search has nodes"
        entry = getattr(board, "entry", None) or self._entries.get(board.cells)
        if entry is None or (isinstance(board, SearchBoard) and not hasattr(board, "entry")):
            parent = getattr(getattr(board, "parent", None), "entry", None)
            state = self.run.space.encode(board)
            h = self.run.evaluator.value(state)
            entry = (state, parent, getattr(board, "depth", 0), h)
            self._entries.setdefault(board.cells, entry)
        if isinstance(board, SearchBoard):
            object.__setattr__(board, "entry", entry)
        return watch.node(entry, entry[2] + entry[3])

    def take_events(self) -> list[Event]:
        """Return the events since the last call."""
        events, self.events = self.events, []
        return events


@dataclass(frozen=True, slots=True)
class FunctionSearch:
    """A search by a function that takes a board and returns its solution."""

    function: Callable[..., Any]
    heuristic: Heuristic | None = None
    """The second argument of the call, as a function of a board; None for none."""
    options: tuple[tuple[str, object], ...] = ()
    """The keyword arguments of the call."""
    name: str = ""
    """The name to print; the function's own by default."""

    conventions = STANDARD
    optimal = False
    exhaustive = False
    cap = None

    def __post_init__(self) -> None:
        if not self.name:
            inner = getattr(self.function, "func", self.function)
            object.__setattr__(self, "name", getattr(inner, "__name__", "function"))

    def __str__(self) -> str:
        return self.name

    def loop(self, run: SearchRun) -> Loop:
        """Call the function and replay its solution; raise UserCodeError if it is wrong."""
        refuse_async(self.function, self.name)
        if run.nodes < inf and run.counting not in (Count.EXPANDED, Count.GENERATED):
            raise UnsuitableError(
                f"{self} is a function, whose frontier is unknown: limit the nodes expanded or "
                f"generated, not those {run.counting.value}"
            )
        run.counts = _COUNTS
        recorder = _Recorder(run)
        start: Any = recorder.start
        arguments: list[object] = [goal_board(run.space)] if takes_goal(self.function) else []
        if parameters_of(self.function)[:1] == ["problem"]:
            start = Problem(start, run.space.puzzle, self.heuristic)
        elif self.heuristic is not None:
            arguments.append(as_function(self.heuristic, run.space))
        options = {name: as_function(option, run.space) for name, option in self.options}
        try:
            answer = self.function(start, *arguments, **options)
            if isinstance(answer, Generator):
                answer = yield from _watched(answer, recorder)
        except Ended:
            yield from recorder.take_events()
            run.counts = _counters_kept(run.counters, 1)
            if recorder.is_node_limit:
                return NODE_LIMIT
            raise
        yield from recorder.take_events()
        # A plain board, so that the replay is not counted.
        start = run.space.decode(run.space.start)
        path = solution_path(answer, start, run.space.puzzle, self.name)
        run.counts = _counters_kept(run.counters, len(path) - 1)
        if len(path) - 1 > run.max_depth:
            return Exhausted(complete=False)
        run.counters.max_depth = max(run.counters.max_depth, len(path) - 1)
        return Found([run.space.encode(board) for board in path])


def _counters_kept(counters: Counters, moves: int) -> tuple[str, ...]:
    """Return the counters that a function kept for a solution of `moves` moves.

    A function that builds its own boards, or calls a solver, makes no counted calls.
    """
    counts = tuple(name for name in _COUNTS[:2] if getattr(counters, name) or not moves)
    return (*counts, *_COUNTS[2:]) if counts else ()


def _watched(
    search: Generator[Any, None, Any], recorder: _Recorder
) -> Generator[Event | None, int, Any]:
    """Run a search that yields boards, and return its answer, by default the last board."""
    board, until_tick = None, 0
    while True:
        try:
            board = next(search)
        except StopIteration as ended:
            return board if ended.value is None else ended.value
        recorder.expand_yielded(board)
        if recorder.events:
            yield from recorder.take_events()
        if until_tick <= 0:
            until_tick = yield None
        until_tick -= 1


@dataclass(frozen=True, slots=True)
class UserSearch:
    """A search in user code: a function, a value with the members of `Algorithm`, or its class."""

    code: UserCode
    """Its location. The code runs only when the search is about to begin."""

    def __str__(self) -> str:
        return str(self.code)

    name = property(__str__)

    @property
    def algorithm(self) -> Algorithm:
        """The search itself; the code runs."""
        value = self.code.value()
        search: Algorithm
        if isinstance(value, Algorithm):
            search = value
        elif callable(value):
            heuristic: Any = self.code.arguments[0] if self.code.arguments else None
            search = FunctionSearch(value, heuristic, self.code.options, str(self))
        else:
            raise UnsuitableError(
                f"expected {self.code} to be a function of a board, or a search with name, "
                f"heuristic, conventions, optimal, exhaustive, cap and a loop, found "
                f"{type(value).__name__}"
            )
        if self.code.claims is None:
            is_function = isinstance(search, FunctionSearch)
            has_heuristic, advice = search.heuristic is not None, how_to_claim(search)
            self.code.claim(Claims(is_function, has_heuristic=has_heuristic, advice=advice))
        return search

    @property
    def claims(self) -> Claims:
        """The claims of the code, which is loaded if they are unknown."""
        if self.code.claims is None:
            _ = self.algorithm
        assert self.code.claims is not None, "`algorithm` sets the claims"
        return self.code.claims

    # Properties, as isinstance() with a protocol ignores `__getattr__` from Python 3.12 on.
    heuristic = property(lambda self: self.algorithm.heuristic)
    conventions = property(lambda self: self.algorithm.conventions)
    optimal = property(lambda self: self.algorithm.optimal)
    exhaustive = property(lambda self: self.algorithm.exhaustive)
    cap = property(lambda self: self.algorithm.cap)

    def loop(self, run: SearchRun) -> Loop:
        """Return the user's loop."""
        return self.algorithm.loop(run)


def is_own_loop(search: Algorithm) -> bool:
    """Return whether a search has a loop in user code, which may claim bounds."""
    return is_foreign(search.algorithm if isinstance(search, UserSearch) else search)


_FORMS = "moves, letters or boards from the start to the goal"
_SEPARATORS = r"[^\s,;/|()\[\]]+", r"[^\s,;/|()\[\]-]+"
"""Patterns of the tiles in the text of a position, which may be separated by dashes."""
_MOST_PARENTS = 1_000_000


def uncounted(searches: Sequence[object]) -> str:
    """Return the sentence about searches that solved a board without counting any node."""
    are, their = ("are", "they build their") if searches[1:] else ("is", "it builds its")
    return (
        f"{', '.join(map(str, searches))} {are} not counted, as {their} own states: use "
        f"board.moves() and board.apply(move), or yield each state that it expands."
    )


def solution_path(answer: Any, start: Board, puzzle: Puzzle, name: str) -> list[Board]:
    """Return the boards of a solution in any form, replayed; raise UserCodeError if it is wrong."""
    if answer is None:
        raise UserCodeError(
            f"{name} returned None instead of a solution; is a return statement missing? It may "
            f"return moves, letters or boards"
        )
    try:
        return _replayed(_without_cost(answer), start, puzzle)
    except (IllegalMoveError, NotationError) as error:
        raise UserCodeError(f"the solution of {name} is wrong: {error}") from None
    except MemoryError:
        # A limit, not a mistake: the list may be endless.
        raise
    except Exception as error:
        # A value of any type, such as an array, may raise anything in a comparison.
        raise UserCodeError(
            f"{name} must return {_FORMS}; it returned {safe_repr(answer)} ({type(error).__name__})"
        ) from error


def read_position(value: Any, like: Board) -> Board | None:
    """Return the board that a value describes, with the tiles of `like`; None if it is none."""
    if isinstance(value, Board):
        return value
    value = getattr(value, "state", value)
    value = _plain(value)
    size, columns = like.grid.size, like.grid.columns
    if isinstance(value, str):
        splits = (re.findall(pattern, value) for pattern in _SEPARATORS)
        value = next((parts for parts in splits if len(parts) == size), "".join(value.split()))
    if not isinstance(value, Sequence):
        value = list(value) if isinstance(value, Iterable) else ()
    if len(value) == like.grid.rows and size != len(value):
        rows = [
            row.split() if isinstance(row, str) and " " in row else _plain(row) for row in value
        ]
        if not all(isinstance(row, Iterable) and len(list(row)) == columns for row in rows):
            return None
        value = list(chain(*rows))
    if len(value) != size:
        return None
    names = {str(label).lower(): label for label in like.cells}
    texts = [str(_plain(item)).strip().lower() for item in value]
    if (
        str(BLANK) not in texts
        and len(others := [text for text in texts if text not in names]) == 1
    ):
        # The blank is written in another way: "", "_", "e", None, or as the last number.
        names[others[0]] = BLANK
    if not all(text in names for text in texts):
        return None
    cells = [names[text] for text in texts]
    counts = {label: cells.count(label) for label in cells}
    return Board.trusted(like.grid, tuple(cells)) if like.labels == counts else None


def _plain(value: Any) -> Any:
    """Return the lists and numbers of an array; any other value as it is."""
    return value.tolist() if hasattr(value, "tolist") else value


def _without_cost(answer: Any) -> Any:
    """Return the solution of `(solution, cost)` or a dictionary, and other answers as they are."""
    if isinstance(answer, dict):
        answer = tuple(answer.values())
    if isinstance(answer, tuple):
        rest = [part for part in answer if not isinstance(part, Number | Set | dict | None)]
        is_solution = len(rest) == 1 and not isinstance(rest[0], Direction | Enum | Move)
        if is_solution and len(answer) > 1:
            return rest[0]
    return answer


def _replayed(answer: Any, start: Board, puzzle: Puzzle) -> list[Board]:
    if hasattr(answer, "parent") and (hasattr(answer, "state") or isinstance(answer, Board)):
        answer = _ancestry(answer)
    elif isinstance(answer, Board) or not isinstance(answer, Iterable):
        raise IllegalMoveError(f"expected {_FORMS}, found {safe_repr(answer)}")
    if not isinstance(answer, str):
        answer = list(_plain(answer))
        # Libraries give the start the move None.
        if answer and (answer[0] is None or (isinstance(answer[0], str) and not answer[0])):
            del answer[0]
    if read_position(answer, start) is not None:
        raise IllegalMoveError(
            f"expected {_FORMS}, found a single position: return the moves to it, or keep the "
            f"parent of each position and return the whole path"
        )
    if answer and not isinstance(answer, str):
        boards = [_position_in(item, start) for item in answer]
        if all(board is not None for board in boards):
            return _path_of_boards([board for board in boards if board], start, puzzle)
    return _path_of_moves(answer, start, puzzle)


def _ancestry(node: Any) -> list[Any]:
    """Return a node and its parents, the start first."""
    path: list[Any] = []
    while node is not None:
        path.append(node)
        node = node.parent
        if len(path) > _MOST_PARENTS:
            raise IllegalMoveError(f"the last node has more than {_MOST_PARENTS:,} parents")
    return path[::-1]


def _position_in(item: Any, like: Board) -> Board | None:
    """Return the position of a step: the step itself, or a part, as in `(action, state)`."""
    board = read_position(item, like)
    if board is None and isinstance(item, tuple):
        return next(filter(None, (read_position(part, like) for part in item)), None)
    return board


def _path_of_boards(boards: list[Board], start: Board, puzzle: Puzzle) -> list[Board]:
    if boards[0] == start:
        del boards[0]
    elif boards[-1] == start and puzzle.is_goal(boards[0]):
        raise IllegalMoveError("its positions lead from the goal to the start: reverse the list")
    path = [start]
    for number, board in enumerate(boards, 1):
        # A position that the user built, or a slide of two tiles, may be further away.
        # Boards of the search itself would count the calls below.
        known = (after for _, after in puzzle.successors(path[-1]) if after == board)
        if (after := next(known, None)) is None:
            raise IllegalMoveError(
                f"move {number} leads to a board that is not one move away from\n{path[-1]}"
            )
        path.append(after)
    if fault := _unsolved(path, puzzle):
        raise IllegalMoveError(fault)
    return path


def _path_of_moves(answer: Any, start: Board, puzzle: Puzzle) -> list[Board]:
    """Return the path of moves of the tile, or of the blank if only those solve the board."""
    if not isinstance(answer, str) and all(isinstance(item, str) for item in answer):
        answer = [_named_in(item) for item in answer]
    if isinstance(answer, str) or all(isinstance(item, str) for item in answer):
        text = answer if isinstance(answer, str) else " ".join(answer)
        is_single = puzzle.metric is Metric.SINGLE
        slides = ([(way, 1)] * n if is_single else [(way, n)] for way, n in read_moves(text))
        moves: list[Any] = list(chain(*slides))
    else:
        moves = [_move_of(item) for item in answer]
    path, fault = _replay(moves, start, puzzle)
    if fault and all(isinstance(move, tuple) for move in moves):
        by_blank = [(way.opposite, tiles) for way, tiles in moves]
        other_path, other_fault = _replay(by_blank, start, puzzle)
        if not other_fault:
            return other_path
        if len(other_path) > len(path):
            fault = f"as moves of the blank, {other_fault}"
    if fault:
        raise IllegalMoveError(fault)
    return path


def _named_in(action: Any) -> Any:
    """Return the direction, or else the tile, of an action such as `Move 0 up` or `tile 5`."""
    words = re.findall(r"[a-z]+", action.lower())
    directions = [word for word in words if word in _DIRECTIONS]
    if len(words) > 1 and len(directions) == 1:
        return directions[0]
    numbers = re.findall(r"[0-9]+", action)
    return int(numbers[0]) if len(numbers) == 1 and not directions else action


def _move_of(item: Any) -> Any:
    """Return a slide as a direction and a number of tiles; any other move as it is.

    Directions may be members of an enum, and steps such as (-1, 0).
    """
    if isinstance(item, Direction):
        return item, 1
    if isinstance(item, Enum):
        return Direction.named(item.name), 1
    if isinstance(item, tuple) and item in _BY_STEP:
        return _BY_STEP[item], 1
    return item


_DIRECTIONS = {str(direction) for direction in Direction}
_BY_STEP: dict[object, Direction] = {direction.value: direction for direction in Direction}


def _replay(moves: Iterable[Any], start: Board, puzzle: Puzzle) -> tuple[list[Board], str]:
    """Return the boards up to the first fault, and the fault; empty for none."""
    path = [start]
    for number, move in enumerate(moves, 1):
        is_slide = isinstance(move, tuple) and len(move) == 2 and isinstance(move[0], Direction)
        try:
            after = path[-1].slide(*move) if is_slide else path[-1].apply(move)
        except IllegalMoveError as error:
            return path, f"move {number}: {error}"
        if all(board != after for _, board in puzzle.successors(path[-1])):
            return path, f"move {number}, '{move}', is not one move away from\n{path[-1]}"
        path.append(after)
    return path, _unsolved(path, puzzle)


def _unsolved(path: list[Board], puzzle: Puzzle) -> str:
    if puzzle.is_goal(path[-1]):
        return ""
    return f"after {counted(len(path) - 1, 'move')} the board is not solved:\n{path[-1]}"


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

        astar_search(Problem("8 1 3 / 4 0 2 / 7 6 5"))          # of AIMA's search.py
        astar(Problem("8 1 3 / 4 0 2 / 7 6 5"))                 # of simpleai

    States are tuples of the cells, row by row, with 0 for the blank. Actions are the direction of
    the *blank*, as in those libraries. `actions` counts a state expanded, `result` one generated.

    >>> problem = Problem("1 2 3 / 4 5 6 / 7 0 8")
    >>> problem.actions(problem.initial)
    ['UP', 'RIGHT', 'LEFT']
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
        counted = getattr(start, "without_parent", None)
        return counted(tuple(state)) if counted else Board(start.grid, state)

"""Searches in user code: a function of a board, or a class with the members of `Algorithm`.

    def my_search(board):
        board.is_goal()          whether it is solved; board.goal is the goal
        board.moves()            counted as one board expanded
        board.apply(move)        counted as one board generated
        return …                 moves, letters, tiles, a path of boards, or the solved board

The function gets a `SearchBoard`. Limits and Ctrl-C take effect in its counted calls, and its
solution is replayed. A function that yields boards as it expands them is watched while it runs, any
other once it has ended. Heuristics and options follow the board: `my_search(board, h, depth=9)`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import Any, Self

from taquin.errors import IllegalMoveError, NotationError, OwnCodeError, UnsuitableError
from taquin.heuristics.base import Heuristic, is_foreign
from taquin.heuristics.user_code import Claims, UserCode, as_function, how_to_claim
from taquin.model.board import Board
from taquin.model.moves import ANY, Direction, Label, Metric, Move
from taquin.model.puzzle import Goal, Puzzle
from taquin.notation.moves import moves_on, read_moves
from taquin.search import events as on
from taquin.search.control import Ended
from taquin.search.conventions import STANDARD
from taquin.search.events import Entry, Event, Fate
from taquin.search.result import Count, Counters
from taquin.search.run import NODE_LIMIT, Algorithm, Exhausted, Found, Loop, Run
from taquin.system.formatting import counted, safe_repr

_TICK_SECONDS = 0.02
_COUNTS = ("expanded", "generated", "max_depth")


class SearchBoard(Board):
    """The board of a search in user code: it has the goal, and counts its moves."""

    __slots__ = ("_recorder", "depth", "entry", "parent")

    depth: int
    """Moves from the start."""
    parent: SearchBoard | None
    """The board that it was generated from; None for the start."""
    entry: Entry | None
    """Its node in the tree of a watched search."""
    _recorder: _Recorder

    @classmethod
    def after(cls, board: Board, parent: SearchBoard | None, recorder: _Recorder) -> SearchBoard:
        """Return `board`, generated from `parent`, with its moves counted by `recorder`."""
        after = cls.trusted(board.grid, board.cells)
        # The base class is frozen.
        for name, value in (
            ("parent", parent),
            ("_recorder", recorder),
            ("depth", 0 if parent is None else parent.depth + 1),
            ("entry", None),
        ):
            object.__setattr__(after, name, value)
        return after

    @property
    def goal(self) -> Goal:
        """The goal of the search."""
        return self._recorder.puzzle.goal

    def is_goal(self) -> bool:
        """Return whether the board is solved."""
        goal = self.goal
        return self.cells == goal.cells or (ANY in goal.cells and goal.is_met(self))

    def _line(self, direction: Direction) -> tuple[int, ...]:
        lines, place = self._recorder.lines, (self.blank, direction)
        if place not in lines:
            lines[place] = Board._line(self, direction)
        return lines[place]

    def moves(self, metric: Metric | str | None = None) -> tuple[Move, ...]:
        """Return the legal moves, and count one board expanded."""
        self._recorder.expand(self)
        return Board.moves(self, metric or self._recorder.puzzle.metric)

    def slide(self, direction: Direction | str, count: int = 1) -> SearchBoard:
        """Return the board after a slide, and count one board generated."""
        self._recorder.check_generated()
        after = SearchBoard.after(Board.slide(self, direction, count), self, self._recorder)
        self._recorder.generate(after)
        return after

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and (self.cells, self.grid) == (other.cells, other.grid)

    __hash__ = Board.__hash__

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class _Recorder:
    """Count the steps of a search in user code, check its limits, and keep its events."""

    def __init__(self, run: Run) -> None:
        self.run, self.puzzle = run, run.space.puzzle
        self.events: list[Event] = []
        self.is_node_limit = False
        self.lines: dict[tuple[int, Direction], tuple[int, ...]] = {}
        """The cells whose tiles can slide, by the cell of the blank and their direction."""
        self._max_expanded, self._max_generated, *_ = run.node_limits
        self._next_check = 0.0
        self._last: Board | None = None
        """The board expanded last."""
        self._was_yielded = False
        """Whether the search yielded that board and has not asked for its moves since."""
        self._entries: dict[tuple[Label, ...], Entry] = {}
        self.start = SearchBoard.after(run.space.decode(run.space.start), None, self)
        if run.watch:
            self.events.append(on.Started(self._node(self.start)))

    def expand(self, board: Board) -> None:
        """Count an expansion, unless the board was just yielded."""
        if self._was_yielded and board == self._last:
            self._was_yielded = False
            return
        counters = self.run.counters
        self._check(counters.expanded >= self._max_expanded)
        if self.run.watch:
            frontier = max(0, len(self._entries) - counters.expanded - 1)
            self.events.append(on.Expanded(self._node(board), frontier, counters.expanded))
        counters.expanded += 1
        counters.max_depth = max(counters.max_depth, getattr(board, "depth", 0))
        self._last, self._was_yielded = board, False

    def expand_yielded(self, board: object) -> None:
        """Count an expansion of a board that the search yields, unless it was the last one."""
        if not isinstance(board, Board):
            raise UnsuitableError(
                f"a search must yield the boards that it expands, found {safe_repr(board)}"
            )
        if board != self._last:
            if not isinstance(board, SearchBoard):
                self.puzzle.check(board)
            self.expand(board)
            self._was_yielded = True

    def check_generated(self) -> None:
        """Raise Ended if the limit on generated boards is reached."""
        self._check(self.run.counters.generated >= self._max_generated)

    def generate(self, board: SearchBoard) -> None:
        """Count a board generated."""
        self.run.counters.generated += 1
        if self.run.watch:
            fate = Fate.DUPLICATE if board.cells in self._entries else Fate.ENQUEUED
            self.events.append(on.Generated(self._node(board), fate))

    def _check(self, is_node_limit: bool) -> None:
        if is_node_limit:
            self.is_node_limit = True
            raise Ended
        if (now := perf_counter()) >= self._next_check:
            self._next_check = now + _TICK_SECONDS
            self.run.check()

    def _node(self, board: Board) -> on.Node:
        """Return the node of a board; one that is no SearchBoard is found by its cells."""
        watch = self.run.watch
        assert watch is not None, "only a watched search has nodes"
        entry = getattr(board, "entry", None) or self._entries.get(board.cells)
        if entry is None or (isinstance(board, SearchBoard) and board.entry is None):
            parent = board.parent.entry if isinstance(board, SearchBoard) and board.parent else None
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

    def loop(self, run: Run) -> Loop:
        """Call the function and replay its solution; raise OwnCodeError if it is wrong."""
        if run.nodes < inf and run.counting not in (Count.EXPANDED, Count.GENERATED):
            raise UnsuitableError(
                f"{self} is a function, whose frontier is unknown: limit the nodes expanded or "
                f"generated, not those {run.counting.value}"
            )
        run.counts = _COUNTS
        recorder = _Recorder(run)
        arguments = [] if self.heuristic is None else [as_function(self.heuristic, run.space)]
        options = {name: as_function(option, run.space) for name, option in self.options}
        try:
            answer = self.function(recorder.start, *arguments, **options)
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
    """Return the counters that a function kept while it found a solution of so many moves.

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
        yield from recorder.take_events()
        if until_tick <= 0:
            until_tick = yield None
        until_tick -= 1


def solution_path(answer: Any, start: Board, puzzle: Puzzle, name: str) -> list[Board]:
    """Return the boards of a solution in any form, replayed; raise OwnCodeError if it is wrong."""
    if answer is None:
        raise OwnCodeError(
            f"{name} returned None instead of a solution; is a return statement missing? It may "
            f"return moves, letters or boards"
        )
    try:
        return _replayed(answer, start, puzzle)
    except (IllegalMoveError, NotationError) as error:
        advice = ""
        if _is_solution_by_blank(answer, start, puzzle):
            advice = "\nIt is right as moves of the blank; taquin names the direction of the tile."
        raise OwnCodeError(f"the solution of {name} is wrong: {error}{advice}") from None
    except MemoryError:
        # A limit, not a mistake: the list may be endless.
        raise
    except Exception as error:
        # A value of any type, such as an array, may raise anything in a comparison.
        raise OwnCodeError(
            f"{name} must return moves, letters or boards from the start to the goal; it returned "
            f"{safe_repr(answer)} ({type(error).__name__})"
        ) from error


def _replayed(answer: Any, start: Board, puzzle: Puzzle) -> list[Board]:
    if isinstance(answer, SearchBoard):
        answer = _ancestry(answer)
    if isinstance(answer, Board) or not isinstance(answer, Iterable):
        raise IllegalMoveError(
            f"expected moves, letters or boards from the start to the goal, found "
            f"{safe_repr(answer)}"
        )
    items: list[Any] = [answer] if isinstance(answer, str) else list(answer)
    if all(isinstance(item, str) for item in items):
        items = list(moves_on(start, " ".join(items), puzzle.metric))
    if items and isinstance(items[0], Board) and items[0] == start:
        del items[0]
    path = [start]
    for number, item in enumerate(items, 1):
        try:
            after = item if isinstance(item, Board) else path[-1].apply(item)
        except IllegalMoveError as error:
            raise IllegalMoveError(f"move {number}: {error}") from None
        # A board that the user built, or a slide of two tiles, may be more than one move away.
        known = (board for _, board in puzzle.successors(path[-1]) if board == after)
        if (board := next(known, None)) is None:
            what = "leads to a board that" if isinstance(item, Board) else f"'{item}',"
            raise IllegalMoveError(f"move {number} {what} is not one move away from\n{path[-1]}")
        path.append(board)
    if not puzzle.is_goal(path[-1]):
        raise IllegalMoveError(
            f"after {counted(len(path) - 1, 'move')} the board is not solved:\n{path[-1]}"
        )
    return path


def _ancestry(board: SearchBoard) -> list[Board]:
    """Return the boards from the start to `board`."""
    path: list[Board] = []
    here: SearchBoard | None = board
    while here is not None:
        path.append(here)
        here = here.parent
    return path[::-1]


def _is_solution_by_blank(answer: Any, start: Board, puzzle: Puzzle) -> bool:
    """Return whether directions solve the board if they are those of the blank."""
    try:
        text = answer if isinstance(answer, str) else " ".join(map(str, answer))
        for direction, count in read_moves(text):
            for _ in range(count):
                start = start.slide(direction.opposite)
    except (IllegalMoveError, NotationError, TypeError):
        return False
    return puzzle.is_goal(start)


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

    def loop(self, run: Run) -> Loop:
        """Return the user's loop."""
        return self.algorithm.loop(run)


def is_own_loop(search: Algorithm) -> bool:
    """Return whether a search has a loop in user code, which may claim bounds."""
    return is_foreign(search.algorithm if isinstance(search, UserSearch) else search)

"""S2's commands: a `Session` runs one line and yields the lines of its answer.

The commands are those of S2, in upper or lower case; directions are those of the **blank**, and
every printed step names the tile too.

    setState b12 345 678        b 1 2        the goal: blank first
    move right                  3 4 5
    solve A-star h2             6 7 8
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import zip_longest

import taquin as tq
from taquin.analysis.likeness import LIKENESSES
from taquin.errors import NotationError
from taquin.heuristics.registry import HEURISTICS
from taquin.notation import Form, can_write, read_board, write_board
from taquin.search.algorithms import ALGORITHMS
from taquin.search.control import Control
from taquin.search.driver import solve
from taquin.search.grammar import algorithm_name, options_of, search_from_options
from taquin.search.result import Task, verdict
from taquin.system.formatting import (
    TextColumn,
    counted,
    did_you_mean,
    shorten,
    table_text,
    unknown,
    wrap_text,
)
from taquin.system.machine import safe_memory

MAX_NODES = 20_000
"""The default of `maxNodes`: enough for h2, often not for h1."""
LONGEST_WALK = 100_000
"""The limit on random moves; far fewer mix a board completely."""
Live = Callable[[], AbstractContextManager[tq.search.Progress | None]]
"""Opens the display of a search's progress."""

_ADVICE = {
    tq.Limit.CAP: " A larger k keeps more.",
    tq.Limit.NODES: " maxNodes <n> raises the limit.",
}
"""The command that raises the limit that was reached."""
_OF_S2 = ("astar", "capped-beam")
_RENAMED = {**LIKENESSES["s2"].renamed, "level-beam": "beam"}
"""S2's beam caps all nodes kept; it is called beam in a session only."""
_SESSION_NAMES = {"astar": "A-star", **{name: alias for alias, name in _RENAMED.items()}}
SEARCH_NAMES = tuple(_SESSION_NAMES.get(name, name) for name in ALGORITHMS)
_EDGES = {
    tq.Direction.UP: "top row",
    tq.Direction.DOWN: "bottom row",
    tq.Direction.LEFT: "leftmost column",
    tq.Direction.RIGHT: "rightmost column",
}


def parse_search(parts: Sequence[str]) -> tq.Algorithm:
    """Return the search given by its name, then optionally a heuristic and a number.

    A-star and beam are those of S2, which do not detect duplicates; with the prefix `repaired` they
    do. Raise NotationError or UnsuitableError if there is no such search.

    >>> print(parse_search(["A-star", "h1"]))
    astar(misplaced, duplicates=none, ties=fifo)
    >>> print(parse_search(["repaired", "beam", "500"]))
    capped-beam(manhattan, cap=500)
    """
    is_repaired = bool(parts) and parts[0].lower() == "repaired"
    parts = parts[is_repaired:]
    if not parts:
        raise NotationError("expected a search, such as solve A-star h2 or solve beam 100")
    name = algorithm_name(parts[0])
    name = _RENAMED.get(name, name)
    if name not in ALGORITHMS:
        raise NotationError(unknown("search", parts[0], SEARCH_NAMES))
    numbers = [part for part in parts[1:] if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", part)]
    heuristic = " ".join(part for part in parts[1:] if part not in numbers)
    takes_number = ("cap", "width", "weight", "max_depth")
    numbered = next((option for option in options_of(name) if option in takes_number), None)
    if len(numbers) > (numbered is not None):
        most = "no number" if numbered is None else "one number"
        raise NotationError(f"{parts[0]} takes {most}, found {' and '.join(numbers)}")
    if numbered in ("cap", "width") and not numbers:
        found = f", found {shorten(heuristic)}" if heuristic else ""
        raise NotationError(f"expected a number of nodes to keep, as in {parts[0]} 100{found}")
    options = {"heuristic": heuristic or None}
    if numbered and numbers:
        options[numbered] = numbers[0]
    if name in _OF_S2:
        return LIKENESSES["s2-repaired" if is_repaired else "s2"].search(name, options)
    if is_repaired:
        raise NotationError(f"only A-star and beam have a repaired form, not {parts[0]}")
    return search_from_options(name, options)


_Run = Callable[["Session", str], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Verb:
    """One command of a session."""

    usage: str
    meaning: tuple[str, ...]
    """The lines of its help."""
    run: _Run
    """Runs it; takes the session and the text after the name."""
    arguments: int | None
    """The number of arguments; None if the command checks it."""


VERBS: dict[str, Verb] = {}
"""The commands by their lower-case names."""


def verb(
    usage: str, *meaning: str, arguments: int | None = None, also: str = ""
) -> Callable[[_Run], _Run]:
    """Return a decorator that makes a method of the session the command `usage`."""

    def add(run: _Run) -> _Run:
        names = [usage.split()[0].lower(), *also.lower().split()]
        VERBS.update(dict.fromkeys(names, Verb(usage, meaning, run, arguments)))
        return run

    return add


class Session:
    """A board, the commands that change and solve it, and the limit on nodes."""

    def __init__(self, live: Live = nullcontext, width: int | None = None) -> None:
        goal = tq.Goal.blank_first(3, 3)
        self.board = tq.Board(goal.grid, goal.cells)
        """The current board; `solve` does not change it."""
        self.max_nodes = MAX_NODES
        """Nodes a search may generate."""
        self.over = False
        """Whether `exit` was given."""
        self._live = live
        self._width = width

    @property
    def puzzle(self) -> tq.Puzzle:
        """The puzzle of the board, with the blank first in its goal."""
        grid = self.board.grid
        return tq.Puzzle(tq.Goal.blank_first(grid.rows, grid.columns, grid.walls))

    def execute(self, line: str) -> Iterator[str]:
        """Run one command and yield the lines of its answer.

        The answer to an invalid line is an error message; an empty line and a comment, which starts
        with `#`, have no answer. If Ctrl-C ends a search, raise KeyboardInterrupt after the answer.
        """
        name = line.split(maxsplit=1)[0] if line.strip() else ""
        if not name or name.startswith("#"):
            return
        # Spaces replace the name, so that columns in error messages are those of the line.
        argument = line.replace(name, " " * len(name), 1)
        verb = VERBS.get(name.lower())
        try:
            if verb is None:
                guess = did_you_mean(name, [verb.usage.split()[0] for verb in VERBS.values()])
                raise NotationError(f"there is no command {_shown(name)}. {guess}help lists them")
            if verb.arguments is not None and len(argument.split()) != verb.arguments:
                raise NotationError(f"expected {verb.usage}, found {_shown(line)}")
            yield from verb.run(self, argument)
        except NotationError as error:
            column = f"column {error.column}: " if error.line == 1 and error.column else ""
            yield f"Error: {column}{error.message if column else error}"
        except tq.TaquinError as error:
            yield f"Error: {error}"

    def state(self) -> str:
        """Return the state on one line."""
        return _text(self.board)

    @verb(
        "setState <state>",
        "set the state of a 3×3 board: nine characters, 1 to 8 and b for the",
        "blank, three for each row; b12 345 678 is the goal",
    )
    def _set(self, argument: str) -> Iterator[str]:
        state = argument.lower()
        if [len(group) for group in state.split()] != [3, 3, 3]:
            raise NotationError(
                f"expected nine characters in three groups, such as b12 345 678, found "
                f"{_shown(argument) or 'none'}; setBoard takes other sizes and notations"
            )
        if other := re.search("[^1-8b ]", state):
            raise NotationError(
                f"expected 1 to 8 and b for the blank, found {other[0]}", 1, other.start() + 1
            )
        yield from self._set_board(state)

    @verb("setBoard <board>", "set a board of any size, in any notation: 1 2 3 4 / 5 6 7 0")
    def _set_board(self, argument: str) -> Iterator[str]:
        if not argument.strip():
            raise NotationError(f"expected a board, such as {_text(self.board)}, found none")
        self.board = read_board(argument.lower(), classic=True)
        yield f"State: {self.state()}"

    @verb(
        "randomizeState <n>",
        "go n random moves from the goal; the same n gives the same state",
        arguments=1,
    )
    def _randomize(self, argument: str) -> Iterator[str]:
        moves = _number(argument, 0, LONGEST_WALK)
        self.board = tq.random_walk(self.puzzle, moves, seed=moves)
        yield f"State: {self.state()} ({counted(moves, 'random move')} from the goal)"

    @verb("printState", "print the state (also printStats)", arguments=0, also="printStats")
    def _print(self, argument: str) -> Iterator[str]:
        yield f"State: {self.state()}"

    @verb("move up|down|left|right", "move the blank; its neighbour slides", arguments=1)
    def _move(self, argument: str) -> Iterator[str]:
        name = argument.split()[0]
        directions = {str(direction): direction for direction in tq.Direction}
        direction = directions.get(name.lower())
        if direction is None:
            raise NotationError(f"expected up, down, left or right, found {_shown(name)}")
        grid = self.board.grid
        cell = grid.step(self.board.blank, direction)
        if cell is None:
            row, column = grid.place(self.board.blank)
            down, right = direction.value
            is_wall = row + down in range(grid.rows) and column + right in range(grid.columns)
            obstacle = "a wall is there" if is_wall else f"it is in the {_EDGES[direction]}"
            raise tq.errors.IllegalMoveError(f"the blank cannot move {direction}: {obstacle}")
        tile = self.board.cells[cell]
        self.board = self.board.slide(direction.opposite)
        moves = f"(the blank went {direction}, tile {tile} {direction.opposite})"
        yield f"State: {self.state()} {moves}"

    @verb(
        "solve <search> …",
        "solve the state and print every step; the state stays:",
        "solve A-star h1   A* by misplaced tiles",
        "solve A-star h2   A* by Manhattan distance",
        "solve beam <k>    greedy beam that keeps at most k nodes in all",
        "solve repaired A-star h1, solve repaired beam <k>: the same with duplicate "
        "detection, which S2 lacks",
        "solve level-beam <k>, solve wastar h2 <weight>, solve bfs …",
    )
    def _solve(self, argument: str) -> Iterator[str]:
        algorithm = parse_search(argument.split())
        limits = tq.Limits(nodes=self.max_nodes, memory=safe_memory())
        task = Task(self.puzzle, self.board, algorithm, limits)
        with self._live() as progress:
            result = solve(task, algorithm, Control(limits, progress=progress))
        yield verdict(result) + _ADVICE.get(result.limit or tq.Limit.DEPTH, "")
        if result.stats.enqueued:
            yield (
                f"{result.algorithm}: {counted(result.stats.generated or 0, 'node')} generated, "
                f"{result.stats.expanded:,} expanded"
            )
        if result.outcome is tq.Outcome.STOPPED:
            raise KeyboardInterrupt
        if result.moves:
            yield from _steps(result, self._width)

    @verb("maxNodes <n>", "stop a search after n nodes", arguments=1)
    def _limit(self, argument: str) -> Iterator[str]:
        self.max_nodes = _number(argument, 1, None)
        yield f"A search stops after {counted(self.max_nodes, 'node')}."

    @verb("help", "print this")
    def _help(self, argument: str) -> Iterator[str]:
        verbs = dict.fromkeys(VERBS.values())
        indent = max(len(verb.usage) for verb in verbs) + 2
        width = self._width or 78
        for verb in verbs:
            lines = [line for text in verb.meaning for line in wrap_text(text, width - indent)]
            for usage, line in zip_longest([verb.usage], lines, fillvalue=""):
                yield f"{usage:{indent}}{line}"
        yield ""
        for heading, names in (("Searches", SEARCH_NAMES), ("Heuristics", HEURISTICS)):
            yield from wrap_text(f"{heading}: {', '.join(names)}", width)

    @verb("exit", "leave (also quit)", also="quit")
    def _exit(self, argument: str) -> Iterator[str]:
        self.over = True
        yield from ()


def _shown(text: str) -> str:
    return shorten(" ".join(text.split()))


def _number(argument: str, least: int, most: int | None) -> int:
    text = argument.split()[0]
    number = int(text) if re.fullmatch("[0-9]{1,18}", text) else -1
    if number < least or (most is not None and number > most):
        span = f"of {least} or more" if most is None else f"from {least} to {most:,}"
        raise NotationError(f"expected a whole number {span}, found {_shown(text)}")
    return number


def _text(board: tq.Board) -> str:
    # Beyond nine cells S2's notation needs letters, and rows are easier to read.
    is_small = board.grid.size <= 9 and can_write(board, Form.WORDS)
    return write_board(board, Form.WORDS if is_small else Form.ROWS)


def _steps(result: tq.Result, width: int | None) -> Iterator[str]:
    """Yield every step of a solution: number, direction, tile, state, previous state."""
    moves = result.moves or ()
    states = [_text(board) for board in result.boards()]
    columns = (
        TextColumn("move", [str(number + 1) for number in range(len(moves))]),
        TextColumn("blank", [str(move.direction.opposite) for move in moves], left=True),
        TextColumn("tile", list(map(str, moves)), left=True),
        TextColumn("state", states[1:], left=True),
        TextColumn("previous state", states[:-1], left=True),
    )
    yield f"Start: {states[0]}"
    yield from table_text(columns, width).split("\n")

"""The boards of a study: written out, from files, from named sets, or random.

    [[boards]]                                     one board
    label = "P1"
    start = "A B / _ ."
    goal = "* A / B _"
    columns = { row = 2 }
    printed = { "BFS" = 10891, "A*" = 1634 }

    [[boards]]                                     several
    starts = ["1 2 3 / 4 0 5 / 7 8 6", "b12 345 678"]

    [[boards]]                                     one on each line of a file
    file = "boards.txt"

    [[boards]]                                     a set that comes with taquin
    set = "korf100"
    numbers = [1, 2, 3]                            all of them by default
    printed = { "IDA*" = "nodes_1985" }            figures that the set has in a column

    [[boards]]                                     random moves from the goal
    scramble = { size = "3x3", moves = [10, 20], count = 5, seed = 1 }

    [[boards]]                                     any solvable board, all equally likely
    uniform = { size = "3x3", count = 20, seed = 1 }

Each may have a `goal` (`blank-last`, `blank-first`, `snail`, or a text with `*` for any tile), a
`metric`, a `label` that comes before the boards' own, and `columns`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any

from taquin.errors import NotationError
from taquin.lab.study.study import Case, ColumnValue
from taquin.lab.study.toml_table import MANY, TomlTable, is_number
from taquin.model.board import Board
from taquin.model.goal import NAMED_GOALS, Goal
from taquin.model.grid import Grid
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_board, random_walk
from taquin.notation import read_board, read_goal, read_many
from taquin.system.words import unknown

_KINDS = ("start", "starts", "file", "set", "scramble", "uniform")
_SIZE = re.compile(r"([0-9]{1,3})\s*[x×]\s*([0-9]{1,3})")
_MOST_CELLS = 10_000
"""The most cells of a random board; larger ones take seconds each."""
_SETS = resources.files("taquin.lab") / "data"


def read_cases(tables: list[TomlTable], goal: str, metric: Metric, folder: Path) -> Iterator[Case]:
    """Yield the boards of every `[[boards]]`; `goal` and `metric` are the defaults.

    Paths of files are relative to `folder`. Raise TaquinError that names the key at fault.
    """
    number_before, labelled = 0, Counter[str]()
    for table in tables:
        entry = _Entry(table, goal, metric, number_before, labelled)
        cases = list(entry.cases(folder))
        table.finish()
        number_before += len(cases)
        yield from cases


def named_sets() -> list[str]:
    """Return the names of the sets of boards that come with taquin."""
    return sorted(
        file.name.removesuffix(".txt") for file in _SETS.iterdir() if file.name.endswith(".txt")
    )


class _Entry:
    """One `[[boards]]` of a study file."""

    def __init__(
        self,
        table: TomlTable,
        goal: str,
        metric: Metric,
        number_before: int,
        labelled: Counter[str],
    ) -> None:
        self.table = table
        self.kind = self._kind()
        self.label = table.text("label", "")
        self.goal = table.text("goal", goal)
        self.metric = table.member("metric", Metric, metric)
        self.columns = read_columns(table.table("columns"))
        self.number_before = number_before
        """The number of boards in the entries before this one."""
        self.labelled = labelled
        """The number of random boards with each label so far; their labels end with a number."""
        self.has_goal = "goal" in table

    def _kind(self) -> str:
        kinds = [kind for kind in _KINDS if kind in self.table]
        expected = f"one of {', '.join(_KINDS)}"
        if not kinds:
            raise self.table.missing("", expected, _KINDS)
        if len(kinds) > 1:
            raise self.table.error("", f"expected {expected}, found {' and '.join(kinds)}")
        return kinds[0]

    def cases(self, folder: Path) -> Iterator[Case]:
        """Yield its boards."""
        if self.kind == "start":
            yield self._case(
                self.label or f"board {self.number_before + 1}",
                self._board("start", self.table.text("start")),
                printed=self.table.table("printed").free(is_number, "a number"),
            )
        elif self.kind == "starts":
            for number, text in enumerate(self.table.texts("starts"), 1):
                yield self._numbered("board", number, self._board("starts", text))
        elif self.kind == "file":
            path = folder / self.table.text("file")
            for number, board in enumerate(self._boards_of(path), 1):
                yield self._numbered(path.stem, number, board)
        elif self.kind == "set":
            yield from self._of_set(self.table.text("set"))
        else:
            yield from self._random(self.table.table(self.kind))

    def _random(self, options: TomlTable) -> Iterator[Case]:
        goal, size = self._goal_of_size(options)
        count, seed = options.number("count", 1, least=1), options.number("seed", 1)
        puzzle = Puzzle(goal, self.metric)
        walks = self.kind == "scramble"
        lengths = options.numbers("moves", most=MANY) if walks else [0]
        backtrack = walks and options.flag("backtrack")
        options.finish()
        if not lengths:
            raise options.error(
                "moves", "expected a whole number, or a list of them, found nothing"
            )
        for moves, number in product(lengths, range(1, count + 1)):
            label, columns = self.label or size, dict[str, ColumnValue](size=size)
            if walks:
                board = random_walk(puzzle, moves, seed, number=number, backtrack=backtrack)
                label, columns = f"{label} {moves} moves", {**columns, "moves": moves}
            else:
                board = random_board(goal, seed, number=number)
            columns |= {"board_seed": seed, "board_number": number}
            self.labelled[label] += 1
            yield self._case(f"{label} #{self.labelled[label]}", board, columns)

    def _goal_of_size(self, options: TomlTable) -> tuple[Goal, str]:
        if self.goal not in NAMED_GOALS:
            if "size" in options:
                raise options.error("size", "the goal written out has a size already")
            goal = self._goal_for(None)
            return goal, f"{goal.grid.rows}x{goal.grid.columns}"
        text = options.text("size")
        match = _SIZE.fullmatch(text)
        if match is None:
            raise options.error("size", f'expected rows x columns, such as "3x3", found {text!r}')
        rows, columns = int(match[1]), int(match[2])
        if rows * columns > _MOST_CELLS:
            raise options.error("size", f"expected at most {_MOST_CELLS:,} cells, found {text}")
        with options.blaming("size"):
            return NAMED_GOALS[self.goal](rows, columns), f"{rows}x{columns}"

    def _of_set(self, name: str) -> Iterator[Case]:
        numbers = self.table.numbers("numbers", least=1)
        wanted_figures = self.table.table("printed")
        if name not in named_sets():
            raise self.table.error("set", unknown("set", name, named_sets()))
        goal, lines = _set_lines(name)
        if not self.has_goal:
            self.goal = goal
        wanted = numbers or range(1, len(lines) + 1)
        for number in wanted:
            if number > len(lines):
                raise self.table.error(
                    "numbers", f"{name} has boards 1 to {len(lines)}, there is no {number}"
                )
            label, text, columns = lines[number - 1]
            figures = wanted_figures.free(columns.__contains__, f"one of {', '.join(columns)}")
            printed = {search: columns[column] for search, column in figures.items()}
            yield self._case(f"{self.label or name} {label}", Board.parse(text), columns, printed)

    def _boards_of(self, path: Path) -> Iterator[Board]:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is no text"
            raise self.table.error("file", f"{path} cannot be read: {why}") from None
        boards = list(read_many(text.splitlines()))
        if not boards:
            raise self.table.error("file", f"{path} holds no board")
        if isinstance(boards[0], NotationError):
            # The lines are not boards; perhaps the whole file is one.
            try:
                boards = [read_board(text)]
            except NotationError:
                raise self.table.error("file", f"{path}, {boards[0]}") from None
        for board in boards:
            if isinstance(board, NotationError):
                raise self.table.error("file", f"{path}, {board}")
            yield board

    def _board(self, key: str, text: str) -> Board:
        with self.table.blaming(key):
            return read_board(text)

    def _numbered(self, noun: str, number: int, board: Board) -> Case:
        return self._case(f"{self.label or noun} {self.number_before + number}", board)

    def _case(
        self,
        label: str,
        start: Board,
        columns: Mapping[str, ColumnValue] | None = None,
        printed: Mapping[str, float] | None = None,
    ) -> Case:
        puzzle = Puzzle(self._goal_for(start.grid), self.metric)
        with self.table.blaming("goal" if self.has_goal else ""):
            return Case(label, start, puzzle, {**(columns or {}), **self.columns}, printed or {})

    def _goal_for(self, grid: Grid | None) -> Goal:
        if grid is not None and self.goal in NAMED_GOALS:
            return NAMED_GOALS[self.goal](grid.rows, grid.columns, grid.walls)
        with self.table.blaming("goal"):
            return read_goal(self.goal, *((grid.rows, grid.columns) if grid else ()))


def read_columns(table: TomlTable) -> dict[str, ColumnValue]:
    """Return the columns of a table; raise TaquinError for a value of another type."""
    return table.free(
        lambda value: isinstance(value, ColumnValue), "a text, a number or true or false"
    )


def _set_lines(name: str) -> tuple[str, list[tuple[str, str, dict[str, int]]]]:
    """Return the goal of a set, and the label, text and columns of each of its boards."""
    goal = "blank-last"
    boards: list[tuple[str, str, dict[str, int]]] = []
    for line in (_SETS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# goal:"):
            goal = line.partition(":")[2].strip()
        elif line and not line.startswith("#"):
            label, text, rest = (part.strip() for part in line.split("|"))
            pairs: list[Any] = [pair.split("=") for pair in rest.split()]
            boards.append((label, text, {key: int(value) for key, value in pairs}))
    return goal, boards

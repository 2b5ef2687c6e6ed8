"""The boards of a study: written out, from files, from named sets, or drawn by lot.

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
    numbers = [1, 2, 3]                            all of them where left out
    printed = { "IDA*" = "nodes_1985" }            figures that the set has in a column

    [[boards]]                                     random moves from the goal
    scramble = { size = "3x3", moves = [10, 20], count = 5, seed = 1 }

    [[boards]]                                     any solvable board, each with the same chance
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
from taquin.lab.study.study import Case, Cell
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
"""Cells of a board that is drawn by lot; larger ones take seconds each."""
_SETS = resources.files("taquin.lab") / "data"


def read_cases(tables: list[TomlTable], goal: str, metric: Metric, folder: Path) -> Iterator[Case]:
    """Yield the boards of every `[[boards]]`, with `goal` and `metric` where they name none.

    Files are looked for in `folder`. Raise TaquinError that names the key at fault.
    """
    before, drawn = 0, Counter[str]()
    for table in tables:
        entry = _Entry(table, goal, metric, before, drawn)
        cases = list(entry.cases(folder))
        table.finish()
        before += len(cases)
        yield from cases


def named_sets() -> list[str]:
    """Return the names of the sets of boards that come with taquin."""
    return sorted(
        file.name.removesuffix(".txt") for file in _SETS.iterdir() if file.name.endswith(".txt")
    )


class _Entry:
    """One `[[boards]]` of a study file."""

    def __init__(
        self, table: TomlTable, goal: str, metric: Metric, before: int, drawn: Counter[str]
    ) -> None:
        self.table = table
        self.kind = self._kind()
        self.label = table.text("label", "")
        self.goal = table.text("goal", goal)
        self.metric = table.member("metric", Metric, metric)
        self.columns = read_columns(table.table("columns"))
        self.before = before
        self.drawn = drawn
        """How many boards drawn by lot have a label so far, by what stands before its number."""
        self.has_goal = "goal" in table

    def _kind(self) -> str:
        found = [kind for kind in _KINDS if kind in self.table]
        expected = f"one of {', '.join(_KINDS)}"
        if not found:
            raise self.table.missing("", expected, _KINDS)
        if len(found) > 1:
            raise self.table.error("", f"expected {expected}, found {' and '.join(found)}")
        return found[0]

    def cases(self, folder: Path) -> Iterator[Case]:
        """Yield its boards."""
        if self.kind == "start":
            yield self._case(
                self.label or f"board {self.before + 1}",
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

    def _random(self, chance: TomlTable) -> Iterator[Case]:
        goal, size = self._goal_of_size(chance)
        count, seed = chance.number("count", 1, least=1), chance.number("seed", 1)
        puzzle = Puzzle(goal, self.metric)
        walks = self.kind == "scramble"
        lengths = chance.numbers("moves", most=MANY) if walks else [0]
        backtrack = walks and chance.flag("backtrack")
        chance.finish()
        if not lengths:
            raise chance.error("moves", "expected a whole number, or a list of them, found nothing")
        for moves, number in product(lengths, range(1, count + 1)):
            label, columns = self.label or size, dict[str, Cell](size=size)
            if walks:
                board = random_walk(puzzle, moves, seed, number=number, backtrack=backtrack)
                label, columns = f"{label} {moves} moves", {**columns, "moves": moves}
            else:
                board = random_board(goal, seed, number=number)
            columns |= {"board_seed": seed, "board_number": number}
            self.drawn[label] += 1
            yield self._case(f"{label} #{self.drawn[label]}", board, columns)

    def _goal_of_size(self, chance: TomlTable) -> tuple[Goal, str]:
        if self.goal not in NAMED_GOALS:
            if "size" in chance:
                raise chance.error("size", "the goal written out has a size already")
            goal = self._goal_for(None)
            return goal, f"{goal.grid.rows}x{goal.grid.columns}"
        text = chance.text("size")
        match = _SIZE.fullmatch(text)
        if match is None:
            raise chance.error("size", f'expected rows x columns, such as "3x3", found {text!r}')
        rows, columns = int(match[1]), int(match[2])
        if rows * columns > _MOST_CELLS:
            raise chance.error("size", f"expected at most {_MOST_CELLS:,} cells, found {text}")
        with chance.blaming("size"):
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
        found = list(read_many(text.splitlines()))
        if not found:
            raise self.table.error("file", f"{path} holds no board")
        if isinstance(found[0], NotationError):
            # Not one board a line, then; perhaps the whole file is one.
            try:
                found = [read_board(text)]
            except NotationError:
                raise self.table.error("file", f"{path}, {found[0]}") from None
        for board in found:
            if isinstance(board, NotationError):
                raise self.table.error("file", f"{path}, {board}")
            yield board

    def _board(self, key: str, text: str) -> Board:
        with self.table.blaming(key):
            return read_board(text)

    def _numbered(self, noun: str, number: int, board: Board) -> Case:
        return self._case(f"{self.label or noun} {self.before + number}", board)

    def _case(
        self,
        label: str,
        start: Board,
        columns: Mapping[str, Cell] | None = None,
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


def read_columns(table: TomlTable) -> dict[str, Cell]:
    """Return the columns of a free table; raise TaquinError for what a cell cannot hold."""
    return table.free(lambda found: isinstance(found, Cell), "a text, a number or true or false")


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

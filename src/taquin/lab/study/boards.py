"""The boards of a study: literal, from files, from named sets, or random; see docs/lab.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import product
from pathlib import Path

from taquin import Board, Goal, Grid, Metric, NotationError, Puzzle, random_board, random_walk
from taquin.lab.study.study import COLUMN_TYPES, Case, ColumnValue
from taquin.model.goal import NAMED_GOALS, named_goal
from taquin.notation import read_board, read_boards, read_goal
from taquin.notation.fields import LARGEST, MANY, NUMBER, Fields
from taquin.system.files import read_text
from taquin.system.words import unknown

_KINDS = ("start", "starts", "file", "set", "scramble", "uniform")
_SIZE = re.compile(r"([0-9]{1,3})\s*[x×]\s*([0-9]{1,3})")
_MOST_CELLS = 10_000
"""The most cells of a random board; larger ones take seconds each."""
_SETS = resources.files("taquin.lab") / "data"


def read_cases(tables: list[Fields], goal: str, metric: Metric, folder: Path) -> list[Case]:
    """Return the boards of every `[[boards]]`; paths are relative to `folder`."""
    cases: list[Case] = []
    labelled = Counter[str]()
    for table in tables:
        entry = _Entry(table, goal, metric, len(cases), labelled)
        cases += list(entry.cases(folder))
        table.finish()
    return cases


def named_sets() -> list[str]:
    """Return the names of the sets of boards that come with taquin."""
    return names_in(_SETS, ".txt")


def names_in(folder: Traversable, suffix: str) -> list[str]:
    """Return the names of the files with a suffix in a folder of taquin, without the suffix."""
    names = sorted(file.name for file in folder.iterdir())
    return [name.removesuffix(suffix) for name in names if name.endswith(suffix)]


class _Entry:
    """One `[[boards]]` of a study file."""

    def __init__(
        self, table: Fields, goal: str, metric: Metric, before: int, labelled: Counter[str]
    ) -> None:
        kinds = [kind for kind in _KINDS if kind in table]
        expected = f"one of {', '.join(_KINDS)}"
        if not kinds:
            raise table.missing("", expected, _KINDS)
        if len(kinds) > 1:
            raise table.error("", f"expected {expected}, found {' and '.join(kinds)}")
        self.table, self.kind = table, kinds[0]
        self.label = table.text("label", "")
        self.goal = table.text("goal", goal)
        self.metric = table.member("metric", Metric, metric)
        self.columns = read_columns(table.table("columns"))
        self.before = before
        """The number of boards in the entries before this one."""
        self.labelled = labelled
        """The number of random boards so far with each label, which ends with that number."""
        self.has_goal = "goal" in table

    def cases(self, folder: Path) -> Iterator[Case]:
        """Yield its boards."""
        if self.kind == "start":
            label = self.label or f"board {self.before + 1}"
            board = self._board("start", self.table.required_text("start"))
            printed = self.table.table("printed").free(NUMBER, "a number")
            yield self._case(label, board, printed=printed)
        elif self.kind == "starts":
            texts = self.table.texts("starts")
            yield from self._numbered("board", (self._board("starts", text) for text in texts))
        elif self.kind == "file":
            path = folder / self.table.required_text("file")
            yield from self._numbered(path.stem, self._boards_of(path))
        elif self.kind == "set":
            yield from self._of_set(self.table.required_text("set"))
        else:
            yield from self._random(self.table.table(self.kind))

    def _random(self, options: Fields) -> Iterator[Case]:
        goal, size = self._goal_of_size(options)
        count = options.whole("count", 1, MANY, 1)
        seed = options.whole("seed", -LARGEST, LARGEST, 1)
        puzzle = Puzzle(goal, self.metric)
        walks = self.kind == "scramble"
        lengths = options.numbers("moves", most=MANY) if walks else [0]
        backtrack = walks and options.flag("backtrack")
        options.finish()
        if not lengths:
            raise options.missing("moves", "a whole number, or a list of them", [])
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

    def _goal_of_size(self, options: Fields) -> tuple[Goal, str]:
        if self.goal not in NAMED_GOALS:
            if "size" in options:
                raise options.error("size", "leave it out: the goal defines the size")
            goal = self._goal_for(None)
            return goal, f"{goal.grid.rows}x{goal.grid.columns}"
        text = options.required_text("size")
        match = _SIZE.fullmatch(text)
        if match is None:
            raise options.error("size", f'expected rows x columns, such as "3x3", found {text!r}')
        rows, columns = int(match[1]), int(match[2])
        if rows * columns > _MOST_CELLS:
            raise options.error("size", f"expected at most {_MOST_CELLS:,} cells, found {text}")
        with options.blaming("size"):
            return NAMED_GOALS[self.goal](rows, columns), f"{rows}x{columns}"

    def _of_set(self, name: str) -> Iterator[Case]:
        numbers, printed = self.table.numbers("numbers", least=1), self.table.table("printed")
        if name not in named_sets():
            raise self.table.error("set", unknown("set", name, named_sets()))
        goal, lines = _set_lines(name)
        if not self.has_goal:
            self.goal = goal
        for number in numbers or range(1, len(lines) + 1):
            if number > len(lines):
                raise self.table.error(
                    "numbers", f"{name} has boards 1 to {len(lines)}, found {number}"
                )
            label, text, columns = lines[number - 1]
            expected = f"one of {', '.join(columns)}"
            figures = {}
            for search, column in printed.free((str,), expected).items():
                if column not in columns:
                    raise printed.unexpected(search, expected, column)
                figures[search] = columns[column]
            yield self._case(f"{self.label or name} {label}", Board.parse(text), columns, figures)

    def _boards_of(self, path: Path) -> tuple[Board, ...]:
        try:
            text = read_text(path)
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not text"
            raise self.table.error("file", f"{path} cannot be read: {why}") from None
        try:
            return read_boards(text)
        except NotationError as error:
            raise self.table.error("file", f"{path}, {error}") from None

    def _board(self, key: str, text: str) -> Board:
        with self.table.blaming(key):
            return read_board(text)

    def _numbered(self, noun: str, boards: Iterable[Board]) -> Iterator[Case]:
        for number, board in enumerate(boards, self.before + 1):
            yield self._case(f"{self.label or noun} {number}", board)

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
            return named_goal(self.goal, grid)
        with self.table.blaming("goal"):
            return read_goal(self.goal, *((grid.rows, grid.columns) if grid else ()))


def read_columns(table: Fields) -> dict[str, ColumnValue]:
    """Return the columns of a table; raise TaquinError for a value of another type."""
    return table.free(COLUMN_TYPES, "a text, a number or true or false")


def _set_lines(name: str) -> tuple[str, list[tuple[str, str, dict[str, int]]]]:
    """Return the goal of a set, and the label, text and columns of each of its boards."""
    goal, boards = "blank-last", []
    for line in (_SETS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("# goal:"):
            goal = line.partition(":")[2].strip()
        elif line and not line.startswith("#"):
            label, text, rest = (part.strip() for part in line.split("|"))
            pairs = (pair.partition("=") for pair in rest.split())
            boards.append((label, text, {key: int(value) for key, _, value in pairs}))
    return goal, boards

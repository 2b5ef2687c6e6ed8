"""The options that commands share, their parameter types, and groups of them as one value.

A command with `@problem_options` and `@limit_options()` takes BOARD, --goal, --metric, --max-nodes
and so on, and is called with `problem: Problem` and `limits: Limits`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any

import click

from taquin.cli.command import Decorator, gathered, option, whole
from taquin.cli.inputs import goal_of, lines_of, start_of
from taquin.cli.numbers import Seconds
from taquin.errors import NotationError, TaquinError
from taquin.model.board import Board
from taquin.model.goal import NAMED_GOALS
from taquin.model.grid import Grid
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.notation import MAX_CELLS, read_boards, read_many
from taquin.search.result import Count, Limits
from taquin.system.machine import safe_memory
from taquin.system.words import amount, shorten

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_SIZE = r"([0-9]{1,3})(?:(?:\s*[x×X*,]\s*|\s+)([0-9]{1,3}))?"
_MAX_SIZE = 40
_MAX_FAULTS = 2000
"""Lines without a board before the search for boards of several lines is given up."""


class Amount(click.ParamType):  # type: ignore[type-arg]
    """A whole number that may be written 1_000_000, 1e6 or 1M; with `size` a size in bytes."""

    def __init__(self, size: bool = False) -> None:
        self.name = "size" if size else "n"
        self.size = size

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number that `value` stands for."""
        if isinstance(value, int):
            return value
        number = amount(value, self.size)
        if number is None:
            examples = "500M or 2G" if self.size else "5000, 1e6 or 2M"
            self.fail(f"expected a number such as {examples}, found {shorten(value)}", param, ctx)
        return number


class GridSize(click.ParamType):  # type: ignore[type-arg]
    """Rows × columns, such as `4x4` or `4 4`; one number for a square."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number of rows and of columns."""
        if not isinstance(value, str):
            return value
        match = re.fullmatch(_SIZE, value[:_MAX_SIZE].strip())
        if match is None:
            self.fail(f"expected rows x columns, such as 4x4, found {shorten(value)}", param, ctx)
        return int(match[1]), int(match[2] or match[1])


class Named(click.ParamType):  # type: ignore[type-arg]
    """Text that the library resolves; `name` is its metavar, `known` names are completed."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the known names that begin with `incomplete`."""
        # Only completion needs it, and importing it costs every start-up.
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.known if name.startswith(incomplete)]


@dataclass(frozen=True, slots=True)
class Problem:
    """A board and its goal as they were typed."""

    board: tuple[str, ...]
    """The words of the board, the name of a file, `-`, or nothing for standard input."""
    goal: str
    """The name of a goal, its text, or the name of a file."""
    metric: Metric = Metric.SINGLE
    """What counts as one move."""

    def read(self) -> tuple[Puzzle, Board]:
        """Return the puzzle and the start; raise TaquinError if they cannot be read."""
        start = start_of(self.board, self.goal)
        puzzle = self.puzzle_on(start.grid)
        puzzle.check(start)
        return puzzle, start

    def read_each(self) -> Iterator[tuple[Puzzle, Board] | TaquinError]:
        """Yield the puzzle and the start of each board, or the error in a line.

        Each line is a board, or boards of several lines are separated by empty lines.
        """
        return self.checked(_boards_in(lines_of(self.board), self.goal in NAMED_GOALS))

    def checked(
        self, boards: Iterable[Board | TaquinError]
    ) -> Iterator[tuple[Puzzle, Board] | TaquinError]:
        """Yield each board with its puzzle, or what is wrong with it; errors stay as they are."""
        puzzle_on = cache(self.puzzle_on)
        for board in boards:
            if isinstance(board, TaquinError):
                yield board
                continue
            try:
                puzzle = puzzle_on(board.grid)
                puzzle.check(board)
            except TaquinError as error:
                yield error
            else:
                yield puzzle, board

    def puzzle_on(self, grid: Grid) -> Puzzle:
        """Return the puzzle for boards on `grid`; raise TaquinError if it cannot be read."""
        return Puzzle(goal_of(self.goal, grid), self.metric)


def _boards_in(lines: Iterable[str], classic: bool) -> Iterator[Board | NotationError]:
    """Yield the board of each line, or of each block of lines if no line is a board."""
    first_lines: list[str] = []
    faults: list[NotationError] = []
    is_undecided = True

    def remembered() -> Iterator[str]:
        for line in lines:
            if is_undecided:
                first_lines.append(line)
            yield line

    for board in read_many(remembered(), classic):
        if is_undecided and isinstance(board, NotationError) and len(faults) < _MAX_FAULTS:
            faults.append(board)
            continue
        is_undecided = False
        yield from faults
        faults.clear()
        yield board
    if faults:
        # No line is a board by itself.
        with suppress(NotationError):
            yield from read_boards("".join(first_lines), classic)
            return
    yield from faults


def grid_of(size: tuple[int, int]) -> Grid:
    """Return the grid of a size; raise UsageError if it has more cells than a board may have.

    >>> str(grid_of((3, 4)))
    '3×4'
    """
    rows, columns = size
    if rows * columns > MAX_CELLS:
        raise click.UsageError(
            f"boards of up to {MAX_CELLS:,} cells can be made, such as 100x100; "
            f"{rows}×{columns} has {rows * columns:,}"
        )
    return Grid(rows, columns)


def _joined(ctx: click.Context, param: click.Parameter, words: tuple[str, ...]) -> Any:
    """Return the size given in one word or two, `4x4` or `4 4`; None without words."""
    return GridSize().convert(" ".join(words), None, ctx) if words else None


def size_argument(required: bool = False) -> Decorator:
    """Return a decorator that adds the size of a grid, in one word or two, to a command."""
    metavar = "SIZE" if required else "[SIZE]"
    return click.argument("size", nargs=-1, required=required, metavar=metavar, callback=_joined)


board_argument = click.argument("board", nargs=-1, metavar="[BOARD | FILE | -]")
goal_option = option(
    "Puzzle",
    "--goal",
    "-g",
    default="blank-last",
    metavar="GOAL",
    help="blank-last, blank-first, snail, or a board with * where any tile will do.",
)
metric_option = option(
    "Puzzle",
    "--metric",
    one_of=Metric,
    default=Metric.SINGLE.value,
    help="What counts as one move: a tile, or a slide of several in a line.",
)
size_option = option(
    "Puzzle", "--size", type=GridSize(), default="3x3", help="Rows x columns of the board."
)
cluster_option = option(
    "Engine",
    "--cluster",
    metavar="ADDRESS",
    help="The workers of a Dask scheduler, such as tcp://host:8786; local:N starts N here.",
)
threads_option = whole("Engine", "--threads", help="Cores to use.  [default: all]")
json_option = option("Output", "--json", "as_json", is_flag=True, help="Print JSON.")


class OutputFormat(Enum):
    """How a command prints its records."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"


def _output_format(as_json: bool, as_csv: bool) -> OutputFormat:
    if as_json and as_csv:
        raise click.UsageError("choose one of --json and --csv")
    return OutputFormat.JSON if as_json else OutputFormat.CSV if as_csv else OutputFormat.TEXT


format_options = gathered(
    _output_format,
    "output",
    json_option,
    option("Output", "--csv", "as_csv", is_flag=True, help="Print comma-separated values."),
)

position_options = gathered(Problem, "problem", board_argument, goal_option)
problem_options = gathered(Problem, "problem", board_argument, goal_option, metric_option)


def max_boards_option(default: int | None, help: str) -> Decorator:
    """Return a decorator that adds the limit on the number of boards that are enumerated."""
    return option("Limits", "--max-boards", type=Amount(), default=default, help=help)


_SECONDS_HELP = "Most seconds of the search; compiling and loading are not counted."


def seconds_option(default: float | None = None, help: str = _SECONDS_HELP) -> Decorator:
    """Return a decorator that adds the limit on time."""
    return option(
        "Limits", "--max-seconds", type=Seconds(), metavar="S", default=default, help=help
    )


_memory_option = option(
    "Limits",
    "--max-memory",
    type=Amount(size=True),
    help="Most memory: 500M, 2GB, 1GiB.  [default: ¾ of the machine's]",
)


def limit_options(max_seconds: float | None = None) -> Decorator:
    """Return a decorator that adds the limits; `max_seconds` is the default limit on time."""
    return gathered(
        _limits,
        "limits",
        option("Limits", "--max-nodes", type=Amount(), help="Most nodes: 5000, 1e6, 2M."),
        seconds_option(max_seconds),
        whole("Limits", "--max-depth", least=0, help="Most moves on a path."),
        _memory_option,
        option(
            "Limits",
            "--count",
            one_of=Count,
            default=Count.GENERATED.value,
            metavar="WHICH",
            help="Which nodes --max-nodes counts: expanded, generated, enqueued, dequeued.",
        ),
    )


def _limits(
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    max_depth: int | None = None,
    max_memory: int | None = None,
    count: Count = Count.GENERATED,
) -> Limits:
    """Return the limits; there is always one on memory."""
    memory = safe_memory() if max_memory is None else max_memory
    return Limits(max_nodes, max_seconds, max_depth, memory, count)


resource_limit_options = gathered(_limits, "limits", seconds_option(), _memory_option)
"""Adds the limits on time and memory to a command."""

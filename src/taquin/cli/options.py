"""The options that commands share, the kinds of values they take, and groups of them as one value.

A command with `@problem_options` and `@limit_options()` takes BOARD, --goal, --metric, --max-nodes
and so on, and is called with `problem: Problem` and `limits: Limits`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
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


_LONGEST_SIZE = 40
_MOST_FAULTS = 2000
"""Lines that may be parts of boards of several lines before one is taken for what it is."""


class Amount(click.ParamType):  # type: ignore[type-arg]
    """A whole number that may be written 1_000_000, 1e6 or 1M; with `size` a size in bytes."""

    def __init__(self, size: bool = False) -> None:
        self.name = "size" if size else "n"
        self.size = size

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number that `value` is written for."""
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
        match = re.fullmatch(_SIZE, value[:_LONGEST_SIZE].strip())
        if match is None:
            self.fail(f"expected rows x columns, such as 4x4, found {shorten(value)}", param, ctx)
        return int(match[1]), int(match[2] or match[1])


class Named(click.ParamType):  # type: ignore[type-arg]
    """What the library resolves, called `name` in help and completed from `known` names."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the known names that begin with what was typed."""
        # Only the tab key needs it, and importing it costs every start-up.
        from click.shell_completion import CompletionItem

        return [CompletionItem(name) for name in self.known if name.startswith(incomplete)]


@dataclass(frozen=True, slots=True)
class Problem:
    """What to solve, as it was written."""

    board: tuple[str, ...]
    """The words of the board, the name of a file, `-`, or nothing for standard input."""
    goal: str
    """The name of a goal, its text, or the name of a file."""
    metric: Metric = Metric.SINGLE
    """What counts as one move."""

    def read(self) -> tuple[Puzzle, Board]:
        """Return the puzzle and the start; raise TaquinError when they cannot be read."""
        start = start_of(self.board, self.goal)
        puzzle = self.puzzle_on(start.grid)
        puzzle.check(start)
        return puzzle, start

    def read_each(self) -> Iterator[tuple[Puzzle, Board] | TaquinError]:
        """Yield the puzzle and the start of each board, or what is wrong with a line.

        There is a board on each line, or boards of several lines have empty ones between them.
        """
        puzzle_on = cache(self.puzzle_on)
        for found in _boards_in(lines_of(self.board), self.goal in NAMED_GOALS):
            if isinstance(found, TaquinError):
                yield found
                continue
            try:
                puzzle = puzzle_on(found.grid)
                puzzle.check(found)
            except TaquinError as error:
                yield error
            else:
                yield puzzle, found

    def puzzle_on(self, grid: Grid) -> Puzzle:
        """Return the puzzle for boards on `grid`; raise TaquinError when it cannot be read."""
        return Puzzle(goal_of(self.goal, grid), self.metric)


def _boards_in(lines: Iterable[str], classic: bool) -> Iterator[Board | NotationError]:
    """Yield the board of each line, or of each block of lines where no line is a board."""
    begun: list[str] = []
    faults: list[NotationError] = []
    is_begun = True

    def noted() -> Iterator[str]:
        for line in lines:
            if is_begun:
                begun.append(line)
            yield line

    for found in read_many(noted(), classic):
        if is_begun and isinstance(found, NotationError) and len(faults) < _MOST_FAULTS:
            faults.append(found)
            continue
        is_begun = False
        yield from faults
        faults.clear()
        yield found
    if faults:
        # Not one line is a board by itself.
        with suppress(NotationError):
            yield from read_boards("".join(begun), classic)
            return
    yield from faults


def grid_of(size: tuple[int, int]) -> Grid:
    """Return the grid of a size; raise UsageError at once for one of more cells than boards have.

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
    """Return the size that words are, `4x4` and `4 4` alike; None for none."""
    return GridSize().convert(" ".join(words), None, ctx) if words else None


def size_argument(required: bool = False) -> Decorator:
    """Return what adds the size of a grid to a command, in one word or in two."""
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

position_options = gathered(Problem, "problem", board_argument, goal_option)
problem_options = gathered(Problem, "problem", board_argument, goal_option, metric_option)


def most_boards(default: int | None, help: str) -> Decorator:
    """Return what adds the limit on the boards that are gone through one by one."""
    return option("Limits", "--max-boards", type=Amount(), default=default, help=help)


def seconds_option(default: float | None) -> Decorator:
    """Return what adds the limit on time."""
    return option(
        "Limits",
        "--max-seconds",
        type=Seconds(),
        metavar="S",
        default=default,
        help="Most seconds of the search; compiling and loading are not counted.",
    )


_memory_option = option(
    "Limits",
    "--max-memory",
    type=Amount(size=True),
    help="Most memory: 500M, 2GB, 1GiB.  [default: ¾ of the machine's]",
)


def limit_options(max_seconds: float | None = None) -> Decorator:
    """Return what adds the limits to a command, with a limit on time unless told otherwise."""
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
    """Return the limits, with one on memory in any case."""
    memory = safe_memory() if max_memory is None else max_memory
    return Limits(max_nodes, max_seconds, max_depth, memory, count)


limits_on_the_machine = gathered(_limits, "limits", seconds_option(None), _memory_option)
"""What adds the limits that are not about nodes to a command."""

"""Options that commands share, and groups of options that arrive as one value.

A command with `@problem_options` and `@limit_options()` takes BOARD, --goal, --metric, --max-nodes
and so on, and is called with `problem: Problem` and `limits: Limits`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import click

from taquin import Board, Count, Grid, Limits, Metric, NotationError, Puzzle, TaquinError
from taquin.cli.command import (
    AMOUNT,
    BYTES,
    SIZE,
    TIME,
    Decorator,
    flag,
    gathered,
    int_option,
    option,
)
from taquin.cli.inputs import goal_of, lines_of, start_of
from taquin.cli.screen import say
from taquin.model.goal import NAMED_GOALS
from taquin.notation import MAX_CELLS, read_boards, read_many
from taquin.system.machine import safe_memory

_MAX_FAULTS = 2000
"""Errors that are held back while the input may still be boards of several lines."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The arguments that name a board, its goal and the metric."""

    board: tuple[str, ...]
    """The arguments of BOARD: a board, a file name, `-`, or nothing for standard input."""
    goal: str
    """The name of a goal, a goal, or a file name."""
    metric: Metric = Metric.SINGLE

    def read(self) -> tuple[Puzzle, Board]:
        """Return the puzzle and the start; raise TaquinError if they cannot be read."""
        start = start_of(self.board, self.goal)
        puzzle = self.puzzle_on(start.grid)
        puzzle.check(start)
        return puzzle, start

    def read_each(self) -> Iterator[tuple[Puzzle, Board] | TaquinError]:
        """Yield the puzzle and the start of each line or block of lines, or the error in it."""
        return self.checked(self.boards_in(lines_of(self.board)))

    @property
    def is_classic(self) -> bool:
        """Whether boards need numbered tiles, each once."""
        return self.goal in NAMED_GOALS

    def boards_in(self, lines: Iterable[str]) -> Iterator[Board | NotationError]:
        """Yield the board of each line or block of lines, or the error in it."""
        return _boards_in(lines, self.is_classic)

    def checked(
        self,
        boards: Iterable[Board | TaquinError],
        puzzle_on: Callable[[Grid], Puzzle] | None = None,
    ) -> Iterator[tuple[Puzzle, Board] | TaquinError]:
        """Yield each board with its puzzle, or the error in it; errors are passed on.

        `puzzle_on` may be a cache of the method of that name.
        """
        puzzle_on = puzzle_on or cache(self.puzzle_on)
        for board in boards:
            try:
                if isinstance(board, TaquinError):
                    raise board
                puzzle = puzzle_on(board.grid)
                puzzle.check(board)
            except TaquinError as error:
                yield error
            else:
                yield puzzle, board

    def puzzle_on(self, grid: Grid) -> Puzzle:
        """Return the puzzle for boards on `grid`; raise TaquinError if it cannot be read."""
        return Puzzle(goal_of(self.goal, grid), self.metric)


def valid_boards(
    entries: Iterable[tuple[Puzzle, Board] | TaquinError],
) -> tuple[list[tuple[Puzzle, Board]], bool]:
    """Return the boards among `entries`, and whether there are errors; print the errors.

    Raise UsageError if no board is left.
    """
    boards, errors = [], 0
    for entry in entries:
        if isinstance(entry, TaquinError):
            say(f"Error: {entry}")
            errors += 1
        else:
            boards.append(entry)
    if not boards:
        raise click.UsageError("expected a board on each line, found none")
    return boards, errors > 0


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
    """Return the grid of a size; raise UsageError if it has more cells than a board may have."""
    rows, columns = size
    if rows * columns > MAX_CELLS:
        most = f"up to {MAX_CELLS:,} cells, such as 100x100"
        raise click.UsageError(f"expected {most}; {rows}×{columns} has {rows * columns:,}")
    return Grid(rows, columns)


def size_argument(required: bool = False) -> Decorator:
    """Return a decorator that adds the size of a grid, `4x4` or `4 4`; None if it is not given."""

    def joined(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> Any:
        return SIZE.convert(" ".join(values), None, ctx) if values else None

    metavar = "SIZE" if required else "[SIZE]"
    return click.argument("size", nargs=-1, required=required, metavar=metavar, callback=joined)


board_argument = click.argument("board", nargs=-1, metavar="[BOARD | FILE | -]")
goal_option = option(
    "Puzzle",
    "--goal -g GOAL",
    "blank-last, blank-first, snail, or a board with * where any tile will do.",
    default="blank-last",
)
metric_option = option(
    "Puzzle",
    "--metric",
    "What counts as one move: a tile, or a slide of several in a line.",
    one_of=Metric,
    default=Metric.SINGLE.value,
)
size_option = option("Puzzle", "--size", "Rows x columns of the board.", type=SIZE, default="3x3")
cluster_option = option(
    "Engine",
    "--cluster ADDRESS",
    "A Dask cluster: the address of its scheduler, such as tcp://host:8786, or its scheduler file; "
    "local:N starts N workers here.",
)
threads_option = int_option("Engine", "--threads", "Number of threads.  [default: one per core]")
json_option = flag("Output", "--json as_json", "Print JSON.")
OutputFormat = Literal["text", "json", "csv"]
"""The format in which a command prints records."""


def _output_format(as_json: bool, as_csv: bool) -> OutputFormat:
    if as_json and as_csv:
        raise click.UsageError("choose one of --json and --csv")
    return "json" if as_json else "csv" if as_csv else "text"


format_options = gathered(
    _output_format,
    "output",
    json_option,
    flag("Output", "--csv as_csv", "Print comma-separated values."),
)

position_options = gathered(Problem, "problem", board_argument, goal_option)
problem_options = gathered(Problem, "problem", board_argument, goal_option, metric_option)


_SECONDS_HELP = "Time limit in seconds; includes loading and building tables."


def seconds_option(default: float | None = None, help: str = _SECONDS_HELP) -> Decorator:
    """Return a decorator that adds the limit on time."""
    return option("Limits", "--max-seconds S seconds", help, type=TIME, default=default)


memory_option = option(
    "Limits",
    "--max-memory memory",
    "Memory limit: 500M, 2GB.  [default: ¾ of the machine's]",
    type=BYTES,
    default=safe_memory,
)


nodes_option = option("Limits", "--max-nodes nodes", "Node limit: 5000, 1e6, 2M.", type=AMOUNT)
depth_option = int_option("Limits", "--max-depth depth", "Limit on the moves of a path.", least=0)


def limits_of(*options: Decorator) -> Decorator:
    """Return a decorator that adds some of the limits, as the argument `limits`."""
    return gathered(Limits, "limits", *options)


def limit_options(max_seconds: float | None = None) -> Decorator:
    """Return a decorator that adds all limits; `max_seconds` is the default limit on time."""
    return limits_of(
        nodes_option,
        seconds_option(max_seconds),
        depth_option,
        memory_option,
        option(
            "Limits",
            "--count WHICH counting",
            "The counter that --max-nodes limits: expanded, generated, enqueued, dequeued.",
            one_of=Count,
            default=Count.GENERATED.value,
        ),
    )


resource_limit_options = limits_of(seconds_option(), memory_option)
"""Adds the limits on time and memory to a command."""

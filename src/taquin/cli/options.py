"""The options that commands share, each group of them handed over as one value.

A command with `@problem_options` and `@limit_options()` takes BOARD, --goal, --metric, --max-nodes
and so on, and is called with `problem: Problem` and `limits: LimitOptions`.
"""

from __future__ import annotations

from dataclasses import dataclass

import click

from taquin.cli.command import Decorator, gathered, option
from taquin.cli.inputs import goal_of, start_of
from taquin.cli.parameters import Amount, EnumChoice, GridSize
from taquin.model.board import Board
from taquin.model.grid import Grid
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.search.result import Count, Limits
from taquin.system.machine import safe_memory


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

    def puzzle_on(self, grid: Grid) -> Puzzle:
        """Return the puzzle for boards on `grid`; raise TaquinError when it cannot be read."""
        return Puzzle(goal_of(self.goal, grid), self.metric)


@dataclass(frozen=True, slots=True)
class LimitOptions:
    """When to give up, as it was written; None for no limit."""

    max_nodes: int | None
    """Most nodes."""
    max_seconds: float | None
    """Most seconds."""
    max_depth: int | None
    """Most moves on a path."""
    max_memory: int | None
    """Most bytes of memory; None for a share of the machine's."""
    count: Count
    """Which nodes `max_nodes` counts."""

    @property
    def given(self) -> bool:
        """Tell whether any limit was asked for."""
        asked = (self.max_nodes, self.max_seconds, self.max_depth, self.max_memory)
        return any(limit is not None for limit in asked)

    def limits(self) -> Limits:
        """Return the limits, with one on memory in any case."""
        memory = safe_memory() if self.max_memory is None else self.max_memory
        return Limits(
            nodes=self.max_nodes,
            seconds=self.max_seconds,
            depth=self.max_depth,
            memory=memory,
            counting=self.count,
        )


board_argument = click.argument("board", nargs=-1, metavar="[BOARD | FILE | -]")
goal_option = option(
    "Puzzle",
    "--goal",
    "-g",
    default="blank-last",
    show_default=True,
    metavar="GOAL",
    help="blank-last, blank-first, snail, or a board with * where any tile will do.",
)
metric_option = option(
    "Puzzle",
    "--metric",
    type=EnumChoice(Metric),
    default=Metric.SINGLE.value,
    show_default=True,
    help="What counts as one move: a tile, or a slide of several in a line.",
)
size_option = option(
    "Puzzle",
    "--size",
    type=GridSize(),
    default="3x3",
    show_default=True,
    help="Rows x columns of the board.",
)
json_option = option("Output", "--json", "as_json", is_flag=True, help="Print JSON.")

position_options = gathered(Problem, "problem", board_argument, goal_option)
problem_options = gathered(Problem, "problem", board_argument, goal_option, metric_option)


def limit_options(max_seconds: float | None = None) -> Decorator:
    """Return what adds the limits to a command, with a limit on time unless told otherwise."""
    return gathered(
        LimitOptions,
        "limits",
        option(
            "Limits",
            "--max-nodes",
            type=Amount("n"),
            metavar="N",
            help="Most nodes: 5000, 1e6, 2M.",
        ),
        option(
            "Limits",
            "--max-seconds",
            type=click.FloatRange(min=0),
            metavar="S",
            default=max_seconds,
            show_default=max_seconds is not None,
            help="Most seconds.",
        ),
        option(
            "Limits",
            "--max-depth",
            type=click.IntRange(min=0),
            metavar="N",
            help="Most moves on a path.",
        ),
        option(
            "Limits",
            "--max-memory",
            type=Amount("size", size=True),
            metavar="SIZE",
            help="Most memory: 500M, 2GB, 1GiB.  [default: ¾ of the machine's]",
        ),
        option(
            "Limits",
            "--count",
            type=EnumChoice(Count),
            default=Count.GENERATED.value,
            show_default=True,
            metavar="WHICH",
            help="Which nodes --max-nodes counts: expanded, generated, enqueued, dequeued.",
        ),
    )

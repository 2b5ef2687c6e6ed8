"""`taquin scramble`: random boards to solve."""

from __future__ import annotations

import click

from taquin.cli.command import Command, option
from taquin.cli.inputs import goal_of
from taquin.cli.options import goal_option, metric_option
from taquin.cli.parameters import EnumChoice, GridSize
from taquin.cli.status import OK
from taquin.model.goal import Goal
from taquin.model.grid import Grid
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_board, random_walk
from taquin.notation import Form, write_board

_LARGEST_SEED = 2**32


@click.command(
    cls=Command,
    examples=(
        "taquin scramble",
        "taquin scramble 4x4 --moves 30 --seed 1",
        "taquin scramble 3x3 --count 100 | taquin solve --many",
        "taquin scramble 5x5 --form classic > puzzle.txt",
        'taquin scramble --goal "* A * / # B * / * @ *"',
    ),
)
@click.argument("size", type=GridSize(), required=False)
@option("Puzzle", "--rows", type=click.IntRange(min=1), metavar="N", help="Number of rows.")
@option("Puzzle", "--columns", type=click.IntRange(min=1), metavar="N", help="Number of columns.")
@goal_option
@metric_option
@option(
    "Chance",
    "--moves",
    type=click.IntRange(min=0),
    metavar="N",
    help="Make this many random moves from the goal.  [default: any solvable board]",
)
@option("Chance", "--seed", type=int, metavar="N", help="The same seed gives the same boards.")
@option(
    "Output",
    "--count",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="How many boards, from the seeds N, N + 1 …",
)
@option(
    "Output",
    "--form",
    type=EnumChoice(Form),
    default=Form.ROWS.value,
    show_default=True,
    help="How they are written.",
)
def scramble(
    size: tuple[int, int] | None,
    rows: int | None,
    columns: int | None,
    goal: str,
    metric: Metric,
    moves: int | None,
    seed: int | None,
    count: int,
    form: Form,
) -> int:
    """Make random boards.

    SIZE is rows x columns, such as 4x4; 3x3 when nothing is said. Every solvable board has the
    same chance, unless --moves asks for a walk from the goal.
    """
    target = _goal(goal, _size(size, rows, columns))
    if seed is None:
        from random import randrange

        seed = randrange(_LARGEST_SEED)
    for number in range(seed, seed + count):
        if moves is None:
            board = random_board(target, number)
        else:
            board = random_walk(Puzzle(target, metric), moves, number)
        text = write_board(board, form)
        click.echo(f"{text}\n" if "\n" in text and number < seed + count - 1 else text)
    return OK


def _size(
    size: tuple[int, int] | None, rows: int | None, columns: int | None
) -> tuple[int, int] | None:
    """Return the size asked for in one way or the other; None when none was."""
    if rows is None and columns is None:
        return size
    if size is not None:
        raise click.UsageError("give the size once: as 4x4, or with --rows and --columns")
    return rows or columns or 0, columns or rows or 0


def _goal(text: str, size: tuple[int, int] | None) -> Goal:
    """Return the goal; one that is written out tells the size by itself."""
    goal = goal_of(text, Grid(*(size or (3, 3))))
    if size is not None and (goal.grid.rows, goal.grid.columns) != size:
        raise click.UsageError(f"the goal is {goal.grid}, not {size[0]}×{size[1]}")
    return goal

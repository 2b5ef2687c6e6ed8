"""`taquin scramble`: random boards to solve."""

from __future__ import annotations

from random import randrange

import click

from taquin.cli.command import OK, command, option, whole
from taquin.cli.inputs import goal_of
from taquin.cli.options import goal_option, metric_option, size_argument
from taquin.model.grid import Grid
from taquin.model.moves import Metric
from taquin.model.puzzle import Puzzle
from taquin.model.scramble import random_board, random_walk
from taquin.notation import Form, write_board


@command(
    "taquin scramble",
    "taquin scramble 4x4 --moves 30 --seed 1",
    "taquin scramble 3x3 --count 100 | taquin solve --many",
    "taquin scramble 5x5 --form classic > puzzle.txt",
    'taquin scramble --goal "* A * / # B * / * @ *"',
)
@size_argument()
@whole("Puzzle", "--rows", help="Number of rows.")
@whole("Puzzle", "--columns", help="Number of columns.")
@goal_option
@metric_option
@whole(
    "Chance",
    "--moves",
    least=0,
    help="Make this many random moves from the goal.  [default: any solvable board]",
)
@option("Chance", "--seed", type=int, metavar="N", help="The same seed gives the same boards.")
@whole("Output", "--count", default=1, help="How many boards, from the seeds N, N + 1 …")
@option("Output", "--form", one_of=Form, default=Form.ROWS.value, help="How they are written.")
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

    SIZE is rows x columns, such as 4x4 or 4 4; 3x3 when nothing is said. Every solvable board has
    the same chance, unless --moves asks for a walk from the goal.
    """
    if size is not None and (rows or columns):
        raise click.UsageError("give the size once: as 4x4, or with --rows and --columns")
    if rows or columns:
        size = (rows or columns or 0, columns or rows or 0)
    target = goal_of(goal, Grid(*(size or (3, 3))))
    # A goal that is written out tells the size by itself.
    if size is not None and (target.grid.rows, target.grid.columns) != size:
        raise click.UsageError(f"the goal is {target.grid}, not {size[0]}×{size[1]}")
    if seed is None:
        seed = randrange(2**32)
    for number in range(seed, seed + count):
        if moves is None:
            board = random_board(target, number)
        else:
            board = random_walk(Puzzle(target, metric), moves, number)
        text = write_board(board, form)
        click.echo(f"{text}\n" if "\n" in text and number < seed + count - 1 else text)
    return OK

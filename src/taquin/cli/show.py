"""`taquin show`: a board drawn, or written in another notation."""

from __future__ import annotations

import click

from taquin.cli.command import Command, option
from taquin.cli.inputs import position_of
from taquin.cli.options import board_argument, json_option
from taquin.cli.parameters import EnumChoice
from taquin.cli.results import json_line
from taquin.cli.status import OK
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.moves import BLANK, WALL, Label
from taquin.notation import (
    Form,
    board_json,
    can_write,
    goal_json,
    moves_on,
    write_board,
    write_goal,
)

_ON_ONE_LINE = (Form.ROWS, Form.WORDS, Form.LINE, Form.COMPACT, Form.JSON)


@click.command(
    cls=Command,
    examples=(
        'taquin show "b12 345 678"',
        "taquin show puzzle.txt --form compact",
        "taquin show 867254301 --form classic",
        "taquin show 123450786 --after U",
    ),
)
@board_argument
@option(
    "Output", "--form", type=EnumChoice(Form), help="Write it in this notation, and nothing else."
)
@json_option
@option("Puzzle", "--after", metavar="MOVES", help="Make these moves first, such as URDL2.")
def show(board: tuple[str, ...], form: Form | None, as_json: bool, after: str | None) -> int:
    """Draw a board, or write it in another notation.

    Every notation is recognised by itself. A goal with * for any tile can be shown too.
    """
    position = position_of(board)
    if after is not None:
        if isinstance(position, Goal):
            raise click.UsageError("a goal with * has no moves; --after needs a board")
        for move in moves_on(position, after):
            position = position.apply(move)
    if as_json:
        value = board_json(position) if isinstance(position, Board) else goal_json(position)
        click.echo(json_line(value))
    elif form is not None:
        click.echo(_written(position, form))
    else:
        click.echo(draw(position))
        click.echo()
        for each in _ON_ONE_LINE:
            if can_write(position, each):
                click.echo(f"{each.value:8} {_written(position, each)}")
    return OK


def draw(position: Board | Goal) -> str:
    """Return a board or a goal with lines between its cells.

    >>> print(draw(Board.parse("1 12 / 3 0")))
    ┌────┬────┐
    │  1 │ 12 │
    ├────┼────┤
    │  3 │    │
    └────┴────┘
    """
    columns = position.grid.columns
    words = [_drawn(label) for label in position.cells]
    width = max(map(len, words))
    words = [word * width if word == "█" else word.rjust(width) for word in words]
    rows = [words[first : first + columns] for first in range(0, len(words), columns)]
    bar = "─" * (width + 2)
    top, between, bottom = (
        left + middle.join([bar] * columns) + right for left, middle, right in ("┌┬┐", "├┼┤", "└┴┘")
    )
    lines = [f"│ {' │ '.join(row)} │" for row in rows]
    return "\n".join([top, f"\n{between}\n".join(lines), bottom])


def _drawn(label: Label) -> str:
    if label == BLANK:
        return ""
    return "█" if label == WALL else str(label)


def _written(position: Board | Goal, form: Form) -> str:
    if isinstance(position, Board):
        return write_board(position, form)
    return write_goal(position, form)

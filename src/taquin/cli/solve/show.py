"""`taquin show`: draw a board, or write it in another notation."""

from __future__ import annotations

import click

from taquin import Form, Goal, notation
from taquin.cli.command import OK, command, option
from taquin.cli.inputs import position_of
from taquin.cli.options import PictureOptions, board_argument, json_option, picture_options
from taquin.cli.output import print_json
from taquin.cli.screen import paragraph

_ON_ONE_LINE = (Form.ROWS, Form.WORDS, Form.LINE, Form.COMPACT, Form.JSON)


@command(
    'taquin show "b12 345 678"',
    "taquin show puzzle.txt --form compact",
    "taquin show 867254301 --form numpy",
    "taquin show 123450786 --after U",
    "taquin show puzzle.txt -o puzzle.png --photo cat.jpg",
    "taquin show puzzle.txt -o puzzle.svg --colours fringe",
)
@board_argument
@option("Output", "--form", "Print only this notation.", one_of=Form)
@json_option
@option("Puzzle", "--after MOVES", "Apply these moves first, such as URDL2.")
@picture_options()
def show(
    board: tuple[str, ...],
    form: Form | None,
    as_json: bool,
    after: str | None,
    picture: PictureOptions,
) -> int:
    """Draw a board, or write it in another notation.

    The notation is detected; everything that taquin prints can be read. A goal with * for any tile
    can be shown too.
    """
    position = position_of(board)
    if after is not None:
        if isinstance(position, Goal):
            raise click.UsageError("a goal with * has no moves; --after needs a board")
        for move in notation.moves_on(position, after):
            position = position.apply(move)
    if picture.is_wanted:
        from taquin.views import board_drawing

        picture.draw(board_drawing(position, picture.cover_on(position.grid)))
    elif as_json:
        print_json(notation.board_json(position))
    elif form is not None:
        click.echo(notation.write_board(position, form))
    else:
        click.echo(notation.write_board(position, Form.BOX))
        click.echo()
        for one_line_form in _ON_ONE_LINE:
            if notation.can_write(position, one_line_form):
                text = notation.write_board(position, one_line_form)
                click.echo(paragraph(f"{one_line_form.value:8} {text}", indent=" " * 9))
    return OK

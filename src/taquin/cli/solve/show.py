"""`taquin show`, `taquin check` and `taquin export`: what a board is, without a search."""

from __future__ import annotations

import os

import click

import taquin as tq
from taquin import Goal, notation
from taquin.cli import options
from taquin.cli.command import BAD_INPUT, OK, REFUTED, STOPPED, command, flag, option
from taquin.cli.inputs import position_of
from taquin.cli.output import other_goals, print_json
from taquin.cli.running import live_line
from taquin.cli.screen import paragraph, say
from taquin.model.solvability import solvable_goals
from taquin.notation import Form
from taquin.search.control import Control
from taquin.search.driver import race
from taquin.search.run import SKIP_PARENT
from taquin.system.formatting import counted
from taquin.system.interrupts import DeferredInterrupts, interrupted
from taquin.views import DOMAIN, to_pddl, to_sas

_ON_ONE_LINE = (Form.ROWS, Form.WORDS, Form.LINE, Form.COMPACT, Form.JSON)


@command(
    'taquin show "b12 345 678"',
    "taquin show puzzle.txt --form compact",
    "taquin show 867254301 --form numpy",
    "taquin show 123450786 --after U",
    "taquin show puzzle.txt -o puzzle.png --photo cat.jpg",
    "taquin show puzzle.txt -o puzzle.svg --colours fringe",
)
@options.board_argument
@option("Output", "--form", "Print only this notation.", one_of=Form)
@options.json_option
@option("Puzzle", "--after MOVES", "Apply these moves first, such as URDL2.")
@options.picture_options()
def show(
    board: tuple[str, ...],
    form: Form | None,
    as_json: bool,
    after: str | None,
    picture: options.PictureOptions,
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


_ANSWER = {
    tq.Solvability.YES: ("Solvable", OK),
    tq.Solvability.NO: ("Not solvable", REFUTED),
    tq.Solvability.UNKNOWN: ("Unknown", STOPPED),
}


@command(
    'taquin check "1 2 3 / 4 5 6 / 8 7 0"',
    "taquin check puzzle.txt --goal snail",
    'taquin check "A # . / B @ ." --goal "B # * / A * *"',
    'taquin check "1 2 3 / 4 5 6 / 8 7 0" --by twin',
    "taquin check --many boards.txt",
    epilog="Exit status: 0 solvable, 1 not solvable, 2 bad input, 3 unknown. With --many: 2 if a "
    "line is not a board, else 1 if a board is not solvable, else 3 or 0.",
)
@options.position_options
@option(
    "Puzzle",
    "--by",
    "parity: a proof without a search; twin: a race of A* on the board and on the board with "
    "two tiles exchanged, exactly one of which can be solved.",
    one_of=("parity", "twin"),
    default="parity",
)
@options.resource_limit_options
@flag("Output", "--many", "Read several boards, as by taquin solve --many; print a line for each.")
@options.json_option
def check(
    problem: options.BoardArguments, by: str, limits: tq.Limits, many: bool, as_json: bool
) -> int:
    """Check whether a board can be solved, and say why.

    The reason is a parity argument that can be checked by hand; --by twin searches instead. BOARD
    is read as by `taquin solve`.
    """
    if by != "twin" and limits.seconds is not None:
        raise click.UsageError("--max-seconds needs --by twin; parity needs no search")

    entries = problem.read_each() if many else [problem.read()]
    statuses = {OK}
    with DeferredInterrupts():
        for entry in entries:
            try:
                if isinstance(entry, tq.TaquinError):
                    raise entry
                verdict = _race(*entry, limits) if by == "twin" else tq.solvability(*entry)
            except tq.TaquinError as error:
                if not many:
                    raise
                say(f"Error: {error}")
                # Each line of input has a line of output.
                click.echo("null" if as_json else "")
                statuses.add(BAD_INPUT)
                continue
            puzzle, start = entry
            answer, status = _ANSWER[verdict.answer]
            statuses.add(status)
            is_refuted = verdict.answer is tq.Solvability.NO
            text = f"{answer}: {verdict.reason.rstrip('.')}."
            if as_json:
                record = {
                    "answer": verdict.answer.value,
                    "reason": verdict.reason,
                    "start": tq.write_board(start),
                    "goal": tq.write_goal(puzzle.goal),
                    "solvable_with": solvable_goals(puzzle, start) if is_refuted else (),
                }
                print_json(record)
            elif many:
                click.echo(text)
            else:
                text = paragraph(text + (other_goals(puzzle, start) if is_refuted else ""))
                click.echo(click.style(answer, bold=True) + text.removeprefix(answer))
            if interrupted():
                return STOPPED
    return next(status for status in (BAD_INPUT, REFUTED, STOPPED, OK) if status in statuses)


def _race(puzzle: tq.Puzzle, start: tq.Board, limits: tq.Limits) -> tq.Verdict:
    with live_line("twin race") as progress:
        control = Control(limits, progress=progress, notice=say)
        result = race(puzzle, start, tq.AStar(tq.Manhattan(), conventions=SKIP_PARENT), control)
    effort = (
        f"after {counted(result.own.expanded, 'board')} expanded of its own and "
        f"{result.other.expanded:,} of its twin {tq.write_board(result.twin)}"
    )
    if result.solvable is None:
        return tq.Verdict(tq.Solvability.UNKNOWN, f"{control.reason}, {effort}")
    moves = counted(len(result.boards) - 1, "move")
    if result.solvable:
        return tq.Verdict(tq.Solvability.YES, f"it was solved in {moves}, {effort}")
    return tq.Verdict(
        tq.Solvability.NO,
        f"its twin was solved, in {moves}, {effort}; exactly one of the two can be solved",
    )


_FILES = ("domain.pddl", "problem.pddl", "output.sas")


@command(
    'taquin export "8 1 3 / 4 0 2 / 7 6 5" -o task',
    'taquin export "A . / @ ." --goal "* A / * *" -o task',
    "taquin export puzzle.txt --json",
)
@options.position_options
@option("Output", "--output -o FOLDER folder", f"The folder for {', '.join(_FILES)}.")
@options.json_option
def export(problem: options.BoardArguments, folder: str | None, as_json: bool) -> int:
    """Write a board and its goal as a task for planners: PDDL and SAS+.

    The files domain.pddl and problem.pddl are PDDL; output.sas is the same task in SAS+, as Fast
    Downward's translator writes it. A shortest plan is a shortest solution. BOARD is read as by
    `taquin solve`.
    """
    if folder is None and not as_json:
        raise click.UsageError("expected -o FOLDER for the files, or --json")
    puzzle, start = problem.read()
    texts = (DOMAIN, to_pddl(puzzle, start), to_sas(puzzle, start))
    content = dict(zip(_FILES, texts, strict=True))
    if folder is not None:
        os.makedirs(folder, exist_ok=True)
        for name, text in content.items():
            options.write_file(os.path.join(folder, name), text.encode())
    if as_json:
        print_json(content)
    return OK

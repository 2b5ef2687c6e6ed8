"""`taquin check`: whether a board can be solved, and why."""

from __future__ import annotations

import click

from taquin.cli.command import OK, REFUTED, STOPPED, command
from taquin.cli.options import Problem, json_option, position_options
from taquin.cli.screen import paragraph
from taquin.cli.table import print_json
from taquin.model.solvability import Solvability, solvability
from taquin.notation import write_board, write_goal

_ANSWER = {
    Solvability.YES: ("Solvable", OK),
    Solvability.NO: ("Not solvable", REFUTED),
    Solvability.UNKNOWN: ("Unknown", STOPPED),
}
"""What is said, and the exit status."""


@command(
    'taquin check "1 2 3 / 4 5 6 / 8 7 0"',
    "taquin check puzzle.txt --goal snail",
    'taquin check "A # . / B @ ." --goal "B # * / A * *"',
    epilog="Exit status: 0 solvable, 1 not solvable, 2 bad input, 3 unknown.",
)
@position_options
@json_option
def check(problem: Problem, as_json: bool) -> int:
    """Tell whether a board can be solved, and why.

    Nothing is searched: the reason can be checked by hand. BOARD is read as by `taquin solve`.
    """
    puzzle, start = problem.read()
    verdict = solvability(puzzle, start)
    answer, status = _ANSWER[verdict.answer]
    if as_json:
        found = {"answer": verdict.answer.value, "reason": verdict.reason}
        boards = {"start": write_board(start), "goal": write_goal(puzzle.goal)}
        print_json(found | boards)
    else:
        text = paragraph(f"{answer}: {verdict.reason.rstrip('.')}.")
        click.echo(click.style(answer, bold=True) + text.removeprefix(answer))
    return status

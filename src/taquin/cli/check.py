"""`taquin check`: prove whether a board can be solved."""

from __future__ import annotations

from enum import Enum

import click

from taquin.cli.command import OK, REFUTED, STOPPED, command, option
from taquin.cli.options import Problem, json_option, limit_options, position_options
from taquin.cli.results import way_out
from taquin.cli.running import live_line
from taquin.cli.screen import paragraph, say
from taquin.cli.table import print_json
from taquin.heuristics.manhattan import Manhattan
from taquin.model.board import Board
from taquin.model.puzzle import Puzzle
from taquin.model.solvability import Solvability, Verdict, solvability, solvable_goals
from taquin.notation import write_board, write_goal
from taquin.search.algorithms import AStar
from taquin.search.control import Control
from taquin.search.conventions import SKIP_PARENT
from taquin.search.result import Limits
from taquin.search.twins import race
from taquin.system.words import counted

_ANSWER = {
    Solvability.YES: ("Solvable", OK),
    Solvability.NO: ("Not solvable", REFUTED),
    Solvability.UNKNOWN: ("Unknown", STOPPED),
}
"""The answer in words, and the exit status."""


class Method(Enum):
    """How to find out whether a board can be solved."""

    PARITY = "parity"
    TWIN = "twin"


@command(
    'taquin check "1 2 3 / 4 5 6 / 8 7 0"',
    "taquin check puzzle.txt --goal snail",
    'taquin check "A # . / B @ ." --goal "B # * / A * *"',
    'taquin check "1 2 3 / 4 5 6 / 8 7 0" --by twin',
    epilog="Exit status: 0 solvable, 1 not solvable, 2 bad input, 3 unknown.",
)
@position_options
@option(
    "Puzzle",
    "--by",
    "parity: a proof without a search; twin: a race of A* on the board and on the board with "
    "two tiles exchanged, exactly one of which can be solved.",
    one_of=Method,
    default=Method.PARITY.value,
)
@limit_options()
@json_option
def check(problem: Problem, by: Method, limits: Limits, as_json: bool) -> int:
    """Check whether a board can be solved, and say why.

    Nothing is searched unless --by twin asks for it: the reason can be checked by hand. BOARD is
    read as by `taquin solve`.
    """
    puzzle, start = problem.read()
    if by is Method.TWIN:
        verdict = _race(puzzle, start, limits)
    elif limits.nodes is None and limits.seconds is None and limits.depth is None:
        verdict = solvability(puzzle, start)
    else:
        raise click.UsageError("limits are for --by twin; parity needs no search")
    answer, status = _ANSWER[verdict.answer]
    is_refuted = verdict.answer is Solvability.NO
    if as_json:
        print_json(
            {
                "answer": verdict.answer.value,
                "reason": verdict.reason,
                "start": write_board(start),
                "goal": write_goal(puzzle.goal),
                "solvable_with": solvable_goals(puzzle, start) if is_refuted else (),
            }
        )
    else:
        other_goals = way_out(puzzle, start) if is_refuted else ""
        text = paragraph(f"{answer}: {verdict.reason.rstrip('.')}.{other_goals}")
        click.echo(click.style(answer, bold=True) + text.removeprefix(answer))
    return status


def _race(puzzle: Puzzle, start: Board, limits: Limits) -> Verdict:
    """Race a board against its twin, and return the verdict."""
    with live_line("twin race") as progress:
        control = Control(limits, progress=progress, notice=say)
        result = race(puzzle, start, AStar(Manhattan(), conventions=SKIP_PARENT), control)
    effort = (
        f"after {counted(result.own.expanded, 'board')} expanded of its own and "
        f"{result.other.expanded:,} of its twin {write_board(result.twin)}"
    )
    if result.solvable is None:
        return Verdict(Solvability.UNKNOWN, f"{control.reason}, {effort}")
    moves = counted(len(result.boards) - 1, "move")
    if result.solvable:
        return Verdict(Solvability.YES, f"it was solved in {moves}, {effort}")
    return Verdict(
        Solvability.NO,
        f"its twin was solved, in {moves}, {effort}; exactly one of the two can be solved",
    )

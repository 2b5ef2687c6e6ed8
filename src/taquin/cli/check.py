"""`taquin check`: prove whether a board can be solved."""

from __future__ import annotations

import click

from taquin import AStar, Board, Limits, Manhattan, Puzzle, write_board, write_goal
from taquin.cli.command import OK, REFUTED, STOPPED, command, option
from taquin.cli.options import Problem, json_option, limit_options, position_options
from taquin.cli.results import other_goals
from taquin.cli.running import live_line
from taquin.cli.screen import paragraph, say
from taquin.cli.table import print_json
from taquin.model.solvability import Solvability, Verdict, solvability, solvable_goals
from taquin.search.control import Control
from taquin.search.conventions import SKIP_PARENT
from taquin.search.twins import race
from taquin.system.words import counted

_ANSWER = {
    Solvability.YES: ("Solvable", OK),
    Solvability.NO: ("Not solvable", REFUTED),
    Solvability.UNKNOWN: ("Unknown", STOPPED),
}


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
    one_of=("parity", "twin"),
    default="parity",
)
@limit_options()
@json_option
def check(problem: Problem, by: str, limits: Limits, as_json: bool) -> int:
    """Check whether a board can be solved, and say why.

    Nothing is searched unless --by twin asks for it: the reason can be checked by hand. BOARD is
    read as by `taquin solve`.
    """
    puzzle, start = problem.read()
    if by == "twin":
        verdict = _race(puzzle, start, limits)
    elif (limits.nodes, limits.seconds, limits.depth) == (None, None, None):
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
        others = other_goals(puzzle, start) if is_refuted else ""
        text = paragraph(f"{answer}: {verdict.reason.rstrip('.')}.{others}")
        click.echo(click.style(answer, bold=True) + text.removeprefix(answer))
    return status


def _race(puzzle: Puzzle, start: Board, limits: Limits) -> Verdict:
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

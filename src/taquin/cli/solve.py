"""`taquin solve`: a board in, the way to its goal out."""

from __future__ import annotations

import sys
from enum import Enum

import click

from taquin.cli.command import Command, option
from taquin.cli.engines import EngineOptions, engine_options
from taquin.cli.every import print_every_solution
from taquin.cli.inputs import NAMED_GOALS, lines_of
from taquin.cli.options import LimitOptions, Problem, json_option
from taquin.cli.parameters import EnumChoice
from taquin.cli.results import STATUS, effort, json_line, result_json, verdict
from taquin.cli.running import solve as run_search
from taquin.cli.screen import paragraph
from taquin.cli.searches import SearchOptions, task_options
from taquin.cli.status import BAD_INPUT, OK, REFUTED, STOPPED
from taquin.cli.steps import draw_classic, draw_solution
from taquin.errors import NotationError, TaquinError
from taquin.heuristics.manhattan import Manhattan
from taquin.model.grid import Grid
from taquin.model.puzzle import Puzzle
from taquin.notation import read_many, write_moves
from taquin.search.algorithm import Algorithm
from taquin.search.algorithms import AStar
from taquin.search.conventions import SKIP_PARENT
from taquin.search.result import Limits, Outcome, Result


class Style(Enum):
    """How a solution is shown."""

    PRETTY = "pretty"
    CLASSIC = "classic"
    MOVES = "moves"


@click.command(
    cls=Command,
    examples=(
        'taquin solve "8 6 7 / 2 5 4 / 3 0 1"',
        "taquin solve 867254301 --style moves",
        "taquin solve --style classic < puzzle04.txt",
        "taquin solve puzzle.txt -a idastar -H linear-conflict",
        'taquin solve "A . / @ ." --goal "* A / * *"',
        "taquin scramble 3x3 --count 9 | taquin solve --many",
        "taquin solve puzzle.txt --all --most 10",
    ),
    epilog="Exit status: 0 solved, 1 proven unsolvable, 2 bad input, 3 limit reached or Ctrl-C.",
)
@task_options
@option(
    "Output",
    "--style",
    type=EnumChoice(Style),
    default=Style.PRETTY.value,
    show_default=True,
    help="pretty: boards side by side; classic: one below the other, and the states enqueued; "
    "moves: one line such as URDL2.",
)
@json_option
@option("Output", "--many", is_flag=True, help="One board per line in, one JSON line each out.")
@option(
    "Output",
    "--all",
    "every",
    is_flag=True,
    help="Every shortest solution, one line of moves each, as it is found.",
)
@option("Output", "--most", type=click.IntRange(min=1), metavar="N", help="With --all: at most N.")
@engine_options
def solve(
    problem: Problem,
    search: SearchOptions,
    limits: LimitOptions,
    engine: EngineOptions,
    style: Style,
    as_json: bool,
    many: bool,
    every: bool,
    most: int | None,
) -> int:
    """Solve a board and show the way.

    BOARD is a board in any notation, the name of a file, or - for standard input, which is also
    read when nothing is given. The solution is a shortest one unless --algorithm says otherwise.
    """
    usual = AStar(Manhattan(), conventions=SKIP_PARENT) if style is Style.CLASSIC else None
    algorithm = search.chosen(usual)
    if algorithm is not None and engine.given:
        raise click.UsageError(
            f"{engine.given} is for the compiled search, not for {algorithm.name}"
        )
    if engine.cluster is not None and engine.threads is not None:
        raise click.UsageError("--threads has no say in a cluster: its workers have their own")
    if most is not None and not every:
        raise click.UsageError("--most needs --all")
    if every:
        if many or engine.cluster or algorithm is not None or style is not Style.PRETTY:
            raise click.UsageError("--all goes with --json, --most and the engine's options only")
        if limits.given:
            raise click.UsageError("--all has no limit but --most; Ctrl-C ends it")
        return print_every_solution(problem, engine, most, as_json)
    if many:
        return _solve_many(problem, algorithm, limits.limits(), engine)
    puzzle, start = problem.read()
    result = run_search(puzzle, start, algorithm, limits.limits(), engine=engine)
    if as_json:
        click.echo(json_line(result_json(result)))
    else:
        _SHOW[style](result)
    return STATUS[result.outcome]


def _solve_many(
    problem: Problem, algorithm: Algorithm | None, limits: Limits, engine: EngineOptions
) -> int:
    """Print a JSON line for each line that holds a board; return the worst of their statuses."""
    statuses = {OK}
    puzzles: dict[Grid, Puzzle] = {}
    for found in read_many(lines_of(problem.board), problem.goal in NAMED_GOALS):
        try:
            if isinstance(found, TaquinError):
                raise found
            if found.grid not in puzzles:
                puzzles[found.grid] = problem.puzzle_on(found.grid)
            result = run_search(puzzles[found.grid], found, algorithm, limits, engine=engine)
        except TaquinError as error:
            statuses.add(BAD_INPUT)
            line = error.line if isinstance(error, NotationError) else None
            click.echo(json_line({"error": str(error), "line": line}))
            continue
        click.echo(json_line(result_json(result)))
        sys.stdout.flush()
        statuses.add(STATUS[result.outcome])
        if result.outcome is Outcome.STOPPED:
            break
    return next(status for status in (BAD_INPUT, STOPPED, REFUTED, OK) if status in statuses)


def _show_pretty(result: Result) -> None:
    if result.moves is not None:
        click.echo(draw_solution(result) + "\n")
    click.secho(paragraph(verdict(result)), bold=True)
    if result.moves or result.stats.generated:
        click.secho(paragraph(effort(result)), dim=True)


def _show_classic(result: Result) -> None:
    """Print exactly what S4 asks for; what it has no words for goes to the error stream."""
    if result.outcome is Outcome.UNSOLVABLE:
        click.echo("No solution possible")
        return
    for board in result.boards():
        click.echo(draw_classic(board) + "\n")
    click.echo(f"Number of states enqueued = {result.stats.enqueued}")
    if result.cost is None:
        click.echo(paragraph(verdict(result), err=True), err=True)
    else:
        click.echo(f"Minimum number of moves = {result.cost}")


def _show_moves(result: Result) -> None:
    if result.moves is None:
        click.echo(paragraph(verdict(result), err=True), err=True)
    else:
        click.echo(write_moves(result.moves, result.puzzle.metric))


_SHOW = {
    Style.PRETTY: _show_pretty,
    Style.CLASSIC: _show_classic,
    Style.MOVES: _show_moves,
}

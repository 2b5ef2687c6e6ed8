"""`taquin solve`: a board in, the way to its goal out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING

import click

from taquin.cli.command import OK, REFUTED, STOPPED, command, option, whole
from taquin.cli.many import CsvRows, JsonLines, Styled, Writer, solve_many
from taquin.cli.options import Problem, json_option
from taquin.cli.pictures import PictureOptions, picture_options
from taquin.cli.results import (
    STATUS,
    draw_classic,
    draw_solution,
    no_solution,
    result_json,
    way_out,
)
from taquin.cli.running import live_line, solve_or_settle
from taquin.cli.screen import make_way, paragraph, say
from taquin.cli.searches import (
    EngineOptions,
    SearchOptions,
    engine_options,
    like_json,
    task_options,
)
from taquin.cli.table import print_json
from taquin.engine.choose import Auto, every_solution
from taquin.engine.seam import Engine
from taquin.errors import TaquinError
from taquin.heuristics.manhattan import Manhattan
from taquin.model.moves import Metric, Move
from taquin.notation import move_json, write_moves
from taquin.search.algorithms import AStar
from taquin.search.control import Control
from taquin.search.conventions import SKIP_PARENT
from taquin.search.result import Limits, Outcome, Result, Task, Want, effort, how_to_prove, verdict
from taquin.system.words import counted

if TYPE_CHECKING:
    from taquin.views.pictures.scene import Photo

_CLASSIC = AStar(Manhattan(), conventions=SKIP_PARENT)
"""S4's search, whose states enqueued are the ones it prints."""


class Style(Enum):
    """How a solution is shown."""

    PRETTY = "pretty"
    CLASSIC = "classic"
    MOVES = "moves"


@command(
    'taquin solve "8 6 7 / 2 5 4 / 3 0 1"',
    "taquin solve 867254301 --style moves",
    "taquin solve --style classic < puzzle04.txt",
    "taquin solve puzzle.txt -a idastar -H linear-conflict",
    'taquin solve "A . / @ ." --goal "* A / * *"',
    "taquin scramble 3x3 --count 9 | taquin solve --many",
    "taquin solve --many boards.txt --style moves",
    "taquin solve puzzle.txt --all --most 10",
    "taquin solve puzzle.txt -o solution.gif",
    epilog="Exit status: 0 solved, 1 proven unsolvable, 2 bad input, 3 limit reached or Ctrl-C.",
)
@task_options
@option(
    "Output",
    "--style",
    "asked",
    one_of=Style,
    help="pretty: boards side by side; classic: one below the other, and the states enqueued; "
    "moves: one line such as URDL2.  [default: pretty; with --many JSON]",
)
@json_option
@option("Output", "--csv", "as_csv", is_flag=True, help="Print comma-separated values.")
@option(
    "Output",
    "--many",
    is_flag=True,
    help="Several boards in, a line each or with empty lines between; one JSON line each out, or "
    "what --style or --csv asks for; a terminal also gets a summary.",
)
@option(
    "Output",
    "--all",
    "every",
    is_flag=True,
    help="Every shortest solution, one line of moves each, as it is found.",
)
@whole("Output", "--most", help="With --all: at most N.")
@option(
    "Output",
    "--blank",
    is_flag=True,
    help="Print where the blank goes, as taquin grade --blank reads it, not where the tile goes.",
)
@picture_options()
@option("Output", "--play", is_flag=True, help="Full screen: play the solution move by move.")
@engine_options
def solve(
    problem: Problem,
    search: SearchOptions,
    limits: Limits,
    engine: EngineOptions,
    picture: PictureOptions,
    asked: Style | None,
    as_json: bool,
    as_csv: bool,
    many: bool,
    every: bool,
    most: int | None,
    blank: bool,
    play: bool,
) -> int:
    """Solve a board and show the way.

    BOARD is a board in any notation, the name of a file, or - for standard input, which is also
    read when nothing is given. The solution is a shortest one unless --algorithm says otherwise.
    """
    if as_json and as_csv:
        raise click.UsageError("choose one of --json and --csv")
    style = asked or Style.PRETTY
    # What is said of a search in the classic style is said of S4's; nothing said leaves it open.
    algorithm = search.chosen() and search.chosen(_CLASSIC if style is Style.CLASSIC else None)
    chosen = engine.chosen(algorithm, once=not many)
    in_records = as_json or as_csv or (many and asked is None)
    if blank and (in_records or play or style is Style.CLASSIC):
        raise click.UsageError(
            "--blank goes with boards side by side, --style moves and --all; records and the other "
            "forms say where tiles go"
        )
    if most is not None and not every:
        raise click.UsageError("--most needs --all")
    if picture.is_wanted and (many or every):
        raise click.UsageError("a picture is of one solution, and not for --many or --all")
    plain = style is Style.PRETTY and not (as_json or as_csv or picture.takes_output)
    if play and (many or every or not plain):
        raise click.UsageError("--play stands alone: no --style, --json, --csv, --many, --all, -o")
    if every:
        if many or as_csv or algorithm is not None or style is not Style.PRETTY:
            raise click.UsageError("--all goes with --json, --most, limits and engines")
        return _print_every_solution(problem, chosen, limits, most, _Lines(as_json, blank))
    if many:
        tasks = (
            each if isinstance(each, TaquinError) else Task(*each, algorithm, limits)
            for each in problem.read_each()
        )
        show = None if in_records else partial(_show, style, search, blank)
        return solve_many(tasks, chosen, _writer(search, show, style, as_csv))
    puzzle, start = problem.read()
    photo = picture.photo_on(start.grid)
    task = Task(puzzle, start, algorithm, limits)
    if algorithm is None and style is Style.CLASSIC and isinstance(chosen, Auto):
        chosen = replace(chosen, first=_CLASSIC)
    result = solve_or_settle(task, chosen)
    if picture.takes_output:
        pass
    elif as_csv:
        CsvRows(search.likeness).result(result)
    elif as_json:
        print_json(result_json(result) | like_json(search.likeness, result))
    elif play and _played(result):
        _tell(result)
    else:
        _show(style, search, blank, result)
    if picture.is_wanted:
        _draw(result, picture, photo)
    return STATUS[result.outcome]


def _draw(result: Result, picture: PictureOptions, photo: Photo | None) -> None:
    """Draw the solution, or say why there is none."""
    if result.moves is None:
        say(f"Nothing to draw. {verdict(result) if picture.takes_output else ''}".rstrip())
        return
    # Only pictures need it, and importing it costs every start-up.
    from taquin.views.pictures.drawings import solution_drawing

    note = str(result.algorithm)
    picture.draw(solution_drawing(result, verdict(result).rstrip("."), note, photo))


def _writer(
    search: SearchOptions, show: Callable[[Result], None] | None, style: Style, as_csv: bool
) -> Writer:
    """Return what prints the answers of --many: JSON, unless something else is asked for."""
    if as_csv:
        return CsvRows(search.likeness)
    if show is None:
        return JsonLines(search.likeness)
    return Styled(show, in_lines=style is Style.MOVES)


def _show(style: Style, search: SearchOptions, blank: bool, result: Result) -> None:
    """Print a result in a style, and the count that a source speaks of."""
    _SHOW[style](result, blank)
    if advice := how_to_prove(result):
        say(advice)
    if told := search.told(result):
        (click.echo if style is Style.PRETTY else say)(paragraph(told))


@dataclass(frozen=True, slots=True)
class _Lines:
    """How --all prints: one line for each solution."""

    as_json: bool
    blank: bool

    def write(self, moves: Sequence[Move], metric: Metric) -> None:
        """Print the moves of a solution."""
        if self.as_json:
            print_json([move_json(move) for move in moves])
        else:
            click.echo(write_moves(moves, metric, blank=self.blank))


def _print_every_solution(
    problem: Problem, engine: Engine, limits: Limits, most: int | None, lines: _Lines
) -> int:
    """Print a line for each shortest solution as it is found, and how many there were."""
    puzzle, start = problem.read()
    if refuted := no_solution(puzzle, start):
        click.echo(paragraph(refuted))
        return REFUTED
    found = 0
    task = Task(puzzle, start, limits=limits, want=Want.EVERY)
    with live_line() as progress:
        control = Control(limits, progress=progress, notice=say)
        for moves in every_solution(task, engine, control, most):
            found += 1
            make_way()
            lines.write(moves, puzzle.metric)
            sys.stdout.flush()
    if control.is_over or not lines.as_json:
        why = f"{control.reason[:1].upper()}{control.reason[1:]}. " if control.is_over else ""
        more = "; there may be more" if control.is_over or found == most else ""
        cut = control.is_over and not found
        told = f"{why}{'No solution found' if cut else counted(found, 'shortest solution') + more}"
        click.secho(told, bold=True, err=True)
    return STOPPED if control.is_over else OK


def _played(result: Result) -> bool:
    """Play the solution on the full screen; return False where there is none of either."""
    # Only this needs them, and importing them costs every start-up.
    from taquin.cli.terminal.films import SolutionFilm
    from taquin.cli.terminal.fullscreen import fullscreen, why_not
    from taquin.cli.terminal.playback import watch

    if not result.moves or why_not():
        return False
    with fullscreen() as terminal:
        watch(SolutionFilm(result), terminal, playing=True)
    return True


def _show_pretty(result: Result, blank: bool) -> None:
    if result.moves is not None:
        click.echo(draw_solution(result, blank=blank) + "\n")
    _tell(result)


def _tell(result: Result) -> None:
    click.secho(paragraph(_told(result)), bold=True)
    if result.moves or result.stats.generated:
        click.secho(paragraph(effort(result)), dim=True)


def _show_classic(result: Result, blank: bool) -> None:
    """Print what S4 asks for, and no more than is known.

    Minimum is said of what is proven to be one, and states are those of a queue only if there was
    one. What S4 has no words for goes to the error stream.
    """
    if result.outcome is Outcome.UNSOLVABLE:
        click.echo("No solution possible")
        if out := way_out(result.puzzle, result.start):
            say(out.lstrip())
        return
    for board in result.boards():
        click.echo(draw_classic(board) + "\n")
    stats = result.stats
    if stats.enqueued is not None:
        click.echo(f"Number of states enqueued = {stats.enqueued}")
    elif stats.generated is not None:
        click.echo(f"Number of states generated = {stats.generated}")
    if result.outcome is Outcome.SOLVED:
        click.echo(f"{'Minimum number' if result.optimal else 'Number'} of moves = {result.cost}")
    else:
        say(verdict(result))
    if stats.enqueued is None:
        say(f"No states were enqueued by the {result.engine.name}; -a astar counts them.")


def _show_moves(result: Result, blank: bool) -> None:
    if result.moves is not None:
        click.echo(write_moves(result.moves, result.puzzle.metric, blank=blank))
    if result.outcome is not Outcome.SOLVED:
        say(_told(result))


def _told(result: Result) -> str:
    """Say what was found, and where there is no solution, for which goal there is one."""
    is_refuted = result.outcome is Outcome.UNSOLVABLE
    return verdict(result) + (way_out(result.puzzle, result.start) if is_refuted else "")


_SHOW = {Style.PRETTY: _show_pretty, Style.CLASSIC: _show_classic, Style.MOVES: _show_moves}

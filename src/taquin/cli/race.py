"""`taquin race`: two to six searches side by side, in lockstep."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from time import monotonic

import click

from taquin import Algorithm, Board, Metric, Puzzle
from taquin.cli.command import OK, REFUTED, STOPPED, command, flag, gathered, option
from taquin.cli.options import Problem, goal_option, limit_options, metric_option
from taquin.cli.results import STATUS, moves_or_outcome, no_solution
from taquin.cli.running import solve, trace
from taquin.cli.screen import paragraph, say
from taquin.cli.table import Column, print_table
from taquin.cli.terminal import keys
from taquin.cli.terminal.contest_view import page
from taquin.cli.terminal.fullscreen import Terminal, fullscreen, why_not
from taquin.engine.checking import checked
from taquin.engine.glass import GlassBox
from taquin.search.algorithms import ALGORITHMS
from taquin.search.contest import By, Contest, Runner, place_of
from taquin.search.grammar import is_search, search_named
from taquin.search.result import Limits, Outcome, Result, Task
from taquin.system.words import did_you_mean, seconds_in_words, shorten

FEWEST, MOST = 2, 6
"""Searches in a race."""
_SPEEDS: dict[By, tuple[float, ...]] = {
    By.EXPANSIONS: (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1e12),
    By.TIME: (0.001, 0.003, 0.01, 0.03, 0.1, 1e12),
}
"""What each search gets per second of real time; the last entry is full speed."""
_USUAL = {By.EXPANSIONS: 3, By.TIME: 2}
_FRAME = 1 / 20
"""Seconds between two pages."""


def _entry(words: tuple[str, ...], goal: str, metric: Metric) -> tuple[list[Algorithm], Problem]:
    """Return the searches, and the board that follows them, which is not read yet."""
    names = list(takewhile(_is_search, words))
    rest = words[len(names) :]
    if not FEWEST <= len(names) <= MOST:
        count = f"{len(names)}, then {shorten(rest[0])}" if rest else str(len(names))
        meant = did_you_mean(rest[0], ALGORITHMS) if rest else ""
        raise click.UsageError(
            f"expected {FEWEST} to {MOST} searches and then a board, found {count}. {meant}"
            f"The searches are {', '.join(ALGORITHMS)}".rstrip()
        )
    return [search_named(name) for name in names], Problem(rest, goal, metric)


def _is_search(word: str) -> bool:
    return is_search(word) or bool(re.match(r"[\w./\\-]+\.py:\w", word))


@command(
    'taquin race bfs astar "8 6 7 / 2 5 4 / 3 0 1"',
    'taquin race bfs astar "idastar(linear-conflict)" puzzle.txt',
    'taquin race greedy astar wastar:weight=2 "8 6 7 / 2 5 4 / 3 0 1" --by time',
    "taquin race astar:misplaced astar:manhattan puzzle.txt --plain",
    epilog="Exit status: 0 a search solved it, 1 one proved it unsolvable, 2 bad input, 3 neither.",
)
@gathered(
    _entry,
    "entry",
    click.argument("words", nargs=-1, metavar="SEARCH SEARCH … [BOARD | FILE | -]"),
    goal_option,
    metric_option,
)
@limit_options(max_seconds=60)
@option("Race", "--by", "What every search gets equally.", one_of=By, default=By.EXPANSIONS.value)
@flag("Race", "--plain", "No full screen: print the table at the end.")
def race(entry: tuple[list[Algorithm], Problem], limits: Limits, by: By, plain: bool) -> int:
    """Run two to six searches side by side.

    All get the same number of expansions, or the same time. The screen shows the board each is at,
    how many boards it has expanded, how many wait, and how deep it is. In the end, or where there
    is no full screen, a table shows the results. A SEARCH is written as for taquin solve. The
    limits hold for each search by itself.
    """
    searches, problem = entry
    puzzle, start = problem.read()
    if refuted := no_solution(puzzle, start):
        click.secho(paragraph(refuted), bold=True)
        return REFUTED
    if plain or why_not():
        runners = _run(puzzle, start, searches, limits, by)
    else:
        contest = Contest(puzzle, start, searches, limits, by, trace)
        runners = contest.runners
        try:
            with fullscreen() as terminal:
                _watch(contest, terminal)
        except KeyboardInterrupt:
            say("Interrupted.")
        contest.stop()
        for runner in runners:
            runner.result = checked(_ended(runner))
    _print(runners)
    statuses = {STATUS[_ended(runner).outcome] for runner in runners}
    return next(status for status in (OK, REFUTED, STOPPED) if status in statuses)


def _run(
    puzzle: Puzzle, start: Board, searches: Sequence[Algorithm], limits: Limits, by: By
) -> list[Runner]:
    """Run each search by itself, which is faster and finds the same."""
    runners = []
    for search in searches:
        task = Task(puzzle, start, search, limits)
        result = solve(task, GlassBox(), label=str(search))
        stats = result.stats
        spent = float(stats.expanded or 0) if by is By.EXPANSIONS else stats.seconds
        runner = Runner(str(search), start, iter(()), spent, stats.expanded or 0, result=result)
        runners.append(runner)
        if result.outcome is Outcome.STOPPED:
            break
    return runners


def _watch(contest: Contest, terminal: Terminal) -> None:
    speeds, speed, paused = _SPEEDS[contest.by], _USUAL[contest.by], False
    before = monotonic()
    while True:
        now = monotonic()
        if not paused and contest.running:
            contest.advance(speeds[speed] * min(now - before, 2 * _FRAME), _FRAME)
        before = now
        if paused or speed == len(speeds) - 1:
            pace = "paused" if paused else "full speed"
        elif contest.by is By.EXPANSIONS:
            pace = f"{speeds[speed]:,.0f} expansions a second"
        else:
            pace = f"{seconds_in_words(speeds[speed])} of each search in a second"
        terminal.draw(page(contest, pace, terminal.size))
        idle = paused or not contest.running
        key = terminal.key(None if idle else max(0.0, before + _FRAME - monotonic()))
        match key:
            case "q" | "escape" | keys.GONE:
                return
            case "space":
                paused = not paused
            case "n" | "right":
                paused = True
                contest.advance(1 if contest.by is By.EXPANSIONS else speeds[0], _FRAME)
            case "+" | "=" | "up":
                speed = min(speed + 1, len(speeds) - 1)
            case "-" | "down":
                speed = max(speed - 1, 0)
            case "end" | "G":
                speed, paused = len(speeds) - 1, False
        if key is not None:
            before = monotonic()


def _print(runners: Sequence[Runner]) -> None:
    def column(heading: str, cell: Callable[[Result], object]) -> Column:
        def text(runner: Runner) -> str:
            value = cell(_ended(runner))
            return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)

        return Column(heading, text)

    columns = [
        Column("place", lambda runner: str(place_of(runner, runners) or "–")),
        Column("search", lambda runner: str(runner.name), left=True),
        column("moves", moves_or_outcome),
        Column("expanded", lambda runner: f"{runner.expanded:,}"),
        column("frontier", lambda result: result.stats.max_frontier),
        column("depth", lambda result: result.stats.max_depth),
        column("time", lambda result: seconds_in_words(result.stats.seconds)),
    ]
    if any(_ended(runner).optimal for runner in runners):
        columns.append(column("shortest", lambda result: "yes" if result.optimal else ""))
    print_table(columns, sorted(runners, key=lambda runner: place_of(runner, runners) or MOST + 1))
    for runner in runners:
        # The user who stopped a search knows why it ended.
        result = _ended(runner)
        reason = result.reason or (result.assumes and f"optimal if {result.assumes}")
        if reason and result.outcome is not Outcome.STOPPED:
            click.echo(f"{runner.name}: {reason}")


def _ended(runner: Runner) -> Result:
    assert runner.result is not None, "the race is over"
    return runner.result

"""`taquin compare`: run several searches on one board or on many, and print one table.

With many boards, the numbers of a row are means. To be comparable, all rows average over the same
boards, those that each search solved:

    search            solved  moves  expanded     time
    bfs               8 of 9   14.5   4,210.3  12.1 ms      means over the 8 boards that
    greedy(manhattan) 9 of 9   30.1     210.0   1.0 ms      both searches solved
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from statistics import mean
from typing import Any

import click

from taquin import Algorithm, Board, Limits, Outcome, Puzzle, Result, TaquinError
from taquin.analysis.isolated import contradiction
from taquin.analysis.likeness import Likeness
from taquin.cli import options
from taquin.cli.command import BAD_INPUT, OK, REFUTED, command, completing, flag, option
from taquin.cli.options import SearchOptions, like_json, like_option
from taquin.cli.output import (
    STATUS,
    Column,
    csv_record,
    moves_or_outcome,
    no_solution,
    print_csv,
    print_json,
    print_table,
    result_json,
)
from taquin.cli.running import solve_task
from taquin.cli.screen import paragraph, say
from taquin.engine import Engine
from taquin.engine.glass import GlassBox
from taquin.engine.task import Auto, Wishes
from taquin.errors import with_notes
from taquin.lab.report.document import Axis, Figure, FigureKind, Point, Series
from taquin.search.algorithms import ALGORITHMS
from taquin.search.driver import Effort
from taquin.search.grammar import parts_of, search_from_options
from taquin.search.result import Task
from taquin.search.user_search import uncounted
from taquin.system.formatting import counted, seconds_in_words

Count = Callable[[Result], float | None]
"""Returns a number of a result; None if it is unknown."""
DEFAULT = (
    *("bfs", "bidirectional", "ids", "greedy:manhattan", "astar:misplaced", "astar:manhattan"),
    *("astar:linear-conflict", "idastar:manhattan", "rbfs:manhattan", "beam:manhattan:width=100"),
)
"""The searches that run by default: those of the textbooks."""
_SPENT: Mapping[Effort, Count] = {
    Effort.EXPANSIONS: lambda result: result.stats.expanded,
    Effort.TIME: lambda result: result.stats.seconds,
}
_UNKNOWN = "–"
"""Stands for an unknown number."""


@command(
    'taquin compare "8 1 3 / 4 0 2 / 7 6 5"',
    "taquin compare puzzle.txt -a bfs -a astar:misplaced -a idastar:linear-conflict",
    "taquin compare puzzle.txt -a wastar:weight=2 -a wastar:weight=5",
    "taquin compare puzzle.txt -a astar -a astar:duplicates=parent:ties=lifo --csv",
    "taquin compare puzzle.txt --like s4 -a astar -a astar:hamming",
    "taquin compare --many boards.txt -a astar -a idastar",
    "taquin compare puzzle.txt -a bfs -a greedy -a astar --by expansions",
    "taquin compare --many boards.txt -a bfs -a astar -o plot.svg",
    epilog="Exit status: 0 a search solved it, or each board of many; 1 unsolvable; 2 bad input, "
    "or a search of your own failed; 3 a limit was reached or Ctrl-C.",
)
@options.problem_options
@option(
    "Search",
    "--algorithm -a SEARCH names",
    "As of taquin solve: astar, astar:misplaced, astar(manhattan, ties=lifo), file.py:name; "
    "may be given several times.  [default: the searches of the textbooks]",
    shell_complete=completing(ALGORITHMS),
    multiple=True,
)
@like_option
@options.limit_options(max_seconds=10)
@option(
    "Engine",
    "--engine",
    "auto: the engine that taquin solve would choose for each search, compiled for some; "
    "glass: the glass box for all, so that times are comparable.",
    one_of=("auto", "glass"),
    default="auto",
)
@option(
    "Output",
    "--by",
    "List the searches by place: the first solved it with the fewest expansions, or in the least "
    "time.  [default: in the order given]",
    one_of=Effort,
)
@flag("Output", "--many", "Read several boards, as by taquin solve --many; the table shows means.")
@option(
    "Output",
    "--output -o FILE plot",
    "With --many: also plot nodes and time against depth, to a file .svg, .png or .pdf.",
)
@options.format_options
def compare(
    problem: options.BoardArguments,
    names: tuple[str, ...],
    like: str | None,
    limits: Limits,
    engine: str,
    by: Effort | None,
    many: bool,
    plot: str | None,
    output: options.OutputFormat,
) -> int:
    """Run several searches on one board, in one table.

    The limits apply to each run; Ctrl-C ends the current run and skips the rest. A solution is
    called shortest if that is proven. Each search runs on the engine that taquin solve would choose
    for it; counts do not depend on the engine. With --many the table has a row for each search,
    JSON and CSV have one for each run.
    """
    kind = (plot or "").rpartition(".")[2].lower()
    if plot is not None and (kind not in ("svg", "png", "pdf") or not many):
        raise click.UsageError("-o needs --many, and a file name that ends in .svg, .png or .pdf")
    if plot is not None:
        # Imported late: few comparisons are plotted.
        from taquin.lab.report.figures import check_available, to_file

        check_available()
        options.check_file(plot)
    likeness = SearchOptions(like=like).likeness
    make = likeness.search if likeness else search_from_options
    searches = [make(*parts_of(name)) for name in names or DEFAULT]
    chosen = GlassBox() if engine == "glass" else Auto(once=not many)
    if many:
        searches = list({str(search): search for search in searches}.values())
        boards, has_errors = options.valid_boards(problem.read_each())
    else:
        boards, has_errors = [problem.read()], False
    if by is not None and output != "text":
        raise click.UsageError("--by cannot be combined with --json or --csv")
    is_one_table = output == "text" and not many
    if is_one_table and (refutation := no_solution(*boards[0])):
        click.secho(paragraph(refutation), bold=True)
        return REFUTED
    sentences = {uncounted([search]): search for search in searches}
    silent: dict[str, Algorithm] = {}

    def notice(line: str) -> None:
        if line in sentences:
            # Said once for all searches and boards.
            silent[line] = sentences[line]
        else:
            say(line)

    runs = list(_runs(boards, searches, chosen, limits, notice))
    if silent:
        say(uncounted(list(silent.values())))
    counts: dict[str, Count] = {}
    if likeness:
        tally = likeness.counter
        heading = f"{likeness.count}, {likeness.source}"
        counts[heading] = lambda result: tally(result.algorithm, result.stats)
    if output == "json":
        print_json([run.json(likeness) for run in runs])
    elif output == "csv":
        print_csv([run.record(counts, many) for run in runs])
    else:
        if many:
            rows = _rows_of_many(runs, searches)
        else:
            rows = [_Row(run.search, [run], [run.result] if run.result else []) for run in runs]
        columns = _columns(counts, many)
        if by is not None:
            place = partial(_place, rows=tuple(rows), by=by)
            columns.insert(1, Column("place", lambda row: str(place(row) or _UNKNOWN)))
            rows.sort(key=lambda row: place(row) or inf)
        print_table(columns, rows)
        if many:
            click.echo(paragraph(_caption(rows, runs)))
        if likeness:
            click.echo(paragraph(f"{heading}: {likeness.definition}."))
        for line in _reasons(runs, many):
            click.echo(paragraph(line))
        if len(engines := {row.engines for row in rows if row.engines}) > 1:
            click.echo(
                paragraph(
                    f"The rows ran on different engines ({'; '.join(sorted(engines))}), so their "
                    f"times do not compare the searches; --engine glass uses the glass box for all."
                )
            )
    if plot is not None:
        options.write_file(plot, to_file(_figures(runs), kind))
    return BAD_INPUT if has_errors else _status_of(runs)


def _figures(runs: Sequence[_Run]) -> list[Figure]:
    """Return the plots of nodes and of time against depth: the means of each search."""
    solved = [
        (run, run.result, run.result.cost)
        for run in runs
        if run.result and run.result.cost is not None
    ]
    depths: dict[int, int] = {}
    for run, _, cost in solved:
        depths[run.board] = min(cost, depths.get(run.board, cost))
    figures = []
    for title, unit, effort in (
        ("Nodes", "boards expanded", Effort.EXPANSIONS),
        ("Time", "seconds", Effort.TIME),
    ):
        series = []
        for search in dict.fromkeys(str(run.search) for run in runs):
            at: dict[int, list[float]] = {}
            for run, result, _ in solved:
                if str(run.search) == search and (count := _SPENT[effort](result)) is not None:
                    at.setdefault(depths[run.board], []).append(count)
            points = (Point(depth, mean(counts)) for depth, counts in sorted(at.items()))
            series.append(Series(search, tuple(points)))
        axes = Axis("depth (moves of the shortest solution found)"), Axis(unit, log=True)
        figures.append(Figure(title, FigureKind.LINES, title, *axes, tuple(series), ""))
    return figures


@dataclass(frozen=True, slots=True)
class _Run:
    """One search on one board."""

    search: Algorithm
    board: int
    start: Board
    result: Result | None
    """None if the search failed."""
    fault: str = ""
    """Why the search failed, in a sentence."""

    def has_ended(self, outcome: Outcome) -> bool:
        return self.result is not None and self.result.outcome is outcome

    def json(self, likeness: Likeness | None) -> dict[str, Any]:
        if self.result is None:
            return {"algorithm": str(self.search), "outcome": "failed", "error": self.fault}
        return result_json(self.result) | like_json(likeness, self.result)

    def record(self, counts: Mapping[str, Count], many: bool) -> dict[str, Any]:
        """Return the run as a row of CSV, with its board if there are many."""
        keys = ("outcome", "cost", "lower_bound", "optimal", "assumes", "engine", "reason")
        values = csv_record(keys, self.result)
        if self.result is None:
            values |= {"outcome": "failed", "reason": self.fault}
        for heading, count in counts.items():
            values[heading] = self.result and count(self.result)
        board = {"board": self.board, "start": self.start.text()} if many else {}
        return board | {"algorithm": str(self.search)} | values


def _runs(
    boards: Iterable[tuple[Puzzle, Board]],
    searches: Sequence[Algorithm],
    engine: Engine,
    limits: Limits,
    notice: Callable[[str], None] = say,
) -> Iterator[_Run]:
    """Yield the run of each search on each board; Ctrl-C ends all runs, an error fails one."""
    for number, (puzzle, start) in enumerate(boards, 1):
        for search in searches:
            task = Task(puzzle, start, search, limits)
            label = f"board {number}, {search}" if number > 1 else str(search)
            try:
                result = solve_task(task, Wishes(engine, fallback=False), label, notice)
            except TaquinError as error:
                yield _Run(search, number, start, None, with_notes(error))
                continue
            yield _Run(search, number, start, result)
            if result.outcome is Outcome.STOPPED:
                return


def _status_of(runs: Sequence[_Run]) -> int:
    """Return the exit status: of each board the best of its runs, of all boards the worst."""
    best: dict[int, int] = {}
    for run in runs:
        if run.result is None:
            return BAD_INPUT
        # OK < REFUTED < STOPPED, from best to worst.
        status = STATUS[run.result.outcome]
        best[run.board] = min(status, best.get(run.board, status))
    return max(best.values(), default=OK)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the table: one search on one board, or on those of many that can be solved."""

    search: Algorithm
    runs: Sequence[_Run]
    measured: Sequence[Result]
    """The results that its means are over."""

    @property
    def solved(self) -> int:
        return sum(run.has_ended(Outcome.SOLVED) for run in self.runs)

    @property
    def results(self) -> list[Result]:
        return [run.result for run in self.runs if run.result]

    @property
    def engines(self) -> str:
        return "; ".join(dict.fromkeys(str(result.engine) for result in self.results))

    def mean(self, count: Count) -> float | None:
        """Return the mean of a count; None if it is unknown."""
        numbers = [count(result) for result in self.measured]
        known = [number for number in numbers if number is not None]
        return sum(known) / len(known) if known and len(known) == len(numbers) else None


def _rows_of_many(runs: Sequence[_Run], searches: Sequence[Algorithm]) -> list[_Row]:
    """Return a row for each search, with means over the boards that each of them solved."""
    solvable = [run for run in runs if not run.has_ended(Outcome.UNSOLVABLE)]
    solved = [run for run in runs if run.has_ended(Outcome.SOLVED)]
    boards = [{run.board for run in solved if run.search == search} for search in searches]
    shared = set[int]().union(*boards).intersection(*filter(None, boards))
    measured = [run for run in solved if run.board in shared]
    return [
        _Row(
            search,
            [run for run in solvable if run.search == search],
            [run.result for run in measured if run.search == search and run.result],
        )
        for search in searches
    ]


def _place(row: _Row, rows: Sequence[_Row], by: Effort) -> int | None:
    """Return the place of a search that solved the board, None for others; ties share a place."""

    def spent(row: _Row) -> float | None:
        return row.mean(_SPENT[by]) if row.solved else None

    own = spent(row)
    others = (other for each in rows if (other := spent(each)) is not None)
    return None if own is None else 1 + sum(other < own for other in others)


def _columns(counts: Mapping[str, Count], many: bool) -> list[Column]:
    """Return the columns, the most important first: a narrow screen shows the others below."""

    def number(heading: str, count: Count, write: Callable[[float], str] | None = None) -> Column:
        def cell(row: _Row) -> str:
            mean = row.mean(count)
            return _UNKNOWN if mean is None else write(mean) if write else f"{mean:{form}}"

        return Column(heading, cell)

    form = ",.1f" if many else ",.0f"
    if many:
        first = [
            Column("solved", lambda row: f"{row.solved} of {len(row.runs)}"),
            number("moves", lambda result: result.cost),
        ]
        shortest = Column("shortest", lambda row: str(sum(run.optimal for run in row.results)))
        last = []
    else:
        first = [Column("moves", lambda row: moves_or_outcome(row.runs[0].result))]
        shortest = number("shortest", lambda run: run.optimal, lambda mean: "yes" if mean else "")
        last = [number("at least", lambda result: result.lower_bound)]
    return [
        Column("search", lambda row: str(row.search), left=True),
        *first,
        *(number(heading, count) for heading, count in counts.items()),
        number("expanded", lambda result: result.stats.expanded),
        number("time", lambda result: result.stats.seconds, seconds_in_words),
        shortest,
        number("generated", lambda result: result.stats.generated),
        number("frontier", lambda result: result.stats.max_frontier),
        *last,
        Column("engine", lambda row: row.engines or _UNKNOWN, left=True),
    ]


def _caption(rows: Sequence[_Row], runs: Sequence[_Run]) -> str:
    shared = max(len(row.measured) for row in rows)
    if not shared:
        return "There are no means: no board was solved by each of the searches."
    sentence = f"Moves, counts and times are means over the {counted(shared, 'board')} that each"
    has_failed = any(not row.solved for row in rows)
    sentence += f" search solved{' that solved any' if has_failed else ''}."
    refuted = len({run.board for run in runs if run.has_ended(Outcome.UNSOLVABLE)})
    if refuted:
        are = "is" if refuted == 1 else "are"
        sentence += f" {counted(refuted, 'unsolvable board')} {are} left out."
    return sentence


def _reasons(runs: Sequence[_Run], many: bool) -> Iterator[str]:
    """Yield why searches found no solution, and doubts about solutions of user code.

    An error is reported once for each search, a limit once for all.
    """

    def on_boards(group: Sequence[_Run]) -> str:
        boards = counted(len({run.board for run in group}), "board")
        return f" on {boards}, the first {group[0].start.text()}" if many else ""

    failed = [run for run in runs if run.result is None]
    for search in dict.fromkeys(str(run.search) for run in reversed(failed)):
        group = [run for run in failed if str(run.search) == search]
        yield f"{search} failed{on_boards(group)}: {group[0].fault}"
    shortest: dict[int, int] = {}
    for run in runs:
        if run.result and run.result.cost is not None:
            shortest[run.board] = min(run.result.cost, shortest.get(run.board, run.result.cost))
    ended = []
    for run in runs:
        if (result := run.result) and result.outcome is not Outcome.UNSOLVABLE:
            # Of a solution: the assumption under which it is optimal, or the fact that refutes it.
            doubt = contradiction(result, shortest.get(run.board, 0))
            assumed = result.assumes and f"optimal if {result.assumes}"
            ended.append((run, result.reason or doubt or assumed))
    for reason in dict.fromkeys(reason for _, reason in ended if reason):
        group = [run for run, its_reason in ended if its_reason == reason]
        names = ", ".join(dict.fromkeys(str(run.search) for run in group))
        yield f"{names}: {reason}{on_boards(group)}"

"""Several searches on one board or on many: the runs, and the rows of the tables about them.

With many boards a row is a search, and its numbers are means. To be comparable, the means of all
rows are over the same boards, those that each search solved:

    search            solved  moves  expanded     time
    bfs               8 of 9   14.5   4,210.3  12.1 ms      means over the 8 boards that
    greedy(manhattan) 9 of 9   30.1     210.0   1.0 ms      both searches solved
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from taquin.cli.command import BAD_INPUT, OK
from taquin.cli.results import STATUS, result_json
from taquin.cli.running import solve
from taquin.cli.table import Column
from taquin.engine.seam import Engine
from taquin.errors import TaquinError, with_notes
from taquin.model.board import Board
from taquin.model.puzzle import Puzzle
from taquin.search.result import Limits, Outcome, Result, Stats, Task
from taquin.search.run import Algorithm
from taquin.system.words import counted, seconds_in_words

_UNKNOWN = "–"
"""Stands for a number that is not known."""


@dataclass(frozen=True, slots=True)
class Run:
    """One search on one board."""

    search: Algorithm
    """The search."""
    board: int
    """The number of the board, from 1."""
    start: Board
    """The board."""
    result: Result | None
    """The result; None if the search failed."""
    fault: str = ""
    """Why the search failed, in a sentence."""

    @property
    def is_solved(self) -> bool:
        """Whether a solution was found."""
        return self.result is not None and self.result.outcome is Outcome.SOLVED

    @property
    def is_refuted(self) -> bool:
        """Whether the board has no solution."""
        return self.result is not None and self.result.outcome is Outcome.UNSOLVABLE

    @property
    def is_shortest(self) -> bool:
        """Whether the solution is proven to be a shortest one."""
        return self.result is not None and self.result.optimal

    def json(self) -> dict[str, Any]:
        """Return the run as a JSON object."""
        if self.result is None:
            return {"algorithm": str(self.search), "outcome": "failed", "error": self.fault}
        return result_json(self.result)

    def record(self) -> dict[str, object]:
        """Return the run as a row of CSV."""
        keys = ("outcome", "cost", "lower_bound", "optimal", "engine", "reason")
        if self.result is None:
            columns: dict[str, object] = dict.fromkeys([*keys, *asdict(Stats())], "")
            columns |= {"outcome": "failed", "reason": self.fault}
        else:
            values = self.json()
            columns = {key: values[key] for key in keys} | asdict(self.result.stats)
        return {"algorithm": str(self.search)} | columns


def runs_on(
    boards: Iterable[tuple[Puzzle, Board]],
    searches: Sequence[Algorithm],
    engine: Engine,
    limits: Limits,
) -> Iterator[Run]:
    """Yield the run of each search on each board, board by board, until one is stopped.

    An error of a search fails that run only.
    """
    for number, (puzzle, start) in enumerate(boards, 1):
        for search in searches:
            task = Task(puzzle, start, search, limits)
            label = f"board {number}, {search}" if number > 1 else str(search)
            try:
                result = solve(task, engine, label=label)
            except TaquinError as error:
                yield Run(search, number, start, None, with_notes(error))
                continue
            yield Run(search, number, start, result)
            if result.outcome is Outcome.STOPPED:
                return


def status_of(runs: Sequence[Run]) -> int:
    """Return the exit status of all runs: the worst of all boards, each by its best search."""
    best: dict[int, int] = {}
    for run in runs:
        if run.result is None:
            return BAD_INPUT
        # OK < REFUTED < STOPPED, from best to worst.
        status = STATUS[run.result.outcome]
        best[run.board] = min(status, best.get(run.board, status))
    return max(best.values(), default=OK)


def figure(number: float | None, form: str = ",") -> str:
    """Return a number for a table, formatted by `form`."""
    return _UNKNOWN if number is None else f"{number:{form}}"


def run_columns(counts: Sequence[Column]) -> list[Column]:
    """Return the columns of a table with a row for each run, `counts` among them.

    The most important come first: a narrow screen shows the others in blocks below.
    """

    def column(heading: str, cell: Callable[[Result], str], left: bool = False) -> Column:
        return Column(
            heading, lambda run: _UNKNOWN if run.result is None else cell(run.result), left=left
        )

    return [
        Column("search", lambda run: str(run.search), left=True),
        Column("moves", _moves),
        *counts,
        column("expanded", lambda result: figure(result.stats.expanded)),
        column("time", lambda result: seconds_in_words(result.stats.seconds)),
        column("shortest", lambda result: "yes" if result.optimal else ""),
        column("generated", lambda result: figure(result.stats.generated)),
        column("frontier", lambda result: figure(result.stats.max_frontier)),
        column("at least", lambda result: str(result.lower_bound)),
        column("engine", lambda result: str(result.engine), left=True),
    ]


def _moves(run: Run) -> str:
    if run.result is None:
        return "failed"
    return run.result.outcome.value if run.result.cost is None else str(run.result.cost)


@dataclass(frozen=True, slots=True)
class Summary:
    """One search on all boards."""

    search: Algorithm
    """The search."""
    runs: tuple[Run, ...]
    """Its runs on boards that have a solution."""
    shared: frozenset[int]
    """The boards solved by every search that solved any."""

    def mean(self, count: Callable[[Result], float | None]) -> float | None:
        """Return the mean of a count over the shared boards; None if it is not known."""
        results = [run.result for run in self.runs if run.board in self.shared and run.is_solved]
        numbers = [count(result) for result in results if result is not None]
        known = [number for number in numbers if number is not None]
        return sum(known) / len(known) if known and len(known) == len(numbers) else None

    @property
    def solved(self) -> int:
        """The number of boards it solved."""
        return sum(run.is_solved for run in self.runs)

    @property
    def engines(self) -> str:
        """The engines that ran it."""
        results = (run.result for run in self.runs)
        return "; ".join(dict.fromkeys(str(result.engine) for result in results if result))


def summaries(runs: Sequence[Run], searches: Sequence[Algorithm]) -> list[Summary]:
    """Return one summary for each search, in their order."""
    solvable = [run for run in runs if not run.is_refuted]
    by_search = [tuple(run for run in solvable if run.search == search) for search in searches]
    solved = [{run.board for run in group if run.is_solved} for group in by_search]
    shared = frozenset[int]().union(*solved).intersection(*filter(None, solved))
    return [Summary(search, own, shared) for search, own in zip(searches, by_search, strict=True)]


def mean_column(heading: str, count: Callable[[Result], float | None]) -> Column:
    """Return a column of the means of a count."""
    return Column(heading, lambda row: figure(row.mean(count), ",.1f"))


def summary_columns(counts: Sequence[Column]) -> list[Column]:
    """Return the columns of a table with a row for each search, `counts` among them."""
    return [
        Column("search", lambda row: str(row.search), left=True),
        Column("solved", lambda row: f"{row.solved} of {len(row.runs)}"),
        mean_column("moves", lambda result: result.cost),
        *counts,
        mean_column("expanded", lambda result: result.stats.expanded),
        Column("time", _mean_time),
        Column("shortest", lambda row: str(sum(run.is_shortest for run in row.runs))),
        mean_column("generated", lambda result: result.stats.generated),
        mean_column("frontier", lambda result: result.stats.max_frontier),
        Column("engine", lambda row: row.engines, left=True),
    ]


def _mean_time(row: Summary) -> str:
    mean = row.mean(lambda result: result.stats.seconds)
    return _UNKNOWN if mean is None else seconds_in_words(mean)


def caption(rows: Sequence[Summary], runs: Sequence[Run]) -> str:
    """Return over which boards the means are, and how many boards are left out."""
    shared = len(rows[0].shared)
    if not shared:
        return "There are no means: no board was solved by each of the searches."
    sentence = f"Moves, counts and times are means over the {counted(shared, 'board')} that each"
    has_failed = any(not row.solved for row in rows)
    sentence += f" search solved{' that solved any' if has_failed else ''}."
    refuted = len({run.board for run in runs if run.is_refuted})
    if refuted:
        are = "is" if refuted == 1 else "are"
        sentence += f" {counted(refuted, 'unsolvable board')} {are} left out."
    return sentence


def reasons(runs: Sequence[Run], many: bool) -> Iterator[str]:
    """Yield why searches found no solution: each error once a search, each limit once.

    With many boards, each reason names the first board it applies to.
    """

    def on_boards(group: Sequence[Run]) -> str:
        boards = counted(len({run.board for run in group}), "board")
        return f" on {boards}, the first {group[0].start.text()}" if many else ""

    failed = [run for run in runs if run.result is None]
    for search in dict.fromkeys(str(run.search) for run in reversed(failed)):
        group = [run for run in failed if str(run.search) == search]
        yield f"{search} failed{on_boards(group)}: {group[0].fault}"
    ended = [(run, run.result.reason) for run in runs if run.result and not run.is_refuted]
    for reason in dict.fromkeys(reason for _, reason in ended if reason):
        group = [run for run, its_reason in ended if its_reason == reason]
        names = ", ".join(dict.fromkeys(str(run.search) for run in group))
        yield f"{names}: {reason}{on_boards(group)}"

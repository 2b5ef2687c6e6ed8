"""Several searches on one board or on many: the runs, and the rows that tables make of them.

Where there are many boards a row is a search, and its numbers are means. They are taken over the
same boards in every row, those that each search solved, or they could not be compared:

    search            solved  moves  expanded     time
    bfs               8 of 9   14.5   4,210.3  12.1 ms      means over the 8 boards that
    greedy(manhattan) 9 of 9   30.1     210.0   1.0 ms      both searches solved
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from taquin.cli.command import BAD_INPUT, OK, REFUTED, STOPPED
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

UNKNOWN = "–"
"""What stands for a number that there is not."""


@dataclass(frozen=True, slots=True)
class Run:
    """One search on one board."""

    search: Algorithm
    """What ran."""
    board: int
    """The number of the board, from 1."""
    start: Board
    """The board itself."""
    result: Result | None
    """What it found; None when it failed."""
    fault: str = ""
    """What failed, in a sentence."""

    @property
    def is_solved(self) -> bool:
        """Tell whether it came to a solution."""
        return self.result is not None and self.result.outcome is Outcome.SOLVED

    @property
    def is_refuted(self) -> bool:
        """Tell whether the board has no solution."""
        return self.result is not None and self.result.outcome is Outcome.UNSOLVABLE

    @property
    def status(self) -> int:
        """Return the exit status that the run alone would have."""
        return BAD_INPUT if self.result is None else STATUS[self.result.outcome]

    def json(self) -> dict[str, Any]:
        """Return it as a value that JSON can hold."""
        if self.result is None:
            return {"algorithm": str(self.search), "outcome": "failed", "error": self.fault}
        return result_json(self.result)

    def record(self) -> dict[str, object]:
        """Return what a row of CSV holds."""
        kept = ("outcome", "cost", "lower_bound", "optimal", "engine", "reason")
        found = dict.fromkeys(kept, "") | {"outcome": "failed", "reason": self.fault}
        stats: dict[str, object] = dict.fromkeys(asdict(Stats()), "")
        if self.result is not None:
            written = self.json()
            found, stats = {key: written[key] for key in kept}, asdict(self.result.stats)
        return {"algorithm": str(self.search)} | found | stats


def runs_on(
    boards: Iterable[tuple[Puzzle, Board]],
    searches: Sequence[Algorithm],
    engine: Engine,
    limits: Limits,
) -> Iterator[Run]:
    """Yield each search on each board, board by board, until one is stopped.

    A search that raises fails on that board; the others go on.
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
    """Return the exit status of all runs: that of the worst board, whose best search counts."""
    if any(run.result is None for run in runs):
        return BAD_INPUT
    found: dict[int, set[int]] = {}
    for run in runs:
        found.setdefault(run.board, set()).add(run.status)
    of_boards = {
        next(status for status in (OK, REFUTED, STOPPED) if status in statuses)
        for statuses in found.values()
    }
    return next((status for status in (STOPPED, REFUTED) if status in of_boards), OK)


def columns_of_one_board(counts: Sequence[Column]) -> list[Column]:
    """Return the columns of a table with a row for each run, `counts` among them.

    The most telling come first: a narrow screen shows the others in blocks below.
    """
    return [
        Column("search", lambda run: str(run.search), left=True),
        Column("moves", _moves),
        *counts,
        Column("expanded", lambda run: number_in(run, lambda stats: stats.expanded)),
        Column("time", lambda run: _told(run, lambda found: seconds_in_words(found.stats.seconds))),
        Column("shortest", lambda run: _told(run, lambda found: "yes" if found.optimal else "")),
        Column("generated", lambda run: number_in(run, lambda stats: stats.generated)),
        Column("frontier", lambda run: number_in(run, lambda stats: stats.max_frontier)),
        Column("at least", lambda run: _told(run, lambda found: str(found.lower_bound))),
        Column("engine", lambda run: _told(run, lambda found: str(found.engine)), left=True),
    ]


def number_in(run: Run, count: Callable[[Stats], int | None]) -> str:
    """Return a count of a run as it stands in a table."""
    found = None if run.result is None else count(run.result.stats)
    return UNKNOWN if found is None else f"{found:,}"


def _told(run: Run, cell: Callable[[Result], str]) -> str:
    return UNKNOWN if run.result is None else cell(run.result)


def _moves(run: Run) -> str:
    if run.result is None:
        return "failed"
    return run.result.outcome.value if run.result.cost is None else str(run.result.cost)


@dataclass(frozen=True, slots=True)
class Summary:
    """One search on all boards."""

    search: Algorithm
    """What ran."""
    runs: tuple[Run, ...]
    """Its runs, on boards that have a solution."""
    shared: frozenset[int]
    """The boards that every search solved which solved any."""

    def mean(self, count: Callable[[Result], float | None]) -> float | None:
        """Return the mean of a count over the shared boards; None where it is not kept."""
        results = [run.result for run in self.runs if run.board in self.shared and run.is_solved]
        numbers = [count(result) for result in results if result is not None]
        kept = [number for number in numbers if number is not None]
        return sum(kept) / len(kept) if kept and len(kept) == len(numbers) else None

    @property
    def engines(self) -> str:
        """Return the engines that ran it."""
        results = (run.result for run in self.runs)
        return "; ".join(dict.fromkeys(str(result.engine) for result in results if result))


def summaries(runs: Sequence[Run], searches: Sequence[Algorithm]) -> list[Summary]:
    """Return one summary for each search, in their order."""
    able = [run for run in runs if not run.is_refuted]
    by_search = [tuple(run for run in able if run.search == search) for search in searches]
    solved = [{run.board for run in own if run.is_solved} for own in by_search]
    shared = frozenset[int]().union(*solved).intersection(*filter(None, solved))
    return [Summary(search, own, shared) for search, own in zip(searches, by_search, strict=True)]


def columns_of_many_boards(count: Sequence[Column]) -> list[Column]:
    """Return the columns of a table with a row for each search, `count` among them."""

    def mean(heading: str, count: Callable[[Stats], int | None]) -> Column:
        return Column(heading, lambda row: mean_in(row, lambda found: count(found.stats)))

    return [
        Column("search", lambda row: str(row.search), left=True),
        Column("solved", lambda row: f"{_how_many(row, _is_solved)} of {len(row.runs)}"),
        Column("moves", lambda row: mean_in(row, lambda found: found.cost)),
        *count,
        mean("expanded", lambda stats: stats.expanded),
        Column("time", _mean_time),
        Column("shortest", lambda row: str(_how_many(row, _is_shortest))),
        mean("generated", lambda stats: stats.generated),
        mean("frontier", lambda stats: stats.max_frontier),
        Column("engine", lambda row: row.engines, left=True),
    ]


def mean_in(row: Summary, count: Callable[[Result], float | None]) -> str:
    """Return the mean of a count as it stands in a table."""
    mean = row.mean(count)
    return UNKNOWN if mean is None else f"{mean:,.1f}"


def _mean_time(row: Summary) -> str:
    mean = row.mean(lambda found: found.stats.seconds)
    return UNKNOWN if mean is None else seconds_in_words(mean)


def _how_many(row: Summary, holds: Callable[[Run], bool]) -> int:
    return sum(map(holds, row.runs))


def _is_solved(run: Run) -> bool:
    return run.is_solved


def _is_shortest(run: Run) -> bool:
    return run.result is not None and run.result.optimal


def caption(rows: Sequence[Summary], runs: Sequence[Run]) -> str:
    """Say over which boards the means are, and which boards are left out."""
    shared = len(rows[0].shared)
    said = f"Moves, counts and times are means over the {counted(shared, 'board')} that each search"
    has_failed = any(not any(run.is_solved for run in row.runs) for row in rows)
    said += " solved that solved any." if has_failed else " solved."
    refuted = len({run.board for run in runs if run.is_refuted})
    if refuted:
        are = "is" if refuted == 1 else "are"
        said += f" {counted(refuted, 'unsolvable board')} {are} left out."
    return said if shared else "There are no means: no board was solved by each of the searches."


def reasons(runs: Sequence[Run], many: bool) -> Iterator[str]:
    """Yield why searches found nothing: limits once for all, faults once for each search.

    Of many boards the first is named that it happened on.
    """
    for fault in {str(run.search): run for run in reversed(runs) if run.result is None}.values():
        count = sum(run.result is None and run.search == fault.search for run in runs)
        on = f" on {counted(count, 'board')}, the first {fault.start.text()}" if many else ""
        yield f"{fault.search} failed{on}: {fault.fault}"
    ended = [(run, run.result.reason) for run in runs if run.result and not run.is_refuted]
    for reason in dict.fromkeys(why for _, why in ended if why):
        these = [run for run, why in ended if why == reason]
        names = ", ".join(dict.fromkeys(str(run.search) for run in these))
        boards = len({run.board for run in these})
        on = f" on {counted(boards, 'board')}, the first {these[0].start.text()}" if many else ""
        yield f"{names}: {reason}{on}"

"""A league: every student's search on the same boards, each run in a worker process.

    students/anna.py   def solve(board): …      solved 5 of 5   optimal 5   expanded 1,204
    students/ben.py    def solve(board): …      solved 3 of 5   optimal 1   expanded     –

Students are ranked by boards solved, then by optimal solutions, then by nodes expanded. A search
whose nodes are not counted, because it builds its own boards, is ranked after those that tie with
it. One that calls a solver of taquin is out of competition, and ranked last.

A crash, an endless loop or a syntax error affects the row of one student only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from taquin import Board, Limits, Puzzle
from taquin.engine.base import run
from taquin.engine.task import Auto
from taquin.lab.report.document import BoardDrawing, Entry, Report, Row, Section, Table
from taquin.lab.run.database import Ending, Record
from taquin.lab.run.executor import ASKS_SOLVER
from taquin.lab.run.runner import OnProgress, run_study
from taquin.lab.study.definition import Case, Search, Study
from taquin.search.control import Control
from taquin.search.grammar import read_term, user_code_of
from taquin.search.result import Task
from taquin.search.user_search import UserSearch
from taquin.system.formatting import counted, seconds_in_words

_TRUTH_SECONDS = 60.0
"""Seconds of search for a shortest solution of a board."""
_NODES = ("expanded", "generated")
_COUNTERS = (*_NODES, "cpu_seconds", "seconds", "peak_memory")
"""The counters of each run."""
_PATIENCE = 3
"""The limit on wall-clock time as a multiple of that on CPU time, as a run may sleep or wait."""
HEADINGS = ("solved", "optimal", "expanded", "generated", "time")
"""The columns of a row beside the student's name."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One student's search on one board."""

    record: Record
    shortest: int | None
    """Moves of a shortest solution; None if unknown."""

    @property
    def is_solved(self) -> bool:
        """Whether its solution is legal and solves the board."""
        return self.record.ending is Ending.SOLVED

    @property
    def is_optimal(self) -> bool:
        """Whether its solution is a shortest one."""
        return self.is_solved and self.record.cost == self.shortest

    @property
    def asks_solver(self) -> bool:
        """Whether it called a solver of taquin."""
        return self.record.reason.endswith(ASKS_SOLVER)

    def counter(self, name: str) -> float | None:
        """Return a counter of the run; None if it is not counted.

        Every inner board of a solution is expanded and generated, even in a bidirectional search: a
        lower count is incomplete.
        """
        value: float | None = getattr(self.record.stats, name)
        is_short = name in _NODES and value is not None and value + 1 < (self.record.cost or 0)
        return None if is_short else value

    @property
    def text(self) -> str:
        """The moves of the solution with the excess over the shortest, or `limit` or `failed`."""
        cost = self.record.cost
        if not self.is_solved or cost is None:
            return "limit" if self.record.ending is Ending.LIMIT else "failed"
        extra = cost - (self.shortest or cost)
        return f"{cost:,} (+{extra:,})" if extra else f"{cost:,}"

    @property
    def fault(self) -> str:
        """The reason why it has no solution, in one line."""
        return self.record.reason.partition("\n")[0].rstrip(":.")


@dataclass(frozen=True, slots=True)
class Student:
    """One row of a league."""

    name: str
    attempts: tuple[Attempt, ...]
    """One for each board, in order."""
    shared: tuple[int, ...]
    """The boards, from 0, that all students solved, except those who solved none."""

    @property
    def solved(self) -> int:
        """The number of boards solved."""
        return sum(attempt.is_solved for attempt in self.attempts)

    @property
    def optimal(self) -> int:
        """The number of boards with a shortest solution."""
        return sum(attempt.is_optimal for attempt in self.attempts)

    @property
    def asks_solver(self) -> bool:
        """Whether it called a solver of taquin on any board."""
        return any(attempt.asks_solver for attempt in self.attempts)

    @property
    def title(self) -> str:
        """The name, with a note if the search is not the student's own."""
        return f"{self.name} (calls taquin's solver)" if self.asks_solver else self.name

    @property
    def rank(self) -> tuple[float, ...]:
        """A key that sorts the students, the best first."""
        expanded = self.mean("expanded")
        return (
            self.asks_solver,
            -self.solved,
            -self.optimal,
            inf if expanded is None else expanded,
        )

    @property
    def cells(self) -> tuple[str, ...]:
        """The texts of its row, in the order of `HEADINGS`."""
        means = [self.mean(counter) for counter in _NODES]
        seconds = self.mean("cpu_seconds")
        return (
            f"{self.solved} of {len(self.attempts)}",
            str(self.optimal),
            *("–" if mean is None else f"{mean:,.1f}" for mean in means),
            "–" if seconds is None else seconds_in_words(seconds),
        )

    def mean(self, counter: str) -> float | None:
        """Return the mean of a counter over the shared boards; None if one is not counted."""
        values = [self.attempts[board].counter(counter) for board in self.shared]
        known = [value for value in values if value is not None]
        return fmean(known) if self.solved and known and len(known) == len(values) else None

    def faults(self) -> Iterator[str]:
        """Yield each fault once, with its boards."""
        boards: dict[str, list[str]] = {}
        for number, attempt in enumerate(self.attempts, 1):
            if not attempt.is_solved:
                boards.setdefault(attempt.fault, []).append(str(number))
        for fault, numbers in boards.items():
            noun = "board" if len(numbers) == 1 else "boards"
            yield f"{self.name}, {noun} {', '.join(numbers)}: {fault}"

    def json(self) -> dict[str, Any]:
        """Return the row as a value of JSON."""
        return {
            "student": self.name,
            "solved": self.solved,
            "optimal": self.optimal,
            **{name: self.mean(name) for name in _COUNTERS[:4]},
            "calls_solver": self.asks_solver,
            "runs": list(self.runs()),
        }

    def runs(self) -> Iterator[dict[str, Any]]:
        """Yield each attempt as a flat record."""
        for number, attempt in enumerate(self.attempts, 1):
            record = attempt.record
            yield {
                "student": self.name,
                "board": number,
                "solved": attempt.is_solved,
                "optimal": attempt.is_optimal,
                "moves": record.cost,
                "shortest": attempt.shortest,
                **{name: attempt.counter(name) for name in _COUNTERS},
                "calls_solver": attempt.asks_solver,
                "reason": "" if attempt.is_solved else attempt.fault,
            }


def play(
    files: Sequence[Path],
    name: str,
    boards: Sequence[tuple[Puzzle, Board]],
    limits: Limits,
    *,
    processes: int | None = None,
    progress: OnProgress | None = None,
) -> list[Student]:
    """Run the function `name` of each file on each board; return the students, the best first.

    `name` may have options: `solve(manhattan, width=3)`. The limits apply to each run; the limit on
    seconds is one on CPU time, and wall-clock time is limited to three times that.
    """
    if limits.seconds is not None:
        limits = replace(limits, seconds=_PATIENCE * limits.seconds, cpu_seconds=limits.seconds)
    term = read_term(name, "the name of a function")
    searches = []
    for file in files:
        where, folder = f"{file.name}:{term.name}", str(file.parent)
        code = user_code_of(where, term.arguments, term.options, folder)
        searches.append(Search(file.stem, UserSearch(code), ()))
    cases = [Case(str(number), start, puzzle) for number, (puzzle, start) in enumerate(boards, 1)]
    study = Study("league", tuple(cases), tuple(searches), (limits,))
    with TemporaryDirectory() as store:
        records = run_study(study, Path(store) / "league", processes=processes, progress=progress)
    truth = [_shortest(puzzle, start) for puzzle, start in boards]
    rows: dict[str, list[Attempt]] = {file.stem: [] for file in files}
    for record in records:
        rows[record.search].append(Attempt(record, truth[int(record.board) - 1]))
    solved = [{board for board, run in enumerate(row) if run.is_solved} for row in rows.values()]
    shared = tuple(sorted(set(range(len(boards))).intersection(*filter(None, solved))))
    students = [Student(student, tuple(row), shared) for student, row in rows.items()]
    return sorted(students, key=lambda student: student.rank)


def _shortest(puzzle: Puzzle, start: Board) -> int | None:
    limits = Limits(seconds=_TRUTH_SECONDS)
    result = run(Task(puzzle, start, limits=limits), Auto(), Control(limits))
    return result.cost if result.optimal else None


def caption(students: Sequence[Student]) -> str:
    """Return the definition of the numbers, and the order of the rows."""
    text = "Ranked by boards solved, then by optimal solutions, then by nodes expanded"
    shared = len(students[0].shared) if any(student.solved for student in students) else 0
    if shared and any(each.solved and each.mean("expanded") is None for each in students):
        text += "; –: not counted, as the search does not use taquin's boards"
    boards = f"the {counted(shared, 'board')} that all students solved"
    text += f". Nodes and CPU time are means over {boards}" if shared else ""
    if not shared:
        text += ". There are no means: no board was solved by all students"
    text += "; students who solved none are excluded."
    if any(student.asks_solver for student in students):
        text += " A search that calls a solver of taquin is out of competition and ranked last."
    if unknown := [str(n) for n, run in enumerate(students[0].attempts, 1) if run.shortest is None]:
        text += f" The optimal length of board {', '.join(unknown)} is unknown."
    return text


def report_of(
    title: str, students: Sequence[Student], boards: Sequence[tuple[Puzzle, Board]]
) -> Report:
    """Return the league as a report: the standings, the boards, and the faults."""
    standings = Table(
        "Every student",
        ("student",),
        HEADINGS,
        tuple(Row((student.title,), tuple(map(Entry, student.cells))) for student in students),
        caption=caption(students),
    )
    numbers = tuple(str(number) for number in range(1, len(boards) + 1))
    moves = Table(
        "Moves on each board",
        ("student",),
        numbers,
        (
            Row(("shortest",), tuple(Entry(str(a.shortest or "–")) for a in students[0].attempts)),
            *(
                Row((student.name,), tuple(Entry(attempt.text) for attempt in student.attempts))
                for student in students
            ),
        ),
        over="board",
        caption="In brackets: the moves beyond those of a shortest solution.",
    )
    drawings = tuple(
        BoardDrawing(number, tuple(tuple(str(c) if c else "" for c in row) for row in start.rows()))
        for number, (_, start) in zip(numbers, boards, strict=True)
    )
    faults = tuple(fault for student in students for fault in student.faults())
    sections = [
        Section("Standings", tables=(standings,)),
        Section("Boards", tables=(moves,), boards=drawings),
    ]
    if faults:
        sections.append(Section("Failures", notes=faults))
    searches = f"{counted(len(students), 'search', 'searches')} on {counted(len(boards), 'board')}"
    return Report("league", title, f"{searches}, each run in its own process.", tuple(sections))

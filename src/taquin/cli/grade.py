"""`taquin grade`: grade students' answers, in one table.

taquin grade boards.txt ada.txt        a file of answers, a line for each board
taquin grade boards.txt answers/       a folder of them, a file for each student
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby

import click

from taquin import Board, Grade, InputError, Metric, NotationError, Puzzle, TaquinError
from taquin.cli import options
from taquin.cli.command import BAD_INPUT, OK, STOPPED, command, flag
from taquin.cli.inputs import text_in
from taquin.cli.running import solve
from taquin.cli.screen import paragraph
from taquin.cli.table import Column, print_csv, print_json, print_table
from taquin.engine.choose import Auto
from taquin.engine.grading import grade as grade_answer
from taquin.model.goal import NAMED_GOALS
from taquin.notation import read_answers, read_boards
from taquin.search.result import Limits, Outcome, Task
from taquin.system.words import counted, listed, printable


@dataclass(frozen=True, slots=True)
class _Row:
    """One graded answer of one student; without a number, a file that cannot be graded."""

    student: str
    """The name of the student's file; empty if there is only one file."""
    remark: str
    number: int | None = None
    start: str = ""
    answer: str = ""
    grade: Grade | None = None

    @property
    def name(self) -> str:
        return f"{self.student} {self.number or ''}".rstrip()

    @property
    def is_answered(self) -> bool:
        """Whether there is an answer, or none is needed."""
        return self.grade is not None and (self.answer != "" or self.grade.solved)


def _column(field: str, unknown: str = "–") -> Column:
    def cell(row: _Row) -> str:
        value = getattr(row.grade, field, None)
        if isinstance(value, bool):
            return "–" if not row.is_answered else "yes" if value else "no"
        return unknown if value is None else str(value)

    return Column(field, cell)


_COLUMNS = (*map(_column, ("legal", "solved", "moves", "shortest")), _column("wrong", unknown=""))


@command(
    "taquin grade boards.txt answers.txt",
    "taquin grade boards.txt answers/ --csv > grades.csv",
    'taquin grade "1 2 3 / 4 0 5 / 7 8 6" "left up"',
    "taquin scramble --depth 12 --count 10 --seed 1 > boards.txt",
    epilog="Exit status: 0 graded, 2 bad input or a file that cannot be graded, 3 a shortest "
    "length is not known because a limit was reached.",
)
@click.argument("boards")
@click.argument("moves")
@options.goal_option
@options.metric_option
@flag("Puzzle", "--blank", "Directions in the answers are where the blank goes, not the tile.")
@options.limit_options()
@options.format_options
def grade(
    boards: str,
    moves: str,
    goal: str,
    metric: Metric,
    blank: bool,
    limits: Limits,
    output: options.OutputFormat,
) -> int:
    """Grade answers: legal, solved, shortest, and the first wrong move.

    BOARDS is a file with a board on each line, as taquin scramble prints them, or with boards of
    several lines, separated by empty lines. MOVES is a file with a line of moves for each board, in
    their order or as "3: LURD", or a folder with such a file for each student. Moves are letters
    (LURD), words (left up) or tiles (8 6 3); an empty line is no answer. The limits apply to each
    board.
    """
    grader = _Grader(_starts(boards, options.Problem((), goal, metric)), blank, limits)
    rows: list[_Row] = []
    try:
        for row in grader.rows(moves):
            rows.append(row)
    except KeyboardInterrupt:
        grader.status = STOPPED
    if output == "json":
        print_json([_record(row) for row in rows])
    elif output == "csv" and rows:
        print_csv([_record(row) for row in rows])
    elif rows:
        first = Column("board", lambda row: str(row.number))
        if any(row.student for row in rows):
            # A table in several blocks repeats its first column only.
            first = Column("answer", lambda row: printable(row.name), left=True)
        print_table([first, *_COLUMNS], rows)
        _print_remarks(rows)
    return grader.status


def _starts(boards: str, problem: options.Problem) -> list[tuple[Puzzle, Board]]:
    """Return the boards with their puzzles; raise InputError for the first that is wrong."""
    source = boards if os.path.exists(boards) else "the boards"
    try:
        entries = problem.checked(read_boards(text_in(boards), problem.goal in NAMED_GOALS))
    except NotationError as error:
        raise InputError(f"{source}: {error}") from None
    starts = []
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, TaquinError):
            raise InputError(f"{source}, board {number}: {entry}")
        starts.append(entry)
    return starts


class _Grader:
    """Grades the answers to some boards, and finds the shortest length of each board once."""

    def __init__(self, starts: Sequence[tuple[Puzzle, Board]], blank: bool, limits: Limits) -> None:
        self._starts, self._blank, self._limits = starts, blank, limits
        self._known_distance = cache(self._distance)
        self.status = OK

    def rows(self, moves: str) -> Iterator[_Row]:
        """Yield the grades of a file, or of a folder, where a file that cannot be read is a row."""
        if not os.path.isdir(moves):
            try:
                yield from self._graded("", text_in(moves))
            except NotationError as error:
                source = f"{moves}: " if os.path.exists(moves) else ""
                raise InputError(f"{source}{error}") from None
            return
        files = _files_in(moves)
        if not files:
            raise InputError(f"{moves}: expected a file of answers for each student, found none")
        for student, path in files.items():
            try:
                yield from self._graded(student, text_in(path))
            except (NotationError, OSError) as error:
                self.status = BAD_INPUT
                yield _Row(student, f"cannot be graded: {error}")

    def _graded(self, student: str, text: str) -> Iterator[_Row]:
        answers = read_answers(text.splitlines(), len(self._starts))
        for number, answer in enumerate(answers, 1):
            puzzle, start = self._starts[number - 1]
            grade = grade_answer(
                start,
                answer,
                puzzle.goal,
                metric=puzzle.metric,
                blank=self._blank,
                distance=partial(self._known_distance, puzzle),
            )
            yield _Row(student, grade.remark, number, start.text(), answer, grade)

    def _distance(self, puzzle: Puzzle, board: Board) -> int | None:
        result = solve(Task(puzzle, board, limits=self._limits), Auto(), "shortest length")
        if result.outcome is Outcome.STOPPED:
            raise KeyboardInterrupt
        if result.outcome is Outcome.LIMIT_REACHED:
            self.status = self.status or STOPPED
        return result.cost if result.optimal else None


def _files_in(folder: str) -> dict[str, str]:
    """Return the files of a folder by the names of the students, without hidden files."""
    names = sorted(
        entry.name
        for entry in os.scandir(folder)
        if entry.is_file() and not entry.name.startswith(".")
    )
    stems = [os.path.splitext(name)[0] for name in names]
    return {
        stem if stems.count(stem) == 1 else name: os.path.join(folder, name)
        for name, stem in zip(names, stems, strict=True)
    }


def _record(row: _Row) -> dict[str, object]:
    fields = {"solved": "solved", "moves": "moves", "shortest": "shortest"}
    fields |= {"first_wrong": "wrong", "first_detour": "detour"}
    return {
        "student": row.student,
        "board": row.number,
        "start": row.start,
        "answer": row.answer,
        "legal": row.grade.legal if row.grade and row.is_answered else None,
        **{key: getattr(row.grade, field, None) for key, field in fields.items()},
        "remark": row.remark,
    }


def _print_remarks(rows: Sequence[_Row]) -> None:
    for student, group in groupby(rows, lambda row: row.student):
        answers = list(group)
        grades = [row.grade for row in answers if row.grade is not None]
        click.echo()
        name = f"{printable(student)}: " if student else ""
        solved = sum(grade.solved for grade in grades)
        best = sum(grade.is_shortest for grade in grades)
        total = f"{solved} of {counted(len(grades), 'board')} solved, {best} in the fewest moves"
        click.secho(paragraph(f"{name}{total if grades else answers[0].remark}"), bold=True)
        missing = [row.number for row in answers if row.grade is not None and not row.is_answered]
        if missing:
            boards = "boards" if len(missing) > 1 else "board"
            click.echo(paragraph(f"  no answer: {boards} {listed(missing, 10)}"))
        for row in answers:
            if row.is_answered and row.grade is not None and not row.grade.is_shortest:
                click.echo(paragraph(f"  board {row.number}: {printable(row.remark)}"))

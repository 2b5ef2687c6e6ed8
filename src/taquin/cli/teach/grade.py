"""`taquin grade`: grade students' answers, in one table.

taquin grade boards.txt ada.txt        a file of answers, one line per board
taquin grade boards.txt answers/       a folder of such files, one per student
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial

import click

from taquin import Board, InputError, Limits, Metric, NotationError, Outcome, Puzzle, TaquinError
from taquin import grade as grade_answer
from taquin.classroom.papers import (
    GradedAnswer,
    Paper,
    Points,
    board_sums,
    class_json,
    class_sentence,
    csv_rows,
)
from taquin.cli import options
from taquin.cli.command import BAD_INPUT, OK, STOPPED, Parsed, command, flag, option
from taquin.cli.inputs import text_in
from taquin.cli.output import Column, print_csv, print_json, print_table
from taquin.cli.running import solve
from taquin.cli.screen import paragraph, say
from taquin.engine.choose import Auto
from taquin.model.puzzle import NAMED_GOALS
from taquin.model.rows import fold
from taquin.notation import read_answers, read_boards
from taquin.notation.answers import begins_with_move
from taquin.search.result import Task
from taquin.system.formatting import counted, printable, shorten


def _column(field: str, unknown: str = "–") -> Column:
    def cell(answer: GradedAnswer) -> str:
        value = getattr(answer.grade, field)
        if isinstance(value, bool):
            doubt = "review" if answer.needs_review else "" if answer.is_given else "–"
            return doubt or ("yes" if value else "no")
        return unknown if value is None else str(value)

    return Column(field, cell)


_COLUMNS = (*map(_column, ("legal", "solved", "moves", "shortest")), _column("wrong", unknown=""))


@command(
    "taquin grade boards.txt answers.txt",
    "taquin grade boards.txt answers/ --csv > grades.csv",
    "taquin grade boards.txt answers/ --points 3,1",
    'taquin grade "1 2 3 / 4 0 5 / 7 8 6" "left up"',
    "taquin scramble --depth 12 --count 10 --seed 1 > boards.txt",
    epilog="Exit status: 0 graded, 2 bad input or a file that cannot be graded, 3 a shortest "
    "length is not known because a limit was reached.",
)
@click.argument("boards")
@click.argument("moves")
@options.goal_option
@options.metric_option
@flag("Puzzle", "--blank", "Directions in the answers are those of the blank, not of the tile.")
@option(
    "Output",
    "--points",
    "Points for a shortest solution, and for any other.",
    type=Parsed("n,n", Points.parse),
    default="2,1",
)
@flag("Output", "--answers", "For a folder: print a row for each answer, not for each student.")
@options.resource_limit_options
@options.format_options
def grade(
    boards: str,
    moves: str,
    goal: str,
    metric: Metric,
    blank: bool,
    points: Points,
    answers: bool,
    limits: Limits,
    output: options.OutputFormat,
) -> int:
    """Grade answers: legal, solved, shortest, and the first wrong move.

    BOARDS is a file with a board on each line, as taquin scramble prints them, or with boards of
    several lines, separated by empty lines. MOVES is a file with a line of moves for each board, in
    their order or as "3: LURD" or "Board 3: LURD", or a folder with such a file for each student:
    then there is a row for each student, and a summary of the class. Moves are letters (LURD),
    words (left up) or tiles (8 6 3); an empty line is no answer. What cannot be read needs review:
    it gets no points, and its paper is left out of the average. If BOARDS has several variants, as
    scramble --variants prints them, each file of answers has a line such as "Variant 3". The limits
    apply to each board.
    """
    variants = _variants(boards, options.Problem((), goal, metric))
    grader = _Grader(variants, points, blank, limits)
    papers: list[Paper] = []
    try:
        with _prompt_interrupts():
            for paper in grader.papers(moves):
                papers.append(paper)
    except KeyboardInterrupt:
        grader.status = STOPPED
        done = f"{counted(len(papers), 'paper')} graded"
        if os.path.isfile(moves) and grader.answers:
            papers.append(Paper("", answers=tuple(grader.answers)))
            done = f"{counted(len(grader.answers), 'answer')} graded"
        say(f"Stopped: interrupted, {done}.")
    if not papers:
        return grader.status
    if answers or not papers[0].student:
        _print_answers(papers, output)
    elif output == "text":
        _print_class(papers, grader.most)
    elif output == "json":
        print_json(class_json(papers, grader.most))
    else:
        print_csv(csv_rows(papers, grader.most, grader.boards))
    return grader.status


def _print_answers(papers: Sequence[Paper], output: options.OutputFormat) -> None:
    """Print a row for each answer."""
    rows = [answer for paper in papers for answer in paper.answers]
    if output == "json":
        print_json([row.record() for row in rows])
    elif output == "csv":
        print_csv([row.record() for row in rows])
    else:
        first = Column("board", lambda row: str(row.number))
        if any(paper.student for paper in papers):
            # A table in several blocks repeats only its first column.
            first = Column(
                "answer", lambda row: printable(f"{row.student} {row.number}"), left=True
            )
        print_table([first, *_COLUMNS], rows)
        _print_comments(papers)


def _print_class(papers: Sequence[Paper], most: float) -> None:
    """Print a row for each student, comments, a row for each board, and the summary."""

    def column(heading: str, field: str) -> Column:
        return Column(heading, lambda paper: f"{getattr(paper, field):g}" if paper.answers else "–")

    names = [Column("name", lambda paper: printable(paper.name), left=True)]
    print_table(
        [
            Column("student", lambda paper: printable(paper.student), left=True),
            *(names if any(paper.name for paper in papers) else []),
            column("answered", "given"),
            column("solved", "solved"),
            column("shortest", "shortest"),
            Column(
                "points",
                lambda paper: "review" if paper.points is None else f"{paper.points:g}/{most:g}",
            ),
        ],
        papers,
    )
    _print_comments([paper for paper in papers if paper.comments])
    click.echo()
    if sums := board_sums(papers):
        numbered = [{"board": number, **row} for number, row in enumerate(sums, 1)]
        columns = [Column(key, lambda row, key=key: str(row[key])) for key in numbered[0]]  # type: ignore[misc]
        print_table(columns, numbered)
        click.echo()
    click.secho(paragraph(class_sentence(papers, most)), bold=True)


_Starts = Sequence[tuple[Puzzle, Board]]
"""The boards of one variant, each with its puzzle."""


def _variants(boards: str, problem: options.Problem) -> list[_Starts]:
    """Return the boards of each variant; raise InputError for the first board that is wrong."""
    source = boards if os.path.exists(boards) else "the boards"
    try:
        text = text_in(boards)
        entries = problem.checked(read_boards(text, problem.goal in NAMED_GOALS))
    except NotationError as error:
        raise InputError(f"{source}: {error}") from None
    starts = []
    for number, entry in enumerate(entries, 1):
        if isinstance(entry, TaquinError):
            raise InputError(f"{source}, board {number}: {entry}")
        starts.append(entry)
    count = len(re.findall(r"^# variant [0-9]+\s*$", text, re.MULTILINE)) or 1
    if len(starts) % count:
        fault = f"expected equally many boards in each of {counted(count, 'variant')}"
        raise InputError(f"{source}: {fault}, found {counted(len(starts), 'board')}")
    return list(fold(starts, len(starts) // count))


_VARIANT = re.compile(
    r"^[^\w\n]*variante?[^\w\n]*([0-9]{1,6})(?!\w)[^\w\n←↑→↓]*", re.MULTILINE | re.IGNORECASE
)
"""The line that names a variant; moves may follow it, also as arrows."""


@contextmanager
def _prompt_interrupts() -> Iterator[None]:
    """Let Ctrl-C end the block at once, although library calls inside defer interrupts."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class _Grader:
    """Grades the answers to a set of boards; caches the shortest length of each."""

    def __init__(
        self, variants: Sequence[_Starts], points: Points, blank: bool, limits: Limits
    ) -> None:
        self.variants = variants
        self.boards = len(variants[0])
        self.most = points.shortest * self.boards
        self.status = OK
        self.answers: list[GradedAnswer] = []
        """Those of the current file that are graded so far."""
        self._points, self._blank, self._limits = points, blank, limits
        self._known_distance = cache(self._distance)

    def papers(self, moves: str) -> Iterator[Paper]:
        """Yield the paper of a file, or of each file of a folder, readable or not."""
        if not os.path.isdir(moves):
            labels = {str(label) for _, start in self.variants[0] for label in start.labels}
            is_line = not os.path.exists(moves) and not set(moves) & set(":\n") and moves != "-"
            if moves.endswith("/") or (is_line and moves and not begins_with_move(moves, labels)):
                missing = f"there is no file or folder {shorten(moves)}"
                raise InputError(f"{missing}, and it is not an answer")
            yield self._graded("", text_in(moves))
            return
        files = _files_in(moves)
        if not files:
            raise InputError(f"{moves}: expected a file of answers for each student, found none")
        for student, path in files.items():
            try:
                paper = self._graded(student, text_in(path))
            except (TaquinError, OSError) as error:
                self.status = BAD_INPUT
                fault = str(error).removeprefix(f"{path}: ")
                paper = Paper(student, remarks=(f"cannot be graded: {fault}",))
            yield paper

    def _graded(self, student: str, text: str) -> Paper:
        starts, text = self._starts_for(text)
        read = read_answers(text.splitlines(), [start for _, start in starts])
        self.answers = answers = []
        for number, answer in enumerate(read.texts, 1):
            puzzle, start = starts[number - 1]
            grade = grade_answer(
                start,
                answer,
                puzzle.goal,
                metric=puzzle.metric,
                blank=self._blank,
                distance=partial(self._known_distance, puzzle),
            )
            has_other = read.may_be_shifted or (not answer and read.has_strays)
            is_doubtful = has_other or not grade.readable
            points = None if is_doubtful and not grade.solved else self._points.of(grade)
            answers.append(GradedAnswer(student, number, start.text(), answer, grade, points))
        remarks = list(read.skipped)
        swapped = sum(answer.grade.swapped for answer in answers)
        if swapped > 1:
            other = "tile, without --blank" if self._blank else "blank, as --blank reads them"
            remarks.append(f"{swapped} answers are right as moves of the {other}")
        return Paper(student, read.name, tuple(answers), tuple(remarks))

    def _starts_for(self, text: str) -> tuple[_Starts, str]:
        """Return the boards of the variant that a file of answers names, and the rest of it."""
        if len(self.variants) == 1:
            return self.variants[0], text
        match = _VARIANT.search(text)
        if match is None or not 1 <= int(match[1]) <= len(self.variants):
            found = "found none" if match is None else f"found {match[1]}"
            expected = f"expected a line with the variant, Variant 1 to {len(self.variants)}"
            raise InputError(f"{expected}, {found}")
        rest = text[: match.start()] + text[match.end() :].lstrip()
        return self.variants[int(match[1]) - 1], rest

    def _distance(self, puzzle: Puzzle, board: Board) -> int | None:
        result = solve(Task(puzzle, board, limits=self._limits), Auto(), "shortest length")
        if result.outcome is Outcome.STOPPED:
            raise KeyboardInterrupt
        if result.outcome is Outcome.LIMIT_REACHED:
            self.status = self.status or STOPPED
        return result.cost if result.optimal else None


def _files_in(folder: str) -> dict[str, str]:
    """Return the files of a folder by student, without hidden files."""
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


def _print_comments(papers: Sequence[Paper]) -> None:
    for paper in papers:
        click.echo()
        student = f"{printable(paper.student)}: " if paper.student else ""
        total = f"{paper.solved} of {counted(len(paper.answers), 'board')} solved, "
        comments = paper.comments
        heading = (
            f"{total}{paper.shortest} in the fewest moves" if paper.answers else comments.pop(0)
        )
        click.secho(paragraph(f"{student}{heading}"), bold=True)
        for comment in comments:
            click.echo(paragraph(f"  {printable(comment)}"))

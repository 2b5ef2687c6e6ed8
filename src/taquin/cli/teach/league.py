"""`taquin league`: run every student's search on the same boards; print a table or a page."""

from __future__ import annotations

from pathlib import Path

import click

from taquin import Board, Limits
from taquin.classroom.league import HEADINGS, caption, play, report_of
from taquin.cli import options
from taquin.cli.command import BAD_INPUT, OK, command, int_option, option
from taquin.cli.output import no_solution, print_columns, print_csv, print_json
from taquin.cli.screen import paragraph, status_line
from taquin.lab import StudyProgress, to_html
from taquin.system.files import atomic_write
from taquin.system.formatting import TextColumn, printable

_BOARDS = (
    "1 2 3 / 4 0 5 / 7 8 6",
    "1 2 3 / 7 4 5 / 0 8 6",
    "0 1 3 / 4 2 5 / 7 8 6",
    "8 1 3 / 4 0 2 / 7 6 5",
    "2 8 1 / 0 3 4 / 7 6 5",
    "8 6 7 / 2 5 4 / 3 0 1",
)
"""The default boards: 2, 4, 4, 14, 21 and 31 moves, which is the maximum on 3×3."""
_SECONDS_HELP = "Limit on the processor time of a run in seconds; three times as long by the clock."


@command(
    "taquin league students/",
    "taquin league students/ boards.txt -o league.html",
    'taquin league students/ boards.txt --name "solve(manhattan)" --max-seconds 5',
    "taquin league students/ boards.txt --json",
    epilog="Exit status: 0 every file was run, successfully or not; 2 bad input; 3 Ctrl-C.",
)
@click.argument("folder", type=click.Path(path_type=Path))
@options.problem_options
@option("Search", "--name", "The function in each file, or solve(manhattan).", default="solve")
@options.limits_of(options.seconds_option(10, _SECONDS_HELP), options.memory_option)
@int_option("Engine", "--processes", "Worker processes.  [default: one for each core]")
@option("Output", "--output -o FILE page", "Write the league as an HTML page.", type=click.Path())
@options.format_options
def league(
    folder: Path,
    problem: options.BoardArguments,
    name: str,
    limits: Limits,
    processes: int | None,
    page: str | None,
    output: options.OutputFormat,
) -> int:
    """Run every student's search on the same boards.

    FOLDER has a Python file for each student, which defines a function solve(board) that returns
    the moves of a solution; docs/user-code.md shows how. The boards are those of a file, one on
    each line, or six of 3×3 from 2 to 31 moves. Each run has its own worker process with limits, so
    a crash or an endless loop affects only its own row. The code runs with your rights, so read
    it first. Solutions are replayed and compared with shortest ones. Rows are ranked by boards
    solved, then by optimal solutions, then by nodes expanded. Only nodes generated through taquin's
    boards are counted; – if there are none. A search that calls a solver of taquin is out of
    competition.
    """
    files = sorted(folder.glob("*.py")) if folder.is_dir() else []
    if not files:
        found = "no such file" if folder.is_dir() else f"no folder {str(folder)!r}"
        raise click.UsageError(
            f"expected a folder with a file NAME.py for each student, found {found}"
        )
    if page is not None:
        options.check_file(str(page))
    starts = problem.read_each() if problem.board else problem.checked(map(Board.parse, _BOARDS))
    boards, has_errors = options.valid_boards(starts)
    for number, (puzzle, start) in enumerate(boards, 1):
        if refutation := no_solution(puzzle, start):
            raise click.UsageError(f"board {number}: {refutation}")
    with status_line() as show:

        def progress(now: StudyProgress) -> None:
            show(f"{now.done} of {now.total} runs")

        students = play(files, name, boards, limits, processes=processes, progress=progress)
    if page is not None:
        title = f"League of {folder.resolve().name}"
        with atomic_write(page) as file:
            file.write(to_html(report_of(title, students, boards)).encode())
    if output == "json":
        print_json([student.json() for student in students])
    elif output == "csv":
        print_csv([run for student in students for run in student.runs()])
    else:
        names = [printable(student.title) for student in students]
        columns = zip(*(student.cells for student in students), strict=True)
        print_columns(
            [TextColumn("student", names, left=True), *map(TextColumn, HEADINGS, columns)]
        )
        click.echo(paragraph(caption(students)))
        for line in (fault for student in students for fault in student.faults()):
            click.echo(paragraph(printable(line)))
        if page is not None:
            click.echo(f"Page: {page}")
    return BAD_INPUT if has_errors else OK

"""`taquin grade`: grade students' answers, in one table.

taquin grade boards.txt ada.txt        a file of answers, one line per board
taquin grade boards.txt answers/       a folder or archive of such files, one per student
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from taquin import Board, Limits, Metric, Outcome, Puzzle, TaquinError
from taquin.classroom.papers import (
    Grader,
    Paper,
    Points,
    Starts,
    answer_table,
    board_table,
    class_json,
    class_sentence,
    class_table,
    csv_rows,
    variants_of,
    write_feedback,
)
from taquin.classroom.submissions import (
    MAX_BYTES,
    UnreadableError,
    is_collection,
    read_submissions,
    text_of,
)
from taquin.cli import options
from taquin.cli.command import BAD_INPUT, OK, STOPPED, Parsed, command, flag, option
from taquin.cli.inputs import text_in
from taquin.cli.output import print_columns, print_csv, print_json
from taquin.cli.running import solve_task
from taquin.cli.screen import paragraph, say
from taquin.engine.task import SHORTEST
from taquin.errors import InputError
from taquin.notation import read_boards
from taquin.notation.answers import begins_with_move
from taquin.search.result import Task
from taquin.system.formatting import counted, listed, printable, shorten
from taquin.system.interrupts import AtOnce, DeferredInterrupts


@command(
    "taquin grade boards.txt answers.txt",
    "taquin grade boards.txt answers/ --csv > grades.csv",
    "taquin grade boards.txt answers.zip --points 3,1 --feedback feedback/",
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
@option(
    "Output",
    "--feedback DIR",
    "Also write a page for each student into this folder: points, and the first wrong moves.",
    type=click.Path(file_okay=False, path_type=Path),
)
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
    feedback: Path | None,
    limits: Limits,
    output: options.OutputFormat,
) -> int:
    """Grade answers: legal, solved, shortest, and the first wrong move.

    BOARDS is a file with a board on each line, as taquin scramble prints them, or with boards of
    several lines, separated by empty lines. MOVES is a file with a line of moves for each board, in
    their order or as "3: LURD" or "Board 3: LURD". It may also be a folder or a zip archive with
    such a file, or a folder of files, for each student: then there is a row for each student, and a
    summary of the class. Files may be plain text, Markdown, HTML, .docx, .odt, and with the extra
    "papers" PDF. Moves are letters (LURD), words (left up; also German, French and Spanish) or
    tiles (8 6 3); "unsolvable" is right for a board that is; an empty line is no answer. What
    cannot be read needs review: it gets no points, and its paper is left out of the average. If
    BOARDS has several variants, as scramble --variants prints them, each file of answers has a line
    such as "Variant 3"; without it, the variant that it solves best is taken. The limits apply to
    each board.
    """
    status = OK

    def distance(puzzle: Puzzle, board: Board) -> int | None:
        nonlocal status
        result = solve_task(Task(puzzle, board, limits=limits), SHORTEST, "shortest length")
        if result.outcome is Outcome.STOPPED:
            raise KeyboardInterrupt
        if result.outcome is Outcome.LIMIT_REACHED:
            status = STOPPED
        return result.cost if result.optimal else None

    variants = _variants(boards, options.BoardArguments((), goal, metric))
    grader = Grader(variants, points, blank, distance)
    papers: list[Paper] = []
    try:
        # Ctrl-C ends this at once, although library calls inside defer it.
        with DeferredInterrupts(), AtOnce():
            for paper in _papers(grader, moves):
                papers.append(paper)
        if not all(paper.answers for paper in papers):
            status = BAD_INPUT
    except KeyboardInterrupt:
        status = STOPPED
        done = f"{counted(len(papers), 'paper')} graded"
        if os.path.isfile(moves) and grader.answers:
            papers.append(Paper("", answers=tuple(grader.answers)))
            done = f"{counted(len(grader.answers), 'answer')} graded"
        say(f"Stopped: interrupted, {done}.")
    if not papers:
        return status
    if feedback is not None:
        written = write_feedback(feedback, papers, grader.most)
        say(f"Feedback: {counted(written, 'page')} in {feedback}.")
    if answers or not papers[0].student:
        rows = [answer.record() for paper in papers for answer in paper.answers]
        if output == "json":
            print_json(rows)
        elif output == "csv":
            print_csv(rows)
        else:
            print_columns(answer_table(papers))
            _print_comments(papers)
    elif output == "json":
        print_json(class_json(papers, grader.most))
    elif output == "csv":
        print_csv(csv_rows(papers, grader.most, grader.boards))
    else:
        print_columns(class_table(papers, grader.most))
        _print_comments([paper for paper in papers if paper.comments])
        click.echo()
        if sums := board_table(papers):
            print_columns(sums)
            click.echo()
        click.secho(paragraph(class_sentence(papers, grader.most)), bold=True)
    return status


def _variants(boards: str, problem: options.BoardArguments) -> list[Starts]:
    """Return the boards of each variant; raise InputError for the first board that is wrong."""
    source = boards if os.path.exists(boards) else "the boards"
    text = text_in(boards)
    starts = []
    try:
        for number, entry in enumerate(problem.checked(read_boards(text, problem.is_classic)), 1):
            if isinstance(entry, TaquinError):
                source = f"{source}, board {number}"
                raise entry
            starts.append(entry)
        return variants_of(starts, text)
    except TaquinError as error:
        raise InputError(f"{source}: {error}") from None


def _papers(grader: Grader, moves: str) -> Iterator[Paper]:
    """Yield the paper of a file, or of each file of a folder."""
    if is_collection(moves):
        submissions, ignored = read_submissions(moves)
        if ignored:
            say(f"Ignored: {listed(map(printable, ignored), 10)}.")
        yield from grader.papers_of(submissions)
        return
    labels = {str(label) for _, start in grader.variants[0] for label in start.labels}
    is_line = not os.path.exists(moves) and not set(moves) & set(":\n") and moves != "-"
    if moves.endswith("/") or (is_line and moves and not begins_with_move(moves, labels)):
        missing = f"there is no file or folder {shorten(moves)}"
        raise InputError(f"{missing}, and it is not an answer")
    if os.path.isfile(moves):
        with open(moves, "rb") as file:
            data = file.read(MAX_BYTES + 1)
        try:
            text = text_of(moves, data)
        except UnreadableError as error:
            raise InputError(f"{moves}: {error}") from None
    else:
        text = text_in(moves)
    yield grader.paper("", text)


def _print_comments(papers: Sequence[Paper]) -> None:
    for paper in papers:
        click.echo()
        student = f"{printable(paper.student)}: " if paper.student else ""
        click.secho(paragraph(f"{student}{paper.summary}"), bold=True)
        for comment in paper.comments[not paper.answers :]:
            click.echo(paragraph(f"  {printable(comment)}"))

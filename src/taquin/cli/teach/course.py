"""`taquin class` writes the material of a course; `taquin homework` only the starter files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import randrange

import click

from taquin import Board
from taquin.classroom.course import PARTS, STARTERS, Course, starter, write_course
from taquin.cli.command import OK, Parsed, command, int_option, option
from taquin.cli.inputs import text_in
from taquin.cli.options import read_depths, write_file
from taquin.cli.screen import say, status_line
from taquin.errors import InputError, NotationError
from taquin.notation import read_boards
from taquin.system.formatting import counted


@command("taquin homework homework/")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
def homework(folder: Path) -> int:
    """Write starter files for students, with tests.

    Students complete heuristic.py, astar.py and idastar.py; python -m unittest test_homework tests
    them. Files that exist are not replaced.
    """
    if existing := [name for name in STARTERS if (folder / name).exists()]:
        raise InputError(f"{folder / existing[0]} exists already: give another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name in STARTERS:
        write_file(str(folder / name), starter(name))
    return OK


def _parts(text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(","))
    if not set(parts) <= set(PARTS):
        raise ValueError(f"parts among {', '.join(PARTS)}")
    return parts


@command(
    "taquin class course/ --students 30 --depth 6,10,15,20",
    "taquin class course/ --students 30 --depth 6-12 --seed 7",
    "taquin class course/ --boards boards.txt",
    "taquin class exam/ --only exam --depth 6",
    name="class",
)
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@int_option("Course", "--students", "The number of students.", default=30, most=500)
@option(
    "Course",
    "--depth DEPTHS",
    "Depths of the boards, one board of each for every student: 5,10,15 or 5-20.",
    type=Parsed("depths", read_depths),
    default="6,10,15,20",
)
@option("Course", "--boards FILE", "Your own boards instead: every student gets all of them.")
@option("Course", "--seed N", "The same seed gives the same boards.", type=int)
@option("Course", "--title TEXT", "The title of the pages.", default="Sliding puzzles")
@option("Course", "--page URL", "The address of the page that your class uses, for the links.")
@option(
    "Course",
    "--only PARTS",
    f"Some of the parts: {', '.join(PARTS)}.",
    type=Parsed("parts", _parts),
    default=",".join(PARTS),
)
def course(
    folder: Path,
    students: int,
    depth: tuple[int, ...],
    boards: str | None,
    seed: int | None,
    title: str,
    page: str | None,
    only: tuple[str, ...],
) -> int:
    """Write handouts, an exam, homework and a league for a class.

    The folder has a handout for every student with the answers, a search tree to complete, starter
    files for homework with tests, boards for a league, and a page with links and the commands that
    grade.
    """
    own: tuple[Board, ...] = ()
    if boards is not None:
        try:
            own = read_boards(text_in(boards), classic=True)
        except NotationError as error:
            raise InputError(f"{boards}: {error}") from None
        if len({board.grid for board in own}) > 1:
            raise InputError(f"{boards}: expected boards of one size")
    seed = randrange(2**32) if seed is None else seed
    plan = Course(folder, students, depth, seed, own, title, parts=only)
    if page is not None:
        plan = replace(plan, page=page.rstrip("#"))
    # A run that was interrupted has no index yet.
    parts = ("boards.txt", "league.txt", "homework", "handouts", "exam")
    others = [path for path in folder.glob("*") if not path.name.startswith(parts)]
    if others and not (folder / "index.html").is_file():
        raise InputError(f"expected an empty folder or one of taquin class, found {folder}")
    with status_line() as show:
        files = write_course(plan, show, say)
    say(f"{counted(len(files), 'file')} in {folder}; begin with {folder / 'index.html'}")
    return OK

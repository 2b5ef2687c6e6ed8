"""Course material in one folder, for a class: made by `taquin class`.

    index.html             what there is, and the commands that go with it
    boards.txt             the boards of every student, for `taquin grade`
    handouts, -answers     a page of boards for every student; the answers
    exam, -answers         a search tree to complete; the complete one
    homework/              starter files for a heuristic, A* and IDA*, with tests
    league.txt             boards for `taquin league`

Pages are PDF if the extra `pictures` is installed, otherwise HTML that prints the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib import resources
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from taquin import Board, Goal, Limits, Outcome, Puzzle, boards_at_depth, solve, trace
from taquin.model.rows import fold
from taquin.system.files import atomic_write
from taquin.system.formatting import counted
from taquin.system.interrupts import DeferredInterrupts, raise_if_interrupted
from taquin.views import search_tree
from taquin.views.pictures.boards import Handout, PageLayout, goal_parts, handout_files, pages_html
from taquin.views.pictures.drawings import TreeDrawing
from taquin.views.pictures.painters import to_pdf
from taquin.views.pictures.scene import Box, Group, Part, Scene, TextLine
from taquin.views.tree import Exam, Tree

PARTS = ("handouts", "exam", "homework", "league")
STARTERS = ("heuristic.py", "astar.py", "idastar.py", "test_homework.py")
_EXAM_SEARCH, _EXAM_NODES, _EXAM_DEPTHS = "astar(manhattan, ties=fifo)", 18, (4, 5, 6)
_EXAM_BOARDS, _EXAM_EVENTS = 20, 500
_EXAM_RULES = (
    "Complete this tree of A*: write f = g + h under each board, where g is the depth",
    "and h the Manhattan distance. Number the boards in the order in which A* expands them.",
    "Cross out those that were reached before by a path that is not longer. Of boards with the",
    "lowest f, the one generated first is expanded first; children are in order from the left.",
)
_EXAM_ANSWERS = (
    "Blue: expanded, in the order of the numbers. Orange: in the frontier at the end.",
    "Grey, dashed: reached before. Green: the solution.",
)
_LEAGUE_BOARDS = 10
_MOST_SECONDS = 20.0
"""The time for the answer to a board; a teacher's own board may be large."""
_WIDE, _HIGH, _EDGE = 595.0, 842.0, 44.0
"""A4 in points, and the margin."""
_HEAD, _FOOT = 156.0, 20.0
"""The head and the foot of the exam."""
_TASK_UNSOLVABLE = (
    "Slide the tiles, one at a time, to the goal. Write L, R, U or D for each move, where the tile "
    "goes, or that the board cannot be solved."
)
_FREE = 620.0
"""The height of a page of boards below its head, in points."""

Report = Callable[[str], None]
"""Receives what is being made, or a sentence for the teacher."""


@dataclass(frozen=True, slots=True)
class Course:
    """What to make."""

    folder: Path
    students: int
    depths: tuple[int, ...]
    """One board of each depth for every student."""
    seed: int
    boards: tuple[Board, ...] = ()
    """The teacher's own boards, which every student gets instead."""
    title: str = "Sliding puzzles"
    page: str = "http://127.0.0.1:8150/"
    """The address of the page, for links."""
    parts: tuple[str, ...] = PARTS

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle of all boards."""
        grid = self.boards[0].grid if self.boards else Board("1 2 3 / 4 5 6 / 7 8 0").grid
        return Puzzle(Goal.blank_last(grid.rows, grid.columns, grid.walls))


def write_course(
    course: Course, report: Report = lambda stage: None, notice: Report = lambda sentence: None
) -> list[Path]:
    """Write the parts of a course, and return the files; each is complete or not there.

    `notice` gets a sentence if students share boards. Ctrl-C raises KeyboardInterrupt between two
    boards or files.
    """
    with DeferredInterrupts():
        return _written(course, report, notice)


def _written(course: Course, report: Report, notice: Report) -> list[Path]:
    written: list[Path] = []

    def write(name: str, content: bytes | str) -> None:
        raise_if_interrupted()
        path = course.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as file:
            file.write(content.encode() if isinstance(content, str) else content)
        written.append(path)

    form = "pdf" if find_spec("matplotlib") else "html"
    variants: list[Sequence[Board]] = []
    if "handouts" in course.parts:
        report("boards")
        variants = [course.boards] if course.boards else _boards_of_students(course, notice)
        texts = [
            f"# variant {number}\n" * (len(variants) > 1)
            + "".join(f"{board.text()}\n" for board in boards)
            for number, boards in enumerate(variants, 1)
        ]
        write("boards.txt", "".join(texts))
        report("handouts")
        for ending, content in _handout_files(course, variants, form):
            write(f"handouts{ending}.{form}", content)
    if "exam" in course.parts:
        report("exam")
        for ending, page in _exam_pages(course):
            content = to_pdf([page]) if form == "pdf" else pages_html([page]).encode()
            write(f"exam{ending}.{form}", content)
    if "homework" in course.parts:
        for name in STARTERS:
            # A teacher may have edited it.
            if not (course.folder / "homework" / name).exists():
                write(f"homework/{name}", starter(name))
    if "league" in course.parts:
        report("league")
        write("league.txt", "".join(f"{board.text()}\n" for board in _league_boards(course)))
    write("index.html", _index(course, variants))
    return written


def starter(name: str) -> bytes:
    """Return one of the starter files."""
    return (resources.files("taquin.classroom") / "starters" / name).read_bytes()


def _boards_of_students(course: Course, notice: Report) -> list[Sequence[Board]]:
    """Return the boards of each student, one of each depth."""
    columns = [_boards_of_depth(course, depth, course.students) for depth in course.depths]
    few = [
        f"{different:,} of depth {depth}"
        for depth, boards in zip(course.depths, columns, strict=True)
        if (different := len(set(boards))) < course.students
    ]
    if few:
        notice(
            f"Too few different boards for {course.students:,} students ({', '.join(few)}): they "
            f"repeat, so that some students have the same board."
        )
    return list(zip(*columns, strict=True))


def _boards_of_depth(course: Course, depth: int, count: int) -> list[Board]:
    """Return boards of a depth; they repeat if there are fewer than needed."""
    known = boards_at_depth(course.puzzle, depth, course.seed).known
    different = count if known is None else min(count, known)
    boards = list(boards_at_depth(course.puzzle, depth, course.seed, count=different).boards)
    raise_if_interrupted()
    return [boards[place % len(boards)] for place in range(count)]


def _handout_files(
    course: Course, variants: Sequence[Sequence[Board]], form: str
) -> Iterator[tuple[str, bytes]]:
    boards = [board for variant in variants for board in variant]
    results = {}
    for board in dict.fromkeys(boards):
        results[board] = solve(board, course.puzzle, limits=Limits(seconds=_MOST_SECONDS))
        raise_if_interrupted()
    count, layout = len(variants[0]), PageLayout()
    if count <= 6:
        # All boards on one page.
        lines, tall = 4 if count <= 4 else 2, _FREE / -(-count // 2)
        cell = (tall - 50 - 22 * lines) / course.puzzle.goal.grid.rows
        layout = PageLayout(columns=2, cell=cell, lines=lines)
    has_unsolvable = any(each.outcome is Outcome.UNSOLVABLE for each in results.values())
    handout = Handout(
        *(course.puzzle, boards, [results[board].moves for board in boards], course.title),
        note=f"seed {course.seed}",
        variants=len(variants),
        layout=replace(layout, task=_TASK_UNSOLVABLE if has_unsolvable else None),
    )
    return handout_files(handout, form)


def _exam_pages(course: Course) -> Iterator[tuple[str, Scene]]:
    """Yield the exam and its solution: a search tree on a page with the rules."""
    tree = _exam_tree(course)
    board = tree.nodes[0].node.board
    goal_cell = 54 / board.grid.rows
    left = _WIDE - _EDGE - board.grid.columns * goal_cell
    for ending, exam in (("", Exam.BOTH), ("-answers", None)):
        is_answer = exam is None
        drawing = TreeDrawing(tree, exam=exam, writing=True).tree_alone()
        lines = [
            TextLine("note", _EDGE, _EDGE + 66 + 14 * number, line, 10)
            for number, line in enumerate(_EXAM_ANSWERS if is_answer else _EXAM_RULES)
        ]
        head: list[Part] = [
            TextLine("title", _EDGE, _EDGE + 18, f"{course.title}: search tree", 18, bold=True),
            TextLine("note", left - 12, _EDGE + 12, "goal", 10, "end"),
            Group(tuple(goal_parts(course.puzzle.goal, goal_cell)), left, _EDGE + 2),
        ]
        if not is_answer:
            head.append(TextLine("note", _EDGE, _EDGE + 42, "Name", 10))
            head.append(Box("rule", _EDGE + 34, _EDGE + 43, 210, 0.7))
        width = max(_WIDE, drawing.width)
        height = max(_HIGH, _HEAD + drawing.height + _FOOT)
        body = Group(drawing.parts, (width - drawing.width) / 2, _HEAD)
        page = Box("page", 0, 0, width, height)
        yield ending, Scene(width, height, (page, *head, *lines, body), course.title)


def _exam_tree(course: Course) -> Tree:
    """Return the tree of a search that fits the page, with as many expansions as possible."""
    deepest = min(max(course.depths), max(_EXAM_DEPTHS))
    depths = [depth for depth in _EXAM_DEPTHS if depth <= deepest] or [deepest]
    starts = list(course.boards[:_EXAM_BOARDS]) or [
        board for depth in depths for board in _boards_of_depth(course, depth, _EXAM_BOARDS)
    ]
    fitting, cut = [], None
    for start in dict.fromkeys(starts):
        events = list(islice(trace(course.puzzle, start, _EXAM_SEARCH), _EXAM_EVENTS))
        raise_if_interrupted()
        for nodes in range(_EXAM_NODES, 3, -1):
            tree = search_tree(events, nodes, "A*", whole_turns=True)
            drawing = TreeDrawing(tree, writing=True).tree_alone()
            if drawing.width <= _WIDE and drawing.height <= _HIGH - _HEAD - _FOOT:
                is_whole = any(tree_node.on_path for tree_node in tree.nodes)
                turns = sum(len(tree_node.turns) for tree_node in tree.nodes)
                fitting.append(((is_whole, turns), tree))
                break
        cut = cut or tree
    assert cut is not None, "a course has boards"
    return max(fitting, key=lambda each: each[0])[1] if fitting else cut


def _league_boards(course: Course) -> list[Board]:
    if course.boards:
        return list(course.boards)
    depths = course.depths
    per_depth = -(-_LEAGUE_BOARDS // len(depths))
    boards = (board for depth in depths for board in _boards_of_depth(course, depth, per_depth))
    return list(dict.fromkeys(boards))


def _index(course: Course, variants: Sequence[Sequence[Board]]) -> str:
    """Return the page that lists what is in the folder, with the commands that go with it."""
    examples = variants[0] if variants else _league_boards(course)[:4]
    links = "".join(
        f'<li><a href="{escape(_link(course, board, ""))}">{escape(board.text())}</a>, '
        f'<a href="{escape(_link(course, board, "&predict=1"))}">as a quiz</a></li>\n'
        for board in examples
    )
    handouts, exam = (
        next((kind for kind in ("pdf", "html") if (course.folder / f"{part}.{kind}").exists()), "")
        for part in ("handouts", "exam")
    )
    sections = [
        (handouts, f'<a href="handouts.{handouts}">Handouts</a>, a page for each student, with '
         f'<a href="handouts-answers.{handouts}">answers</a>. To grade what students hand in: '
         "<code>taquin grade boards.txt submissions.zip --feedback feedback/</code>"),
        (exam, f'<a href="exam.{exam}">A search tree to complete</a>, with the '
         f'<a href="exam-answers.{exam}">complete one</a>.'),
        ((course.folder / "homework").exists(), "Starter files for homework: "
         + ", ".join(f'<a href="homework/{name}">{name}</a>' for name in STARTERS[:3])
         + ', and <a href="homework/test_homework.py">their tests</a>: <code>python -m unittest '
         "test_homework</code>"),
        ((course.folder / "league.txt").exists(), '<a href="league.txt">Boards for a league</a> '
         "of the searches that students wrote: <code>taquin league students/ league.txt "
         "-o league.html</code>"),
    ]  # fmt: skip
    items = "".join(f"<li>{text}</li>\n" for is_there, text in sections if is_there)
    about = f"{counted(course.students, 'student')}; boards of "
    about += f"{', '.join(map(str, course.depths))} moves; seed {course.seed}"
    if course.boards:
        about = f"{counted(len(course.boards), 'board')} of your own"
    about = f"<p>{about}</p>\n" if variants else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(course.title)}</title>\n<style>body{{font:16px/1.6 system-ui,sans-serif;"
        "max-width:44rem;margin:2rem auto;padding:0 1rem}code{overflow-wrap:anywhere}"
        "li{margin:.5rem 0}</style>\n</head>\n<body>\n"
        f"<h1>{escape(course.title)}</h1>\n{about}<ul>\n{items}</ul>\n"
        f"<h2>Watch A* on these boards</h2>\n<p>While <code>taquin serve</code> runs, or with the "
        f"page that your course uses:</p>\n<ul>\n{links}</ul>\n</body>\n</html>\n"
    )


def _link(course: Course, board: Board, more: str) -> str:
    rows = "/".join(",".join(map(str, row)) for row in fold(board.cells, board.grid.columns))
    return f"{course.page}#watch?board={rows}&search=astar{more}"

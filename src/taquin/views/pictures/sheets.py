"""Handouts of boards on A4 pages, with the answers on separate pages.

Sliding puzzles, 3×3              goal ▢▢▢
Name ________                          ▢▢
Slide the tiles …   L = the tile moves left
1 ▢▢▢       2 ▢▢▢       3 ▢▢▢
  ▢ ▢         ▢▢▢         ▢▢
  moves ___   moves ___   moves ___        as many as fit the page
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from taquin.model.board import Arrangement, Board
from taquin.model.moves import Metric, Move
from taquin.model.puzzle import Puzzle
from taquin.model.rows import fold
from taquin.model.solvability import Solvability, solvability
from taquin.system.formatting import counted
from taquin.views.pictures.raster import to_png
from taquin.views.pictures.scene import (
    WIDE,
    WIDE_BOLD,
    Box,
    Group,
    Part,
    Scene,
    TextLine,
    printable,
)
from taquin.views.pictures.strips import board_parts, cell_size, tile_paths
from taquin.views.pictures.vector_formats import to_pdf, to_svg, to_tikz

MOST_BOARDS = 2000
"""The maximum number of boards of one handout, all variants included."""

_WIDE, _HIGH, _EDGE = 595.0, 842.0, 44.0
"""A4 in points, and the margin."""
_HEAD, _FOOT = 98.0, 24.0
"""The heights of the head, including the lines below the title, and of the foot."""
_TITLE, _TITLE_LINE = 18.0, 22.0
"""The size of the title, and the height of one of its lines."""
MOST_LETTERS = 120
"""The maximum length of a title."""
_NUMBER = 12.0
"""The size of the number of a board."""
_LINE = 22.0
"""The height of a line for the answer to a board."""
_GOAL = 58.0
_ANSWER = 9.5
_LETTERS = 5
"""The number of letters per group of moves; groups are easier to follow."""


@dataclass(frozen=True, slots=True)
class PageLayout:
    """The arrangement of a page of boards; None means a default for their size."""

    columns: int | None = None
    """Boards side by side."""
    cell: float | None = None
    """The largest side of a cell, in points."""
    lines: int = 2
    """Lines for the answer to a board."""
    task: str | None = None
    """The task; None for the moves."""


@dataclass(frozen=True, slots=True)
class Handout:
    """Boards to solve, with their answers and titles."""

    puzzle: Puzzle
    """The goal of all of them."""
    boards: Sequence[Board]
    """In the order they are handed out."""
    answers: Sequence[Sequence[Move] | None]
    """For each board the moves of a solution; None where none is known."""
    title: str
    """The line at the top of every page."""
    note: str = ""
    """A line at the foot of the answers, such as the seed."""
    variants: int = 1
    """The number of sheets, with equally many boards each."""
    layout: PageLayout = PageLayout()


def handout_files(handout: Handout, form: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a handout, each after the end of its name: '', '-2', '-answers'.

    PDF and HTML hold all pages; of SVG, PNG and TikZ there is a file for each. Raise MissingError
    without a library.
    """
    text = to_tikz if form == "tex" else to_svg
    for name, pages in (("", board_pages(handout)), ("-answers", answer_pages(handout))):
        if form == "pdf":
            yield name, to_pdf(pages)
        elif form == "html":
            yield name, pages_html(pages).encode()
        else:
            for number, page in enumerate(pages, 1):
                content = to_png(page) if form == "png" else text(page, dark=False).encode()
                yield name if number == 1 else f"{name}-{number}", content


def board_pages(handout: Handout) -> list[Scene]:
    """Return the pages with the boards, those of each variant after those of the one before."""
    grid, layout = handout.puzzle.goal.grid, handout.layout
    across = layout.columns or (3 if max(grid.rows, grid.columns) <= 5 else 2)
    count = len(handout.boards) // handout.variants
    block_width = (_WIDE - 2 * _EDGE) / across
    number_width = len(str(count)) * _NUMBER * WIDE_BOLD
    largest = layout.cell or 36
    cell = cell_size(tile_paths(handout.puzzle.goal), block_width - number_width - 26, largest)
    head, top = _head(handout)
    tall = 16 + grid.rows * cell + 10 + layout.lines * _LINE + 18
    free = _HIGH - _EDGE - top - _FOOT
    down = max(1, int(free / tall))
    if layout.cell is None and layout.lines == 2:
        # The boards share the page evenly.
        tall = free / down
    scenes = []
    for variant in range(handout.variants):
        boards = handout.boards[variant * count : (variant + 1) * count]
        pages = fold(list(enumerate(boards, 1)), across * down)
        for number, page in enumerate(pages, 1):
            blocks: list[Part] = []
            for place, (which, board) in enumerate(page):
                row, column = divmod(place, across)
                block = tuple(_block(which, board, cell, (block_width, number_width), layout))
                blocks.append(Group(block, _EDGE + column * block_width, top + row * tall))
            if handout.variants > 1:
                label = f"Variant {variant + 1}"
                blocks.append(TextLine("title", _EDGE, _EDGE - 6, label, _NUMBER, bold=True))
            scenes.append(_page(handout.title, [*head, *blocks], (number, len(pages))))
    return scenes


def answer_pages(handout: Handout) -> list[Scene]:
    """Return the pages with the answers of all variants, for the teacher.

    Those of several variants are in two columns, and a variant is kept together where it fits.
    """
    across = 2 if handout.variants > 1 else 1
    width = (_WIDE - 2 * _EDGE) / across
    count = len(handout.boards) // handout.variants
    blocks: list[list[tuple[str, str, str]]] = []
    for index, (board, answer) in enumerate(zip(handout.boards, handout.answers, strict=True)):
        variant, number = divmod(index, count)
        if handout.variants == 1:
            blocks.append([])
        elif number == 0:
            blocks.append([(f"Variant {variant + 1}", "title", "")])
        first, *more = _wrapped(board.text(), width)
        blocks[-1].append((str(number + 1), "note", first))
        blocks[-1].extend(("", "note", line) for line in more)
        is_solvable = solvability(handout.puzzle, board).answer is not Solvability.NO
        answer_lines = _answer_lines(answer, width) if is_solvable else ["it cannot be solved"]
        blocks[-1].extend(("", "title", line) for line in answer_lines)
    title, top = _title(f"Answers: {handout.title}", _WIDE - 2 * _EDGE)
    high = _ANSWER * 1.7
    down = int((_HIGH - _EDGE - top - 48 - _FOOT) / high)
    columns: list[list[tuple[str, str, str]]] = [[]]
    for block in blocks:
        if columns[-1] and len(columns[-1]) + len(block) > down:
            columns.append([])
        columns[-1] += block
        while len(columns[-1]) > down:
            columns.append(columns[-1][down:])
            del columns[-2][down:]
    pages = fold(columns, across)
    scenes = []
    for number, page in enumerate(pages, 1):
        parts = [*title, TextLine("note", _EDGE, top + 16, _letters(handout.puzzle), 10)]
        for column, lines in enumerate(page):
            x = _EDGE + column * width
            for place, (which, role, text) in enumerate(lines):
                y = top + 44 + place * high
                if which.isdecimal():
                    parts.append(TextLine("label", x + 22, y, which, _ANSWER, "end", bold=True))
                elif which:
                    parts.append(TextLine("title", x, y, which, _ANSWER, bold=True))
                parts.append(TextLine(role, x + 34, y, text, _ANSWER))
        scenes.append(_page(handout.title, parts, (number, len(pages)), handout.note))
    return scenes


def _head(handout: Handout) -> tuple[list[Part], float]:
    """Return the title, a line for a name, the task, and the goal; and where they end."""
    goal = handout.puzzle.goal
    cell = cell_size(tile_paths(goal), _GOAL, 20)
    left = _WIDE - _EDGE - goal.grid.columns * cell
    title, top = _title(handout.title, left - 52 - _EDGE)
    singly = ", one at a time," if handout.puzzle.metric is Metric.SINGLE else ""
    default = f"Slide the tiles{singly} to the goal. Write the moves down."
    task = wrap(handout.layout.task or default, int((left - 52 - _EDGE) / (10 * WIDE)))
    extra = 14.0 * (len(task) - 1)
    letters = [TextLine("note", _EDGE, top + 64 + extra, _letters(handout.puzzle), 10)]
    if handout.layout.task is not None:
        letters, extra = [], extra - 16
    parts = [
        *title,
        TextLine("note", _EDGE, top + 24, "Name", 10),
        Box("rule", _EDGE + 34, top + 25, 210, 0.7),
        *(TextLine("note", _EDGE, top + 48 + 14 * n, line, 10) for n, line in enumerate(task)),
        *letters,
        TextLine("note", left - 12, _EDGE + 12, "goal", 10, "end"),
        Group(tuple(goal_parts(goal, cell)), left, _EDGE + 2),
    ]
    return parts, top + _HEAD + extra


def _title(text: str, width: float) -> tuple[list[Part], float]:
    """Return a title in lines of this width, and where they end."""
    lines = wrap(text, int(width / (_TITLE * WIDE_BOLD))) or [""]
    parts: list[Part] = [
        TextLine("title", _EDGE, _EDGE + 18 + number * _TITLE_LINE, line, _TITLE, bold=True)
        for number, line in enumerate(lines)
    ]
    return parts, _EDGE + len(lines) * _TITLE_LINE


def _letters(puzzle: Puzzle) -> str:
    """Return the sentence that explains the letters and numbers of moves."""
    letters = "L = the tile moves left, R = right, U = up, D = down"
    several = "; L2 = two tiles move left at once" if puzzle.metric is Metric.MULTI else ""
    return f"{letters}{several}."


def _block(
    which: int, board: Board, cell: float, widths: tuple[float, float], layout: PageLayout
) -> Iterator[Part]:
    """Yield a board with its number and answer lines; `widths` are of the block and the number."""
    block_width, number_width = widths
    left = number_width + 6 + cell * 0.1
    yield TextLine("title", number_width, 10, f"{which}", _NUMBER, "end", bold=True)
    yield Group(tuple(goal_parts(board, cell)), left, 2)
    y = 2 + board.grid.rows * cell + 12
    label = 36 if layout.task is None and layout.lines else 0
    if label:
        yield TextLine("note", left, y + _LINE - 8, "moves", 9)
    for line in range(layout.lines):
        x = left + (label if line == 0 else 0)
        yield Box("rule", x, y + (line + 1) * _LINE - 7, block_width - x - 20, 0.7)


def goal_parts(position: Arrangement, cell: float) -> Iterator[Part]:
    """Yield the parts of a small board or goal."""
    return board_parts(tile_paths(position), 0, cell)


def _page(title: str, parts: Iterable[Part], of: tuple[int, int], note: str = "") -> Scene:
    page = Box("page", 0, 0, _WIDE, _HIGH)
    foot = _HIGH - _EDGE
    ending = (
        TextLine("faint", _EDGE, foot, note, 8.5),
        TextLine("faint", _WIDE - _EDGE, foot, f"page {of[0]} of {of[1]}", 8.5, "end"),
    )
    return Scene(_WIDE, _HIGH, (page, *parts, *ending), title)


def _answer_lines(answer: Sequence[Move] | None, width: float) -> list[str]:
    """Return an answer in lines: how many moves, and the moves in groups."""
    if answer is None:
        return ["no answer was found in time"]
    counts = (str(len(move.tiles)) if len(move.tiles) > 1 else "" for move in answer)
    moves = [f"{move.direction.letter}{count}" for move, count in zip(answer, counts, strict=True)]
    groups = " ".join(map("".join, fold(moves, _LETTERS)))
    return _wrapped(f"{counted(len(answer), 'move')}: {groups}", width)


def _wrapped(text: str, width: float) -> list[str]:
    """Return a text in lines that fit a column of an answer page."""
    return wrap(text, int((width - 40) / (_ANSWER * (WIDE + 0.1))))


def pages_html(pages: Sequence[Scene]) -> str:
    """Return pages as one HTML file that prints each on paper of its own."""
    title = escape(printable(pages[0].title))
    style = (
        "@page{size:A4;margin:0}body{margin:0;background:#e6eaef}"
        "svg{display:block;margin:16px auto;background:#fff}"
        "@media print{body{background:none}svg{margin:0;width:210mm;height:296.9mm;"
        "break-after:page}svg:last-child{break-after:auto}}"
    )
    drawn = "\n".join(to_svg(page, dark=False) for page in pages)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{drawn}</body>\n</html>\n"
    )

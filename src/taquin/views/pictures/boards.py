"""Boards as parts of a picture, at rest or during a move; solutions as strips and films; handouts.

    ┌─────────┐
    │ ▢  ▣  ▢ │   a tray with a tile for every label; ▣ moved last, ▒ is a filler, █ a wall,
    │ ▢     ▒ │   ● the agent; with a photo a tile shows the part that belongs to its home
    │ ▢  █  ▢ │
    └─────────┘

A `TilePaths` follows each tile from board to board, so that tiles of one name are distinguished.

Scenes show one board, the boards of a solution, or those that a search expands:

    Solved in 2 moves
    start    1. 5 left   2. 6 up
    ▢▢▢      ▢▢▢         ▢▢▢
    ▢ ▢      ▢▣          ▢▢▣       as many in a row as make the picture slightly wider than high
    ▢▢▢      ▢▢▢         ▢▢

A handout has boards on A4 pages, and the answers on separate pages:

    Sliding puzzles, 3×3              goal ▢▢▢
    Name ________                          ▢▢
    Slide the tiles …   L = the tile moves left
    1 ▢▢▢       2 ▢▢▢       3 ▢▢▢
      ▢ ▢         ▢▢▢         ▢▢
      moves ___   moves ___   moves ___        as many as fit the page
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import islice
from math import ceil, sqrt
from textwrap import wrap

from taquin.errors import UnsuitableError
from taquin.model.board import Arrangement, Board
from taquin.model.grid import Grid
from taquin.model.moves import ANY, BLANK, FILLER, WALL, Label, Metric, Move, label_order
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.rows import fold
from taquin.model.solvability import Solvability, solvability
from taquin.reasons import Reason, reason
from taquin.search.events import Event, Expanded
from taquin.search.result import Result
from taquin.system.formatting import counted
from taquin.views.pictures.painters import Frame, to_pdf, to_png, to_svg, to_tikz
from taquin.views.pictures.scene import (
    WIDE,
    WIDE_BOLD,
    Box,
    Cover,
    Cutting,
    Group,
    Part,
    Photo,
    Point,
    Scene,
    Scheme,
    TextLine,
    printable,
)
from taquin.views.traces import move_name
from taquin.views.tree import Ranking

_LETTERS = 12
"""The maximum length of a name on its tile; a longer name is truncated."""
MARGIN = 20.0
"""The margin of a picture."""


@dataclass(frozen=True, slots=True)
class TilePaths:
    """The cell of every tile on each board of a sequence."""

    grid: Grid
    labels: tuple[Label, ...]
    """The label of each tile."""
    cuts: tuple[int | None, ...]
    """The cell of a photo that each tile shows; None if it shows none."""
    places: tuple[tuple[int, ...], ...]
    """For each board the cell of every tile."""
    blanks: tuple[int | None, ...]
    """For each board the cell of the blank; None in a goal that leaves it open."""
    moved: tuple[frozenset[int], ...]
    """For each board the tiles that moved last."""


def tile_paths(
    first: Arrangement, moves: Sequence[Move | None] = (), goal: Goal | None = None
) -> TilePaths:
    """Return the paths of the tiles of a board over some moves.

    `goal` says where the tiles belong, for a photo; without it they belong in their order.
    """
    start = [cell for cell, label in enumerate(first.cells) if label not in (BLANK, WALL)]
    at = {cell: tile for tile, cell in enumerate(start)}
    blank = first.cells.index(BLANK) if BLANK in first.cells else None
    labels = tuple(first.cells[cell] for cell in start)
    places, blanks, moved = [tuple(start)], [blank], [frozenset[int]()]
    for move in moves:
        tiles = []
        if move is not None and blank is not None and WALL not in move.tiles:
            ray = first.grid.ray(blank, move.direction.opposite)[: len(move.tiles)]
            for cell in ray:
                tiles.append(at.pop(cell))
                at[blank] = tiles[-1]
                blank = cell
        places.append(tuple(sorted(at, key=at.__getitem__)))
        blanks.append(blank)
        moved.append(frozenset(tiles))
    # Each tile shows the part of a photo where the goal has it, or that of its rank.
    homes: dict[Label, list[int]] = defaultdict(list)
    ranked = zip(first.grid.open_cells, sorted(labels, key=label_order), strict=False)
    for cell, label in ranked if goal is None else goal.fixed.items():
        homes[label].append(cell)
    cuts = tuple(homes[label].pop(0) if homes[label] else None for label in labels)
    return TilePaths(first.grid, labels, cuts, tuple(places), tuple(blanks), tuple(moved))


def solution_paths(result: Result) -> tuple[TilePaths, list[str]]:
    """Return the paths of a solution's tiles, and captions; raise UnsuitableError without one."""
    moves = result.moves or ()
    if not result.boards():
        raise UnsuitableError("there is no solution to draw")
    captions = ["start", *(f"{number}. {move_name(move)}" for number, move in enumerate(moves, 1))]
    return tile_paths(result.start, moves, result.puzzle.goal), captions


def shown(board: Board, move: Move | None) -> TilePaths:
    """Return the paths for one board, the tiles of the move that led to it marked."""
    alone = tile_paths(board)
    if move is None or WALL in move.tiles:
        return alone
    cells = board.grid.ray(board.blank, move.direction)[: len(move.tiles)]
    tiles = frozenset(tile for tile, cell in enumerate(alone.places[0]) if cell in cells)
    return replace(alone, moved=(tiles,))


def cell_size(tiles: TilePaths, available: float, largest: float, widest: float = 0.0) -> float:
    """Return the side of a cell if a board has this space; long labels widen it to `widest`."""
    even = min(largest, available / max(tiles.grid.rows, tiles.grid.columns))
    longest = max((len(str(label)) for label in tiles.labels), default=1)
    return max(even, min(widest, longest * 7 * WIDE + 3))


def board_parts(
    tiles: TilePaths,
    step: int,
    cell: float,
    *,
    done: float = 1.0,
    tray: bool = True,
    cover: Cover | None = None,
) -> Iterator[Part]:
    """Yield the parts of a board when `done`, 0 to 1, of the move that leads to it is done."""
    before = step if done == 1 else step - 1
    grid, blank = tiles.grid, tiles.blanks[step if done >= 0.5 else before]
    if tray:
        edge = cell * 0.1
        wide, high = grid.columns * cell + 2 * edge, grid.rows * cell + 2 * edge
        yield Box("tray", -edge, -edge, wide, high, cell * 0.2)
    for place in sorted(grid.walls):
        yield _cell_box("wall", *corner(grid, place, cell), cell)
    if FILLER in tiles.labels and blank is not None:
        # The blank is the agent of a grid world.
        x, y = corner(grid, blank, cell)
        yield Box("agent", x + cell * 0.22, y + cell * 0.22, cell * 0.56, cell * 0.56, cell * 0.28)
    for tile, place in enumerate(tiles.places[before]):
        x0, y0 = corner(grid, place, cell)
        x1, y1 = corner(grid, tiles.places[step][tile], cell)
        at = x0 + (x1 - x0) * done, y0 + (y1 - y0) * done
        yield from _tile_parts(tiles, tile, cell, at, cover, tile in tiles.moved[step])


def _tile_parts(
    tiles: TilePaths, tile: int, cell: float, at: Point, cover: Cover | None, moved: bool
) -> Iterator[Part]:
    """Yield a tile; `at` is the upper left corner of its cell."""
    label, cut = tiles.labels[tile], tiles.cuts[tile]
    x, y = at
    if isinstance(cover, Photo) and cut is not None:
        row, column = tiles.grid.place(cut)
        if moved:
            yield _cell_box("moved", x, y, cell)
        inset = 2.2 if moved else 1.0
        yield Cutting(x + inset, y + inset, cell - 2 * inset, row, column)
        yield from _tag(label, x, y, cell)
        return
    plain = {ANY: "any", FILLER: "filler"}.get(label, "tile")
    if isinstance(cover, Scheme) and plain == "tile" and cut is not None:
        box = _cell_box(cover.role(tiles.grid, cut), x, y, cell)
        yield Group((box,), kinds=("moved",) if moved else ())
    else:
        yield _cell_box("moved" if moved else plain, x, y, cell)
    if plain == "tile":
        name = _short(label)
        size = min(cell * 0.5, cell * 0.88 / (len(name) * WIDE_BOLD))
        middle, base = x + cell / 2, y + cell / 2 + size * 0.36
        yield TextLine("label", middle, base, name, size, "middle", bold=True)


def _photo(cover: Cover | None) -> Photo | None:
    return cover if isinstance(cover, Photo) else None


def corner(grid: Grid, place: int, cell: float) -> Point:
    """Return the upper left corner of a cell."""
    row, column = grid.place(place)
    return column * cell, row * cell


def _cell_box(role: str, x: float, y: float, cell: float) -> Box:
    return Box(role, x + 1, y + 1, cell - 2, cell - 2, cell * 0.15)


def _tag(label: Label, x: float, y: float, cell: float) -> Iterator[Part]:
    """Yield the name of a tile that shows a photo, small in its corner."""
    if cell < 18 or label == FILLER:
        return
    name = _short(label)
    size = max(7.0, cell * 0.18)
    wide = min(len(name) * size * WIDE_BOLD + size * 0.6, cell - 4)
    size = min(size, wide / (len(name) * WIDE_BOLD))
    middle, base = x + 3 + wide / 2, y + 3 + size * 1.06
    yield Box("tag", x + 3, y + 3, wide, size * 1.4, size * 0.4)
    yield TextLine("tag-text", middle, base, name, size, "middle", bold=True)


def _short(label: Label) -> str:
    name = str(label)
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"


MOST_BOARDS = 400
"""The maximum number of boards in one picture; a film may show more."""

_BOARD, _LARGEST, _WIDEST = 104.0, 30.0, 42.0
"""Of a small board: its side, the largest cell, and the widest cell for long names."""
_BETWEEN, _CAPTION, _GAP = 20.0, 9.5, 14.0
_NARROWEST = 300.0
_SHAPE = 1.5
"""The approximate ratio of width to height of a picture."""
_FEWEST = 6
"""The minimum number of boards in a row before there is a second row."""

MOST_MOVES = 1000
"""The maximum number of moves of a film."""
_FILM_BOARD, _FILM_LARGEST, _FILM_FOOT = 280.0, 80.0, 26.0
_SLIDE = (0.12, 0.38, 0.68, 0.92)
"""The positions of a tile in the frames of its move: slow, fast, slow."""
_FRAME, _REST, _BEFORE, _AFTER = 40, 280, 1000, 2600
"""Durations in ms: a frame of a move, after a move, before the first and after the last move."""


@dataclass(frozen=True, slots=True)
class Captioned:
    """A small board with a caption above it."""

    caption: str
    tiles: TilePaths
    step: int = 0
    """The index of the board in the sequence."""


def board_scene(position: Arrangement, cover: Cover | None = None) -> Scene:
    """Return the picture of one board, or of a goal."""
    tiles = tile_paths(position)
    cell = cell_size(tiles, 420.0, 72.0)
    edge = MARGIN + cell * 0.1
    wide, high = tiles.grid.columns * cell + 2 * edge, tiles.grid.rows * cell + 2 * edge
    page = Box("page", 0, 0, wide, high, 10)
    board = Group(tuple(board_parts(tiles, 0, cell, cover=cover)), edge, edge)
    return Scene(wide, high, (page, board), position.text(), photo=_photo(cover))


def solution_strip(result: Result, title: str, note: str = "", cover: Cover | None = None) -> Scene:
    """Return every board of a solution; raise UnsuitableError for none and for too many."""
    tiles, captions = solution_paths(result)
    _check_boards(len(captions), reason("write-gif"))
    cards = [Captioned(caption, tiles, step) for step, caption in enumerate(captions)]
    return strip(cards, title, note, cover)


def solution_frames(result: Result, cover: Cover | None = None) -> Iterator[Frame]:
    """Yield the frames of a solution; raise UnsuitableError for none and for too many moves."""
    tiles, _ = solution_paths(result)
    moves = result.moves or ()
    if len(moves) > MOST_MOVES:
        raise UnsuitableError(reason("gif-moves", most=MOST_MOVES, found=len(moves)))
    cell = cell_size(tiles, _FILM_BOARD, _FILM_LARGEST)
    wide = tiles.grid.columns * cell + 2 * MARGIN
    high = tiles.grid.rows * cell + 2 * MARGIN + _FILM_FOOT
    foot = high - MARGIN + 4

    def scene(step: int, done: float = 1.0) -> Scene:
        caption = move_name(moves[step - 1]) if step else "start"
        board = board_parts(tiles, step, cell, done=done, cover=cover)
        parts = (
            Box("page", 0, 0, wide, high),
            Group(tuple(board), MARGIN, MARGIN),
            TextLine("foot", MARGIN, foot, caption, 13),
            TextLine("note", wide - MARGIN, foot, f"{step} / {len(moves)}", 13, "end"),
        )
        return Scene(wide, high, parts, photo=_photo(cover))

    yield scene(0), _BEFORE if moves else _AFTER
    for step in range(1, len(moves) + 1):
        for done in _SLIDE:
            yield scene(step, done), _FRAME
        yield scene(step), _AFTER if step == len(moves) else _REST


def turns_strip(events: Iterable[Event], title: str) -> Scene:
    """Return the boards that a search expanded; raise UnsuitableError for none or too many."""
    expanded = (event.node for event in events if isinstance(event, Expanded))
    nodes = list(islice(expanded, MOST_BOARDS + 1))
    if not nodes:
        raise UnsuitableError("the search expanded no board: there is nothing to draw")
    _check_boards(len(nodes), "show fewer steps with --limit")
    ranking = Ranking.of(nodes)
    cards = [
        Captioned(f"{turn}.  {ranking.numbers(node)}", shown(node.board, node.move))
        for turn, node in enumerate(nodes, 1)
    ]
    return strip(cards, title)


def _check_boards(count: int, advice: str) -> None:
    if count > MOST_BOARDS:
        raise UnsuitableError(reason("picture-boards", most=MOST_BOARDS, advice=Reason(advice)))


def strip(cards: list[Captioned], title: str, note: str = "", cover: Cover | None = None) -> Scene:
    """Return cards, all with boards of one size, in rows under a title."""
    grid = cards[0].tiles.grid
    cell = cell_size(cards[0].tiles, _BOARD, _LARGEST, _WIDEST)
    edge = cell * 0.1
    wide, high = grid.columns * cell + 2 * edge, grid.rows * cell + 2 * edge
    longest = max(len(card.caption) for card in cards)
    column_width = max(wide, longest * _CAPTION * WIDE) + _BETWEEN
    tall = high + _CAPTION + 6 + _BETWEEN
    across = min(len(cards), max(_FEWEST, round(sqrt(len(cards) * _SHAPE * tall / column_width))))
    across = ceil(len(cards) / ceil(len(cards) / across))
    width = max(_NARROWEST, 2 * MARGIN + across * column_width - _BETWEEN)
    parts: list[Part] = []
    top = MARGIN
    for text, role, size in ((title, "title", 15.0), (note, "note", 10.5)):
        for line in wrap(text, max(20, int((width - 2 * MARGIN) / (size * WIDE)))):
            top += size
            parts.append(TextLine(role, MARGIN, top, line, size, bold=role == "title"))
            top += size * 0.4
    top += _GAP if parts else 0
    for number, card in enumerate(cards):
        row, column = divmod(number, across)
        x, y = MARGIN + column * column_width, top + row * tall
        caption = TextLine("note", 0, _CAPTION, card.caption, _CAPTION)
        board = tuple(board_parts(card.tiles, card.step, cell, cover=cover))
        parts.append(Group((caption, Group(board, edge, _CAPTION + 6 + edge)), x, y))
    height = top + ceil(len(cards) / across) * tall - _BETWEEN + MARGIN
    page = Box("page", 0, 0, width, height, 10)
    return Scene(width, height, (page, *parts), title, note, _photo(cover))


MOST_IN_HANDOUT = 2000
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
_GROUP = 5
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
    """Return the pages with the boards, variant by variant."""
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
    groups = " ".join(map("".join, fold(moves, _GROUP)))
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

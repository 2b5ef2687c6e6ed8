"""Boards as parts of a picture, at rest or during a move; solutions as strips and films.

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
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import ceil, sqrt
from textwrap import wrap

from taquin.errors import UnsuitableError
from taquin.model.board import Arrangement, Board
from taquin.model.grid import Grid
from taquin.model.moves import ANY, BLANK, FILLER, WALL, Label, Move, label_order
from taquin.model.puzzle import Goal
from taquin.search.events import Event, Expanded
from taquin.search.result import Result
from taquin.views.pictures.raster import Frame
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

    @property
    def has_agent(self) -> bool:
        """Whether the blank is the agent of a grid world."""
        return FILLER in self.labels


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
    yield from still_parts(tiles, cell, tray=tray)
    yield from agent_parts(tiles, cell, tiles.blanks[step if done >= 0.5 else before])
    for tile, place in enumerate(tiles.places[before]):
        x0, y0 = corner(tiles.grid, place, cell)
        x1, y1 = corner(tiles.grid, tiles.places[step][tile], cell)
        at = x0 + (x1 - x0) * done, y0 + (y1 - y0) * done
        yield from tile_parts(tiles, tile, cell, at, cover, moved=tile in tiles.moved[step])


def still_parts(tiles: TilePaths, cell: float, *, tray: bool = True) -> Iterator[Part]:
    """Yield the tray and the walls, which never move."""
    grid = tiles.grid
    if tray:
        edge = cell * 0.1
        wide, high = grid.columns * cell + 2 * edge, grid.rows * cell + 2 * edge
        yield Box("tray", -edge, -edge, wide, high, cell * 0.2)
    for place in sorted(grid.walls):
        yield _cell_box("wall", *corner(grid, place, cell), cell)


def agent_parts(tiles: TilePaths, cell: float, blank: int | None) -> Iterator[Part]:
    """Yield the agent, where there is one."""
    if tiles.has_agent and blank is not None:
        x, y = corner(tiles.grid, blank, cell)
        yield Box("agent", x + cell * 0.22, y + cell * 0.22, cell * 0.56, cell * 0.56, cell * 0.28)


def tile_parts(
    tiles: TilePaths,
    tile: int,
    cell: float,
    at: Point,
    cover: Cover | None = None,
    *,
    moved: bool = False,
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
    _check_boards(len(captions), "write a GIF or an HTML file instead")
    cards = [Captioned(caption, tiles, step) for step, caption in enumerate(captions)]
    return strip(cards, title, note, cover)


def solution_frames(result: Result, cover: Cover | None = None) -> Iterator[Frame]:
    """Yield the frames of a solution; raise UnsuitableError for none and for too many moves."""
    tiles, _ = solution_paths(result)
    moves = result.moves or ()
    if len(moves) > MOST_MOVES:
        raise UnsuitableError(
            f"a GIF shows at most {MOST_MOVES:,} moves, found {len(moves):,}: write an HTML file"
        )
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
        raise UnsuitableError(f"a picture holds at most {MOST_BOARDS} boards: {advice}")


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
    head, top = _heading(title, note, width)
    parts: list[Part] = []
    for number, card in enumerate(cards):
        row, column = divmod(number, across)
        x, y = MARGIN + column * column_width, top + row * tall
        caption = TextLine("note", 0, _CAPTION, card.caption, _CAPTION)
        board = tuple(board_parts(card.tiles, card.step, cell, cover=cover))
        parts.append(Group((caption, Group(board, edge, _CAPTION + 6 + edge)), x, y))
    height = top + ceil(len(cards) / across) * tall - _BETWEEN + MARGIN
    page = Box("page", 0, 0, width, height, 10)
    return Scene(width, height, (page, *head, *parts), title, note, _photo(cover))


def _heading(title: str, note: str, width: float) -> tuple[list[Part], float]:
    """Return the wrapped lines of the title of a picture, and the y where they end."""
    parts: list[Part] = []
    y = MARGIN
    for text, role, size in ((title, "title", 15.0), (note, "note", 10.5)):
        for line in wrap(text, max(20, int((width - 2 * MARGIN) / (size * WIDE)))):
            y += size
            parts.append(TextLine(role, MARGIN, y, line, size, bold=role == "title"))
            y += size * 0.4
    return parts, y + (_GAP if parts else 0)

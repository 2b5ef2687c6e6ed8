"""Pictures of one board, of a solution as a strip or a film, of the expanded boards of a search.

Solved in 2 moves
start    1. 5 left   2. 6 up
▢▢▢      ▢▢▢         ▢▢▢
▢ ▢      ▢▣          ▢▢▣       as many in a row as make the picture slightly wider than high
▢▢▢      ▢▢▢         ▢▢
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import ceil, sqrt
from textwrap import wrap

from taquin.errors import UnsuitableError
from taquin.model.board import Arrangement
from taquin.search.events import Event, Expanded
from taquin.search.result import Result
from taquin.views.pictures import boards
from taquin.views.pictures.boards import MARGIN, Course, board_parts, cell_size, course
from taquin.views.pictures.gif import Frame
from taquin.views.pictures.scene import WIDE, Box, Group, Part, Photo, Scene, TextLine
from taquin.views.tree import Ranking
from taquin.views.wording import move_name

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
    tiles: Course
    step: int = 0
    """The index of the board in the course."""


def board_scene(position: Arrangement, photo: Photo | None = None) -> Scene:
    """Return the picture of one board, or of a goal."""
    tiles = course(position)
    cell = cell_size(tiles, 420.0, 72.0)
    edge = MARGIN + cell * 0.1
    wide, high = tiles.grid.columns * cell + 2 * edge, tiles.grid.rows * cell + 2 * edge
    page = Box("page", 0, 0, wide, high, 10)
    board = Group(tuple(board_parts(tiles, 0, cell, photo=photo is not None)), edge, edge)
    return Scene(wide, high, (page, board), position.text(), photo=photo)


def solution_strip(result: Result, title: str, note: str = "", photo: Photo | None = None) -> Scene:
    """Return every board of a solution; raise UnsuitableError for none and for too many."""
    tiles, captions = boards.solution_course(result)
    _check_boards(len(captions), "write a GIF or an HTML file instead")
    cards = [Captioned(caption, tiles, step) for step, caption in enumerate(captions)]
    return strip(cards, title, note, photo)


def solution_frames(result: Result, photo: Photo | None = None) -> Iterator[Frame]:
    """Yield the frames of a solution; raise UnsuitableError for none and for too many moves."""
    tiles, _ = boards.solution_course(result)
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
        board = board_parts(tiles, step, cell, done=done, photo=photo is not None)
        parts = (
            Box("page", 0, 0, wide, high),
            Group(tuple(board), MARGIN, MARGIN),
            TextLine("foot", MARGIN, foot, caption, 13),
            TextLine("note", wide - MARGIN, foot, f"{step} / {len(moves)}", 13, "end"),
        )
        return Scene(wide, high, parts, photo=photo)

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
        Captioned(f"{turn}.  {ranking.numbers(node)}", boards.shown(node.board, node.move))
        for turn, node in enumerate(nodes, 1)
    ]
    return strip(cards, title)


def _check_boards(count: int, advice: str) -> None:
    if count > MOST_BOARDS:
        raise UnsuitableError(f"a picture holds at most {MOST_BOARDS} boards: {advice}")


def strip(cards: list[Captioned], title: str, note: str = "", photo: Photo | None = None) -> Scene:
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
        board = tuple(board_parts(card.tiles, card.step, cell, photo=photo is not None))
        parts.append(Group((caption, Group(board, edge, _CAPTION + 6 + edge)), x, y))
    height = top + ceil(len(cards) / across) * tall - _BETWEEN + MARGIN
    page = Box("page", 0, 0, width, height, 10)
    return Scene(width, height, (page, *head, *parts), title, note, photo)


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

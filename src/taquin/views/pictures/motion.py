"""A solution as a film: the tiles slide, and a line below names the move."""

from __future__ import annotations

from collections.abc import Iterator

from taquin.errors import UnsuitableError
from taquin.search.result import Result
from taquin.views.pictures.boards import MARGIN, board_parts, cell_size, course, moving_parts
from taquin.views.pictures.gif import Frame
from taquin.views.pictures.scene import Anchor, Box, Group, Part, Photo, Scene, Words
from taquin.views.wording import move_name

MOST_MOVES = 1000
"""The most moves of a film."""

_BOARD, _LARGEST = 280.0, 80.0
_FOOT = 26.0
_SLIDE = (0.12, 0.38, 0.68, 0.92)
"""How far a tile is in the frames of its move: slow, fast, slow."""
_FRAME, _REST, _BEFORE, _AFTER = 40, 280, 1000, 2600
"""Milliseconds: a frame of a move, after a move, before the first and after the last."""


def solution_frames(result: Result, photo: Photo | None = None) -> Iterator[Frame]:
    """Yield the frames of a solution; raise UnsuitableError without one, or for a very long one."""
    boards, moves = result.boards(), result.moves or ()
    if not boards:
        raise UnsuitableError("there is no solution to draw")
    if len(moves) > MOST_MOVES:
        raise UnsuitableError(
            f"a GIF shows at most {MOST_MOVES:,} moves, found {len(moves):,}: write an HTML file"
        )
    tiles = course(boards, moves, result.puzzle.goal)
    cell = cell_size(boards[0], _BOARD, _LARGEST)
    grid = boards[0].grid
    wide, high = grid.columns * cell + 2 * MARGIN, grid.rows * cell + 2 * MARGIN + _FOOT
    page = Box("page", 0, 0, wide, high)

    def scene(parts: Iterator[Part], caption: str, step: int) -> Scene:
        foot = high - MARGIN + 4
        words = (
            Words("foot", MARGIN, foot, caption, 13),
            Words("note", wide - MARGIN, foot, f"{step} / {len(moves)}", 13, Anchor.END),
        )
        return Scene(wide, high, (page, Group(tuple(parts), MARGIN, MARGIN), *words), photo=photo)

    cut = photo is not None
    still = scene(board_parts(tiles, 0, cell, photo=cut), "start", 0)
    yield still, _BEFORE if moves else _AFTER
    for step, move in enumerate(moves):
        caption = move_name(move)
        for part in _SLIDE:
            yield scene(moving_parts(tiles, step, part, cell, cut), caption, step + 1), _FRAME
        last = step + 1 == len(moves)
        after = board_parts(tiles, step + 1, cell, photo=cut)
        yield scene(after, caption, step + 1), _AFTER if last else _REST

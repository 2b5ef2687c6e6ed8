"""A solution drawn: the boards side by side, each with its move; or one below the other."""

from __future__ import annotations

from collections.abc import Iterator

import click

from taquin.cli.screen import side_by_side, stack
from taquin.model.board import Board
from taquin.model.moves import BLANK, FILLER, WALL, Move
from taquin.model.puzzle import Puzzle
from taquin.model.rows import draw_rows
from taquin.search.result import Result

LONG = 100
"""Solutions with more moves than this show one board in ten, and the moves between in words."""
_EVERY = 10


def draw_solution(result: Result) -> str:
    """Return the start, then every move with its number, tile and direction, and the board."""
    boards, moves = result.boards(), result.moves or ()
    puzzle = result.puzzle
    head = ["start", *draw_board(boards[0], puzzle)]
    if len(moves) <= LONG:
        steps = [
            [f"{number}. {_named(move)}", *draw_board(board, puzzle, move)]
            for number, (move, board) in enumerate(zip(moves, boards[1:], strict=True), 1)
        ]
        return side_by_side([head, *steps])
    parts = [stack(head)]
    for first in range(0, len(moves), _EVERY):
        last = min(first + _EVERY, len(moves))
        words = [[f"{number + 1}. {_named(moves[number])}"] for number in range(first, last)]
        parts.append(side_by_side(words).replace("\n\n", "\n"))
        parts.append(stack(draw_board(boards[last], puzzle, moves[last - 1])))
    return "\n\n".join(parts)


def draw_board(board: Board, puzzle: Puzzle, move: Move | None = None) -> list[str]:
    """Return the rows of a board: the tiles of the last move stand out, those at home are green.

    Without colours they are plain rows.
    """
    lines = draw_rows(board.cells, board.grid.columns).split("\n")
    moved = set(_cells_moved(board, move)) if move else set()
    width = (len(lines[0]) + 1) // board.grid.columns - 1
    drawn = []
    for row, line in enumerate(lines):
        words = []
        for column in range(board.grid.columns):
            cell = row * board.grid.columns + column
            word = line[column * (width + 1) : column * (width + 1) + width]
            words.append(_coloured(word, board, puzzle, cell, cell in moved))
        drawn.append(" ".join(words))
    return drawn


def draw_classic(board: Board) -> str:
    """Return the rows of a board as S4 prints them: the blank is a hole, and no row ends in one."""
    return stack(draw_rows(board.cells, board.grid.columns, blank=" ").split("\n"))


def _named(move: Move) -> str:
    tiles = ("filler" if tile == FILLER else str(tile) for tile in move.tiles)
    return f"{' '.join(tiles)} {move.direction}"


def _coloured(word: str, board: Board, puzzle: Puzzle, cell: int, moved: bool) -> str:
    label = board.cells[cell]
    if label in (BLANK, WALL):
        return click.style(word, dim=True)
    text = word.lstrip()
    gap = word[: len(word) - len(text)]
    if moved:
        return gap + click.style(text, bold=True, reverse=True)
    if puzzle.goal.cells[cell] == label:
        return gap + click.style(text, fg="green")
    return word


def _cells_moved(board: Board, move: Move) -> Iterator[int]:
    """Yield the cells that the tiles of the last move came to, from the blank they left on."""
    ray = board.grid.ray(board.blank, move.direction)
    yield from ray[: len(move.tiles)]

"""Random boards and goals of every kind the model knows, and short names for long cases."""

from __future__ import annotations

from hypothesis import strategies as st

from taquin.model.board import Board
from taquin.model.moves import ANY, BLANK, FILLER, WALL, Label
from taquin.model.puzzle import Goal

NUMBERS = st.integers(1, 40) | st.integers(1, 999_999)
NAMES = st.sampled_from(["A", "B", "b", "é", "x", "AB", "b12", "my", "board", "名", "e5", "UR"])
TILES: st.SearchStrategy[Label] = st.one_of(NUMBERS, NAMES, st.just(FILLER), st.just(WALL))
FEW: st.SearchStrategy[Label] = st.one_of(st.integers(1, 9), st.just(WALL), st.just(FILLER))

SIZES = st.tuples(st.integers(1, 6), st.integers(1, 6))
SQUARES = st.integers(2, 6).map(lambda n: (n, n))


def brief(value: object) -> str:
    """Return the id of a test case, however long its text."""
    return ascii(value)[:30] if isinstance(value, str | int | None) else type(value).__name__


def _fold(cells: list[Label], columns: int) -> list[list[Label]]:
    return [cells[start : start + columns] for start in range(0, len(cells), columns)]


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Any board up to 6×6: classic, or with walls, names, fillers and repeated labels."""
    rows, columns = draw(SIZES | SQUARES)
    if draw(st.booleans()):
        cells: list[Label] = list(draw(st.permutations(range(rows * columns))))
        return Board.of_rows(_fold(cells, columns))
    tiles = draw(st.sampled_from([TILES, FEW, NUMBERS]))
    size = rows * columns
    cells = draw(st.lists(tiles, min_size=size, max_size=size))
    cells[draw(st.integers(0, size - 1))] = BLANK
    return Board.of_rows(_fold(cells, columns))


@st.composite
def goals(draw: st.DrawFn) -> Goal:
    """Any goal up to 6×6: full ones, and ones with ANY cells, with or without a blank."""
    board = draw(boards())
    cells = list(board.cells)
    for cell in draw(st.sets(st.integers(0, len(cells) - 1))):
        if cells[cell] != WALL:
            cells[cell] = ANY
    return Goal.of_rows(_fold(cells, board.grid.columns))

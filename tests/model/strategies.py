"""Random grids, boards, goals and puzzles for the property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from taquin import ANY, BLANK, FILLER, WALL, Board, Goal, Grid, Label, Metric

numbers = st.integers(1, 999_999)
names = st.from_regex(r"[^\W\d_]\w{0,3}", fullmatch=True)
metrics = st.sampled_from(Metric)


@st.composite
def grids(draw: st.DrawFn, cells: int = 12) -> Grid:
    """Draw a grid with at most `cells` cells, a few of them walls."""
    rows = draw(st.integers(1, min(5, cells)))
    columns = draw(st.integers(1, min(5, cells // rows)))
    size = rows * columns
    walls = draw(st.sets(st.integers(0, size - 1), max_size=min(size - 1, 4)))
    return Grid(rows, columns, frozenset(walls))


@st.composite
def boards(draw: st.DrawFn, cells: int = 12) -> Board:
    """Draw a board whose tiles are distinct, or repeated, or named, or fillers."""
    grid = draw(grids(cells))
    count = len(grid.open_cells) - 1
    tile: st.SearchStrategy[Label] = draw(
        st.sampled_from([st.integers(1, 3), st.sampled_from(["A", "B", FILLER]), names, numbers])
    )
    tiles: list[Label] = draw(
        st.one_of(
            st.just(list(range(1, count + 1))), st.lists(tile, min_size=count, max_size=count)
        )
    )
    return arrange(grid, draw(st.permutations([BLANK, *tiles])))


@st.composite
def goals_for(draw: st.DrawFn, board: Board) -> Goal:
    """Draw a goal for the tiles of `board`, full or partial."""
    labels = [board.cells[cell] for cell in board.grid.open_cells]
    solved = arrange(board.grid, draw(st.permutations(labels)))
    free = draw(st.sets(st.sampled_from(board.grid.open_cells)))
    return Goal(
        board.grid, tuple(ANY if cell in free else label for cell, label in enumerate(solved.cells))
    )


def arrange(grid: Grid, labels: list[Label]) -> Board:
    """Return the board with `labels` in the open cells of `grid`, in order."""
    cells: list[Label] = [WALL] * grid.size
    for cell, label in zip(grid.open_cells, labels, strict=True):
        cells[cell] = label
    return Board(grid, tuple(cells))

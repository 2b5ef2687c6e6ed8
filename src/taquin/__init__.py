"""Solve any sliding-tile puzzle, watch the search, and measure searches against each other.

    import taquin as tq

    result = tq.solve(tq.Board("8 6 7 / 2 5 4 / 3 0 1"))
    print(result.cost, result.stats.expanded)

Start with `solve`, `trace` and `Board`. They also accept a `Goal` (or a `Puzzle`: a goal with a
metric), `Limits`, a search such as `AStar` or `IDAStar`, and a heuristic such as `Manhattan`. A
cell of a board holds a number, a name, `BLANK`, `FILLER` or `WALL`; a goal may also contain `ANY`.
Experiments are in `taquin.lab`, text and picture output in `taquin.views`, notations in
`taquin.notation`, and a small API for courses in `taquin.classroom`.

`__init__.pyi` lists the public names. They are loaded on first use, so importing the package is
almost free.
"""

from __future__ import annotations

from taquin._version import __version__ as __version__
from taquin.system.lazy import draw_with, lazy_names, read_with

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)


def _draw(value: object, form: str) -> str | None:
    """Draw a value for a notebook."""
    from taquin.views.pictures.drawings import drawn

    return drawn(value, form)


def _read(kind: type, value: object) -> object:
    """Read a text as a board, a goal or moves, in any notation."""
    from taquin.notation.boards import read_value

    return read_value(kind, value)


draw_with(_draw)
read_with(_read)

"""Drawings of boards, solutions, searches and trees, for files and notebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape

from taquin.analysis.audit import Audit
from taquin.model.board import Arrangement
from taquin.search.events import Event
from taquin.search.result import Result
from taquin.views.pictures.boards import (
    Captioned,
    board_scene,
    solution_frames,
    solution_strip,
    strip,
    tile_paths,
    turns_strip,
)
from taquin.views.pictures.painters import Frame, to_gif, to_pdf, to_png, to_svg, to_tikz
from taquin.views.pictures.scene import Cover, Scene
from taquin.views.pictures.trees import TreeDrawing, tree_frames
from taquin.views.pictures.trees import to_svg as tree_svg
from taquin.views.traces import headline
from taquin.views.tree import MANY, Exam, Tree, search_tree, tree_growth

_MOST_SIDE_BY_SIDE = 40
"""The length up to which notebooks show all boards of a solution; beyond, only the start."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The forms of a drawing; only the requested one is computed."""

    still: Callable[[], Scene]
    """A picture."""
    film: Callable[[], Iterable[Frame]]
    """A sequence of scenes."""


def painted(
    drawing: Drawing, form: str, dark: bool | None = None, size: int | None = None
) -> bytes:
    """Return a drawing as a file; if `dark` is None, SVG follows the theme of the reader.

    `size` is the longer side of a PNG or GIF in pixels. Raise MissingError where a library is not
    installed, and UnsuitableError for more than a picture can hold.
    """
    match form:
        case "svg":
            return to_svg(drawing.still(), dark).encode()
        case "png":
            return to_png(drawing.still(), dark, size)
        case "pdf":
            return to_pdf([drawing.still()], dark)
        case "tex":
            return to_tikz(drawing.still(), dark).encode()
        case _:
            return to_gif(drawing.film(), dark, size)


def board_drawing(position: Arrangement, cover: Cover | None = None) -> Drawing:
    """Return how a board or a goal is drawn."""
    return _still_drawing(lambda: board_scene(position, cover))


def _still_drawing(scene: Callable[[], Scene]) -> Drawing:
    return Drawing(scene, lambda: [(scene(), 0)])


def solution_drawing(
    result: Result, title: str, note: str = "", cover: Cover | None = None
) -> Drawing:
    """Return how a solution is drawn: all its boards, or one board that moves."""
    return Drawing(
        still=lambda: solution_strip(result, title, note, cover),
        film=lambda: solution_frames(result, cover),
    )


def turns_drawing(
    events: Iterable[Event], title: str, nodes: int | None = None, name: str = ""
) -> Drawing:
    """Return how a search is drawn: its expanded boards in turn, or a growing tree."""
    return Drawing(
        still=lambda: turns_strip(events, title),
        film=tree_drawing(events, nodes or MANY, name).film,
    )


def tree_drawing(events: Iterable[Event], nodes: int = MANY, name: str = "") -> Drawing:
    """Return how the first nodes of a search are drawn: as a tree, or as a growing tree.

    `name` heads a tree that ends before the search does.
    """
    return Drawing(
        still=lambda: TreeDrawing(search_tree(events, nodes, name)).scene(),
        film=lambda: tree_frames(tree_growth(events, nodes, name)),
    )


def exam_drawing(tree: Tree, exam: Exam | None) -> Drawing:
    """Return how a tree is drawn as a picture with blanks to fill in, or None for its solution."""
    return _still_drawing(TreeDrawing(tree, exam=exam).scene)


def drawn(value: object, form: str) -> str | None:
    """Return a value as `svg` or as `html`, whichever suits it; None for the other one."""
    match value, form:
        case Arrangement(), "svg":
            return to_svg(board_scene(value))
        case Tree(), "svg":
            return tree_svg(value)
        case Result(), "html":
            title, note = headline(value), f"{value.algorithm}, {value.engine}"
            moves = len(value.moves or ())
            if value.moves is not None and moves <= _MOST_SIDE_BY_SIDE:
                return to_svg(solution_strip(value, title, note))
            start = Captioned("start", tile_paths(value.start))
            return to_svg(strip([start], title, note))
        case Audit(), "html":
            return _audit(value)
    return None


def _audit(audit: Audit) -> str:
    """Return what was found, and the boards that prove it."""
    verdicts = "".join(f"<li>{escape(verdict)}</li>" for verdict in audit.verdicts())
    proofs = []
    if (over := audit.overestimate) is not None:
        proofs.append((over.board, f"estimate {over.estimate}, distance {over.distance}"))
    if (fall := audit.fall) is not None:
        proofs.append((fall.parent, f"estimate {fall.parent_estimate}"))
        proofs.append((fall.child, f"a move later {fall.child_estimate}"))
    cards = [Captioned(caption, tile_paths(board)) for board, caption in proofs]
    picture = to_svg(strip(cards, "Counterexamples")) if proofs else ""
    heading = f"<b>{escape(audit.heuristic)}</b> on {audit.puzzle.grid}"
    return f"<p>{heading}</p><ul>{verdicts}</ul>{picture}"

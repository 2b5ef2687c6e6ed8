"""The drawings: a board, a solution, the turns of a search, and its tree."""

from __future__ import annotations

from collections.abc import Iterable

from taquin.model.board import Arrangement
from taquin.search.events import Event
from taquin.search.result import Result
from taquin.views.growth import search_tree, tree_growth
from taquin.views.pictures.boards import board_scene
from taquin.views.pictures.formats import Drawing
from taquin.views.pictures.motion import solution_frames
from taquin.views.pictures.player import board_page, search_page, solution_page
from taquin.views.pictures.scene import Photo
from taquin.views.pictures.strips import solution_strip, turns_strip
from taquin.views.pictures.trees import tree_frames, tree_scene
from taquin.views.tree import MANY

_PAGE = 120
"""The default number of nodes on a page, which can be moved and zoomed."""


def board_drawing(position: Arrangement, photo: Photo | None = None) -> Drawing:
    """Return how a board or a goal is drawn."""
    title = position.text()
    return Drawing(
        still=lambda: board_scene(position, photo, title),
        film=lambda: [(board_scene(position, photo, title), 0)],
        page=lambda dark: board_page(position, title, photo, dark),
    )


def solution_drawing(
    result: Result, title: str, note: str = "", photo: Photo | None = None
) -> Drawing:
    """Return how a solution is drawn: all its boards, or one board that moves."""
    return Drawing(
        still=lambda: solution_strip(result, title, note, photo),
        film=lambda: solution_frames(result, photo),
        page=lambda dark: solution_page(result, title, note, photo, dark),
    )


def turns_drawing(
    events: Iterable[Event], title: str, nodes: int | None = None, name: str = ""
) -> Drawing:
    """Return how a search is drawn: its expanded boards in turn, or a growing tree.

    By default the tree of a page has 120 nodes, and that of a film 40: a film cannot be zoomed.
    `name` is the name of the search.
    """
    return Drawing(
        still=lambda: turns_strip(events, title),
        film=tree_drawing(events, nodes or MANY, name).film,
        page=tree_drawing(events, nodes or _PAGE, name).page,
    )


def tree_drawing(events: Iterable[Event], nodes: int = MANY, name: str = "") -> Drawing:
    """Return how the first nodes of a search are drawn: as a tree, or as a growing tree.

    `name` heads a tree that ends before the search does. A page also shows the path to the goal.
    """
    return Drawing(
        still=lambda: tree_scene(search_tree(events, nodes, name)),
        film=lambda: tree_frames(tree_growth(events, nodes, name)),
        page=lambda dark: search_page(tree_growth(events, nodes, name, to_goal=True), dark=dark),
    )

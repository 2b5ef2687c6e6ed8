"""Play solutions and searches in one HTML file: for projectors and for readers.

The page is self-contained: SVG and a small script that animates it. A step of the script is
`{"say": "3. 5 up", "set": {"t4": ["piece moved", 56, 0]}, "at": [80.5, 40]}`: the text below the
picture, the groups that change, by name, and the focus of the step in a tree. The tree of a search
is larger than a screen; `camera.js` pans over it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from importlib import resources

from taquin.errors import UnsuitableError
from taquin.model.board import Board
from taquin.search.result import Result
from taquin.system.formatting import counted
from taquin.views.pictures import strips
from taquin.views.pictures.scene import (
    DARK,
    LIGHT,
    Cover,
    Group,
    Part,
    Photo,
    Scene,
    Theme,
    printable,
)
from taquin.views.pictures.strips import TilePaths, corner
from taquin.views.pictures.trees import TreeDrawing, edge_kinds, node_kinds
from taquin.views.pictures.vector_formats import to_svg
from taquin.views.tree import Tree

_CELL = 60.0
_SOLUTION_PAUSE, _SEARCH_PAUSE = 600, 1100
"""Milliseconds between two steps, at the default speed."""
_LEGEND = 1000.0
"""The width of the legend, in pixels of the page."""

Look = tuple[str | None, float, float] | tuple[str]
"""The new classes of a group, None to keep them, and its new place."""
Step = dict[str, object]
"""A step of the script."""


def solution_page(
    result: Result, title: str, note: str = "", cover: Cover | None = None, dark: bool | None = None
) -> str:
    """Return the page that plays a solution; raise UnsuitableError without one."""
    tiles, captions = strips.solution_paths(result)
    steps = [_step(caption, _placed(tiles, step)) for step, caption in enumerate(captions)]
    stage = to_svg(_stage(tiles, cover, title), dark)
    return _page(title, note, [stage], steps, dark)


def board_page(scene: Scene, dark: bool | None = None) -> str:
    """Return a page with one board."""
    return _page(scene.title, "", [to_svg(scene, dark)], [_step("", {})], dark)


def search_page(growth: Sequence[Tree], dark: bool | None = None) -> str:
    """Return the page that plays a search: the expanded boards, the growing tree, the goal."""
    whole = growth[-1]
    drawing = TreeDrawing(whole)
    if not whole.nodes:
        raise UnsuitableError("the search expanded no board: there is nothing to draw")
    tiles = strips.tile_paths(whole.nodes[0].node.board)
    steps: list[Step] = []
    at = 0
    looks: dict[str, Look] = {}
    for turn, tree in enumerate(growth):
        is_last = turn == len(growth) - 1
        caption = f"turn {turn}" if turn else "start"
        expanded = (index for index, node in enumerate(tree.nodes) if turn in node.turns)
        if is_last and tree.goal is not None:
            at = tree.nodes.index(tree.goal)
        elif (current := next(expanded, None)) is not None:
            at = current
            numbers = drawing.ranking.numbers(tree.nodes[at].node)
            caption = f"turn {turn}: {numbers}; {counted(len(tree.nodes), 'node')} so far"
        if is_last:
            caption = _ending(tree)
        changed = {
            name: look for name, look in _looks(tree, whole, at).items() if looks.get(name) != look
        }
        looks |= changed
        changed |= _placed_as(tiles, tree.nodes[at].node.board)
        steps.append(_step(caption, changed, drawing.middle_of(at)))
    stages = {
        "side": _stage(tiles, None, "the expanded board"),
        "tree": drawing.tree_alone(),
        "legend": drawing.legend_alone(_LEGEND),
    }
    *drawn, legend = (
        to_svg(scene, dark).replace('class="taquin', f'class="{name} taquin', 1)
        for name, scene in stages.items()
    )
    return _page(drawing.title, whole.summary, drawn, steps, dark, legend)


def _step(say: str, changes: dict[str, Look], at: tuple[float, float] | None = None) -> Step:
    return {"say": printable(say), "set": changes, "at": at}


def _ending(tree: Tree) -> str:
    if tree.goal is None or tree.result is None or tree.result.cost is None:
        return tree.summary
    after = counted(tree.result.stats.expanded or 0, "expansion")
    return f"goal after {after}: solved in {counted(tree.result.cost, 'move')}"


def _stage(tiles: TilePaths, cover: Cover | None, title: str) -> Scene:
    """Return the board with every tile as a group of its own."""
    parts: list[Part] = list(strips.still_parts(tiles, _CELL))
    if tiles.has_agent:
        parts.append(Group(tuple(strips.agent_parts(tiles, _CELL, 0)), name="agent"))
    for tile in range(len(tiles.labels)):
        drawn = strips.tile_parts(tiles, tile, _CELL, (0.0, 0.0), cover)
        parts.append(Group(tuple(drawn), kinds=("piece",), name=f"t{tile}"))
    edge = _CELL * 0.15
    photo = cover if isinstance(cover, Photo) else None
    wide, high = tiles.grid.columns * _CELL + 2 * edge, tiles.grid.rows * _CELL + 2 * edge
    return Scene(wide, high, (Group(tuple(parts), edge, edge),), title, photo=photo)


def _placed(tiles: TilePaths, step: int) -> dict[str, Look]:
    """Return the tiles that are elsewhere or look different than a step before, and the agent."""
    looks: dict[str, Look] = {}
    before = max(0, step - 1)
    for tile, place in enumerate(tiles.places[step]):
        is_marked, was_marked = tile in tiles.moved[step], tile in tiles.moved[before]
        if not step or tiles.places[before][tile] != place or is_marked or was_marked:
            kind = "piece moved" if is_marked else "piece"
            looks[f"t{tile}"] = (kind, *corner(tiles.grid, place, _CELL))
    return looks | _agent(tiles, tiles.blanks[step])


def _placed_as(tiles: TilePaths, board: Board) -> dict[str, Look]:
    """Return where the tiles are on any board with the same tiles."""
    cells = list(range(board.grid.size))
    looks: dict[str, Look] = {}
    for tile, label in enumerate(tiles.labels):
        place = next(cell for cell in cells if board.cells[cell] == label)
        cells.remove(place)
        looks[f"t{tile}"] = ("piece", *corner(tiles.grid, place, _CELL))
    return looks | _agent(tiles, board.blank)


def _agent(tiles: TilePaths, blank: int | None) -> dict[str, Look]:
    if not tiles.has_agent or blank is None:
        return {}
    return {"agent": ("piece", *corner(tiles.grid, blank, _CELL))}


def _looks(tree: Tree, whole: Tree, at: int) -> dict[str, Look]:
    """Return the looks of every card and edge of the whole tree at the step about node `at`."""
    looks: dict[str, Look] = {}
    for index, last in enumerate(whole.nodes):
        is_drawn = index < len(tree.nodes)
        tree_node = tree.nodes[index] if is_drawn else last
        current = ("current",) if index == at else ()
        kinds = (*node_kinds(tree_node), *current) if is_drawn else ("hidden",)
        looks[f"n{index}"] = (" ".join(("node", *kinds)),)
        if tree_node.parent is not None:
            edge = edge_kinds(tree, tree_node) if is_drawn else ("hidden",)
            looks[f"e{index}"] = (" ".join(("link", *edge)),)
    return looks


def _page(
    title: str, note: str, stages: list[str], steps: list[Step], dark: bool | None, legend: str = ""
) -> str:
    """Return the page; a page with a legend shows a tree, which needs a camera."""
    script = json.dumps(steps, ensure_ascii=False, separators=(",", ":"))
    colours = _variables(DARK if dark else LIGHT)
    if dark is None:
        colours += f"@media (prefers-color-scheme: dark){{{_variables(DARK)}}}"
    contents = {
        "title": escape(printable(title)),
        "note": escape(printable(note)),
        "colours": colours,
        "legend": legend,
        "stages": "\n".join(stages),
        # A "<" could end the script element early.
        "steps": script.replace("<", "\\u003c"),
        "pause": str(_SEARCH_PAUSE if legend else _SOLUTION_PAUSE),
        "camera": _file("camera.js") if legend else "",
    }
    return re.sub(r"\[\[(\w+)\]\]", lambda mark: contents[mark[1]], _file("player.html"))


def _file(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")


def _variables(theme: Theme) -> str:
    wanted = {
        "page": theme["page"].fill,
        "ink": theme["title"].fill,
        "note": theme["note"].fill,
        "rule": theme["rule"].fill,
        "accent": theme["moved"].line,
    }
    return f":root{{{';'.join(f'--{name}:{colour}' for name, colour in wanted.items())}}}"

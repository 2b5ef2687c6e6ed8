"""Solutions and searches as one HTML file that plays them: for a projector, and for a reader.

The page is self-contained: it holds SVG and a small script that moves it. A step of the script
says which groups change: `{"say": "3. 5 up", "set": {"t4": ["piece moved", 56, 0]}}`. The
tree of a search is larger than a screen; `camera.js` moves over it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources

from taquin.errors import UnsuitableError
from taquin.model.board import Arrangement, Board
from taquin.search.result import Result
from taquin.system.words import counted
from taquin.views.palette import DARK, LIGHT, Theme
from taquin.views.pictures.boards import (
    Course,
    agent_parts,
    board_scene,
    corner,
    course,
    still_parts,
    tile_parts,
)
from taquin.views.pictures.scene import Group, Part, Photo, Scene, printable
from taquin.views.pictures.svg import to_svg
from taquin.views.pictures.trees import TreeDrawing, edge_kinds, node_kinds
from taquin.views.tree import Tree
from taquin.views.wording import move_name

_CELL = 60.0
_SOLUTION_PAUSE, _SEARCH_PAUSE = 600, 1100
"""Milliseconds between two steps, at the usual speed."""
_LEGEND = 1000.0
"""The width of the legend, in pixels of the page."""

Look = tuple[str | None, float, float] | tuple[str]
"""The new classes of a group, None to keep them, and its new place."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the script."""

    say: str
    """The text below the picture."""
    set: dict[str, Look]
    """The groups that change, by their names."""
    at: tuple[float, float] | None = None
    """The point of the tree that the step is about."""


def solution_page(
    result: Result, title: str, note: str = "", photo: Photo | None = None, dark: bool | None = None
) -> str:
    """Return the page that plays a solution; raise UnsuitableError without one."""
    boards, moves = result.boards(), result.moves or ()
    if not boards:
        raise UnsuitableError("there is no solution to draw")
    tiles = course(boards, moves, result.puzzle.goal)
    captions = ["start", *(f"{number}. {move_name(move)}" for number, move in enumerate(moves, 1))]
    steps = [Step(caption, _placed(tiles, step)) for step, caption in enumerate(captions)]
    stage = to_svg(_stage(boards[0], tiles, photo, title), dark)
    return _page(title, note, [stage], steps, _SOLUTION_PAUSE, dark)


def search_page(growth: Sequence[Tree], title: str = "", dark: bool | None = None) -> str:
    """Return the page that plays a search: the expanded board, and the growing tree.

    The last step shows the goal, where the search found one.
    """
    whole = growth[-1]
    drawing = TreeDrawing(whole, title)
    if not whole.nodes:
        raise UnsuitableError("the search took no board: there is nothing to draw")
    tiles = course([whole.nodes[0].node.board])
    steps: list[Step] = []
    at = 0
    looks: dict[str, Look] = {}
    for number, tree in enumerate(growth):
        is_last = number == len(growth) - 1
        said = f"turn {number}" if number else "start"
        current = _place_of(tree, number, to_goal=is_last)
        if current is not None:
            at = current
            numbers = drawing.ranking.numbers(tree.nodes[at].node)
            said = f"turn {number}: {numbers}; {counted(len(tree.nodes), 'node')} so far"
        if is_last:
            said = _ending(tree)
        changed = {
            name: look for name, look in _looks(tree, whole, at).items() if looks.get(name) != look
        }
        looks |= changed
        changed |= _placed_as(tiles, tree.nodes[at].node.board)
        steps.append(Step(said, changed, drawing.middle_of(at)))
    board = _stage(whole.nodes[0].node.board, tiles, None, "the board taken")
    stages = [
        _classed(to_svg(board, dark), "side"),
        _classed(to_svg(drawing.tree_alone(whole), dark), "tree"),
    ]
    legend = _classed(to_svg(drawing.legend_alone(_LEGEND), dark), "legend")
    return _page(drawing.title, whole.summary, stages, steps, _SEARCH_PAUSE, dark, legend)


def _ending(tree: Tree) -> str:
    """Say what the last step shows."""
    if tree.goal is None or tree.result is None or tree.result.cost is None:
        return tree.summary
    after = counted(tree.result.stats.expanded or 0, "expansion")
    return f"goal after {after}: solved in {counted(tree.result.cost, 'move')}"


def _place_of(tree: Tree, turn: int, *, to_goal: bool) -> int | None:
    """Return the index of the node that a step is about: the goal, or the one expanded."""
    if to_goal and tree.goal is not None:
        return tree.nodes.index(tree.goal)
    return next((index for index, node in enumerate(tree.nodes) if turn in node.turns), None)


def _classed(svg: str, name: str) -> str:
    """Return an SVG element with one class more."""
    return svg.replace('class="taquin', f'class="{name} taquin', 1)


def board_page(
    position: Arrangement, title: str, photo: Photo | None = None, dark: bool | None = None
) -> str:
    """Return a page with one board."""
    scene = board_scene(position, photo, title)
    return _page(title, "", [to_svg(scene, dark)], [Step("", {})], _SOLUTION_PAUSE, dark)


def _stage(like: Arrangement, tiles: Course, photo: Photo | None, title: str) -> Scene:
    """Return the board with every tile as a group of its own."""
    cell = _CELL
    parts: list[Part] = list(still_parts(tiles, cell))
    if tiles.has_agent:
        parts.append(Group(tuple(agent_parts(tiles, cell, 0)), name="agent"))
    for tile in range(len(tiles.labels)):
        drawn = tile_parts(tiles, tile, cell, (0.0, 0.0), photo is not None)
        parts.append(Group(tuple(drawn), kinds=("piece",), name=f"t{tile}"))
    edge = cell * 0.15
    wide, high = like.grid.columns * cell + 2 * edge, like.grid.rows * cell + 2 * edge
    return Scene(wide, high, (Group(tuple(parts), edge, edge),), title, photo=photo)


def _placed(tiles: Course, step: int) -> dict[str, Look]:
    """Return where the tiles are, and which moved last."""
    looks: dict[str, Look] = {}
    for tile, place in enumerate(tiles.places[step]):
        before = step == 0 or tiles.places[step - 1][tile] != place
        was_marked = step > 0 and tile in tiles.moved[step - 1]
        marked = tile in tiles.moved[step]
        if before or was_marked or marked:
            kind = "piece moved" if marked else "piece"
            looks[f"t{tile}"] = (kind, *corner(tiles.grid, place, _CELL))
    return looks | _agent(tiles, tiles.blanks[step])


def _placed_as(tiles: Course, board: Board) -> dict[str, Look]:
    """Return where the tiles are on any board with the same tiles."""
    cells = [cell for cell, label in enumerate(board.cells)]
    looks: dict[str, Look] = {}
    for tile, label in enumerate(tiles.labels):
        place = next(cell for cell in cells if board.cells[cell] == label)
        cells.remove(place)
        looks[f"t{tile}"] = ("piece", *corner(tiles.grid, place, _CELL))
    return looks | _agent(tiles, board.blank)


def _agent(tiles: Course, blank: int | None) -> dict[str, Look]:
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
    title: str,
    note: str,
    stages: Sequence[str],
    steps: Sequence[Step],
    pause: int,
    dark: bool | None,
    legend: str = "",
) -> str:
    """Return the page; a page with a legend shows a tree, which needs a camera."""
    script = json.dumps(
        [{"say": printable(step.say), "set": step.set, "at": step.at} for step in steps],
        ensure_ascii=False,
        separators=(",", ":"),
    )
    contents = {
        "title": escape(printable(title)),
        "note": escape(printable(note)),
        "colours": _colours(dark),
        "legend": legend,
        "stages": "\n".join(stages),
        # A "<" could end the script element early.
        "steps": script.replace("<", "\\u003c"),
        "pause": str(pause),
        "camera": _file("camera.js") if legend else "",
    }
    return re.sub(r"\[\[(\w+)\]\]", lambda mark: contents[mark[1]], _file("player.html"))


def _file(name: str) -> str:
    return (resources.files(__package__) / name).read_text(encoding="utf-8")


def _colours(dark: bool | None) -> str:
    if dark is not None:
        return _variables(DARK if dark else LIGHT)
    return f"{_variables(LIGHT)}@media (prefers-color-scheme: dark){{{_variables(DARK)}}}"


def _variables(theme: Theme) -> str:
    wanted = {
        "page": theme["page"].fill,
        "ink": theme["title"].fill,
        "note": theme["note"].fill,
        "rule": theme["rule"].fill,
        "accent": theme["moved"].line,
    }
    return f":root{{{';'.join(f'--{name}:{colour}' for name, colour in wanted.items())}}}"

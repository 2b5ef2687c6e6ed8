"""Solutions and searches as one HTML file that plays them: for a projector, and for a reader.

The page needs nothing else: what stands on it is SVG, and a small script moves it. A step of the
script says which groups change: `{"say": "3. 5 up", "set": {"t4": ["piece moved", 56, 0]}}`.
"""

from __future__ import annotations

import json
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

Look = tuple[str | None, float, float] | tuple[str]
"""What a group becomes: its classes, None for those it has, and where it goes."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the script."""

    say: str
    """What stands below the picture."""
    set: dict[str, Look]
    """The groups that change, by their names."""


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
    """Return the page that plays a search: the board it takes, and the tree that grows."""
    whole = growth[-1]
    drawing = TreeDrawing(whole, title)
    if not whole.nodes:
        raise UnsuitableError("the search took no board: there is nothing to draw")
    tiles = course([whole.nodes[0].node.board])
    steps: list[Step] = []
    board = whole.nodes[0].node.board
    looks: dict[str, Look] = {}
    for number, tree in enumerate(growth):
        taken = next((each for each in tree.nodes if number in each.turns), None)
        said = f"turn {number}" if number else "start"
        if taken is not None:
            board = taken.node.board
            numbers = drawing.ranking.numbers(taken.node)
            said = f"turn {number}: {numbers}; {counted(len(tree.nodes), 'node')} so far"
        if number == len(growth) - 1:
            said = tree.summary
        changed = {
            name: look
            for name, look in _looks(tree, whole, number).items()
            if looks.get(name) != look
        }
        looks |= changed
        steps.append(Step(said, changed | _placed_as(tiles, board)))
    stages = [
        to_svg(_stage(board, tiles, None, "the board taken"), dark).replace(
            'class="taquin', 'class="side taquin', 1
        ),
        to_svg(drawing.scene(whole), dark),
    ]
    return _page(drawing.title, whole.summary, stages, steps, _SEARCH_PAUSE, dark)


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
    found: dict[str, Look] = {}
    for tile, place in enumerate(tiles.places[step]):
        before = step == 0 or tiles.places[step - 1][tile] != place
        was_marked = step > 0 and tile in tiles.moved[step - 1]
        marked = tile in tiles.moved[step]
        if before or was_marked or marked:
            kind = "piece moved" if marked else "piece"
            found[f"t{tile}"] = (kind, *corner(tiles.grid, place, _CELL))
    return found | _agent(tiles, tiles.blanks[step])


def _placed_as(tiles: Course, board: Board) -> dict[str, Look]:
    """Return where the tiles are on any board with the same tiles."""
    cells = [cell for cell, label in enumerate(board.cells)]
    found: dict[str, Look] = {}
    for tile, label in enumerate(tiles.labels):
        place = next(cell for cell in cells if board.cells[cell] == label)
        cells.remove(place)
        found[f"t{tile}"] = ("piece", *corner(tiles.grid, place, _CELL))
    return found | _agent(tiles, board.blank)


def _agent(tiles: Course, blank: int | None) -> dict[str, Look]:
    if not tiles.has_agent or blank is None:
        return {}
    return {"agent": ("piece", *corner(tiles.grid, blank, _CELL))}


def _looks(tree: Tree, whole: Tree, turn: int) -> dict[str, Look]:
    """Return what every card and edge of the whole tree looks like at this turn."""
    found: dict[str, Look] = {}
    for index, last in enumerate(whole.nodes):
        there = index < len(tree.nodes)
        each = tree.nodes[index] if there else last
        current = ("current",) if turn in each.turns and there else ()
        kinds = (*node_kinds(each), *current) if there else ("hidden",)
        found[f"n{index}"] = (" ".join(("node", *kinds)),)
        if each.parent is not None:
            edge = edge_kinds(tree, each) if there else ("hidden",)
            found[f"e{index}"] = (" ".join(("link", *edge)),)
    return found


def _page(
    title: str,
    note: str,
    stages: Sequence[str],
    steps: Sequence[Step],
    pause: int,
    dark: bool | None,
) -> str:
    script = json.dumps(
        [{"say": printable(step.say), "set": step.set} for step in steps],
        ensure_ascii=False,
        separators=(",", ":"),
    )
    text = (resources.files(__package__) / "player.html").read_text(encoding="utf-8")
    for mark, content in (
        ("title", escape(printable(title))),
        ("note", escape(printable(note))),
        ("colours", _colours(dark)),
        ("stages", "\n".join(stages)),
        # What would end the script early is spelled another way.
        ("steps", script.replace("<", "\\u003c")),
        ("pause", str(pause)),
    ):
        text = text.replace(f"[[{mark}]]", content)
    return text


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

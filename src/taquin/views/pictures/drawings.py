"""Drawings of boards, solutions, searches and trees, for files and notebooks.

A page plays a solution or a search in one HTML file: for projectors and for readers. It is
self-contained: SVG and a small script that animates it. A step of the script is
`{"say": "3. 5 up", "set": {"t4": ["piece moved", 56, 0]}, "at": [80.5, 40]}`: the text below the
picture, the groups that change, by name, and the focus of the step in a tree. The tree of a search
is larger than a screen; `camera.js` pans over it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources

from taquin.analysis.audit import Audit
from taquin.errors import UnsuitableError
from taquin.model.board import Arrangement, Board
from taquin.search.events import Event
from taquin.search.result import Result
from taquin.system.formatting import counted
from taquin.views.pictures.boards import (
    Captioned,
    TilePaths,
    agent_parts,
    board_scene,
    corner,
    solution_frames,
    solution_paths,
    solution_strip,
    still_parts,
    strip,
    tile_parts,
    tile_paths,
    turns_strip,
)
from taquin.views.pictures.painters import Frame, to_gif, to_pdf, to_png, to_svg, to_tikz
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
from taquin.views.pictures.trees import TreeDrawing, edge_kinds, node_kinds, tree_frames
from taquin.views.pictures.trees import to_svg as tree_svg
from taquin.views.traces import headline
from taquin.views.tree import MANY, Exam, Tree, search_tree, tree_growth

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
    tiles, captions = solution_paths(result)
    steps = [_step(caption, _placed(tiles, step)) for step, caption in enumerate(captions)]
    stage = to_svg(_stage(tiles, cover, title), dark)
    return _page(title, note, [stage], steps, dark)


def search_page(growth: Sequence[Tree], dark: bool | None = None) -> str:
    """Return the page that plays a search: the expanded boards, the growing tree, the goal."""
    whole = growth[-1]
    drawing = TreeDrawing(whole)
    if not whole.nodes:
        raise UnsuitableError("the search expanded no board: there is nothing to draw")
    tiles = tile_paths(whole.nodes[0].node.board)
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
    parts: list[Part] = list(still_parts(tiles, _CELL))
    if tiles.has_agent:
        parts.append(Group(tuple(agent_parts(tiles, _CELL, 0)), name="agent"))
    for tile in range(len(tiles.labels)):
        drawn = tile_parts(tiles, tile, _CELL, (0.0, 0.0), cover)
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


_PAGE = 120
"""The default number of nodes on a page, which can be panned and zoomed."""
_MOST_SIDE_BY_SIDE = 24
"""The length up to which notebooks show all boards of a solution; beyond, one board that moves."""
_MOST_PLAYED = 5000
"""The maximum length of a solution in a notebook."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The forms of a drawing; only the requested one is computed."""

    still: Callable[[], Scene]
    """A picture."""
    film: Callable[[], Iterable[Frame]]
    """A sequence of scenes."""
    page: Callable[[bool | None], str]
    """An HTML page: dark, light, or None for the theme of the reader."""


def painted(
    drawing: Drawing, form: str, dark: bool | None = None, size: int | None = None
) -> bytes:
    """Return a drawing as a file; if `dark` is None, SVG and HTML follow the theme of the reader.

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
        case "gif":
            return to_gif(drawing.film(), dark, size)
        case _:
            return drawing.page(dark).encode()


def board_drawing(position: Arrangement, cover: Cover | None = None) -> Drawing:
    """Return how a board or a goal is drawn."""
    return _still_drawing(lambda: board_scene(position, cover))


def _still_drawing(scene: Callable[[], Scene]) -> Drawing:
    def page(dark: bool | None) -> str:
        drawn = scene()
        return _page(drawn.title, "", [to_svg(drawn, dark)], [_step("", {})], dark)

    return Drawing(scene, lambda: [(scene(), 0)], page)


def solution_drawing(
    result: Result, title: str, note: str = "", cover: Cover | None = None
) -> Drawing:
    """Return how a solution is drawn: all its boards, or one board that moves."""
    return Drawing(
        still=lambda: solution_strip(result, title, note, cover),
        film=lambda: solution_frames(result, cover),
        page=lambda dark: solution_page(result, title, note, cover, dark),
    )


def turns_drawing(
    events: Iterable[Event], title: str, nodes: int | None = None, name: str = ""
) -> Drawing:
    """Return how a search is drawn: its expanded boards in turn, or a growing tree.

    By default the tree of a page has 120 nodes, and that of a film 40: a film cannot be zoomed.
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
        still=lambda: TreeDrawing(search_tree(events, nodes, name)).scene(),
        film=lambda: tree_frames(tree_growth(events, nodes, name)),
        page=lambda dark: search_page(tree_growth(events, nodes, name, to_goal=True), dark),
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
            if value.moves is not None and moves <= _MOST_PLAYED:
                page = escape(solution_page(value, title, note))
                style = "width:100%;height:30em;border:0"
                return f'<iframe title="{escape(title)}" srcdoc="{page}" style="{style}"></iframe>'
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

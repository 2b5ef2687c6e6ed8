"""The drawings of search trees: DOT and SVG."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from xml.etree import ElementTree

import pytest

import taquin as tq
from taquin.search.algorithms import ALGORITHMS
from taquin.search.driver import trace
from taquin.views.pictures.drawings import to_dot, to_svg, tree_frames
from taquin.views.tree import Standing, Tree, search_tree, tree_growth
from tests.views.worlds import (
    BUMPING,
    EIGHT,
    FOUR_MOVES,
    NAMED,
    NAMED_START,
    SLIDES,
    SVG,
    UNSOLVABLE,
    WALLED,
    WALLED_START,
    svg_texts,
)

TREES: dict[str, Tree] = {
    name: search_tree(trace(EIGHT, FOUR_MOVES, entry()), 60) for name, entry in ALGORITHMS.items()
} | {
    "three nodes": search_tree(trace(EIGHT, FOUR_MOVES, tq.AStar()), 3),
    "one node": search_tree(trace(EIGHT, FOUR_MOVES, tq.AStar()), 1),
    "names": search_tree(trace(NAMED, NAMED_START, tq.AStar()), 40),
    "walls": search_tree(trace(WALLED, WALLED_START, tq.BreadthFirst(BUMPING)), 40),
    "slides": search_tree(trace(SLIDES, FOUR_MOVES, tq.AStar()), 40),
    "not searched": search_tree(trace(EIGHT, UNSOLVABLE, tq.AStar()), 40),
}

Box = tuple[float, float, float, float]


def cards(root: ElementTree.Element) -> list[Box]:
    """Return left, top, right and bottom of every card."""
    found = []
    for group in root.iter(f"{SVG}g"):
        card = group.find(f"{SVG}rect[@class='card']")
        if card is None or group.find(f"{SVG}title") is None:
            continue
        x, y = map(float, re.findall(r"[\d.]+", group.attrib["transform"]))
        found.append((x, y, x + float(card.attrib["width"]), y + float(card.attrib["height"])))
    return found


@pytest.mark.parametrize("name", TREES)
def test_a_picture_has_one_card_per_node_and_a_legend_for_every_standing(name: str) -> None:
    tree = TREES[name]
    svg = to_svg(tree)
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    boxes = cards(root)
    assert len(boxes) == len(tree.nodes)
    edges = [group for group in root.iter(f"{SVG}g") if group.get("id", "").startswith("e")]
    assert len(edges) == sum(node.parent is not None for node in tree.nodes)
    words = svg_texts(svg, "note")
    for standing in Standing:
        legend = f"{tree.standing_name(standing)} {tree.count(standing)}"
        assert (legend in words) == (tree.count(standing) > 0)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert (left >= 0, top >= 0, right <= width, bottom <= height) == (True,) * 4
        for other in boxes[:number]:
            assert right < other[0] or other[2] < left or bottom < other[1] or other[3] < top


def test_a_picture_refers_to_nothing_outside() -> None:
    for tree in TREES.values():
        text = re.sub(r'xmlns="[^"]*"', "", to_svg(tree))
        assert not re.search(r"http|url\(|<script|href", text)


def test_a_card_shows_the_tiles_the_turn_and_the_numbers() -> None:
    root = ElementTree.fromstring(to_svg(TREES["astar"]))
    card = next(group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None)
    words = {
        kind: [text.text for text in card.iter(f"{SVG}text") if text.attrib["class"] == kind]
        for kind in ("label", "foot", "turn")
    }
    assert words["label"] == list("13425786")
    assert words["foot"] == ["4 = 0 + 4"]
    assert words["turn"] == ["1"]


def test_the_tile_that_moved_is_marked() -> None:
    root = ElementTree.fromstring(to_svg(TREES["slides"]))
    groups = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    for each, group in zip(TREES["slides"].nodes, groups, strict=True):
        marked = [
            rect for rect in group.iter(f"{SVG}rect") if "moved" in rect.attrib["class"].split()
        ]
        assert len(marked) == (0 if each.node.move is None else len(each.node.move.tiles))


def test_the_solution_is_drawn_as_one_line_to_the_goal() -> None:
    text = to_svg(TREES["astar"])
    assert len(re.findall(r'<g id="e\d+" class="path">', text)) == 4
    assert len(re.findall(r'<g id="n\d+" class="[^"]*on-path"', text)) == 5


def test_numbers_suit_the_search() -> None:
    assert ">depth 2<" in to_svg(TREES["bfs"])
    assert ">4 = 1 + 3<" in to_svg(TREES["astar"])
    assert ">f 3, g 1, h 3<" in to_svg(search_tree(trace(EIGHT, FOUR_MOVES, tq.Greedy())))


def test_a_title_may_hold_anything() -> None:
    title = "a < b & \"c\" \x00\x1b 'd' ]]> \\"
    root = ElementTree.fromstring(to_svg(TREES["three nodes"], title))
    assert root.findtext(f"{SVG}title") == "a < b & \"c\"  'd' ]]> \\"
    assert 'label="a < b & \\"c\\"' in to_dot(TREES["three nodes"], title)


def test_the_algorithm_heads_a_picture_of_the_whole_search() -> None:
    assert ">astar(manhattan)</text>" in to_svg(TREES["astar"])
    assert ">Search tree</text>" in to_svg(TREES["three nodes"])
    assert ">mine</text>" in to_svg(TREES["astar"], "mine")
    assert "prefers-color-scheme: dark" in to_svg(TREES["astar"])


def test_long_names_keep_to_their_cells() -> None:
    puzzle = tq.Puzzle(tq.Goal.parse("Longname B / C 0"))
    tree = search_tree(trace(puzzle, tq.Board.parse("0 B / Longname C"), tq.AStar()))
    root = ElementTree.fromstring(to_svg(tree))
    for text in root.iter(f"{SVG}text"):
        if text.text == "Longname":
            assert 0 < float(text.attrib["font-size"]) * 0.6 * len("Longname") <= 42


def test_dot_names_every_node_and_edge_once() -> None:
    for tree in TREES.values():
        text = to_dot(tree)
        nodes = re.findall(r"^  n(\d+) \[", text, flags=re.MULTILINE)
        assert nodes == [str(index) for index in range(len(tree.nodes))]
        edges = re.findall(r"^  n(\d+) -> n(\d+)", text, flags=re.MULTILINE)
        assert edges == [
            (str(node.parent), str(index))
            for index, node in enumerate(tree.nodes)
            if node.parent is not None
        ]
    assert 'n0 -> n1 [label="' in to_dot(TREES["astar"])
    assert 'label="1 left"' in to_dot(TREES["astar"])


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_the_dot() -> None:
    every = "".join(map(to_dot, TREES.values()))
    done = subprocess.run(
        ["dot", "-Tplain"], input=every, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    nodes = re.findall(r"^node n\d+ ", done.stdout, flags=re.MULTILINE)
    assert len(nodes) == sum(len(tree.nodes) for tree in TREES.values())


def test_rounds_are_captioned() -> None:
    tree = search_tree(trace(EIGHT, FOUR_MOVES, tq.IterativeDeepening()), 60)
    assert ">round 2, bound 1<" in to_svg(tree)
    assert "round 2, bound 1" in to_dot(tree)


def test_what_a_beam_drops_is_dashed() -> None:
    text = to_svg(search_tree(trace(EIGHT, FOUR_MOVES, tq.Beam(width=1)), 60))
    assert re.search(r'<g id="e\d+" class="pruned">', text)
    for role in ("card", "edge"):
        assert re.search(rf"\.pruned \.{role}{{[^}}]*stroke-dasharray", text)


def labels(text: str | None) -> list[str]:
    assert text is not None
    return svg_texts(text, "label")


def test_a_board_and_a_goal_are_drawn() -> None:
    assert labels(FOUR_MOVES._repr_svg_()) == list("13425786")
    assert labels(tq.Goal.parse("* A / * 0")._repr_svg_()) == ["A"]
    assert FOUR_MOVES._repr_html_() is None


def test_a_result_is_drawn_board_by_board_or_told() -> None:
    text = tq.solve(FOUR_MOVES, algorithm=tq.AStar())._repr_html_() or ""
    assert "Solved in 4 moves; no solution is shorter" in text
    assert len(labels(text)) == 5 * 8
    long = tq.solve("8 6 7 / 2 5 4 / 3 0 1")._repr_html_() or ""
    assert "Solved in 31 moves" in long
    assert len(labels(long)) == 32 * 8
    none = tq.solve(UNSOLVABLE)._repr_html_() or ""
    assert "No solution: " in none
    assert len(labels(none)) == 8


def test_a_tree_is_drawn() -> None:
    tree = search_tree(tq.trace(EIGHT, FOUR_MOVES, tq.AStar()), 5)
    assert len(labels(tree._repr_svg_())) == 5 * 8
    assert tree._repr_html_() is None


def test_an_audit_is_told_with_its_counterexamples() -> None:
    puzzle = tq.Puzzle(tq.Goal.blank_last(2, 3))
    good = tq.audit(tq.Manhattan(), puzzle)._repr_html_() or ""
    assert "admissible on all 360 boards" in good
    assert "<svg" not in good
    bad = tq.audit(tq.heuristics.Sum(tq.Manhattan(), tq.Manhattan()), puzzle)._repr_html_() or ""
    assert "not admissible" in bad
    picture = re.search(r"<svg.*</svg>", bad, re.DOTALL)
    assert picture is not None
    assert len(labels(picture[0])) == 3 * 5


def test_a_growing_tree_shows_each_step_briefly_and_the_whole_at_last() -> None:
    growth = tree_growth(trace(EIGHT, FOUR_MOVES, tq.AStar()), 12)
    frames = list(tree_frames(growth))
    assert [seconds for _, seconds in frames] == [700] * (len(growth) - 1) + [3000]
    assert len({(scene.width, scene.height) for scene, _ in frames}) == 1


def test_nothing_is_loaded_for_drawing_until_something_is_drawn() -> None:
    code = (
        "import sys, taquin as tq; board = tq.Board.parse('1 2 / 3 0'); tq.solve(board); "
        "assert not any('views.notebook' in name for name in sys.modules); "
        "assert board._repr_svg_().startswith('<svg'); "
        "print(sorted({'PIL', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

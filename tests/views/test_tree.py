"""The search tree, built from the events, and its drawings in DOT and SVG."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from itertools import islice, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import taquin as tq
from taquin.model.scramble import random_walk
from taquin.search.algorithms import ALGORITHMS
from taquin.search.driver import trace
from taquin.search.grammar import search_named
from taquin.views import to_networkx
from taquin.views import tree as tree_module
from taquin.views.pictures.drawings import to_dot, to_svg, tree_frames
from taquin.views.tree import (
    COUSINS,
    SIBLINGS,
    TREES,
    Standing,
    Tree,
    search_tree,
    tidy,
    tree_growth,
)
from tests.views.worlds import (
    BUMPING,
    EIGHT,
    FOUR_MOVES,
    HARD,
    NAMED,
    NAMED_START,
    S3_QUEUE,
    SLIDES,
    SVG,
    UNSOLVABLE,
    WALLED,
    WALLED_START,
    CountedEvents,
    svg_texts,
)


def grown(algorithm: tq.Algorithm, nodes: int = 1_000) -> Tree:
    return search_tree(trace(EIGHT, FOUR_MOVES, algorithm), nodes)


@pytest.mark.parametrize("nodes", [1, 2, 17, 60])
def test_every_algorithm_gives_a_tree_of_at_most_n_nodes(nodes: int) -> None:
    for algorithm in ALGORITHMS.values():
        check_tree(grown(algorithm(), nodes), nodes)


def check_tree(tree: Tree, nodes: int) -> None:
    assert 1 <= len(tree.nodes) <= nodes
    assert tree.complete or len(tree.nodes) == nodes
    for index, each in enumerate(tree.nodes):
        assert each.parent is None or each.parent < index
        if each.parent is not None:
            above = tree.nodes[each.parent].node
            assert each.node.move is not None
            assert above.board.apply(each.node.move) == each.node.board
            assert each.node.depth == above.depth + 1
        assert (each.standing is Standing.EXPANDED) <= bool(each.turns)


@pytest.mark.parametrize(
    "algorithm", [entry() for name, entry in ALGORITHMS.items() if name != "dfs"], ids=str
)
def test_the_solution_is_marked_from_the_start_to_the_goal(algorithm: tq.Algorithm) -> None:
    tree = grown(algorithm)
    assert tree.result is not None
    boards = tree.result.boards()
    marked = [each.node.board for each in tree.nodes if each.on_path]
    assert set(marked) == set(boards)
    # The board where two sides meet stands on both.
    assert len(marked) == len(boards) + (algorithm.name in ("bidirectional", "mm", "nbs"))


def test_turns_count_the_expansions_and_standings_follow_the_fates() -> None:
    events = list(trace(EIGHT, FOUR_MOVES, tq.BreadthFirst()))
    tree = search_tree(events, 1_000)
    order = [event.node.number for event in events if isinstance(event, tq.events.Expanded)]
    turns = {each.turns[0]: each.node.number for each in tree.nodes if each.turns}
    assert [turns[turn] for turn in range(1, len(order) + 1)] == order
    fates = [event.fate for event in events if isinstance(event, tq.events.Generated)]
    assert tree.count(Standing.DUPLICATE) == fates.count(tq.events.Fate.DUPLICATE)
    assert tree.count(Standing.GOAL) == 1
    expanded = sum(isinstance(event, tq.events.Expanded) for event in events)
    assert tree.count(Standing.EXPANDED) == expanded
    assert tree.count(Standing.WAITING) == len(tree.nodes) - expanded - 1 - fates.count(
        tq.events.Fate.DUPLICATE
    )


def test_duplicates_goals_and_what_beams_and_bounds_leave_out_have_their_standings() -> None:
    tree = search_tree(trace(NAMED, NAMED_START, tq.BreadthFirst(S3_QUEUE)), 60)
    twins = [each for each in tree.nodes if each.node.board == NAMED_START]
    assert [each.standing for each in twins[:3]] == [
        Standing.EXPANDED,
        Standing.DUPLICATE,
        Standing.DUPLICATE,
    ]
    assert grown(tq.Beam(width=1)).count(Standing.PRUNED) > 0
    assert grown(tq.DepthFirst(max_depth=2)).count(Standing.CUT) > 0
    tree = grown(tq.BreadthFirst(tq.search.Conventions(goal_test=tq.search.GoalTest.GENERATION)))
    assert tree.count(Standing.GOAL) == 1
    assert tree.nodes[-1].standing is Standing.GOAL


def test_the_tree_takes_no_more_events_than_the_beginning_of_the_whole_needs() -> None:
    consumed = CountedEvents(trace(EIGHT, HARD, tq.BreadthFirst()))
    search_tree(consumed, 20)
    events = list(islice(trace(EIGHT, HARD, tq.BreadthFirst()), consumed.count))
    assert sum(isinstance(event, tq.events.Started | tq.events.Generated) for event in events) == 21
    whole = grown(tq.BreadthFirst())
    part = grown(tq.BreadthFirst(), 10)
    assert not part.complete
    assert part.result is None
    assert [each.node for each in part.nodes] == [each.node for each in whole.nodes[:10]]


def test_rounds_and_sides_are_captioned_trees_of_their_own() -> None:
    tree = grown(tq.IterativeDeepening())
    roots = [each for each in tree.nodes if each.parent is None]
    assert [each.caption for each in roots] == [
        # The first round expands nothing.
        f"round {number}, bound {number - 1}"
        for number in range(2, 6)
    ]
    assert {each.node.board for each in roots} == {FOUR_MOVES}
    tree = grown(tq.Bidirectional())
    assert [each.caption for each in tree.nodes if each.parent is None] == [
        "from the start",
        "from the goal",
    ]
    meeting = [each for each in tree.nodes if each.standing is Standing.GOAL]
    assert len(meeting) == 2
    assert meeting[0].node.board == meeting[1].node.board
    assert meeting[0].node.side != meeting[1].node.side
    for algorithm in (tq.Beam(), tq.BreadthFirst(), tq.DepthFirst(max_depth=4)):
        assert [each.caption for each in grown(algorithm).nodes if each.caption] == []


def test_a_board_that_rbfs_makes_again_is_one_node_with_several_turns() -> None:
    start = tq.Board.parse("1 2 3 / 4 0 8 / 7 6 5")
    algorithm = tq.search.RecursiveBestFirst(tq.Misplaced())
    tree = search_tree(trace(EIGHT, start, algorithm), 10_000)
    assert any(len(each.turns) > 1 for each in tree.nodes)
    for index in range(len(tree.nodes)):
        boards = [each.node.board for each in tree.nodes if each.parent == index]
        assert len(boards) == len(set(boards))


def test_the_summary_tells_how_much_is_here_and_how_it_ended() -> None:
    assert grown(tq.AStar()).summary == "13 nodes, solved in 4 moves"
    assert grown(tq.AStar(), 5).summary == "the first 5 nodes; the nodes after them are not drawn"
    assert grown(tq.AStar(), 1).summary == "the first 1 node; the nodes after them are not drawn"
    tree = search_tree(trace(EIGHT, UNSOLVABLE, tq.AStar()))
    assert tree.nodes == ()
    assert tree.complete
    assert tree.summary.startswith("not searched, no solution: 1 inversion")
    *events, last = trace(EIGHT, FOUR_MOVES, tq.AStar())
    assert isinstance(last, tq.events.Finished)
    tree = search_tree([*events[4:], last], 100)
    assert tree.complete
    with pytest.raises(tq.errors.UnsuitableError, match="1 node or more, got 0"):
        search_tree([], 0)


def test_a_growing_tree_shows_each_step_briefly_and_has_at_most_so_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    events = list(trace(EIGHT, FOUR_MOVES, tq.BreadthFirst()))
    steps = len(tree_growth(events, 1_000)) - 1
    assert (
        steps
        == sum(isinstance(event, tq.events.Expanded | tq.events.GoalFound) for event in events)
        > 9
    )
    monkeypatch.setattr(tree_module, "MOST_STEPS", steps)
    assert len(tree_growth(events, 1_000)) == steps + 1
    monkeypatch.setattr(tree_module, "MOST_STEPS", steps - 1)
    with pytest.raises(
        tq.errors.UnsuitableError, match=f"at most {steps - 1} steps, and 1,000 nodes"
    ):
        tree_growth(events, 1_000)
    growth = tree_growth(trace(EIGHT, FOUR_MOVES, tq.AStar()), 12)
    frames = list(tree_frames(growth))
    assert [seconds for _, seconds in frames] == [700] * (len(growth) - 1) + [3000]
    assert len({(scene.width, scene.height) for scene, _ in frames}) == 1


@pytest.mark.parametrize("text", ["bidirectional", "mm(misplaced)", "nbs(misplaced)"])
def test_two_sides_meet_on_one_node_each_however_often_the_board_was_reached(text: str) -> None:
    for seed in (22, 29):
        tree = search_tree(trace(EIGHT, random_walk(EIGHT, 14, seed), search_named(text)), 10_000)
        assert tree.result is not None
        ends = [each.node for each in tree.nodes if each.standing is Standing.GOAL]
        assert len({node.side for node in ends}) == len(ends) == 2
        assert sum(each.node.board == ends[0].board for each in tree.nodes) > 2
        assert sum(each.on_path for each in tree.nodes) == len(tree.result.boards()) + 1


@pytest.mark.parametrize("name", ["bfs", "astar", "idastar", "rbfs", "dfs"])
def test_whole_turns_leave_no_expansion_half_drawn(name: str) -> None:
    events = list(trace(EIGHT, FOUR_MOVES, ALGORITHMS[name](), tq.Limits(nodes=60)))
    for nodes in range(1, 30):
        tree = search_tree(events, nodes, whole_turns=True)
        assert len(tree.nodes) >= min(nodes, len(search_tree(events, 10**6).nodes))
        numbers = {node.node.number for node in tree.nodes if node.standing is Standing.EXPANDED}
        drawn = {node.node.number for node in tree.nodes}
        children = {
            event.node.number
            for event in events
            if isinstance(event, tq.events.Generated) and event.node.parent in numbers
        }
        if name != "rbfs":  # It generates the same child again, under another number.
            assert children <= drawn


def test_a_tree_with_whole_turns_shows_a_goal_that_is_the_last_child() -> None:
    # The search tree has 13 nodes, and the goal is the thirteenth.
    start = tq.Board.parse("1 2 3 / 7 4 5 / 0 8 6")
    events = list(trace(EIGHT, start, tq.AStar()))
    assert search_tree(events, 12).goal is None
    tree = search_tree(events, 12, whole_turns=True)
    assert (len(tree.nodes), tree.complete) == (13, True)
    assert tree.goal is not None
    assert tree.summary == "13 nodes, solved in 4 moves"


Parents = list[int | None]


@st.composite
def forests(draw: st.DrawFn) -> Parents:
    size = draw(st.integers(1, 40))
    parents: Parents = [None]
    for node in range(1, size):
        parents.append(draw(st.none() | st.integers(0, node - 1) | st.integers(0, node - 1)))
    return parents


def levels_of(parents: Parents) -> list[list[int]]:
    """Return the nodes of each level in the order a drawing has them from left to right."""
    children: dict[int | None, list[int]] = {}
    for node, parent in enumerate(parents):
        children.setdefault(parent, []).append(node)
    levels = [children[None]]
    while levels[-1]:
        levels.append([kid for node in levels[-1] for kid in children.get(node, [])])
    return levels[:-1]


def root_of(parents: Parents, node: int) -> int:
    while (parent := parents[node]) is not None:
        node = parent
    return node


@given(forests())
def test_a_tidy_forest_keeps_its_distances_and_centres_parents(parents: Parents) -> None:
    places = tidy(parents)
    assert min(places) == 0
    for node in range(len(parents)):
        children = [kid for kid, parent in enumerate(parents) if parent == node]
        if children:
            assert places[node] == pytest.approx((places[children[0]] + places[children[-1]]) / 2)
    for level in levels_of(parents):
        for one, other in pairwise(level):
            if root_of(parents, one) != root_of(parents, other):
                least = TREES
            else:
                least = SIBLINGS if parents[one] == parents[other] else COUSINS
            assert places[other] - places[one] >= least - 1e-9


def test_a_small_subtree_stands_midway_and_a_path_is_a_straight_line() -> None:
    #        0            1, 2 and 3 are its children; 1 and 3 have three children each
    places = tidy([None, 0, 0, 0, 1, 1, 1, 3, 3, 3])
    assert places[2] - places[1] == pytest.approx(places[3] - places[2])
    assert places[0] == pytest.approx(places[2])
    parents: Parents = [None, *range(5_000)]
    assert set(tidy(parents)) == {0.0}
    assert tidy([]) == []


def test_the_graph_is_the_tree_of_the_search() -> None:
    networkx = pytest.importorskip("networkx", reason="the extra graphs is not installed")
    puzzle, start = tq.Puzzle(tq.Goal("3x3")), tq.Board("8 1 3 / 4 0 2 / 7 6 5")
    events = list(tq.trace(puzzle, start, tq.AStar(tq.Manhattan())))
    graph = to_networkx(search_tree(events, 10**6))
    result = tq.solve(start, algorithm="astar(manhattan)")
    assert networkx.is_arborescence(graph)
    assert graph.graph["name"] == "astar(manhattan)"
    fates = [fate for _, fate in graph.nodes(data="fate")]
    assert fates.count("expanded") == result.stats.expanded
    assert fates.count("goal") == 1
    for _, node in graph.nodes(data=True):
        assert node["h"] == tq.estimate("manhattan", node["board"])
        assert node["f"] == node["g"] + node["h"]
    for parent, child in graph.edges:
        assert graph.nodes[child]["g"] == graph.nodes[parent]["g"] + 1
    goal = fates.index("goal")
    path = networkx.shortest_path(graph, 0, goal)
    assert len(path) - 1 == result.cost
    assert all(graph.nodes[number]["on_path"] for number in path)


DRAWN: dict[str, Tree] = {
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


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_has_one_card_per_node_and_a_legend_for_every_standing(name: str) -> None:
    tree = DRAWN[name]
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


def test_a_card_shows_tiles_turn_and_numbers_and_marks_the_tile_that_moved() -> None:
    root = ElementTree.fromstring(to_svg(DRAWN["astar"]))
    card = next(group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None)
    words = {
        kind: [text.text for text in card.iter(f"{SVG}text") if text.attrib["class"] == kind]
        for kind in ("label", "foot", "turn")
    }
    assert words["label"] == list("13425786")
    assert words["foot"] == ["4 = 0 + 4"]
    assert words["turn"] == ["1"]
    root = ElementTree.fromstring(to_svg(DRAWN["slides"]))
    groups = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    for each, group in zip(DRAWN["slides"].nodes, groups, strict=True):
        marked = [
            rect for rect in group.iter(f"{SVG}rect") if "moved" in rect.attrib["class"].split()
        ]
        assert len(marked) == (0 if each.node.move is None else len(each.node.move.tiles))


def test_solutions_numbers_rounds_and_what_is_dropped_are_drawn() -> None:
    text = to_svg(DRAWN["astar"])
    assert len(re.findall(r'<g id="e\d+" class="path">', text)) == 4
    assert len(re.findall(r'<g id="n\d+" class="[^"]*on-path"', text)) == 5
    assert ">depth 2<" in to_svg(DRAWN["bfs"])
    assert ">4 = 1 + 3<" in to_svg(DRAWN["astar"])
    assert ">f 3, g 1, h 3<" in to_svg(search_tree(trace(EIGHT, FOUR_MOVES, tq.Greedy())))
    tree = search_tree(trace(EIGHT, FOUR_MOVES, tq.IterativeDeepening()), 60)
    assert ">round 2, bound 1<" in to_svg(tree)
    assert "round 2, bound 1" in to_dot(tree)
    text = to_svg(search_tree(trace(EIGHT, FOUR_MOVES, tq.Beam(width=1)), 60))
    assert re.search(r'<g id="e\d+" class="pruned">', text)
    for role in ("card", "edge"):
        assert re.search(rf"\.pruned \.{role}{{[^}}]*stroke-dasharray", text)


def test_a_title_may_hold_anything_and_is_the_algorithm_where_there_is_none() -> None:
    title = "a < b & \"c\" \x00\x1b 'd' ]]> \\"
    root = ElementTree.fromstring(to_svg(DRAWN["three nodes"], title))
    assert root.findtext(f"{SVG}title") == "a < b & \"c\"  'd' ]]> \\"
    assert 'label="a < b & \\"c\\"' in to_dot(DRAWN["three nodes"], title)
    assert ">astar(manhattan)</text>" in to_svg(DRAWN["astar"])
    assert ">Search tree</text>" in to_svg(DRAWN["three nodes"])
    assert ">mine</text>" in to_svg(DRAWN["astar"], "mine")
    assert "prefers-color-scheme: dark" in to_svg(DRAWN["astar"])


def test_long_names_keep_to_their_cells() -> None:
    puzzle = tq.Puzzle(tq.Goal.parse("Longname B / C 0"))
    tree = search_tree(trace(puzzle, tq.Board.parse("0 B / Longname C"), tq.AStar()))
    root = ElementTree.fromstring(to_svg(tree))
    for text in root.iter(f"{SVG}text"):
        if text.text == "Longname":
            assert 0 < float(text.attrib["font-size"]) * 0.6 * len("Longname") <= 42


def test_dot_names_every_node_and_edge_once_and_svg_refers_to_nothing_outside() -> None:
    for tree in DRAWN.values():
        text = to_dot(tree)
        nodes = re.findall(r"^  n(\d+) \[", text, flags=re.MULTILINE)
        assert nodes == [str(index) for index in range(len(tree.nodes))]
        edges = re.findall(r"^  n(\d+) -> n(\d+)", text, flags=re.MULTILINE)
        assert edges == [
            (str(node.parent), str(index))
            for index, node in enumerate(tree.nodes)
            if node.parent is not None
        ]
    assert 'n0 -> n1 [label="' in to_dot(DRAWN["astar"])
    assert 'label="1 left"' in to_dot(DRAWN["astar"])
    for tree in DRAWN.values():
        text = re.sub(r'xmlns="[^"]*"', "", to_svg(tree))
        assert not re.search(r"http|url\(|<script|href", text)


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_reads_the_dot() -> None:
    every = "".join(map(to_dot, DRAWN.values()))
    done = subprocess.run(
        ["dot", "-Tplain"], input=every, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    nodes = re.findall(r"^node n\d+ ", done.stdout, flags=re.MULTILINE)
    assert len(nodes) == sum(len(tree.nodes) for tree in DRAWN.values())


def labels(text: str | None) -> list[str]:
    assert text is not None
    return svg_texts(text, "label")


def test_boards_goals_trees_and_results_show_themselves_in_notebooks() -> None:
    assert labels(FOUR_MOVES._repr_svg_()) == list("13425786")
    assert labels(tq.Goal.parse("* A / * 0")._repr_svg_()) == ["A"]
    assert FOUR_MOVES._repr_html_() is None
    tree = search_tree(tq.trace(EIGHT, FOUR_MOVES, tq.AStar()), 5)
    assert len(labels(tree._repr_svg_())) == 5 * 8
    assert tree._repr_html_() is None
    text = tq.solve(FOUR_MOVES, algorithm=tq.AStar())._repr_html_() or ""
    assert "Solved in 4 moves; no solution is shorter" in text
    assert len(labels(text)) == 5 * 8
    long = tq.solve("8 6 7 / 2 5 4 / 3 0 1")._repr_html_() or ""
    assert "Solved in 31 moves" in long
    assert len(labels(long)) == 32 * 8
    none = tq.solve(UNSOLVABLE)._repr_html_() or ""
    assert "No solution: " in none
    assert len(labels(none)) == 8


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


def test_nothing_is_loaded_for_drawing_until_something_is_drawn() -> None:
    code = (
        "import sys, taquin as tq; board = tq.Board.parse('1 2 / 3 0'); tq.solve(board); "
        "assert not any('views.notebook' in name for name in sys.modules); "
        "assert board._repr_svg_().startswith('<svg'); "
        "print(sorted({'PIL', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

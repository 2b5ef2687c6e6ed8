"""The search tree, built from the events."""

from __future__ import annotations

from itertools import islice, pairwise

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
    EIGHT,
    FOUR_MOVES,
    HARD,
    NAMED,
    NAMED_START,
    S3_QUEUE,
    UNSOLVABLE,
    CountedEvents,
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


def test_turns_count_the_expansions_of_the_search() -> None:
    events = list(trace(EIGHT, FOUR_MOVES, tq.BreadthFirst()))
    tree = search_tree(events, 1_000)
    order = [event.node.number for event in events if isinstance(event, tq.events.Expanded)]
    turns = {each.turns[0]: each.node.number for each in tree.nodes if each.turns}
    assert [turns[turn] for turn in range(1, len(order) + 1)] == order


def test_standings_follow_the_fates() -> None:
    events = list(trace(EIGHT, FOUR_MOVES, tq.BreadthFirst()))
    tree = search_tree(events, 1_000)
    fates = [event.fate for event in events if isinstance(event, tq.events.Generated)]
    assert tree.count(Standing.DUPLICATE) == fates.count(tq.events.Fate.DUPLICATE)
    assert tree.count(Standing.GOAL) == 1
    expanded = sum(isinstance(event, tq.events.Expanded) for event in events)
    assert tree.count(Standing.EXPANDED) == expanded
    assert tree.count(Standing.WAITING) == len(tree.nodes) - expanded - 1 - fates.count(
        tq.events.Fate.DUPLICATE
    )


def test_entries_thrown_away_when_taken_are_duplicates() -> None:
    tree = search_tree(trace(NAMED, NAMED_START, tq.BreadthFirst(S3_QUEUE)), 60)
    twins = [each for each in tree.nodes if each.node.board == NAMED_START]
    assert [each.standing for each in twins[:3]] == [
        Standing.EXPANDED,
        Standing.DUPLICATE,
        Standing.DUPLICATE,
    ]


def test_a_beam_prunes_and_a_bound_cuts() -> None:
    assert grown(tq.Beam(width=1)).count(Standing.PRUNED) > 0
    assert grown(tq.DepthFirst(max_depth=2)).count(Standing.CUT) > 0


def test_the_tree_takes_no_more_events_than_it_needs() -> None:
    consumed = CountedEvents(trace(EIGHT, HARD, tq.BreadthFirst()))
    search_tree(consumed, 20)
    events = list(islice(trace(EIGHT, HARD, tq.BreadthFirst()), consumed.count))
    assert sum(isinstance(event, tq.events.Started | tq.events.Generated) for event in events) == 21


def test_the_first_nodes_are_the_beginning_of_the_whole_tree() -> None:
    whole = grown(tq.BreadthFirst())
    part = grown(tq.BreadthFirst(), 10)
    assert not part.complete
    assert part.result is None
    assert [each.node for each in part.nodes] == [each.node for each in whole.nodes[:10]]


def test_each_round_of_a_deepening_search_is_a_tree_of_its_own() -> None:
    tree = grown(tq.IterativeDeepening())
    roots = [each for each in tree.nodes if each.parent is None]
    assert [each.caption for each in roots] == [
        # The first round expands nothing.
        f"round {number}, bound {number - 1}"
        for number in range(2, 6)
    ]
    assert {each.node.board for each in roots} == {FOUR_MOVES}


def test_a_search_of_one_tree_has_no_caption() -> None:
    for algorithm in (tq.Beam(), tq.BreadthFirst(), tq.DepthFirst(max_depth=4)):
        assert [each.caption for each in grown(algorithm).nodes if each.caption] == []


def test_the_two_sides_of_a_bidirectional_search_are_trees_that_meet() -> None:
    tree = grown(tq.Bidirectional())
    assert [each.caption for each in tree.nodes if each.parent is None] == [
        "from the start",
        "from the goal",
    ]
    meeting = [each for each in tree.nodes if each.standing is Standing.GOAL]
    assert len(meeting) == 2
    assert meeting[0].node.board == meeting[1].node.board
    assert meeting[0].node.side != meeting[1].node.side


def test_a_board_that_rbfs_makes_again_is_one_node_with_several_turns() -> None:
    start = tq.Board.parse("1 2 3 / 4 0 8 / 7 6 5")
    algorithm = tq.search.RecursiveBestFirst(tq.Misplaced())
    tree = search_tree(trace(EIGHT, start, algorithm), 10_000)
    assert any(len(each.turns) > 1 for each in tree.nodes)
    for index in range(len(tree.nodes)):
        boards = [each.node.board for each in tree.nodes if each.parent == index]
        assert len(boards) == len(set(boards))


def test_a_goal_seen_when_made_is_marked() -> None:
    tree = grown(tq.BreadthFirst(tq.search.Conventions(goal_test=tq.search.GoalTest.GENERATION)))
    assert tree.count(Standing.GOAL) == 1
    assert tree.nodes[-1].standing is Standing.GOAL


def test_a_board_that_is_not_searched_has_an_empty_tree() -> None:
    tree = search_tree(trace(EIGHT, UNSOLVABLE, tq.AStar()))
    assert tree.nodes == ()
    assert tree.complete
    assert tree.summary.startswith("not searched, no solution: 1 inversion")


def test_the_summary_tells_how_much_is_here_and_how_it_ended() -> None:
    assert grown(tq.AStar()).summary == "13 nodes, solved in 4 moves"
    assert grown(tq.AStar(), 5).summary == "the first 5 nodes; the nodes after them are not drawn"
    assert grown(tq.AStar(), 1).summary == "the first 1 node; the nodes after them are not drawn"


def test_a_trace_without_its_beginning_still_gives_a_tree() -> None:
    *events, last = trace(EIGHT, FOUR_MOVES, tq.AStar())
    assert isinstance(last, tq.events.Finished)
    tree = search_tree([*events[4:], last], 100)
    assert tree.complete


def test_a_tree_needs_a_node() -> None:
    with pytest.raises(tq.errors.UnsuitableError, match="1 node or more, got 0"):
        search_tree([], 0)


def test_a_film_has_at_most_so_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_small_subtree_stands_midway_between_large_ones() -> None:
    #        0            1, 2 and 3 are its children; 1 and 3 have three children each
    places = tidy([None, 0, 0, 0, 1, 1, 1, 3, 3, 3])
    assert places[2] - places[1] == pytest.approx(places[3] - places[2])
    assert places[0] == pytest.approx(places[2])


def test_a_path_is_a_straight_line_however_deep() -> None:
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

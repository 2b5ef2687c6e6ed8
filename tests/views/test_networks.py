"""A search tree as a graph of NetworkX agrees with the events of the search."""

from __future__ import annotations

import pytest

import taquin as tq
from taquin.views import search_tree, to_networkx

networkx = pytest.importorskip("networkx", reason="the extra graphs is not installed")


def test_the_graph_is_the_tree_of_the_search() -> None:
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

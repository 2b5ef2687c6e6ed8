"""Searches of course libraries, written against their `problem`, run unchanged and are counted."""

from __future__ import annotations

from collections import deque
from heapq import heappop, heappush
from itertools import count
from typing import Any

import pytest

import taquin as tq
from taquin.classroom import Problem
from taquin.search.user_search import FunctionSearch

START = "8 1 3 / 4 0 2 / 7 6 5"


class Node:
    """A node as course libraries write it."""

    def __init__(self, state: Any, parent: Node | None = None, action: Any = None) -> None:
        self.state, self.parent, self.action = state, parent, action
        self.path_cost = 0.0


def breadth_first(problem: Any) -> Node | None:
    """Search as AIMA's breadth-first graph search does."""
    frontier, explored = deque([Node(problem.initial)]), set()
    while frontier:
        node = frontier.popleft()
        if problem.goal_test(node.state):
            return node
        explored.add(node.state)
        for action in problem.actions(node.state):
            child = Node(problem.result(node.state, action), node, action)
            if child.state not in explored and all(child.state != n.state for n in frontier):
                frontier.append(child)
    return None


def astar_search(problem: Any, h: Any = None) -> Node | None:
    """Search as AIMA's `astar_search` does."""
    h = h or problem.h
    order, best = count(), {problem.initial: 0.0}
    queue = [(h(Node(problem.initial)), next(order), Node(problem.initial))]
    while queue:
        node = heappop(queue)[2]
        if problem.goal_test(node.state):
            return node
        for action in problem.actions(node.state):
            child = Node(problem.result(node.state, action), node, action)
            child.path_cost = problem.path_cost(node.path_cost, node.state, action, child.state)
            if child.path_cost < best.get(child.state, 99):
                best[child.state] = child.path_cost
                heappush(queue, (child.path_cost + h(child), next(order), child))
    return None


def simpleai_astar(problem: Any) -> list[tuple[Any, Any]]:
    """Search with simpleai's names and return the pairs of its `path()`."""
    order = count()
    start = problem.initial_state
    queue = [(problem.heuristic(start), next(order), 0, start, [(None, start)])]
    best = {start: 0}
    while queue:
        _, _, cost, state, path = heappop(queue)
        if problem.is_goal(state):
            return path
        for action in problem.actions(state):
            after = problem.result(state, action)
            total = cost + problem.cost(state, action, after)
            if total < best.get(after, 99):
                best[after] = total
                pair = [*path, (action, after)]
                heappush(queue, (total + problem.heuristic(after), next(order), total, after, pair))
    return []


@pytest.mark.parametrize("search", [astar_search, simpleai_astar])
def test_the_search_of_a_course_library_is_run_and_counted(search: Any) -> None:
    result = tq.solve(START, algorithm=search)
    assert result.cost == 14
    assert result.stats.expanded
    assert result.stats.generated
    assert result.stats.generated > result.stats.expanded


def test_a_problem_counts_for_itself_in_a_notebook() -> None:
    problem = Problem("1 2 3 / 0 5 6 / 4 7 8")
    node = breadth_first(problem)
    actions = []
    while node is not None and node.action:
        actions.append(node.action)
        node = node.parent
    assert actions[::-1] == ["DOWN", "RIGHT", "RIGHT"]
    assert problem.generated > problem.expanded > 3


def test_the_counts_are_those_of_the_problem() -> None:
    problem = Problem(START)
    astar_search(problem)
    stats = tq.solve(START, algorithm=astar_search).stats
    assert (stats.expanded, stats.generated) == (problem.expanded, problem.generated)


def test_states_that_the_search_builds_itself_are_counted_too() -> None:
    def search(problem: Any) -> Any:
        state = tuple(label for label in problem.initial)
        assert type(state) is tuple
        return [problem.result(state, action) for action in problem.actions(state)][:1]

    result = tq.solve("1 2 3 / 4 5 6 / 7 0 8", algorithm=lambda problem: ["RIGHT"])
    assert result.cost == 1
    with pytest.raises(tq.TaquinError, match="not solved"):
        tq.solve("1 2 3 / 4 5 6 / 7 0 8", algorithm=search)


@pytest.mark.parametrize(("heuristic", "h"), [(None, 10), (tq.Misplaced(), 5)])
def test_the_heuristic_in_brackets_is_the_problems(heuristic: Any, h: int) -> None:
    seen = []

    def search(problem: Any) -> Any:
        seen.append(problem.h(problem.initial))
        return astar_search(problem)

    tq.solve(START, algorithm=FunctionSearch(search, heuristic))
    assert seen == [h]

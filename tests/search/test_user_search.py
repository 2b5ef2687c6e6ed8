"""A search as a student writes it: a function of a board or a problem, and its solution."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum
from functools import partial
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taquin as tq
from taquin import Outcome, classroom
from taquin.analysis.isolated import checked
from taquin.classroom import Problem
from taquin.errors import IllegalMoveError, UnsuitableError, UserCodeError
from taquin.events import Expanded, Finished
from taquin.lab.run.runner import run_study
from taquin.lab.study.definition import Study
from taquin.search import Count
from taquin.search.driver import Contest, Effort
from taquin.search.grammar import search_named
from taquin.search.user_search import FunctionSearch, read_position, solution_path
from tests.cli.runs import run

NEAR = "1 2 3 / 4 0 5 / 7 8 6"
FAR = "8 1 3 / 4 0 2 / 7 6 5"
CODE = """
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
import taquin as tq

def astar(board, h, weight=1):
    order = count()
    frontier = [(h(board), next(order), board, ())]
    best = {board: 0}
    while frontier:
        _, _, board, moves = heappop(frontier)
        if board.is_goal():
            return moves
        for move in board.moves():
            child, path = board.apply(move), (*moves, move)
            if len(path) < best.get(child, 99):
                best[child] = len(path)
                heappush(frontier, (len(path) + weight * h(child), next(order), child, path))

def shown(board):
    queue, seen = [board], {board}
    for board in queue:
        yield board
        if board.is_goal():
            return
        for move in board.moves():
            child = board.apply(move)
            if child not in seen:
                seen.add(child)
                queue.append(child)

def forever(board):
    while True:
        try:
            board.apply(board.moves()[0])
        except Exception:
            pass

def slip(board):
    return board.apply("DD")

@dataclass(frozen=True)
class Weighted(tq.AStar):
    bonus: int = 0

def mixed(board, h, factor=1):
    return factor * h(board)
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    file = tmp_path / "mine.py"
    file.write_text(CODE)
    return str(file)


def test_a_function_is_counted_and_checked_wherever_a_search_is_named(own: str) -> None:
    ours = tq.solve(FAR, algorithm="astar(manhattan, ties=fifo)")
    name = f"{own}:astar(manhattan)"
    result = tq.solve(FAR, algorithm=name)
    assert str(result.algorithm) == name
    assert (result.cost, result.lower_bound, result.optimal) == (14, 10, False)
    assert checked(result).optimal
    assert result.stats.expanded == ours.stats.expanded == 76
    assert (result.stats.generated, result.stats.dequeued) == (206, None)
    assert result.stats.cpu_seconds > 0
    for words in (
        ("solve", FAR, "-a", f"{own}:astar", "-H", "manhattan"),
        ("compare", FAR, "-a", name, "-a", "bfs"),
        ("trace", NEAR, "-a", name),
        ("tree", NEAR, "-a", f"{own}:shown"),
    ):
        assert run(*words).exit_code == 0, words


def _returning(answer: Any, board: tq.Board) -> Any:
    return answer(board) if callable(answer) else answer


@pytest.mark.parametrize(
    "answer",
    [
        "left up",
        [tq.Direction.LEFT, "up"],
        lambda board: board.apply("LU"),
        lambda board: [board.apply("L"), board.apply("LU")],
        lambda board: [board, tq.Board(board.grid, board.apply("L").cells), board.apply("LU")],
        lambda board: iter([board.moves()[2], tq.Move((6,), tq.Direction.UP)]),
    ],
)
def test_a_solution_in_any_form_is_replayed(answer: Any) -> None:
    result = tq.solve(NEAR, algorithm=partial(_returning, answer))
    assert (result.cost, result.optimal) == (2, True)


def test_a_detour_is_told_in_moves() -> None:
    result = tq.solve(NEAR, algorithm=lambda board: "RLLU")
    assert (result.cost, result.lower_bound, result.optimal) == (4, 2, False)
    said = "Solved in 4 moves; 2 moves longer than the optimum of 2."
    assert str(checked(result)).startswith(said)


def test_limits_end_a_function_inside_its_calls(own: str) -> None:
    for limits, limit in (
        (tq.Limits(nodes=100), "nodes"),
        (tq.Limits(nodes=100, counting=Count.EXPANDED), "nodes"),
        (tq.Limits(seconds=0.1), "seconds"),
    ):
        result = tq.solve(FAR, algorithm=f"{own}:forever", limits=limits, engine="glass")
        assert result.limit is not None
        assert result.limit.value == limit
        if limit == "nodes":
            assert getattr(result.stats, limits.counting.value) == 100
    stopped = tq.solve(FAR, algorithm=f"{own}:forever", stop=lambda: True)
    assert stopped.outcome is Outcome.STOPPED
    with pytest.raises(UnsuitableError, match="limit the nodes expanded or generated"):
        tq.solve(FAR, algorithm=f"{own}:shown", limits=tq.Limits(9, counting=Count.DEQUEUED))


def test_a_generator_is_watched_as_it_expands(own: str) -> None:
    search = search_named(f"{own}:shown")
    *events, last = tq.trace(FAR, algorithm=search, limits=tq.Limits(nodes=200))
    expanded = [event.node for event in events if isinstance(event, Expanded)]
    assert [node.depth for node in expanded] == sorted(node.depth for node in expanded)
    assert isinstance(last, Finished)
    assert last.result.stats.expanded == len(expanded)
    puzzle, start = tq.Puzzle(tq.Goal.blank_last(3, 3)), tq.Board(NEAR)
    contest = Contest(puzzle, start, [search, tq.BreadthFirst()], tq.Limits(), Effort.EXPANSIONS)
    contest.advance(3, 60)
    assert [runner.expanded for runner in contest.contestants] == [3, 3]
    contest.advance(100, 60)
    assert all(runner.is_solved for runner in contest.contestants)


def _yielding(board: tq.Board, order: str) -> Any:
    """Yield the start twice, as its tuple or as itself, before or after its moves."""
    for _ in range(2):
        if order == "moves, yield":
            board.moves()
        yield tuple(board.cells) if order == "tuple" else board
        if order == "yield, moves":
            board.moves()
    child = board.apply("L")
    yield tuple(child.cells) if order == "tuple" else child
    return "LU"


@pytest.mark.parametrize("order", ["tuple", "yield", "yield, moves", "moves, yield"])
@pytest.mark.parametrize("watched", [False, True])
def test_each_yield_counts_unless_it_is_of_a_board_that_got_its_moves(
    order: str, watched: bool
) -> None:
    search = FunctionSearch(partial(_yielding, order=order))
    if watched:
        *events, last = tq.trace(NEAR, algorithm=search)
        assert isinstance(last, Finished)
        assert sum(isinstance(event, Expanded) for event in events) == 3
        result = last.result
    else:
        result = tq.solve(NEAR, algorithm=search)
    assert (result.stats.expanded, result.cost) == (3, 2)


@pytest.mark.parametrize("wrong", [(1, 2, 3), (1,) * 9, "nonsense", 7])
def test_what_is_no_position_cannot_be_yielded(wrong: object) -> None:
    def search(board: tq.Board) -> Any:
        yield wrong
        return "LU"

    with pytest.raises(UnsuitableError, match="must yield the positions that it expands, found"):
        tq.solve(NEAR, algorithm=search)


def test_a_plain_function_is_watched_after_it_has_ended(own: str) -> None:
    ours, theirs = (
        [
            (event.node.board.text(), event.node.h)
            for event in tq.trace(FAR, algorithm=name)
            if isinstance(event, Expanded)
        ]
        for name in ("astar(manhattan, ties=fifo)", f"{own}:astar(manhattan)")
    )
    assert len(ours) == len(theirs) == 76
    assert theirs[0] == ours[0] == (FAR, 10)


def test_user_code_takes_options(own: str) -> None:
    for text in (
        f"{own}:astar(manhattan, weight=3)",
        f"{own}:Weighted(linear-conflict, weight=2, bonus=1)",
        f"astar({own}:mixed(manhattan, factor=3))",
        f"astar({own}:mixed(max(h1, h2)))",
    ):
        search = search_named(text)
        assert search_named(str(search)) == search
        assert str(search) == text.replace("h1, h2", "misplaced, manhattan")
        assert tq.solve(FAR, algorithm=search).stats.expanded
    assert tq.solve(FAR, algorithm="wastar(weight=3)").stats.expanded == (
        tq.solve(FAR, algorithm=f"astar({own}:mixed(manhattan, factor=3))").stats.expanded
    )
    for text, said in (
        ("astar", "missing a required argument: 'h'"),
        ("astar(h1, depth=3)", "unexpected keyword argument 'depth'"),
        ("Weighted(depth=3)", "unexpected keyword argument 'depth'"),
    ):
        with pytest.raises(UserCodeError, match=said):
            tq.solve(FAR, algorithm=f"{own}:{text}")


def test_a_study_runs_functions_and_lists_of_their_options(own: str, tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(
        'name = "mine"\n[[boards]]\nstart = "1 2 / 0 3"\n[[searches]]\n'
        'algorithm = "mine.py:astar"\nheuristic = ["manhattan", "misplaced"]\nweight = [1, 2]\n'
    )
    study = tq.lab.read_study(tmp_path / "study.toml")
    assert [str(search.algorithm) for search in study.searches] == [
        f"mine.py:astar({heuristic}, weight={weight})"
        for heuristic in ("manhattan", "misplaced")
        for weight in (1, 2)
    ]
    by_hand = Study.of("by-hand", ["1 2 / 0 3"], {"mine": lambda board: "L"})
    records = run_study(by_hand, tmp_path / "records", processes=0)
    # The function makes no call that is counted.
    assert [(record.cost, record.stats.generated) for record in records] == [(1, None)]


def test_an_illegal_move_inside_a_function_is_told_with_its_line(own: str) -> None:
    with pytest.raises(UserCodeError, match=r"mine\.py, line 41: IllegalMoveError: move 2"):
        tq.solve(FAR, algorithm=f"{own}:slip")
    with pytest.raises(IllegalMoveError):
        tq.solve(FAR, algorithm=lambda board: board.apply("DD"))


def test_the_boards_of_a_search_are_boards() -> None:
    def look(board: Any) -> str:
        from copy import copy, deepcopy

        plain = tq.Board(NEAR)
        assert board == plain
        assert plain == board
        assert hash(board) == hash(plain)
        assert {plain: 1}[board] == 1
        assert deepcopy(board) is copy(board) is board
        assert (board.depth, board.apply("L").parent) == (0, board)
        assert board.goal == tq.Goal.blank_last(3, 3)
        return "LU"

    assert tq.solve(NEAR, algorithm=look).cost == 2
    assert tq.solve(NEAR, algorithm=look, metric="multi").cost == 2


START = tq.Board("1 2 3 / 0 5 6 / 4 7 8")
PUZZLE = tq.Puzzle(tq.Goal.blank_last(3, 3))
PATH = [START, *tq.solve(START).boards()[1:]]
"""Three moves: up, left, left of the tiles 4, 7, 8."""


class Way(Enum):
    UP = 1
    DOWN = 2
    LEFT = 3
    RIGHT = 4


@dataclass
class Node:
    """A node as course libraries write it."""

    state: Any
    parent: Node | None = None
    action: Any = None
    path_cost: float = 0.0


def chained(states: list[Any]) -> Node:
    node = Node(states[0])
    for state in states[1:]:
        node = Node(state, node)
    return node


FLAT = [board.cells for board in PATH]
FORMS: dict[str, Any] = {
    "letters": "ULL",
    "names": ["up", "left", "left"],
    "names in capitals": ["UP", "LEFT", "LEFT"],
    "tiles": [4, 7, 8],
    "moves": tq.solve(START).moves,
    "moves of the blank": ["DOWN", "RIGHT", "RIGHT"],
    "letters of the blank": "drr",
    "an enum": [Way.UP, Way.LEFT, Way.LEFT],
    "an enum of the blank": [Way.DOWN, Way.RIGHT, Way.RIGHT],
    "steps of the blank": [(1, 0), (0, 1), (0, 1)],
    "arrows": "↑←←",
    "boards": PATH,
    "boards without the start": PATH[1:],
    "tuples": FLAT,
    "tuples without the start": FLAT[1:],
    "nested lists": [[list(row) for row in board.rows()] for board in PATH],
    "texts": ["".join(map(str, cells)) for cells in FLAT],
    "texts with spaces": [" ".join(map(str, cells)) for cells in FLAT],
    "texts with names for the blank": [
        "".join(map(str, cells)).replace("0", "_") for cells in FLAT
    ],
    "arrays": [np.array(board.rows()) for board in PATH],
    "one array": np.array(FLAT),
    "None for the blank": [tuple(label or None for label in cells) for cells in FLAT],
    "nine for the blank": [tuple(label or 9 for label in cells) for cells in FLAT],
    "a path and its cost": (FLAT, 3),
    "letters and their cost": ("ULL", 3),
    "a path, its cost and a count": (FLAT, 3.0, 17),
    "a cost and its letters": (3, "ULL"),
    "a path and the boards seen": (FLAT, set(FLAT)),
    "a dictionary": {"path": FLAT, "cost": 3, "expanded": 5},
    "texts of simpleai's example": [
        "\n".join("-".join(str(label or "e") for label in row) for row in board.rows())
        for board in PATH
    ],
    "pairs of simpleai's path": [
        (action, " ".join(map(str, cells)).replace("0", "e"))
        for action, cells in zip([None, "4", "7", "8"], FLAT, strict=True)
    ],
    "tiles as texts": ["4", "7", "8"],
    "sentences": ["Move 0 down", "Move 0 right", "Move 0 right"],
    "names with underscores": ["move_up", "move_left", "move_left"],
    "a node": chained(FLAT),
    "a node and its cost": (chained(FLAT), 3),
    "nodes": [Node(state) for state in FLAT],
    "pairs of action and state": [(None, FLAT[0]), *zip("ULL", FLAT[1:], strict=True)],
    "triples of a successor function": [
        (state, way, 1) for way, state in zip("ULL", FLAT[1:], strict=True)
    ],
    "actions after None": [None, "DOWN", "RIGHT", "RIGHT"],
    "an iterator": iter(FLAT),
    "a deque": deque(FLAT),
    "the assignment's boards": [classroom.Board(board.rows()) for board in PATH],
}


EDITED = """
from dataclasses import dataclass
import taquin as tq

def vandal(board):
    with open(__file__, "w") as file:
        file.write("def broken(")
    queue = [board]
    for board in queue:
        if board.is_goal():
            return board
        yield board
        queue.extend(board.apply(move) for move in board.moves())

def estimate(board):
    with open(__file__, "w") as file:
        file.write("def broken(")
    return 0

@dataclass(frozen=True)
class Loop(tq.BreadthFirst):
    def loop(self, run):
        estimate(None)
        return super().loop(run)
"""


@pytest.mark.parametrize("search", ["{}:vandal", "{}:Loop", "astar({}:estimate)"])
def test_an_edit_while_a_search_runs_does_not_affect_it(tmp_path: Path, search: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(EDITED)
    result = tq.solve(NEAR, algorithm=search.format(file))
    assert file.read_text() == "def broken("
    assert result.cost == 2
    # What it ran says how it ran.
    algorithm: Any = result.algorithm
    assert algorithm.optimal is (search == "{}:Loop" or search.startswith("astar"))
    with pytest.raises(UserCodeError, match="line 1: SyntaxError"):
        tq.solve(NEAR, algorithm=search.format(file))


@pytest.mark.parametrize("form", FORMS)
def test_a_solution_is_read_in_any_form(form: str) -> None:
    assert solution_path(FORMS[form], START, PUZZLE, "search") == PATH


def start_to_goal(start: Any, goal: Any) -> Any:
    """Search breadth-first from a start to a goal, as two parameters."""
    paths = {start: [start]}
    queue = deque([start])
    while queue:
        board = queue.popleft()
        if board == goal:
            return paths[board]
        for move in board.moves():
            child = board.apply(move)
            if child not in paths:
                paths[child] = [*paths[board], child]
                queue.append(child)
    return None


@pytest.mark.parametrize("goal", ["blank-last", "2 0 3 / 1 5 6 / 4 7 8"])
def test_a_search_from_a_start_to_a_goal_gets_the_goal_and_so_does_its_problem(goal: str) -> None:
    result = tq.solve(START, goal, algorithm=start_to_goal)
    assert result.cost == tq.solve(START, goal).cost
    assert result.stats.generated
    goals = []

    def search(board: Any) -> Any:
        goals.append(classroom.Problem(board).goal)
        return start_to_goal(board, tq.Board(board.goal.grid, board.goal.cells))

    assert tq.solve(START, goal, algorithm=search).cost == result.cost
    assert goals == [result.puzzle.goal.cells]


ENDLESS = Node(FLAT[-1])
ENDLESS.parent = ENDLESS
WRONG: dict[str, tuple[Any, str]] = {
    "nothing": (None, r"is a return statement missing\?"),
    "a number": (3, "expected moves, letters or boards"),
    "a board": (PATH[-1], "expected moves"),
    "a list of the goal": ([PATH[-1]], "move 1 .* not one move away"),
    "the goal alone": (FLAT[-1], "found a single position: return the moves to it"),
    "the goal alone as a text": ("123456780", "found a single position"),
    "a reversed path": (FLAT[::-1], "reverse the list"),
    "a jump": ([FLAT[0], FLAT[2]], "move 1 leads to a board that is not one move away"),
    "too short": (FLAT[:2], "after 1 move the board is not solved"),
    "an illegal move": (["up", "up", "left"], "move 2: no tile can slide up"),
    "a tile far away": ([4, 1], "move 2: no tile beside the blank has 1"),
    "an endless chain of parents": (ENDLESS, "parents"),
    "a word": (["up", "jump"], "expected moves"),
}


@pytest.mark.parametrize("form", WRONG)
def test_a_wrong_solution_is_explained_with_its_first_wrong_move(form: str) -> None:
    answer, reason = WRONG[form]
    with pytest.raises(UserCodeError, match=f"(?s)_returning.*{reason}") as raised:
        tq.solve(START, algorithm=partial(_returning, answer))
    assert "move 1: move 1" not in str(raised.value)


@pytest.mark.parametrize(
    "value", ["12", "1234567800", (1, 2), None, 5, [[1, 2], [3, 0]], "123456788"]
)
def test_other_values_are_no_positions(value: object) -> None:
    assert read_position(value, START) is None


def test_large_boards_are_read_too() -> None:
    board = tq.Board("1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 0 15")
    rows = board.rows()
    texts = [" ".join(map(str, row)) for row in rows]
    for reading in (board.cells, " ".join(texts), list(map(list, rows)), np.array(rows), texts):
        assert read_position(reading, board) == board


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
    result = tq.solve(FAR, algorithm=search)
    assert result.cost == 14
    assert (result.stats.generated or 0) > (result.stats.expanded or 0) > 0


def test_states_that_the_search_builds_itself_are_taken_too() -> None:
    def search(problem: Any) -> Any:
        state = tuple(label for label in problem.initial)
        assert type(state) is tuple
        return [problem.result(state, action) for action in problem.actions(state)][:1]

    start = "1 2 3 / 4 5 6 / 7 0 8"
    assert tq.solve(start, algorithm=lambda problem: ["RIGHT"]).cost == 1
    with pytest.raises(tq.TaquinError, match="not solved"):
        tq.solve(start, algorithm=search)


def test_a_problem_counts_in_a_notebook_as_it_does_in_a_search() -> None:
    problem = Problem("1 2 3 / 0 5 6 / 4 7 8")
    node = astar_search(problem)
    actions = []
    while node is not None and node.action:
        actions.append(node.action)
        node = node.parent
    assert actions[::-1] == ["DOWN", "RIGHT", "RIGHT"]
    assert problem.generated > problem.expanded >= 3
    stats = tq.solve(problem.initial, algorithm=astar_search).stats
    assert (stats.expanded, stats.generated) == (problem.expanded, problem.generated)


@pytest.mark.parametrize(("heuristic", "h"), [(None, 10), (tq.Misplaced(), 5)])
def test_the_heuristic_in_brackets_is_the_problems(heuristic: Any, h: int) -> None:
    seen = []

    def search(problem: Any) -> Any:
        seen.append(problem.h(problem.initial))
        return astar_search(problem)

    tq.solve(FAR, algorithm=FunctionSearch(search, heuristic))
    assert seen == [h]

"""Planning tasks: a planner that knows nothing of tiles finds the optimal length."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

import taquin as tq
from taquin.views import DOMAIN, to_pddl, to_sas
from tests.cli.runs import run

CASES = [
    ("3 2 / 1 0", "1 2 / 3 0"),
    ("4 5 0 / 1 2 3", "1 2 3 / 4 5 0"),
    ("A . . / B # @", "* * A / * # B"),
    ("2 A a / A 1 0", "A a 1 / 2 A 0"),
    ("1 / 0 / 2", "1 / 2 / 0"),
]


def read_sas(text: str) -> tuple[tuple[int, ...], dict[int, int], list[Any]]:
    """Return the first state, the goal and the operators of a SAS+ task, read line by line."""
    lines = iter(text.splitlines())

    def expect(*expected: str) -> None:
        for line in expected:
            assert next(lines) == line

    expect("begin_version", "3", "end_version", "begin_metric", "0", "end_metric")
    sizes = []
    for number in range(int(next(lines))):
        expect("begin_variable", f"var{number}", "-1")
        sizes.append(int(next(lines)))
        assert len({next(lines) for _ in range(sizes[-1])}) == sizes[-1]
        expect("end_variable")
    expect("0", "begin_state")
    state = tuple(int(next(lines)) for _ in sizes)
    assert all(value < size for value, size in zip(state, sizes, strict=True))
    expect("end_state", "begin_goal")
    pairs = [next(lines).split() for _ in range(int(next(lines)))]
    goal = {int(variable): int(value) for variable, value in pairs}
    expect("end_goal")
    operators = []
    for _ in range(int(next(lines))):
        expect("begin_operator")
        name = next(lines)
        expect("0")
        effects = [tuple(map(int, next(lines).split())) for _ in range(int(next(lines)))]
        assert all(len(effect) == 4 and effect[0] == 0 for effect in effects)
        operators.append((name, [effect[1:] for effect in effects]))
        expect("1", "end_operator")
    expect("0")
    assert next(lines, None) is None
    return state, goal, operators


def shortest_plan(start: Any, is_goal: Any, successors: Any) -> int | None:
    """Return the length of a shortest plan, level by level."""
    level, seen, depth = [start], {start}, 0
    while level:
        if any(map(is_goal, level)):
            return depth
        found = {child for state in level for child in successors(state)} - seen
        seen |= found
        level, depth = list(found), depth + 1
    return None


@pytest.mark.parametrize(("start", "goal"), CASES)
def test_the_sas_task_has_the_optimal_length(start: str, goal: str) -> None:
    first, wanted, operators = read_sas(to_sas(tq.Puzzle(tq.Goal(goal)), start))

    def successors(state: tuple[int, ...]) -> list[tuple[int, ...]]:
        children = []
        for _, effects in operators:
            if all(state[variable] == before for variable, before, _ in effects):
                child = list(state)
                for variable, _, after in effects:
                    child[variable] = after
                children.append(tuple(child))
        return children

    length = shortest_plan(
        first, lambda state: all(state[key] == value for key, value in wanted.items()), successors
    )
    assert length == tq.moves_left(start, goal)


@pytest.mark.parametrize(("start", "goal"), CASES)
def test_the_pddl_task_has_the_optimal_length(start: str, goal: str) -> None:
    pytest.importorskip("pddl", reason="the parser of PDDL is not installed")
    from pddl.logic.base import And, Not
    from pddl.parser.domain import DomainParser
    from pddl.parser.problem import ProblemParser

    domain = DomainParser()(DOMAIN)
    problem = ProblemParser()(to_pddl(tq.Puzzle(tq.Goal(goal)), start))
    assert problem.domain_name == domain.name

    def parts(formula: Any) -> list[Any]:
        return list(formula.operands) if isinstance(formula, And) else [formula]

    def fact(atom: Any, names: dict[str, str]) -> tuple[str, ...]:
        return (atom.name, *(names.get(term.name, term.name) for term in atom.terms))

    (action,) = domain.actions
    static = {fact(atom, {}) for atom in problem.init if atom.name == "beside"}
    grounded = []
    objects = [
        [each.name for each in problem.objects if each.type_tags == parameter.type_tags]
        for parameter in action.parameters
    ]
    for values in product(*objects):
        names = {one.name: value for one, value in zip(action.parameters, values, strict=True)}
        needs = {fact(atom, names) for atom in parts(action.precondition)}
        effects = parts(action.effect)
        adds = {fact(atom, names) for atom in effects if not isinstance(atom, Not)}
        deletes = {fact(atom.argument, names) for atom in effects if isinstance(atom, Not)}
        if all(each in static for each in needs if each[0] == "beside"):
            grounded.append((needs - static, adds, deletes))
    wanted = {fact(atom, {}) for atom in parts(problem.goal)}
    length = shortest_plan(
        frozenset(fact(atom, {}) for atom in problem.init) - static,
        lambda state: wanted <= state,
        lambda state: [
            frozenset(state - deletes | adds) for needs, adds, deletes in grounded if needs <= state
        ],
    )
    assert length == tq.moves_left(start, goal)


def test_tasks_too_large_or_with_long_slides_are_refused() -> None:
    board = tq.Board(tq.Grid(30, 30), (*range(1, 900), 0))
    with pytest.raises(tq.errors.UnsuitableError, match="at most 1,000,000 operators"):
        to_sas(tq.Puzzle(tq.Goal(board)), board)
    with pytest.raises(tq.errors.UnsuitableError, match="one tile at a time"):
        to_pddl(tq.Puzzle(tq.Goal("1 2 / 3 0"), tq.Metric.MULTI), "1 2 / 0 3")


def test_export_writes_three_files(tmp_path: Path) -> None:
    folder = tmp_path / "task"
    done = run("export", "1 2 / 0 3", "-o", str(folder))
    assert done.exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == [
        "domain.pddl",
        "output.sas",
        "problem.pddl",
    ]
    assert (folder / "domain.pddl").read_text() == DOMAIN
    assert "(holds cell-2-2 tile-3)" in (folder / "problem.pddl").read_text()

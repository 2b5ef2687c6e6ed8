"""Pattern databases as a heuristic: against their naive twin and exhaustive truth."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from taquin import Board, Grid, Manhattan, Maximum, Metric, Patterns, audit, random_board
from taquin.errors import UnsuitableError
from taquin.heuristics import Sum
from taquin.heuristics.base import Heuristic, evaluator_for, prepare
from taquin.heuristics.user_code import UserCode, UserHeuristic
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.space import Space
from taquin.search.grammar import heuristic_named
from taquin.tables.patterns import table_set
from taquin.tables.shape import Shape
from tests import naive

distances_of = cache(naive.pattern_distances)


def twin(goal: Goal, groups: list[list[int]], cells: tuple[int, ...]) -> int:
    """Return the sum over the groups, and the Manhattan distance of all other tiles."""
    rows, columns = goal.grid.rows, goal.grid.columns
    blank = goal.cells.index(0)
    total = 0
    for group in groups:
        homes = tuple(map(goal.cells.index, group))
        total += distances_of(rows, columns, homes, blank)[tuple(map(cells.index, group))]
    rest = {label for label in cells if label} - {label for group in groups for label in group}
    return total + sum(
        naive.distance(cells.index(label), goal.cells.index(label), columns) for label in rest
    )


GROUPS = [
    (Goal.blank_last(2, 3), [[1, 2], [3, 4, 5]]),
    (Goal.blank_first(2, 3), [[5, 1, 3]]),
    (Goal.blank_first(3, 3), [[1, 2, 4], [3, 6], [5, 7, 8]]),
    (Goal.blank_last(3, 3), [[8, 7, 6, 5], [1]]),
    (Goal.snail(3, 3), [[1, 2, 3, 4, 5, 6, 7, 8]]),
    (Goal.blank_last(4, 4), [[1, 6, 11]]),
]


def solved(goal: Goal) -> Space:
    return Space(Puzzle(goal), Board(goal.grid, goal.cells))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("goal", "groups"), GROUPS)
def test_values_are_those_of_the_naive_twin(goal: Goal, groups: list[list[int]]) -> None:
    space, rng = solved(goal), random.Random(1)
    evaluator = Patterns(groups).bind(space)
    assert evaluator.value(space.start) == 0
    plain = tuple(int(label) for label in goal.cells)
    for _ in range(60):
        cells = naive.random_board(goal.grid.rows, goal.grid.columns, plain, rng)
        state = space.encode(Board(goal.grid, cells))
        assert evaluator.value(state) == twin(goal, groups, cells)


@pytest.mark.slow
@pytest.mark.parametrize("blank", [8, 4])
def test_a_named_set_takes_the_best_of_its_partitions(blank: int) -> None:
    cells, rng = (*range(1, blank + 1), 0, *range(blank + 1, 9)), random.Random(blank)
    goal = Goal(Grid(3, 3), cells)
    evaluator = Patterns().bind(solved(goal))
    for _ in range(6):
        board = naive.random_board(3, 3, cells, rng)
        assert evaluator.value(solved(goal).encode(Board(goal.grid, board))) == max(
            twin(goal, [[cells[cell] for cell in pattern] for pattern in partition], board)
            for partition in table_set(Shape(3, 3, blank), "small")
        )


@pytest.mark.slow
def test_an_audit_of_all_181440_boards_finds_it_admissible_and_not_consistent() -> None:
    found = audit(Patterns(), Puzzle(Goal.blank_last(3, 3)))
    assert found.boards == 181_440
    assert found.admissible
    assert not found.consistent
    assert found.strength > 0.9


def test_named_tiles_count_like_numbered_ones() -> None:
    numbered, named = Goal.blank_last(3, 3), Goal.parse("A B C / D E F / G H _")
    names = dict(zip(numbered.cells, named.cells, strict=True))
    one, other = solved(numbered), solved(named)
    by_number = Patterns([[1, 2, 4], [5, 6, 8]]).bind(one)
    by_name = Patterns([["A", "B", "D"], ["E", "F", "H"]]).bind(other)
    for number in range(1, 51):
        board = random_board(numbered, 3, number=number)
        letters = Board(named.grid, tuple(names[label] for label in board.cells))
        assert by_number.value(one.encode(board)) == by_name.value(other.encode(letters))


def test_it_is_a_value_that_prints_itself_and_reads_back() -> None:
    groups = Patterns([[1, 2, 5, 6], [3, 4, 7, "A"]])
    assert groups.tiles == ((1, 2, 5, 6), (3, 4, 7, "A"))
    assert str(groups) == groups.name == "patterns([1 2 5 6], [3 4 7 A])"
    assert repr(groups) == "Patterns([[1, 2, 5, 6], [3, 4, 7, 'A']])"
    assert (str(Patterns()), repr(Patterns())) == ("patterns(small)", "Patterns('small')")
    assert hash(groups) == hash(Patterns(((1, 2, 5, 6), (3, 4, 7, "A"))))
    for heuristic in (groups, Patterns(), Patterns("large")):
        assert heuristic_named(heuristic.name) == heuristic
    assert heuristic_named("max(manhattan, Patterns([1 2],[3]))") == Maximum(
        Manhattan(), Patterns([[1, 2], [3]])
    )


@pytest.mark.parametrize(
    ("tiles", "message"),
    [
        ("huge", "small, medium, large, a picture or groups of tiles, found huge"),
        ([], "at least one tile"),
        ([[1], []], "at least one tile"),
        ([[1, 2], [2, 3]], "at most once"),
        ([[0, 1]], "never the blank"),
        ([list(range(1, 10))], "at most 8 tiles"),
    ],
)
def test_groups_that_are_none_are_refused(tiles: str | list[list[int]], message: str) -> None:
    with pytest.raises(UnsuitableError, match=message):
        Patterns(tiles)


@pytest.mark.parametrize(
    "goal",
    ["1 2 # / 3 _ 4", "1 2 3 _ /", "1 1 2 / 3 4 _", "* 1 / 2 3", Goal.blank_last(5, 6).text()],
)
def test_puzzles_that_are_not_classic_are_refused(goal: str) -> None:
    wanted = Goal.parse(goal)
    start = Board.parse(goal.replace("*", "_"))
    with pytest.raises(UnsuitableError, match="classic puzzle"):
        Patterns().bind(Space(Puzzle(wanted), start))


@pytest.mark.parametrize(
    ("size", "group", "message"),
    [
        ((3, 3), [1, 9], "found 9 that is not in"),
        ((4, 5), [1, 2, 3, 4, 5, 6, 7], "at most 6 tiles"),
    ],
)
def test_groups_that_do_not_fit_the_puzzle_are_refused(
    size: tuple[int, int], group: list[int], message: str
) -> None:
    with pytest.raises(UnsuitableError, match=message):
        Patterns([group]).bind(solved(Goal.blank_last(*size)))


@pytest.mark.parametrize("is_own", [False, True])
@pytest.mark.parametrize("metric", Metric)
def test_preparing_reports_the_building_and_can_be_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, metric: Metric, is_own: bool
) -> None:
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path))
    file = tmp_path / "mine.py"
    file.write_text("import taquin as tq\nmine = tq.Patterns([[1, 2, 3]])\n")
    space = Space(Puzzle(Goal.blank_last(3, 3), metric), Board.parse("8 6 7 / 2 5 4 / 3 0 1"))
    own = UserHeuristic(UserCode(str(file), "mine"))
    patterns: Heuristic = own if is_own else Patterns([[1, 2, 3]])
    heuristic = Sum(Manhattan(), Maximum(patterns))
    seen: list[tuple[str, int, int]] = []

    def enough(name: str, done: int, total: int) -> None:
        raise InterruptedError(name)

    with pytest.raises(InterruptedError, match="3x3"):
        prepare(heuristic, space, enough)
    prepare(heuristic, space, lambda *report: seen.append(report))
    assert [report[0] for report in seen] == [seen[0][0]] * len(seen)
    assert seen[-1][1] == seen[-1][2] == 9 * 8 * 7
    seen.clear()
    prepare(heuristic, space, lambda *report: seen.append(report))
    assert seen == []
    # A heuristic of one's own is divided by the longest slide like any other.
    expected = evaluator_for(Patterns([[1, 2, 3]]), space).value(space.start)
    assert evaluator_for(patterns, space).value(space.start) == expected

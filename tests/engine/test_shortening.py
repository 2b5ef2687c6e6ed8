"""Solutions made shorter: the same boards at both ends, and what each rotation costs and does."""

from __future__ import annotations

import pytest

import taquin as tq
from taquin.engine.anytime.beam import CpuBeam
from taquin.engine.anytime.puzzle_arrays import follow, without_returns
from taquin.engine.anytime.shortening import (
    begin,
    find_chain,
    insert_chain,
    list_rotations,
    shortened,
)
from tests.engine.anytime import is_solved, random_puzzle, random_way
from tests.truth import distances

SHAPES = [(2, 3, 40), (2, 5, 60), (4, 3, 60), (5, 5, 120)]


@pytest.mark.parametrize(("rows", "columns", "length"), SHAPES)
def test_rotations_cost_and_do_what_inserting_them_shows(
    rows: int, columns: int, length: int
) -> None:
    puzzle = random_puzzle(rows, columns, 1)
    moves = random_way(puzzle, length, 2)
    work, rotations, _ = begin(puzzle, puzzle.start, moves, 1)
    count = list_rotations(work, length, puzzle.near, rotations)
    assert count >= length
    target = follow(puzzle.start, moves, puzzle.near)
    costs = set()
    for number in range(count):
        time, block = rotations.times[number], rotations.blocks[number]
        upright, level = 3 * (block >> 1), 1 + (block & 1)
        for way, (one, two) in enumerate(((upright, level), (level, upright))):
            around = bytes((one, two, 3 - one, 3 - two))
            rotated = without_returns(moves[:time] + around + moves[time:])
            cost = rotations.costs[number, way]
            if time and moves[time - 1] + one == 3:
                assert cost > 4
            else:
                # Where all of it is taken back, moves before and after may cancel as well.
                longer = len(rotated) - length
                assert longer == cost if cost > -4 else longer <= cost
                costs.add(cost)
            board = follow(puzzle.start, rotated, puzzle.near)
            for pair in range(3):
                before = divmod(rotations.pairs[3 * number + pair], puzzle.size)
                after = divmod(rotations.pairs[3 * number + (pair + 1 + way) % 3], puzzle.size)
                swaps = [dict([each, each[::-1]]) for each in (after, before)]
                expected = target
                for swap in swaps:
                    expected = [swap.get(tile, tile) for tile in expected]
                assert board == expected
    assert {4, 2, 0} <= costs


@pytest.mark.parametrize(("rows", "columns", "length"), SHAPES)
def test_entries_with_the_same_pair_are_linked_in_the_order_of_time(
    rows: int, columns: int, length: int
) -> None:
    puzzle = random_puzzle(rows, columns, 3)
    work, rotations, _ = begin(puzzle, puzzle.start, random_way(puzzle, length, 4), 1)
    count = list_rotations(work, length, puzzle.near, rotations)
    entries: dict[int, list[int]] = {}
    for entry in range(3 * count):
        entries.setdefault(rotations.pairs[entry], []).append(entry)
    for same in entries.values():
        assert [rotations.links[entry, 1] for entry in same] == [*same[1:], -1]
        assert [rotations.links[entry, 0] for entry in same] == [-1, *same[:-1]]
    assert set(work.last) == {-1}


@pytest.mark.parametrize(("rows", "columns", "length"), SHAPES)
def test_chains_cost_nothing_and_leave_all_tiles_where_they_were(
    rows: int, columns: int, length: int
) -> None:
    puzzle = random_puzzle(rows, columns, 5)
    moves = random_way(puzzle, length, 6)
    work, rotations, labels = begin(puzzle, puzzle.start, moves, 7)
    count = list_rotations(work, length, puzzle.near, rotations)
    target = follow(puzzle.start, moves, puzzle.near)
    found = 0
    for first in range(2 * count):
        if rotations.costs[first >> 1, first & 1] > 0:
            continue
        links = find_chain(rotations, labels, work.last, work.chance, first)
        assert set(work.last) == {-1}
        assert set(labels.costs) == {100}
        if links:
            cost = sum(rotations.costs[each >> 1, each & 1] for each in labels.chain[:links])
            others = insert_chain(work, length, rotations, labels.chain, links)
            assert others <= length + cost <= length
            other = work.other[:others].tobytes()
            assert without_returns(other) == other
            assert follow(puzzle.start, other, puzzle.near) == target
            found += other != moves
    assert found > 0


def test_a_solution_gets_shorter_and_shorter_and_leads_to_the_same_board() -> None:
    puzzle = random_puzzle(12, 12, 1)
    moves = CpuBeam(75, puzzle.size).search(puzzle, puzzle.start, lambda: True).moves
    target = follow(puzzle.start, moves, puzzle.near)
    found = list(shortened(puzzle, puzzle.start, moves, lambda: True))
    lengths = [len(moves), *map(len, found)]
    assert lengths == sorted(set(lengths), reverse=True)
    assert lengths[-1] < 0.99 * lengths[0]
    assert all(follow(puzzle.start, each, puzzle.near) == target for each in found)
    assert found == list(shortened(puzzle, puzzle.start, moves, lambda: True))
    assert list(shortened(puzzle, puzzle.start, moves, lambda: False)) == []


def test_shortest_solutions_stay_as_they_are_and_others_get_no_shorter_than_these() -> None:
    goal = tq.Goal.blank_last(3, 3)
    known = distances([goal.cells], 3, 3)
    shorter = 0
    for seed in range(20):
        puzzle = random_puzzle(3, 3, seed)
        for extra in (b"", bytes((1, 0, 2, 3)) * 3):
            moves = CpuBeam(10_000 if not extra else 3, 9).search(
                puzzle, puzzle.start, lambda: True
            )
            if not moves.solved:
                continue
            way = without_returns(moves.moves + extra)
            best = known[tq.random_board(goal, seed).cells]
            found = [way, *shortened(puzzle, puzzle.start, way, lambda: True)]
            assert is_solved(puzzle, found[-1])
            assert len(found[-1]) >= best
            shorter += len(found) > 1
    assert shorter > 5
    assert list(shortened(puzzle, puzzle.start, b"", lambda: True)) == []

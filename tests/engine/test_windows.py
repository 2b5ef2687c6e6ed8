"""Windows of large boards, beams of slides and their pace, and solutions made shorter."""

from __future__ import annotations

from itertools import pairwise
from math import inf
from random import Random
from typing import Any

import pytest

import taquin as tq
from taquin.engine.anytime import engine as anytime
from taquin.engine.anytime.beam import CpuBeam, Pace, Window
from taquin.engine.anytime.construction import BestSolution, construct
from taquin.engine.anytime.engine import Anytime
from taquin.engine.anytime.improver import Improver
from taquin.engine.anytime.puzzle_arrays import PuzzleArrays, arrays_of, follow, without_returns
from taquin.engine.anytime.shortening import begin, list_rotations, shortened
from taquin.engine.anytime.value import (
    HOME_BITS,
    NO_TILE,
    REACH,
    RIM,
    Box,
    kind_of,
    view_memory,
    view_of,
)
from taquin.engine.anytime.windows import EffortCurve, Windows, memory_for, prices, side_for
from taquin.model.space import Space
from taquin.search.control import Control
from taquin.search.result import Counters, Limits, Task
from taquin.system.arrays import Array
from tests.engine.anytime import homes_of, is_solved, random_puzzle, random_way, value_of
from tests.truth import distances


def slides_of(moves: bytes) -> int:
    return len(moves) and 1 + sum(one != two for one, two in pairwise(moves))


@pytest.mark.parametrize("seed", range(12))
def test_a_view_has_the_tiles_around_its_box_with_their_displacements(seed: int) -> None:
    chance = Random(seed)
    rows, columns = chance.randint(3, 30), chance.randint(3, 30)
    puzzle = random_puzzle(rows, columns, seed)
    row, column = divmod(puzzle.start.index(0), columns)
    inner = Box(
        *(chance.randint(max(0, row - 9), row), chance.randint(max(0, column - 9), column)),
        *(chance.randint(row + 1, min(rows, row + 9)),),
        chance.randint(column + 1, min(columns, column + 9)),
    )
    view = view_of(puzzle, puzzle.start, inner, view_memory(rows * columns))
    top, left = max(0, inner.top - REACH), max(0, inner.left - REACH)
    bottom, right = min(rows, inner.bottom + REACH), min(columns, inner.right + REACH)
    cells = [(y, x) for y in range(top, bottom) for x in range(left, right)]

    def is_inside(cell: tuple[int, int]) -> bool:
        return inner.top <= cell[0] < inner.bottom and inner.left <= cell[1] < inner.right

    wrong, tiles = 0, set()
    for number, (y, x) in enumerate(cells):
        item, tile = view.items[number], puzzle.start[y * columns + x]
        ways = [(y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x)]
        assert list(view.near[number]) == [
            cells.index(to) if is_inside((y, x)) and is_inside(to) else -1 for to in ways
        ]
        if tile == 0:
            assert (item, view.blank) == (NO_TILE << HOME_BITS, number)
            continue
        home = divmod(puzzle.homes[tile], columns)
        wrong += home != (y, x)
        assert item >> HOME_BITS == kind_of(y - home[0], x - home[1])
        name = item & (1 << HOME_BITS) - 1
        tiles.add(name)
        assert list(view.terms.lines[name]) == [home[0] - top, home[1] - left]
    assert view.misses == wrong
    assert len(tiles) == len(cells) - 1
    assert view.items[len(cells)] == RIM << HOME_BITS


def test_values_in_a_window_change_as_those_of_the_whole_board_do() -> None:
    puzzle = random_puzzle(14, 17, 3)
    box = Box(0, 0, 14, 17)._replace(top=2, left=3, bottom=12, right=14)
    blank = puzzle.start.index(0)
    way = puzzle.steps_between(blank, 5 * 17 + 7)
    start = follow(puzzle.start, bytes(way), puzzle.near)

    for line in (0, 17):
        found = CpuBeam(30, 238, line).search(
            puzzle, start, lambda: True, window=Window(box, 40, 20)
        )
        after = follow(start, found.moves, puzzle.near)
        assert found.moves
        assert found.value == value_of(puzzle, after) - value_of(puzzle, start)
        assert found.levels == (slides_of(found.moves) if line else len(found.moves))
        outside = set(range(238)) - {y * 17 + x for y in range(2, 12) for x in range(3, 14)}
        assert all(after[cell] == start[cell] for cell in outside)


@pytest.mark.parametrize("shape", [(21, 20), (13, 40)])
def test_a_board_of_any_shape_is_nearly_solved_in_windows(shape: tuple[int, int]) -> None:
    puzzle = random_puzzle(*shape, 1)
    windows = Windows(puzzle, puzzle.start, CpuBeam(20, 1_000), lambda: True)
    moves = windows.solve()
    board = follow(puzzle.start, moves, puzzle.near)
    wrong = sum(one != two for one, two in zip(board, puzzle.goal, strict=True))
    assert wrong < puzzle.size / 2
    assert len(moves) == windows.course.moves[-1]
    assert len(moves) + len(construct(puzzle, board)) < len(construct(puzzle, puzzle.start))


def test_windows_come_to_an_end_where_the_cost_of_a_walk_to_them_is_underrated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The blank would go to and fro for ever: the tiles on its way seem to cost nothing, but taking
    # them back is a gain.
    monkeypatch.setattr(Windows, "_cost_of", lambda *_: 0)
    puzzle = random_puzzle(20, 21, 2)
    asked = 0

    def keep_going() -> bool:
        nonlocal asked
        asked += 1
        return asked < 10_000

    Windows(puzzle, puzzle.start, CpuBeam(20, 1_000), keep_going).solve()
    assert 0 < asked < 10_000


def test_prices_fall_from_stage_to_stage_and_a_course_tells_the_effort_of_a_share() -> None:
    for side in (3, 30, 181):
        found = list(prices(side, 2))
        assert found == sorted(found, reverse=True)
        assert found[-1] == 10
    course = EffortCurve()
    for moves, effort in ((10, 5), (0, 7), (30, 8)):
        course.note(moves, effort)
    efforts = {0: 0, 0.2: 5, 0.25: 5, 0.5: 20, 1: 20, 1.5: 20}
    assert {share: course.effort_at(share) for share in efforts} == efforts


def improved(puzzle: PuzzleArrays, nodes: int, **settings: Any) -> BestSolution:
    best = BestSolution(**settings)
    Improver(puzzle, best, inf, 10**8, nodes=nodes).run()
    assert best.moves is not None
    assert is_solved(puzzle, best.moves)
    return best


@pytest.mark.parametrize("by_slides", [False, True])
def test_more_nodes_give_no_worse_a_solution_of_a_large_board(by_slides: bool) -> None:
    puzzle = random_puzzle(20, 21, 1)
    first = BestSolution(by_slides).cost(construct(puzzle, puzzle.start))
    found = [improved(puzzle, nodes, by_slides=by_slides).least for nodes in (10, 10**6, 6 * 10**6)]
    assert [first, *found] == sorted([first, *found], reverse=True)
    assert first > 1.5 * found[-1]


@pytest.mark.parametrize(("width", "line"), [(50, 0), (400, 0), (300, 28)])
def test_a_beam_for_windows_takes_the_memory_that_is_planned(width: int, line: int) -> None:
    beam = CpuBeam(width, (side_for(width) + 2 * REACH) ** 2, line)
    arrays = [beam._seen]
    records: list[Any] = [beam._level, beam._following, beam._candidates]
    for record in records:
        for name, part in zip(record._fields, record, strict=True):
            if isinstance(part, Array) and name not in ("words", "buckets"):
                arrays.append(part)
    planned = memory_for(width, side_for(width), line)
    assert 0.4 * planned <= sum(part.nbytes for part in arrays) <= planned + (1 << 18)


def naive_slides(
    puzzle: PuzzleArrays, board: tuple[int, ...]
) -> list[tuple[bool, tuple[int, ...]]]:
    """Return the boards that one slide leads to, and whether it is upright."""
    found = []
    for direction in range(4):
        cells = list(board)
        blank = cells.index(0)
        while (cell := puzzle.near[blank, direction]) >= 0:
            cells[blank], cells[cell] = cells[cell], 0
            blank = cell
            found.append((direction in (0, 3), tuple(cells)))
    return found


def test_a_beam_of_one_board_has_room_for_all_slides_of_the_first() -> None:
    puzzle = random_puzzle(10, 10, 1)
    beam = CpuBeam(1, 100, 10)
    beam.search(puzzle, puzzle.start, lambda: True, longest=3)
    assert beam.generated >= 18


def test_a_beam_of_slides_keeps_all_boards_of_a_level_where_it_is_wide_enough() -> None:
    puzzle = random_puzzle(3, 3, 2)
    start = tuple(puzzle.start)
    level = {(upright, board) for upright, board in naive_slides(puzzle, start)}
    seen = set(level)
    for depth in range(1, 8):
        beam = CpuBeam(100_000, 9, 3)
        beam.search(puzzle, puzzle.start, lambda: True, longest=depth, spread=False)
        names = [puzzle.size + 1, *puzzle.homes[1:]]
        assert {homes_of(items, puzzle) for items in beam.last} == {
            tuple(names[tile] for tile in board) for _, board in level
        }
        assert len(beam.last) == len(level)
        level = {
            (upright, following)
            for before, board in level
            for upright, following in naive_slides(puzzle, board)
            if upright is not before
        } - seen
        seen |= level


@pytest.mark.parametrize("seed", range(3))
def test_fewest_slides_of_small_boards_are_found_and_proven(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    goal = tq.Goal.blank_last(3, 3)
    start = tq.random_board(goal, seed)
    shortest = tq.solve(start, goal, metric="multi")
    puzzle = arrays_of(Space(tq.Puzzle(goal), start))
    beam_pass = CpuBeam(50_000, 9, 3).search(puzzle, puzzle.start, lambda: True, spread=False)
    assert beam_pass.solved
    assert slides_of(beam_pass.moves) == shortest.cost
    # Nearly all of the time is for the proof, however long a loaded machine takes for it.
    monkeypatch.setattr(anytime, "_SLIDES_SHARE", 0.99)
    found = tq.solve(start, goal, metric="multi", algorithm=Anytime(seconds=20))
    assert (found.cost, found.optimal) == (shortest.cost, True)


def test_the_bound_on_slides_is_raised_where_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    # No time for better solutions first; the search ends with the first better bound.
    monkeypatch.setattr(anytime, "_SLIDES_SHARE", 0.0)
    goal = tq.Goal.blank_last(5, 5)
    task = Task(tq.Puzzle(goal, tq.Metric.MULTI), tq.random_board(goal, 1))
    least = Control()
    assert list(Anytime(seconds=0).improvements(task, least, Counters(), proves=False))
    control = Control(stop=lambda: control.proven > least.proven)
    assert list(Anytime(seconds=60).improvements(task, control, Counters()))
    assert 0 < least.proven < control.proven


@pytest.mark.parametrize("steps", [0, 30])
def test_an_easy_large_board_takes_few_moves(steps: int) -> None:
    puzzle = tq.Puzzle(tq.Goal.blank_last(24, 24))
    start = tq.random_walk(puzzle, steps, 1)
    # A limit on nodes, for a second may be too short for it on a loaded machine.
    limits = Limits(nodes=1_000_000)
    task = Task(puzzle, start, limits=limits)
    *_, found = Anytime(threads=1).improvements(task, Control(limits), Counters())
    moves = found()
    assert len(moves) <= steps
    assert puzzle.is_goal(puzzle.replay(start, moves)[-1])


def widths_of(costs: list[float], planned: int, **settings: float) -> tuple[list[int], float]:
    """Return the width after every ten levels, where a board costs this much, and the time."""
    clock, widths = 0.0, list[int]()
    pace = Pace(lambda: clock, length=planned, **settings)  # type: ignore[arg-type]
    for number, cost in enumerate(costs):
        widths.append(pace.width_after(10 * number))
        clock += 10 * widths[-1] * cost
    return widths, clock


@pytest.mark.parametrize("cost", [0.5e-3, 1e-3, 1.5e-3, 4e-3])
def test_a_beam_ends_when_it_should_unless_its_widths_forbid_it(cost: float) -> None:
    # Of a thousand levels, a hundred boards each would cost 100 in all at a cost of 0.001.
    widths, clock = widths_of([cost] * 100, 1_000, end=100.0, least=30, most=150)
    if cost == 0.5e-3:
        assert set(widths) == {150}
    elif cost == 4e-3:
        assert widths[-1] == 30
    else:
        assert clock == pytest.approx(100.0, rel=0.03)
        assert widths[95] == pytest.approx(widths[50], rel=0.1)


def test_a_beam_gets_narrower_on_a_busy_machine_and_goes_on_beyond_the_levels_expected() -> None:
    costs = [1e-3] * 50 + [3e-3] * 50
    widths, clock = widths_of(costs, 1_000, end=100.0, least=10, most=150)
    assert clock == pytest.approx(100.0, rel=0.1)
    assert widths[-1] < widths[49] / 2
    widths, _ = widths_of([1e-3] * 30, 100, end=10.0, least=7, most=100)
    assert 7 <= min(widths) <= max(widths) <= 100
    assert widths[-1] == 7


def test_a_beam_keeps_as_many_boards_as_its_pace_says() -> None:
    puzzle = random_puzzle(5, 5, 1)
    beam, asked = CpuBeam(200, puzzle.size), []

    def width_after(levels: int) -> int:
        asked.append(levels)
        return 200 if levels < 20 else 50

    beam.search(puzzle, puzzle.start, lambda: True, longest=60, width_after=width_after)
    assert asked[0] == 0
    assert len(beam.last) == 50
    beam.search(puzzle, puzzle.start, lambda: True, longest=60)
    assert len(beam.last) == 200


SHAPES = [(2, 3, 40), (2, 5, 60), (4, 3, 60), (5, 5, 120)]


@pytest.mark.parametrize(("rows", "columns", "length"), SHAPES)
def test_rotations_cost_and_do_what_inserting_them_shows(
    rows: int, columns: int, length: int
) -> None:
    puzzle = random_puzzle(rows, columns, 1)
    moves = random_way(puzzle, length, 2)
    memory = begin(puzzle, puzzle.start, moves, 1)
    rotations, count = memory.rotations, list_rotations(memory)
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
    memory = begin(puzzle, puzzle.start, random_way(puzzle, length, 4), 1)
    rotations, count = memory.rotations, list_rotations(memory)
    entries: dict[int, list[int]] = {}
    for entry in range(3 * count):
        entries.setdefault(rotations.pairs[entry], []).append(entry)
    for same in entries.values():
        assert [rotations.links[entry, 1] for entry in same] == [*same[1:], -1]
        assert [rotations.links[entry, 0] for entry in same] == [-1, *same[:-1]]
    assert set(memory.work.last) == {-1}


@pytest.mark.parametrize(("rows", "columns", "length"), SHAPES)
def test_shortened_moves_never_return_and_leave_all_tiles_where_they_were(
    rows: int, columns: int, length: int
) -> None:
    puzzle = random_puzzle(rows, columns, 5)
    moves = random_way(puzzle, length, 6)
    target = follow(puzzle.start, moves, puzzle.near)
    found = list(shortened(puzzle, puzzle.start, moves, lambda: True, seed=7))
    assert len(found[-1]) < length
    for shorter in found:
        assert without_returns(shorter) == shorter
        assert follow(puzzle.start, shorter, puzzle.near) == target


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

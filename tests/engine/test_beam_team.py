"""Beams of a team: the levels are those of one thread, whoever works and whoever does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from random import Random
from threading import Event, Thread
from typing import Any

import pytest

from taquin.engine.anytime import improver, team
from taquin.engine.anytime.beam import BeamPass, CpuBeam, Window
from taquin.engine.anytime.construction import BestSolution
from taquin.engine.anytime.improver import Improver
from taquin.engine.anytime.puzzle_arrays import PuzzleArrays
from taquin.engine.anytime.team import BeamTeam
from taquin.engine.anytime.value import Box
from taquin.engine.anytime.windows import Windows
from tests.engine.anytime import is_solved, random_puzzle


@pytest.fixture(autouse=True)
def cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a team have more threads than this machine has cores."""
    monkeypatch.setattr(team, "usable_cores", lambda: 64)


@contextmanager
def at_work(members: int, started: int | None = None) -> Iterator[BeamTeam]:
    """Yield a team of which the caller and some other threads are at work."""
    crew = BeamTeam(members)
    others = range(1, members if started is None else started)
    threads = [Thread(target=crew.help, args=(number, lambda: True)) for number in others]
    for thread in threads:
        thread.start()
    try:
        yield crew
    finally:
        crew.end()
        for thread in threads:
            thread.join()


def random_box(chance: Random, puzzle: PuzzleArrays) -> Box:
    """Return a box of 6 to 14 rows and columns around the blank."""
    row, column = divmod(puzzle.start.index(0), puzzle.columns)
    height, width = (chance.randint(6, min(14, most)) for most in (puzzle.rows, puzzle.columns))
    top = min(max(0, row - chance.randrange(height)), puzzle.rows - height)
    left = min(max(0, column - chance.randrange(width)), puzzle.columns - width)
    return Box(top, left, top + height, left + width)


def walks(
    puzzle: PuzzleArrays, beam: CpuBeam, window: Window, times: int = 1
) -> set[tuple[BeamPass, int]]:
    """Return the different walks of a beam, each with the boards that it generated."""
    found = set()
    for _ in range(times):
        before = beam.generated
        result = beam.search(puzzle, puzzle.start, lambda: True, window=window, longest=150)
        found.add((result, beam.generated - before))
    return found


@pytest.mark.parametrize("members", [2, 3, 5])
def test_a_team_makes_the_walks_of_one_thread(members: int) -> None:
    chance, wide = Random(members), 0
    for _ in range(8):
        puzzle = random_puzzle(chance.randint(8, 20), chance.randint(8, 20), chance.randrange(99))
        window = Window(random_box(chance, puzzle), chance.choice((0, 40, 200)), 12)
        width, line = chance.choice((30, 110, 300, 700)), chance.choice((0, 0, 20))
        alone = walks(puzzle, CpuBeam(width, puzzle.size, line), window)
        wide += width > 30 and all(result.levels for result, _ in alone)
        with at_work(members) as crew:
            assert walks(puzzle, CpuBeam(width, puzzle.size, line, crew), window, 3) == alone
    assert wide


def test_a_team_solves_in_windows_as_one_thread_does() -> None:
    puzzle = random_puzzle(21, 22, 1)
    alone = Windows(puzzle, puzzle.start, CpuBeam(120, 900), lambda: True)
    moves = alone.solve()
    with at_work(3) as crew:
        together = Windows(puzzle, puzzle.start, CpuBeam(120, 900, 0, crew), lambda: True)
        assert together.solve() == moves
        assert together.course == alone.course


@pytest.mark.parametrize(
    ("side", "width", "members", "started", "options"),
    [
        (9, 400, 2, None, {}),
        # Nobody waits for members that never start.
        (20, 300, 5, 1, {"window": Window(Box(0, 0, 20, 20), 200, 24), "longest": 60}),
    ],
)
def test_a_team_walks_over_a_whole_board_as_one_thread_does(
    side: int, width: int, members: int, started: int | None, options: dict[str, Any]
) -> None:
    puzzle = random_puzzle(side, side, 3)
    alone = CpuBeam(width, puzzle.size).search(puzzle, puzzle.start, lambda: True, **options)
    with at_work(members, started) as crew:
        beam = CpuBeam(width, puzzle.size, 0, crew)
        assert beam.search(puzzle, puzzle.start, lambda: True, **options) == alone


def test_members_leave_a_beam_for_the_next_one_and_end_when_told_to() -> None:
    puzzle = random_puzzle(12, 12, 1)
    walks = []
    with at_work(3) as crew:
        for width in (200, 300, 200):
            beam = CpuBeam(width, puzzle.size, 0, crew)
            walks.append(beam.search(puzzle, puzzle.start, lambda: True, longest=80))
    assert walks[0] == walks[2] != walks[1]
    done = BeamTeam(2)
    # It asks before it works.
    done.help(1, lambda: False)
    done.end()
    done.help(1, lambda: True)


def test_a_walk_of_a_team_ends_when_asked_to() -> None:
    puzzle = random_puzzle(20, 20, 1)
    asked = 0

    def keep_going() -> bool:
        nonlocal asked
        asked += 1
        return asked < 4

    with at_work(3) as crew:
        result = CpuBeam(300, 400, 0, crew).search(puzzle, puzzle.start, keep_going)
    assert result.is_cut
    assert asked == 4


@pytest.mark.parametrize("side", [21, 46])
def test_one_thread_solves_a_large_board_and_the_others_help_until_it_is_done(
    side: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle, best, crew = random_puzzle(side, side, 1), BestSolution(), BeamTeam(3)
    calls: list[int] = []
    all_help = Event()

    def solve(*_: object) -> bytes:
        calls.append(0)
        assert all_help.wait(60)
        for each in improvers:
            each.is_stopped = True
        return b""

    help_with = BeamTeam.help

    def noted_help(crew: BeamTeam, member: int, keep_going: Callable[[], bool]) -> None:
        calls.append(member)
        if {1, 2} <= set(calls):
            all_help.set()
        help_with(crew, member, keep_going)

    monkeypatch.setattr(Windows, "solve", solve)
    monkeypatch.setattr(BeamTeam, "help", noted_help)
    improvers = [Improver(puzzle, best, inf, 10**8, number, team=crew) for number in range(3)]
    threads = [Thread(target=each.run) for each in improvers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(calls) == [0, 1, 2]
    assert best.moves is not None
    assert is_solved(puzzle, best.moves)


def test_the_first_beams_of_many_threads_get_narrower_where_they_are_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle, clock = random_puzzle(30, 30, 1), 0.0
    search = CpuBeam.search

    def slow_search(beam: CpuBeam, *arguments: Any, **settings: Any) -> BeamPass:
        nonlocal clock
        before = beam.generated
        found = search(beam, *arguments, **settings)
        # With the 400 boards of so many threads it takes 27 million, and 9 million with 100.
        clock += (beam.generated - before) / 2e5
        return found

    monkeypatch.setattr(CpuBeam, "search", slow_search)
    monkeypatch.setattr(improver, "perf_counter", lambda: clock)
    late = Improver(puzzle, BestSolution(), 100.0, 10**8, team=BeamTeam(16))
    assert late._attempt_in_windows() is not None
    assert late._course is not None
    assert 100 <= late._last_width < 300
    assert clock < 100


def test_helpers_end_where_the_first_thread_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no memory")

    monkeypatch.setattr(Improver, "_solve", fail)
    puzzle, best, crew = random_puzzle(46, 46, 1), BestSolution(), BeamTeam(2)
    helper = Improver(puzzle, best, inf, 10**8, 1, team=crew)
    thread = Thread(target=helper.run)
    thread.start()
    with pytest.raises(RuntimeError):
        Improver(puzzle, best, inf, 10**8, 0, team=crew).run()
    thread.join(60)
    assert not thread.is_alive()

"""Playback: the player's keys, solutions and searches step by step, and films in a real window."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from click import unstyle

from taquin.cli.running import Watched, replayed
from taquin.cli.terminal.films import SolutionFilm, Step, TraceFilm, steps_of
from taquin.cli.terminal.playback import RATES, Player, page
from taquin.engine.choose import solve
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.puzzle import Puzzle
from taquin.search.driver import trace
from taquin.search.events import Event, Expanded, Finished, Started
from taquin.search.grammar import search_named
from taquin.system.layout import text_width
from taquin.views import to_json_lines
from tests.cli.runs import run
from tests.cli.window import Window

BOARD = "0 1 3 / 4 2 5 / 7 8 6"
HARD = "8 6 7 / 2 5 4 / 3 0 1"
PUZZLE = Puzzle(Goal.blank_last(3, 3))
RIGHT, LEFT, HOME, END = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"
LONG = 1e9
"""Seconds that are enough for any step."""


def events(board: str = BOARD, search: str = "astar") -> Iterator[Event]:
    """Return the events of a search."""
    return trace(PUZZLE, Board.parse(board), search_named(search))


def film(
    search: str = "astar", board: str = BOARD, most: int | None = None, **more: int
) -> TraceFilm:
    """Return a search that can be played."""

    def begin() -> Watched:
        return Watched(events(board, search), most, PUZZLE.goal)

    return TraceFilm(search, begin, **more)  # type: ignore[arg-type]


def heads(steps: list[Step]) -> list[Event]:
    return [step.head for step in steps]


@pytest.mark.parametrize(
    "search", ["bfs", "astar", "ids", "idastar", "rbfs", "beam", "bidirectional"]
)
def test_steps_are_the_start_every_expansion_and_the_end(search: str) -> None:
    told = list(events(search=search))
    steps = list(steps_of(iter(told)))
    assert isinstance(steps[0].head, Started)
    assert [head for head in heads(steps) if isinstance(head, Expanded)] == [
        event for event in told if isinstance(event, Expanded)
    ]
    assert isinstance([steps[-1].head, *steps[-1].rest][-1], Finished)
    assert [event for step in steps for event in (step.head, *step.rest)] == told


def test_a_film_of_a_search_goes_anywhere_with_few_steps_kept() -> None:
    whole = [
        page(film, Player(at=film.seek(n, LONG)), (80, 24))
        for film in (film(board=HARD),)
        for n in range(60)
    ]
    short = film(board=HARD, kept=10)
    for number in (59, 3, 50, 49, 45, 12, 0, 58):
        assert short.seek(number, LONG) == number
        lines = short.lines(number, 80, 18)
        assert isinstance(lines, list)
        # Head and foot of the page left out.
        assert lines == whole[number][2 : 2 + len(lines)]


def test_a_recorded_search_looks_like_a_live_one(tmp_path: Path) -> None:
    live, file = film(), tmp_path / "search.jsonl"
    lines = to_json_lines(events(), puzzle=PUZZLE, algorithm=search_named("astar"))
    file.write_text("\n".join(lines))
    recorded = TraceFilm("astar", partial(replayed, str(file)))
    for number in range(5):
        assert live.seek(number, LONG) == recorded.seek(number, LONG) == number
        assert recorded.lines(number, 80, 24) == live.lines(number, 80, 24)


@pytest.mark.parametrize(
    ("search", "line"),
    [
        ("dfs(max_depth=5)", "Maximum depth 5"),
        ("ids", "Round 1: bound 0"),
        ("bidirectional", "Round 1: bound 1"),
    ],
)
def test_a_search_of_one_round_is_shown_without_a_round(search: str, line: str) -> None:
    shown = film(search)
    first = page(shown, Player(at=shown.seek(0, LONG)), (80, 40))
    assert line in unstyle("\n".join(first))


def test_what_cannot_be_read_twice_says_how_much_is_kept() -> None:
    once = film(kept=3, again=False)
    assert once.seek(4, LONG) == 4
    assert once.seek(0, LONG) == 2
    assert once.note(2) == "only the last 3 steps are kept"
    assert once.note(3) == ""


def test_a_film_knows_its_last_step_when_it_has_been_there() -> None:
    whole = film()
    assert not whole.last
    assert (whole.seek(10**9, LONG), whole.last) == (5, 5)
    assert whole.events.result is not None
    assert whole.events.result.cost == 4
    cut = film(most=2)
    assert (cut.seek(10**9, LONG), cut.last, cut.events.result) == (2, 2, None)
    assert cut.note(2) == "cut here"


def test_a_film_gives_way_after_its_time() -> None:
    long = film("ids", HARD)
    assert long.seek(10**9, 0.0) < 10**9
    assert long.last is None


def test_keys_say_which_page_is_wanted() -> None:
    player = Player(at=50, wanted=50)
    wanted = []
    for key in ("right", "left", "n", "p", "page-down", "page-up", "home", "enter"):
        assert player.press(key, 0.0)
        wanted.append(player.wanted)
        player.reached(50, None)
    assert wanted == [51, 49, 51, 49, 60, 40, 0, 51]
    for key in ("1", "7", "backspace", "2", "enter"):
        player.press(key, 0.0)
    assert (player.wanted, player.typed) == (12, "")
    player.press("end", 0.0)
    assert player.is_seeking
    player.press("x", 0.0)
    assert not player.is_seeking
    assert not player.press("q", 0.0)


def test_playing_takes_the_steps_that_the_time_asks_for() -> None:
    player = Player(playing=True)
    shown = 0
    for frame in range(100):
        player.run(frame / 10)
        player.reached(player.wanted, None)
        shown = player.at
    assert shown == pytest.approx(10 * RATES[player.rate], abs=1)
    player.press("+", 10.0)
    assert RATES[player.rate] == 4
    player.press("space", 10.0)
    player.run(99.0)
    assert player.at == shown
    player.press("space", 100.0)
    player.run(100.0)
    player.reached(player.wanted, shown + 1)
    assert (player.at, player.playing) == (shown + 1, False)


@pytest.mark.parametrize("search", ["bfs", "astar", "idastar", "bidirectional"])
def test_every_page_of_a_film_fits_its_window(search: str) -> None:
    shown = film(search)
    for wide, high in [(80, 24), (60, 24), (40, 24), (40, 16)]:
        for number in range(12):
            at = shown.seek(number, LONG)
            lines = page(shown, Player(at=at, wanted=at), (wide, high))
            assert len(lines) <= high
            assert max(map(text_width, lines)) <= wide
            assert f"step {at}" in lines[0]
            assert "quit" in "\n".join(lines)


def test_a_solution_shows_every_board_of_it() -> None:
    result = solve(Board.parse(BOARD))
    shown = SolutionFilm(result)
    assert shown.last == 4
    for number, board in enumerate(result.boards()):
        lines = page(shown, Player(at=number, wanted=number), (40, 12))
        text = " ".join(unstyle(" ".join(lines)).replace("│", " ").replace("_", " ").split())
        for row in board.rows():
            assert " ".join(str(label) for label in row if label) in text


def test_a_trace_is_stepped_forward_back_and_to_any_step() -> None:
    with Window("trace", BOARD, "--step") as window:
        window.until("step 0")
        first = window.read()
        window.press(RIGHT)
        assert "Expand" in window.until("step 1")
        window.press(RIGHT + RIGHT)
        third = window.until("step 3")
        window.press(LEFT)
        window.until("step 2")
        window.press("3\r")
        assert window.until("step 3") == third
        window.press(END)
        assert "Solution found: 4 moves" in window.until("step 5 of 5")
        window.press(HOME)
        window.until("step 0 of 5")
        assert window.read().split("\n")[2:10] == first.split("\n")[2:10]
        window.press("++ ")
        window.until("step 5 of 5")
        window.press("q")
        assert window.leave() == 0
        assert window.is_restored


def test_a_recorded_trace_is_stepped_like_a_live_one(tmp_path: Path) -> None:
    file = tmp_path / "search.jsonl"
    file.write_text(run("trace", BOARD, "--json").output, encoding="utf-8")
    with Window("trace", "--replay", str(file), "--step") as window:
        window.until("step 0")
        window.press(END)
        assert "Solution found: 4 moves" in window.until("step 5 of 5")
        window.press("q")
        assert window.leave() == 0


def test_a_trace_that_breaks_in_the_middle_ends_with_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "search.jsonl"
    lines = run("trace", BOARD, "--json").output.split("\n")
    file.write_text("\n".join([*lines[:4], "nonsense"]), encoding="utf-8")
    with Window("trace", "--replay", str(file), "--step", columns=200) as window:
        window.until("step 0")
        window.press(END)
        assert window.leave() == 2
        assert "line 5" in str(window.page)
        assert window.is_restored


def test_a_solution_plays_by_itself_to_its_end() -> None:
    with Window("solve", BOARD, "--play") as window:
        window.until("step 4 of 4")
        window.press("q")
        assert window.leave() == 0
        assert "Solved in 4 moves; no solution is shorter." in str(window.page)


@pytest.mark.parametrize(
    "words",
    [
        ("solve", BOARD, "--play", "--json"),
        ("solve", BOARD, "--play", "--style", "moves"),
        ("trace", BOARD, "--step", "--view", "levels"),
        ("trace", BOARD, "--step", "--json"),
    ],
)
def test_playback_and_another_form_are_not_asked_for_at_once(words: tuple[str, ...]) -> None:
    assert run(*words).exit_code == 2

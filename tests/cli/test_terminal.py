"""The full screen: keys as they are sent, boards as large as fits, the terminal left as found."""

from __future__ import annotations

import shlex
import signal
from shutil import which

import pytest

from taquin.cli.terminal.drawing import (
    Scale,
    apart,
    bar,
    centred,
    clip,
    draw_tiles,
    flowed,
    scale_for,
)
from taquin.cli.terminal.keys import read_keys
from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.system.layout import side_by_side, text_width
from tests.cli.runs import COMMAND, run
from tests.cli.window import Window

BOARD = "1 2 3 / 4 0 5 / 7 8 6"
CTRL_C, CTRL_Z = "\x03", "\x1a"


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"\x1b[A", "up"),
        (b"\x1bOB", "down"),
        (b"\x1b[1;5C", "right"),
        (b"\x1b[H", "home"),
        (b"\x1b[4~", "end"),
        (b"\x1b[6~", "page-down"),
        (b"\x7f", "backspace"),
        (b"\r", "enter"),
        (b" ", "space"),
        (b"Q", "Q"),
        ("ß".encode(), "ß"),
        ("🙂".encode(), "🙂"),
        (b"\x1bOs", "3"),
    ],
)
def test_every_key_is_known_by_its_name(data: bytes, key: str) -> None:
    assert read_keys(data) == ([key], b"")
    for cut in range(1, len(data)):
        keys, rest = read_keys(data[:cut])
        assert (keys, read_keys(rest + data[cut:])) == ([], ([key], b""))


def test_unknown_sequences_and_broken_characters_are_left_out() -> None:
    assert read_keys(b"\x1b[200~a\x1b[99;1Xb\xffc\x01d") == (["a", "b", "c", "d"], b"")


def test_an_escape_alone_is_a_key_once_nothing_follows() -> None:
    assert read_keys(b"q\x1b[A\x1b[5~\x1b") == (["q", "up", "page-up"], b"\x1b")
    assert read_keys(b"\x1b", is_complete=True) == (["escape"], b"")
    assert read_keys(b"\x1b[", is_complete=True) == (["escape", "["], b"")
    assert read_keys(b"\x1b\x1b[A")[0] == ["escape", "up"]


def test_styled_and_wide_text_takes_the_columns_that_show() -> None:
    styled = "\x1b[1mab\x1b[0mcd"
    assert (text_width(styled), clip(styled, 3), text_width(clip(styled, 3))) == (
        4,
        "\x1b[1mab\x1b[0mc",
        3,
    )
    assert (text_width("日本"), clip("日本", 3), text_width("é")) == (4, "日", 1)
    assert centred("日", 6) == "  日  "
    assert apart("left", "right", 12) == "left   right"
    assert apart("left", "right", 10) == "lef  right"


def test_no_word_is_broken_unless_it_is_longer_than_a_line() -> None:
    words = ["This", "window", "has", "25", "columns", "and", "24", "lines"]
    for wide in range(7, 50):
        lines = flowed(words, wide, " ")
        assert " ".join(lines).split() == words
        assert max(map(text_width, lines)) <= wide


def test_blocks_stand_beside_each_other_as_far_as_they_fit() -> None:
    blocks = [["a", "b"], ["c"], ["d", "e"]]
    assert side_by_side(blocks, 9, 3, equal=True) == [["a   c   d", "b       e"]]
    assert side_by_side(blocks, 8, 3, equal=True) == [["a   c", "b"], ["d", "e"]]


@pytest.mark.parametrize("scale", Scale)
@pytest.mark.parametrize(
    "text", [BOARD, "A . . / # @ . / . 日本 B", "1 2 / 3 0", "10 9 8 7 / 6 0 5 4 / 3 2 1 11"]
)
def test_a_board_takes_exactly_the_room_that_its_scale_says(text: str, scale: Scale) -> None:
    board = Board.parse(text)
    lines = draw_tiles(board, scale, Goal(board.grid, board.cells))
    wide, high = scale.size(board)
    assert (len(lines), {text_width(line) for line in lines}) == (high, {wide})
    shown = "".join(lines)
    for label in board.cells:
        assert label in (0, "#") or str(label) in shown


def test_the_largest_scale_that_fits_is_taken() -> None:
    board = Board.parse(BOARD)
    assert scale_for(board, *Scale.LARGE.size(board)) is Scale.LARGE
    assert scale_for(board, 18, 13) is Scale.BOXED
    assert scale_for(board, 12, 6) is Scale.PLAIN
    assert scale_for(board, 4, 3) is None


def test_a_bar_is_full_only_at_the_end_and_never_empty_for_something() -> None:
    assert [bar(value, 100, 4) for value in (0, 1, 50, 100, 200)] == [
        "░░░░",
        "█░░░",
        "██░░",
        "████",
        "████",
    ]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "words", [("play", BOARD), ("trace", BOARD, "--step"), ("race", "bfs", "astar", BOARD)]
)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_that_ends_it_leaves_the_terminal_as_it_was(
    words: tuple[str, ...], number: signal.Signals
) -> None:
    with Window(*words) as window:
        window.until("quit")
        assert window.page.is_alternate
        assert not window.page.has_cursor
        assert not window.is_restored
        window.signal(number)
        assert window.leave() == -number
        assert window.is_restored
        assert "Traceback" not in window.written


@pytest.mark.parametrize(
    "words", [("play", BOARD), ("solve", BOARD, "--play"), ("trace", BOARD, "--step")]
)
def test_ctrl_c_leaves_the_terminal_as_it_was(words: tuple[str, ...]) -> None:
    with Window(*words) as window:
        window.until("quit")
        window.press(CTRL_C)
        assert window.leave() == 3
        assert window.is_restored
        assert "Traceback" not in window.written


def test_ctrl_c_stops_a_long_way_to_the_last_step() -> None:
    with Window("trace", "8 6 7 / 2 5 4 / 3 0 1", "-a", "ids", "--step") as window:
        window.until("quit")
        window.press("G")
        window.until("seeking; any key stops")
        window.press(CTRL_C)
        assert window.leave() == 3
        assert window.is_restored


@pytest.mark.skipif(which("bash") is None, reason="needs a shell that controls jobs")
def test_ctrl_z_gives_the_terminal_back_and_fg_takes_it_again() -> None:
    line = shlex.join([*COMMAND, "play", BOARD])
    shell = ["bash", "-c", f"set -m; {line}; echo STOPPED; read; fg; echo DONE"]
    with Window(program=shell) as window:
        window.until("quit")
        window.press("\x1b[A")
        before = window.until("1 move ")
        window.press(CTRL_Z)
        window.until("STOPPED")
        assert window.is_restored
        window.press("\n")
        after = window.until("quit")
        assert window.page.is_alternate
        assert _board_of(after) == _board_of(before)
        window.press("q")
        window.until("DONE")
        window.leave()
        assert window.is_restored


def _board_of(page: str) -> list[str]:
    return [line for line in page.split("\n") if "│" in line]


def test_a_fault_leaves_the_terminal_as_it_was(tmp_path: object) -> None:
    own = f"{tmp_path}/own.py"
    with open(own, "w", encoding="utf-8") as file:
        file.write(
            "def h(board):\n    if board.blank != 4: raise ZeroDivisionError\n    return 0\n"
        )
    with Window("trace", BOARD, "-H", f"{own}:h", "--step") as window:
        window.until("quit")
        window.press("G")
        assert window.leave() == 2
        assert window.is_restored
        assert "ZeroDivisionError" in str(window.page)


def test_a_page_follows_the_size_of_the_window() -> None:
    with Window("play", BOARD) as window:
        window.until("┌─────┬─────┬─────┐")
        window.resize(40, 16)
        page = window.until("┌───┬───┬───┐")
        assert max(map(len, page.split("\n"))) <= 40
        window.resize(20, 8)
        window.until("Make it")
        window.resize(100, 30)
        window.until("┌─────┬─────┬─────┐")
        window.press("q")
        assert window.leave() == 0


def test_no_colour_means_no_styles_at_all() -> None:
    with Window("play", BOARD, NO_COLOR="1") as window:
        window.until("left at best")
        window.press("q")
        assert window.leave() == 0
        # The one that ends every line does no harm.
        assert "m" not in {end[-1:] for end in window.written.replace("\x1b[0m", "").split("\x1b[")}


def test_in_a_window_that_cannot_move_its_cursor_play_goes_line_by_line() -> None:
    with Window("play", BOARD, TERM="dumb", columns=200) as window:
        window.until("2 moves left at best")
        window.press("LU\r")
        window.until("Solved in 2 moves")
        window.press("q\r")
        assert window.leave() == 0
        assert "cannot move its cursor: type L, 5, undo or ?" in str(window.page)


def test_without_a_terminal_playback_prints_what_it_would_without_it() -> None:
    assert (
        run("solve", BOARD, "--play").output.split("\n")[:-2]
        == (run("solve", BOARD).output.split("\n")[:-2])
    )
    assert run("trace", BOARD, "--step").output == run("trace", BOARD).output

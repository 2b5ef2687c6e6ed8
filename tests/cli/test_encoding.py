"""Whatever the encoding of the system, what is printed can be read, by people and by taquin."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from taquin.cli.screen import set_encodings
from taquin.model.board import Board
from taquin.notation import read_board
from tests.cli.runs import COMMAND, on_screen

BOARD = "1 2 3 / 4 0 5 / 7 8 6"
WALLS = "1 2 3 / 4 # 5 / 7 8 0"
LONG = "1 2 3 4 / 5 6 7 8 / 9 10 # 12 / 13 14 15 0"


def piped(*words: str, encoding: str) -> bytes:
    """Return the bytes that a command writes into a pipe on a system of this encoding."""
    environment = os.environ | {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run([*COMMAND, *words], env=environment, capture_output=True, check=True)
    return done.stdout


@pytest.mark.sampled(3)
@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_a_pipe_gets_utf8_whatever_the_system_has(encoding: str) -> None:
    drawn = piped("show", WALLS, "--form", "box", encoding=encoding)
    assert "├───┼───┼───┤" in drawn.decode("utf-8")
    assert read_board(drawn.decode("utf-8")) == Board.parse(WALLS)


def test_a_pipe_gets_the_same_bytes_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    # A script for bash must not end its lines as Windows does.
    pipe = io.BytesIO()
    stream = io.TextIOWrapper(pipe, encoding="cp1252", newline="\r\n")
    monkeypatch.setattr(sys, "stdout", stream)
    set_encodings()
    print("3×3 │ →")
    stream.flush()
    assert pipe.getvalue() == "3×3 │ →\n".encode()


@pytest.mark.parametrize("board", [BOARD, WALLS, LONG])
def test_a_terminal_without_box_drawing_gets_ascii_that_reads_back(board: str) -> None:
    status, drawn = on_screen("show", board, "--form", "box", PYTHONIOENCODING="cp1252")
    assert status == 0
    assert drawn.isascii()
    assert "?" not in drawn
    assert read_board(drawn) == Board.parse(board)

"""`taquin repl`: files of commands, pipes, and the prompt of a terminal."""

from __future__ import annotations

from pathlib import Path

from taquin.classroom.repl import MAX_NODES
from tests.cli.runs import at_a_terminal, run

SAMPLE = Path(__file__).parent.parent / "data" / "s2_commands.txt"


def test_the_sample_file_runs_to_its_end_and_the_prompt_opens() -> None:
    result = run("repl", str(SAMPLE))
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    commands = SAMPLE.read_text(encoding="utf-8").splitlines()
    assert [line[2:] for line in lines if line.startswith("> ")] == commands
    assert lines[-1] == ">"
    assert "State: 142 635 b78" in lines
    assert "Solved in 4 moves; no solution is shorter." in lines
    assert "Error" not in result.output
    assert sum(line.startswith("No solution found: limit of") for line in lines) == 1
    assert sum(line.startswith("No solution found: cap of") for line in lines) == 3
    assert f"limit of {MAX_NODES:,} nodes" in result.output


def test_a_file_and_then_a_pipe() -> None:
    result = run("repl", str(SAMPLE), text="move up\nexit\nmove up\n")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-3:-1] == [
        "> move up",
        "State: 312 75b 468 (the blank went up, tile 8 down)",
    ]
    assert result.stdout.splitlines()[-1] == "> exit"


def test_exit_in_a_file_leaves_without_a_prompt(tmp_path: Path) -> None:
    file = tmp_path / "commands.txt"
    file.write_text("printState\nexit\nprintState\n", encoding="utf-8")
    result = run("repl", str(file), text="printState\n")
    assert result.stdout.splitlines() == ["> printState", "State: b12 345 678", "> exit"]


def test_a_piped_session_prints_a_clean_transcript() -> None:
    result = run("repl", text="move right\n\nnonsense\r\nprintState")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "> move right",
        "State: 1b2 345 678 (the blank went right, tile 1 left)",
        ">",
        "> nonsense",
        "Error: there is no command 'nonsense'. help lists them",
        "> printState",
        "State: 1b2 345 678",
        ">",
    ]


def test_a_file_of_junk_is_explained_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "junk.txt"
    file.write_bytes(b"\xff\xfe\x00\n\x1b[2J\n\xef\xbb\xbfprintState\n" + bytes(range(256)))
    result = run("repl", str(file), text="printState\n")
    assert result.exit_code == 0
    assert result.exception is None
    assert "\x1b" not in result.output
    assert result.stdout.splitlines()[-3:] == ["> printState", "State: b12 345 678", ">"]


def test_ctrl_c_at_a_terminal_stops_the_search_and_the_prompt_returns() -> None:
    with at_a_terminal("repl") as (say, await_text):
        await_text("> ")
        say("maxNodes 999999999\n")
        await_text("999,999,999 nodes")
        say("setBoard 14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3\n")
        await_text("State: ")
        say("solve bfs\n")
        # The live line says that the search is under way.
        await_text("nodes")
        say("\x03")
        await_text("Stopped: interrupted.")
        await_text("> ")
        say("move u\x03")
        await_text("exit to leave", again="\x03")
        await_text("> ")
        say("\x04")

"""Sessions: the commands of S2, against exhaustive truth, and `taquin repl` that reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin.classroom.repl import LONGEST_WALK, MAX_NODES, SEARCH_NAMES, VERBS, Session
from taquin.search.control import Progress
from taquin.search.result import Counters
from tests import truth
from tests.cli.runs import at_a_terminal, printed, run

GOAL = (0, 1, 2, 3, 4, 5, 6, 7, 8)


@cache
def least() -> dict[truth.Cells, int]:
    """Return the least number of moves from every board to the goal."""
    return truth.distances([GOAL], 3, 3)


def answers(session: Session, *lines: str) -> list[str]:
    """Return the answer to the last of `lines`."""
    found: list[str] = []
    for line in lines:
        found = list(session.execute(line))
    return found


def one(session: Session, *lines: str) -> str:
    """Return the answer to the last of `lines`, which is one line long."""
    (answer,) = answers(session, *lines)
    return answer


def steps(lines: list[str]) -> list[tuple[int, str, int, str, str, str]]:
    """Return the steps printed: number, blank's direction, tile, its direction, the two states."""
    row = r"\s*(\d+)  (\w+) +(\d) (\w+) +(\S{3} \S{3} \S{3})  (\S{3} \S{3} \S{3})"
    return [
        (int(m[1]), m[2], int(m[3]), m[4], m[5], m[6])
        for line in lines
        if (m := re.fullmatch(row, line))
    ]


def cells_of(state: str) -> truth.Cells:
    return tuple(0 if mark == "b" else int(mark) for mark in state.replace(" ", ""))


# --- the state and the moves ---------------------------------------------------------------------


def test_a_state_is_set_and_printed_in_any_case_and_a_board_in_any_notation() -> None:
    for command in ("printState", "printStats", "PRINTSTATE", " printstats "):
        assert one(Session(), "setState 1b2 345 678", command) == "State: 1b2 345 678"
    for state in ("142 635 b78", "142 635 B78", "  142   635 b78 "):
        assert one(Session(), f"setState {state}") == "State: 142 635 b78"
    for board in ("142 635 b78", "142 635 B78", "142635078", "1 4 2/6 3 5/0 7 8"):
        assert one(Session(), f"SETBOARD {board}") == "State: 142 635 b78"


def test_right_down_left_down_from_the_goal_and_moves_on_boards_of_other_sizes() -> None:
    session = Session()
    moves = ("move right", "MOVE Down", "move left", "move down")
    assert "142 635 b78" in one(session, *moves)
    assert session.state() == "142 635 b78"
    assert "a wall is there" in one(session, "setBoard 0 # 1 / 2 3 4", "move right")
    assert "4 5 6 7" in one(session, "setBoard 1 0 2 3 / 4 5 6 7 / 8 9 10 11")
    # Boards of other sizes have the blank first in their goal too.
    assert answers(session, "solve a-star h2")[0].startswith("Solved in 1 move;")


@pytest.mark.parametrize(
    ("state", "direction", "edge"),
    [
        ("b12 345 678", "up", "top row"),
        ("b12 345 678", "left", "leftmost column"),
        ("123 456 78b", "down", "bottom row"),
        ("123 456 78b", "right", "rightmost column"),
    ],
)
def test_the_blank_does_not_leave_the_board(state: str, direction: str, edge: str) -> None:
    session = Session()
    answer = one(session, f"setState {state}", f"move {direction}")
    assert answer.startswith(f"Error: the blank cannot move {direction}")
    assert edge in answer
    assert session.state() == state


# --- random states -------------------------------------------------------------------------------


def test_random_moves_repeat_and_are_a_solution_no_longer_than_their_number() -> None:
    one_session, other = Session(), Session()
    answers(other, "setState 876 543 21b", "move up", "randomizeState 7")
    for moves in (0, 1, 3, 10, 250):
        line = f"randomizeState {moves}"
        assert one(one_session, line) == one(other, line)
    assert len({one(Session(), f"randomizeState {moves}") for moves in range(20)}) == 20
    for moves in range(0, 40, 3):
        session = Session()
        answers(session, f"randomizeState {moves}")
        assert least()[cells_of(session.state())] <= moves
        assert (least()[cells_of(session.state())] - moves) % 2 == 0


# --- solving -------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", ["A-star h1", "a-star H2", "A* manhattan", "beam 100", "bfs"])
def test_every_step_is_printed(search: str) -> None:
    session = Session()
    lines = answers(session, "setState 142 635 b78", f"solve {search}")
    assert lines[0].startswith("Solved in 4 moves")
    assert "Start: 142 635 b78" in lines
    assert steps(lines) == [
        (1, "up", 6, "down", "142 b35 678", "142 635 b78"),
        (2, "right", 3, "left", "142 3b5 678", "142 b35 678"),
        (3, "up", 4, "down", "1b2 345 678", "142 3b5 678"),
        (4, "left", 1, "right", "b12 345 678", "1b2 345 678"),
    ]
    assert session.state() == "142 635 b78"


@pytest.mark.parametrize("heuristic", ["h1", "h2"])
@pytest.mark.parametrize(
    ("search", "walks"), [("A-star", (1, 2, 5, 10)), ("repaired A-star", (5, 10, 17, 20))]
)
def test_a_star_takes_the_least_moves(search: str, walks: tuple[int, ...], heuristic: str) -> None:
    session = Session()
    for moves in walks:
        answers(session, f"randomizeState {moves}")
        found = steps(answers(session, f"solve {search} {heuristic}"))
        assert len(found) == least()[cells_of(session.state())]


def test_a_beam_of_5_fails_on_a_3_move_scramble_and_one_of_100_does_not() -> None:
    states = [
        " ".join("".join(map(str, cells))[row : row + 3] for row in (0, 3, 6)).replace("0", "b")
        for cells, moves in least().items()
        if moves == 3
    ]
    assert len(states) == 8
    for scramble in ("randomizeState 3", *(f"setState {state}" for state in states)):
        failed = answers(Session(), scramble, "solve beam 5")
        assert failed[0].startswith("No solution found: cap of 5 nodes kept.")
        assert not steps(failed)
        assert len(steps(answers(Session(), scramble, "solve beam 100"))) == 3


def test_the_searches_of_s2_fare_on_its_250_random_moves_as_it_tells() -> None:
    said = [
        answers(Session(), "randomizeState 250", f"solve {search}")[0]
        for search in ("a-star h2", "a-star h1", "beam 5000", "repaired beam 5000")
    ]
    assert said[0].startswith("Solved in 18 moves")
    assert said[1].startswith("No solution found: limit of 20,000 nodes generated.")
    assert said[2].startswith("No solution found: cap of 5,000 nodes kept.")
    assert said[3].startswith("Solved in ")


def test_max_nodes_stops_a_search_and_says_so() -> None:
    session = Session()
    assert one(session, "maxNodes 20") == "A search stops after 20 nodes."
    lines = answers(session, "setState 876 543 21b", "solve A-star h1")
    assert lines[0].startswith("No solution found: limit of 20 nodes generated.")
    assert "maxNodes <n> raises the limit" in lines[0]
    assert not steps(lines)
    assert answers(session, "maxNodes 1000000", "solve A-star h2")[0].startswith("Solved in ")


@pytest.mark.parametrize("name", SEARCH_NAMES)
def test_every_search_can_be_named(name: str) -> None:
    number = " 50" if "beam" in name else ""
    lines = answers(Session(), "randomizeState 2", f"solve {name}{number}")
    assert lines[0].startswith("Solved in ")
    if name == "level-beam":
        assert lines[1].startswith("beam(manhattan, width=50): ")
    assert answers(Session(), f"solve {name}{number}")[0] == "Solved as it stands: 0 moves."
    unsolvable = answers(Session(), "setState b21 345 678", f"solve {name}{number}")[0]
    assert unsolvable.startswith("No solution possible: 1 inversion")


def test_ctrl_c_ends_a_search_with_what_it_found_out() -> None:
    @contextmanager
    def pressed() -> Iterator[Progress]:
        def progress(counters: Counters, seconds: float) -> None:
            raise KeyboardInterrupt

        yield progress

    session = Session(live=pressed)
    lines = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        for line in session.execute("solve bfs") if answers(session, "randomizeState 20") else ():
            lines.append(line)
    assert lines[0].startswith("Stopped: interrupted.")
    assert one(session, "printState").startswith("State: ")


# --- commands in general -------------------------------------------------------------------------


REFUSED = """
fly · there is no command 'fly'
mvoe up · Did you mean move?
randomisestate 3 · Did you mean randomizeState?
move · expected move up|down|left|right
move up down · expected move up|down|left|right
move sideways · expected up, down, left or right
maxNodes · expected maxNodes <n>
maxNodes 0 · 1 or more
maxNodes many · 1 or more
printState now · expected printState
setState · expected nine characters in three groups
setState 142635b78 · setBoard takes other sizes
setState 1 4 2 6 3 5 b 7 8 · setBoard takes other sizes
setState 14 2635 b78 · setBoard takes other sizes
setState 142 635 b78 9 · setBoard takes other sizes
setState 1b2 345 · setBoard takes other sizes
setState 12b3 345 678 · setBoard takes other sizes
setState 12 345 678 · b12 345 678
setState b12 345 677 · column 20: tile 7 appears twice
setState b12 345 679 · column 20: expected 1 to 8 and b for the blank, found 9
setState 123 456 781 · blank
setState 012 345 678 · column 10: expected 1 to 8 and b for the blank, found 0
setState hello · expected nine characters in three groups
randomizeState x · expected a whole number from 0 to 100,000
randomizeState -1 · expected a whole number from 0 to 100,000
randomizeState 1.5 · expected a whole number from 0 to 100,000
randomizeState · expected
randomizeState 3 4 · expected
randomizeState TOO-MANY · expected a whole number from 0 to 100,000
randomizeState HUGE · expected a whole number from 0 to 100,000
solve · expected a search
solve beam · expected a number of nodes
solve beam x · a number of nodes to keep
solve beam 0 · must be at least 1
solve beam 1.5 · whole number
solve beam 5 6 · takes one number
solve beem 5 · Did you mean beam?
solve A-star h3 · no heuristic 'h3'
solve bfs 5 · takes no number
solve repaired · expected a search
solve repaired bfs · only A-star and beam have a repaired form, not bfs
solve wastar 0.5 · must be at least 1
solve bfs h2 · does not support heuristic
"""
"""Lines that are refused, and a part of what is said."""


@pytest.mark.parametrize("case", REFUSED.strip().split("\n"))
def test_a_bad_line_is_explained_changes_nothing_and_the_session_goes_on(case: str) -> None:
    line, _, complaint = case.partition(" · ")
    session = Session()
    answer = one(
        session, line.replace("TOO-MANY", str(LONGEST_WALK + 1)).replace("HUGE", "9" * 5000)
    )
    assert answer.startswith("Error: ")
    assert complaint in answer
    assert (session.state(), session.over) == ("b12 345 678", False)


def test_help_lists_every_command_and_search() -> None:
    text = "\n".join(answers(Session(), "help"))
    for verb in VERBS.values():
        assert verb.usage in text
    for name in SEARCH_NAMES:
        assert name in text


def test_exit_ends_the_session_and_empty_lines_and_comments_have_no_answer() -> None:
    for line in ("", "   ", "\t", "# a comment", "#", "exit", "EXIT", "quit"):
        session = Session()
        assert answers(session, line) == []
        assert session.over == (line.lower() in ("exit", "quit"))


words = st.sampled_from(
    [*VERBS, *SEARCH_NAMES, "h1", "h2", "max(h1,", "h2)", "up", "b12", "345", "678", "5", "0", "-1"]
)
typed = st.one_of(st.text(max_size=60), st.lists(words, max_size=5).map(" ".join))


@given(st.lists(typed, max_size=4))
def test_no_line_whatever_breaks_a_session(lines: list[str]) -> None:
    session = Session()
    for line in ["maxNodes 50", *lines]:
        if "maxnodes" not in line.lower() or line == "maxNodes 50":
            assert all(isinstance(answer, str) for answer in session.execute(line))
    assert one(session, "printState").startswith("State: ")


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


def test_files_and_pipes_give_a_clean_transcript_up_to_exit(tmp_path: Path) -> None:
    result = printed("repl", text="move right\n\nnonsense\r\nprintState")
    assert result.splitlines() == [
        *("> move right", "State: 1b2 345 678 (the blank went right, tile 1 left)", ">"),
        *("> nonsense", "Error: there is no command 'nonsense'. help lists them", "> printState"),
        *("State: 1b2 345 678", ">"),
    ]
    file = tmp_path / "commands.txt"
    file.write_text("printState\nexit\nprintState\n", encoding="utf-8")
    result = printed("repl", str(file), text="printState\n")
    assert result.splitlines() == ["> printState", "State: b12 345 678", "> exit"]
    result = printed("repl", str(SAMPLE), text="move up\nexit\nmove up\n")
    assert result.splitlines()[-3:-1] == [
        "> move up",
        "State: 312 75b 468 (the blank went up, tile 8 down)",
    ]
    assert result.splitlines()[-1] == "> exit"


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

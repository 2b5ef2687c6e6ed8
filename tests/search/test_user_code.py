"""Heuristics and searches of one's own, by `file.py:name` or `module:name`."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taquin as tq
from taquin.engine.glass import GlassBox
from taquin.errors import UnsuitableError, UserCodeError
from taquin.heuristics.user_code import UserCode, user_code_parts, with_source
from taquin.search.control import Control
from taquin.search.grammar import heuristic_named, search_named
from taquin.search.result import Task
from tests.cli.runs import run

NEAR = "1 2 3 / 4 0 5 / 7 8 6"
FAR = "8 1 3 / 4 0 2 / 7 6 5"

CODE = """
from dataclasses import dataclass, field
import taquin as tq
from taquin.search.best_first import Order, best_first
from taquin.search.conventions import OPEN, STANDARD

def wrong(board):
    return sum(a != b for a, b in zip(board.cells, range(1, 9)))

def broken(board):
    if board.cells[4]:
        raise ValueError("no good")
    return 0

def wordy(board):
    return "many"

@dataclass(frozen=True)
class Pessimist:
    heuristic: object = field(default_factory=tq.Manhattan)
    name = "pessimist"
    conventions = STANDARD
    optimal = False
    exhaustive = True
    cap = None
    def loop(self, run):
        return best_first(run, Order(lambda g, h: g + h + h // 2))

number = 7
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(CODE)
    return file


def test_a_function_serves_as_a_heuristic_everywhere(own: Path) -> None:
    name = f"{own}:wrong"
    result = tq.solve(tq.Board.parse(NEAR), algorithm=f"astar({name})")
    assert (result.cost, str(result.algorithm)) == (2, f"astar({name})")
    for words in (
        ("solve", NEAR, "-a", "astar", "-H", name),
        ("trace", NEAR, "-a", f"astar:{name}"),
        ("tree", NEAR, "-a", f"astar({name})"),
        ("compare", NEAR, "-a", f"astar:{name}", "-a", f"{own}:Pessimist"),
    ):
        assert run(*words).exit_code == 0, words
    # It counts the blank, as many do at first: the auditor finds out.
    assert run("audit", name, "--size", "2x3").exit_code == 1


def test_a_search_of_ones_own_runs(own: Path) -> None:
    result = tq.solve(tq.Board.parse(NEAR), algorithm=f"{own}:Pessimist")
    assert (result.cost, str(result.algorithm)) == (2, f"{own}:Pessimist")


def test_a_search_that_leaves_its_conventions_open_is_told_what_to_write(own: Path) -> None:
    for chosen, left in (("tq.Conventions()", r"\(duplicates, "), ("None", "found 'None'")):
        own.write_text(
            CODE.replace("conventions = STANDARD", f"conventions = {chosen}"), encoding="utf-8"
        )
        with pytest.raises(UnsuitableError, match=rf"{left}.*tq.AStar\(\).conventions"):
            tq.solve(NEAR, algorithm=f"{own}:Pessimist")


def test_a_module_is_found_where_python_finds_it(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(own.parent)
    assert tq.solve(tq.Board.parse(NEAR), algorithm="astar(mine:wrong)").cost == 2


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("broken", "line 12: ValueError: no good"),
        ("wordy", "must return a whole number"),
        ("number", "to be a function of a board or a heuristic, found int"),
        ("nothing", "there is no 'nothing'"),
    ],
)
def test_a_fault_is_one_sentence_with_its_line(own: Path, name: str, said: str) -> None:
    told = run("solve", NEAR, "-a", "astar", "-H", f"{own}:{name}")
    assert told.exit_code == 2
    assert said in told.stderr
    assert "Traceback" not in told.stderr


def test_code_that_cannot_be_loaded_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    for text, said in (
        ("def f(board:\n    return 1\n", "line 1: SyntaxError"),
        ("\n1 / 0\n", "line 2: ZeroDivisionError: division by zero"),
        ("import nothing_of_the_kind\n", "line 1: ModuleNotFoundError"),
        ("raise SystemExit(3)\n", r"line 1: called sys\.exit\(3\)"),
    ):
        file.write_text(text)
        with pytest.raises(UserCodeError, match=said):
            tq.solve(tq.Board.parse(NEAR), algorithm=f"astar({file}:f)")
    with pytest.raises(UserCodeError, match="there is no file"):
        tq.solve(tq.Board.parse(NEAR), algorithm="astar(nowhere.py:f)")
    file.write_text("f = 1\n")
    with pytest.raises(UnsuitableError, match="or a search"):
        tq.solve(tq.Board.parse(NEAR), algorithm=f"{file}:f")


def test_reading_runs_nothing_and_the_source_has_a_fingerprint(tmp_path: Path) -> None:
    file = tmp_path / "loud.py"
    file.write_text("raise AssertionError('it ran')\n")
    heuristic = heuristic_named(f"max(manhattan, {file}:f)")
    (code,) = user_code_parts(search_named(f"idastar({heuristic.name})"))
    before = code.fingerprint
    file.write_text("def f(board): return 0\n")
    assert code.fingerprint != before
    file.unlink()
    assert code.fingerprint == "missing"


def test_carried_code_runs_where_its_file_is_not(own: Path) -> None:
    search = with_source(search_named(f"astar({own}:wrong)"))
    sent = pickle.loads(pickle.dumps(search))
    own.unlink()
    assert tq.solve(tq.Board.parse(NEAR), algorithm=sent).cost == 2
    assert sent == search_named(f"astar({own}:wrong)")


def test_a_file_is_looked_for_in_the_folder_it_was_named_in(own: Path) -> None:
    heuristic = heuristic_named("mine.py:wrong", str(own.parent))
    assert heuristic.name == "mine.py:wrong"
    assert tq.solve(tq.Board.parse(NEAR), algorithm=tq.AStar(heuristic)).cost == 2
    assert UserCode("mine.py", "wrong") == UserCode("mine.py", "wrong", str(own.parent))


def _always(text: str, wrong: int) -> float:
    return float(text)


def _first_wrong(kind: Callable[[int], Any], board: tq.Board) -> Any:
    return kind(int(board.cells[0] != 1))


def test_a_whole_number_of_any_type_is_an_estimate() -> None:
    kinds: tuple[Callable[[int], Any], ...] = (float, np.int64, np.float32, Fraction)
    for kind in kinds:
        heuristic = tq.FromFunction(partial(_first_wrong, kind), "first")
        assert tq.estimate(heuristic, "0 1 / 3 2") == 1
        assert tq.solve(NEAR, algorithm=tq.AStar(heuristic)).cost == 2


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        (
            "heappush(heap, (0, board)); heappush(heap, (0, board.apply(board.moves()[0])))",
            "counter",
        ),
        ("board[7]", "board.cells"),
        ("search(board)", "recursion"),
    ],
)
def test_common_mistakes_come_with_advice(tmp_path: Path, line: str, advice: str) -> None:
    code = f"from heapq import heappush\ndef search(board):\n    heap = []\n    {line}\n"
    (tmp_path / "mine.py").write_text(code)
    with pytest.raises(UserCodeError, match=rf"mine.py, line 4: .*{advice}"):
        tq.solve(NEAR, algorithm=f"{tmp_path}/mine.py:search")


@pytest.mark.parametrize("text", ["mine.py", "astar(mine.py)", "mine.py:nothing"])
def test_a_file_without_a_name_lists_its_functions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (tmp_path / "mine.py").write_text("def one(board): ...\ndef _two(board): ...\nclass Three: ...")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserCodeError, match=r"which has one, Three$"):
        tq.solve(NEAR, algorithm=text)


def test_a_random_heuristic_is_noticed() -> None:
    notices: list[str] = []
    numbers = count()
    heuristic = tq.FromFunction(lambda board: next(numbers), "dice")
    task = Task(tq.Puzzle(tq.Goal.blank_last(3, 3)), tq.Board.parse(NEAR), tq.AStar(heuristic))
    GlassBox().solve(task, Control(notice=notices.append))
    assert "'dice' returned 0 and 1 for" in notices[0]


def test_a_fraction_is_rounded_up_if_it_is_declared_admissible_and_down_if_not() -> None:
    half = tq.FromFunction(lambda board: 0.5 * (board.cells[8] != 0), "half", admissible=True)
    notices: list[str] = []
    task = Task(tq.Puzzle(tq.Goal.blank_last(3, 3)), tq.Board.parse(NEAR), tq.AStar(half))
    result = GlassBox().solve(task, Control(notice=notices.append))
    assert (result.cost, result.optimal) == (2, True)
    assert tq.estimate(half, NEAR) == 1
    assert len(notices) == 1
    assert "'half' returned 0.5 for 1 2 3 / 4 0 5 / 7 8 6: fractions are rounded up" in notices[0]
    unsure = tq.FromFunction(half.function, "half")
    assert tq.estimate(unsure, NEAR) == 0
    for number in ("nan", "inf"):
        odd = tq.FromFunction(partial(_first_wrong, partial(_always, number)), admissible=True)
        with pytest.raises(UnsuitableError, match="must return a whole number"):
            tq.solve(NEAR, algorithm=tq.AStar(odd))


def test_a_missing_return_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "h.py").write_text("def manh(board):\n    len(board.cells)\n")
    told = run("solve", NEAR, "-H", f"{tmp_path / 'h.py'}:manh")
    assert told.exit_code == 2
    assert "is a return statement missing?" in " ".join(told.stderr.split())


def test_a_file_that_was_written_like_a_module_is_pointed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "beside.py").write_text("def manh(board):\n    return 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [each for each in sys.path if each])
    told = run("solve", NEAR, "-H", "beside:manh")
    assert told.exit_code == 2
    assert "there is no module 'beside', but a file beside.py: write beside.py:manh" in " ".join(
        told.stderr.split()
    )


def test_a_function_is_told_how_to_claim_that_it_is_admissible(own: Path) -> None:
    # The command line checks the solution, so that nothing need be claimed.
    assert not run("solve", FAR, "-a", f"astar({own}:wrong)", "--style", "moves").stderr
    told = str(tq.solve(FAR, algorithm=f"astar({own}:wrong)"))
    assert "is not declared admissible" in told
    assert "write wrong.admissible = True below the function" in told
    own.write_text(CODE + "\nwrong.admissible = True\n", encoding="utf-8")
    told = str(tq.solve(FAR, algorithm=f"astar({own}:wrong)"))
    assert f"optimal if {own}:wrong is admissible" in told
    by_hand = tq.FromFunction(lambda board: 0, "mine")
    assert "tq.FromFunction(…, admissible=True)" in str(tq.solve(FAR, algorithm=tq.AStar(by_hand)))
    assert "admissible" not in str(tq.solve(FAR, algorithm=tq.Greedy(by_hand)))

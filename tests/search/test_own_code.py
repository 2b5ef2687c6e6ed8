"""Heuristics and searches of one's own, by `file.py:name` or `module:name`."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import taquin as tq
from taquin.errors import OwnCodeError, UnsuitableError
from taquin.heuristics.own import OwnCode, carried, own_code_in
from taquin.search.grammar import heuristic_named, search_named
from tests.cli.runs import run

NEAR = "1 2 3 / 4 0 5 / 7 8 6"

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
        own.write_text(CODE.replace("conventions = STANDARD", f"conventions = {chosen}"))
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
        ("raise SystemExit(3)\n", "ends the program"),
    ):
        file.write_text(text)
        with pytest.raises(OwnCodeError, match=said):
            tq.solve(tq.Board.parse(NEAR), algorithm=f"astar({file}:f)")
    with pytest.raises(OwnCodeError, match="there is no file"):
        tq.solve(tq.Board.parse(NEAR), algorithm="astar(nowhere.py:f)")
    file.write_text("f = 1\n")
    with pytest.raises(UnsuitableError, match="to be a search"):
        tq.solve(tq.Board.parse(NEAR), algorithm=f"{file}:f")


def test_reading_runs_nothing_and_the_source_has_a_fingerprint(tmp_path: Path) -> None:
    file = tmp_path / "loud.py"
    file.write_text("raise AssertionError('it ran')\n")
    heuristic = heuristic_named(f"max(manhattan, {file}:f)")
    (code,) = own_code_in(search_named(f"idastar({heuristic.name})"))
    before = code.fingerprint
    file.write_text("def f(board): return 0\n")
    assert code.fingerprint != before
    file.unlink()
    assert code.fingerprint == "missing"


def test_carried_code_runs_where_its_file_is_not(own: Path) -> None:
    search = carried(search_named(f"astar({own}:wrong)"))
    sent = pickle.loads(pickle.dumps(search))
    own.unlink()
    assert tq.solve(tq.Board.parse(NEAR), algorithm=sent).cost == 2
    assert sent == search_named(f"astar({own}:wrong)")


def test_a_file_is_looked_for_in_the_folder_it_was_named_in(own: Path) -> None:
    heuristic = heuristic_named("mine.py:wrong", str(own.parent))
    assert heuristic.name == "mine.py:wrong"
    assert tq.solve(tq.Board.parse(NEAR), algorithm=tq.AStar(heuristic)).cost == 2
    assert OwnCode("mine.py", "wrong") == OwnCode("mine.py", "wrong", str(own.parent))

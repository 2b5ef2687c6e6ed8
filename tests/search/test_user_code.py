"""Heuristics and searches in user code: found, called, ended, and never believed."""

from __future__ import annotations

import pickle
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import count, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taquin as tq
from taquin import events as on
from taquin.engine.glass import GlassBox
from taquin.errors import UnsuitableError, UserCodeError
from taquin.events import Finished
from taquin.heuristics.base import Estimate
from taquin.heuristics.user_code import UserCode, user_code_parts, user_part, with_source
from taquin.search import Conventions, Duplicates, GoalTest, control
from taquin.search.algorithms import ALGORITHMS
from taquin.search.control import Control
from taquin.search.grammar import heuristic_named, options_of, search_named
from taquin.search.result import Task
from taquin.search.run import Exhausted, Found, Loop, SearchRun
from taquin.system.formatting import counted
from tests import truth
from tests.cli.runs import run

NEAR = "1 2 3 / 4 0 5 / 7 8 6"
FAR = "8 1 3 / 4 0 2 / 7 6 5"

CODE = """
from dataclasses import dataclass, field
import taquin as tq
from taquin.search.best_first import Order, best_first
from taquin.search.run import OPEN, STANDARD

def wrong(board):
    return sum(a != b for a, b in zip(board.cells, range(1, 9)))

def broken(board):
    if board.cells[4]:
        raise ValueError("no good")
    return 0

def wordy(board):
    return "many"

def silent(board):
    len(board.cells)

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


def test_a_search_of_ones_own_runs_and_is_told_what_to_write_for_its_conventions(own: Path) -> None:
    result = tq.solve(tq.Board.parse(NEAR), algorithm=f"{own}:Pessimist")
    assert (result.cost, str(result.algorithm)) == (2, f"{own}:Pessimist")
    for chosen, left in (("tq.search.Conventions()", r"\(duplicates, "), ("None", "found 'None'")):
        open_ = CODE.replace("conventions = STANDARD", f"conventions = {chosen}")
        own.write_text(open_, encoding="utf-8")
        with pytest.raises(UnsuitableError, match=rf"{left}.*tq.AStar\(\).conventions"):
            tq.solve(NEAR, algorithm=f"{own}:Pessimist")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("broken", "line 12: ValueError: no good"),
        ("wordy", "must return a whole number"),
        ("number", "to be a function of a board or a heuristic, found int"),
        ("nothing", "there is no 'nothing'"),
        ("silent", "is a return statement missing?"),
    ],
)
def test_a_fault_is_one_sentence_with_its_line(own: Path, name: str, said: str) -> None:
    told = run("solve", NEAR, "-a", "astar", "-H", f"{own}:{name}")
    assert told.exit_code == 2
    assert said in " ".join(told.stderr.split())
    assert "Traceback" not in told.stderr


async def _later(board: tq.Board) -> int:
    return 0


async def _stepwise(board: tq.Board) -> AsyncIterator[tq.Board]:
    yield board


class _Service:
    async def __call__(self, board: tq.Board) -> int:
        return 0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("function", [_later, _stepwise, partial(_later), _Service()])
def test_an_async_function_is_refused_before_it_is_called(function: Any) -> None:
    for options in ({"heuristic": function}, {"algorithm": function}):
        with pytest.raises(UserCodeError, match="an async function: write def instead of async"):
            tq.solve(NEAR, **options)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(board:\n    return 1\n", "line 1: SyntaxError"),
        ("\n1 / 0\n", "line 2: ZeroDivisionError: division by zero"),
        ("import nothing_of_the_kind\n", "line 1: ModuleNotFoundError"),
        ("raise SystemExit(3)\n", r"line 1: called sys\.exit\(3\)"),
        (None, "there is no file"),
        ("f = 1\n", "or a search"),
    ],
)
def test_code_that_cannot_be_loaded_is_told_with_its_line(
    tmp_path: Path, text: str | None, said: str
) -> None:
    file = tmp_path / "bad.py"
    if text is not None:
        file.write_text(text)
    with pytest.raises((UserCodeError, UnsuitableError), match=said):
        tq.solve(NEAR, algorithm=f"{file}:f" if "search" in said else f"astar({file}:f)")


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


def test_loading_code_leaves_no_folder_where_python_looks_for_modules(own: Path) -> None:
    before = list(sys.path)
    (own.parent / "beside.py").write_text("answer = 42\n")
    own.write_text(f"import beside\n{CODE}", encoding="utf-8")
    assert tq.solve(tq.Board.parse(NEAR), algorithm=f"astar({own}:wrong)").cost == 2
    own.write_text(f"{CODE}\nraise ZeroDivisionError", encoding="utf-8")
    with pytest.raises(tq.errors.UserCodeError):
        tq.solve(tq.Board.parse(NEAR), algorithm=f"astar({own}:wrong)")
    assert sys.path == before


def test_a_file_is_looked_for_in_its_folder_and_a_module_where_python_finds_it(
    own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heuristic = heuristic_named("mine.py:wrong", str(own.parent))
    assert heuristic.name == "mine.py:wrong"
    assert tq.solve(tq.Board.parse(NEAR), algorithm=tq.AStar(heuristic)).cost == 2
    assert UserCode("mine.py", "wrong") == UserCode("mine.py", "wrong", str(own.parent))
    monkeypatch.syspath_prepend(own.parent)
    assert tq.solve(tq.Board.parse(NEAR), algorithm="astar(mine:wrong)").cost == 2


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
    ("line", "said"),
    [
        ("heappush([(0, board)], (0, board.apply(board.moves()[0])))", ".*counter"),
        ("board[7]", ".*board.cells"),
        ("board.index(0)", ".*the tuple of its tiles"),
        ("len(board)", ".*the tuple of its tiles"),
        ("return h(board)", "RecursionError.*recursion"),
        ("raise SystemExit(1)", r"called sys.exit\(1\)"),
        ("raise StopIteration", "StopIteration"),
        ("raise GeneratorExit", "GeneratorExit"),
    ],
)
def test_what_a_function_raises_is_one_sentence_with_advice(
    tmp_path: Path, line: str, said: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(f"from heapq import heappush\ndef h(board):\n    {line}\n", "utf-8")
    with pytest.raises(UserCodeError, match=f"mine.py, line 3: {said}"):
        tq.solve(NEAR, algorithm=f"astar({file}:h)")
    with pytest.raises(UserCodeError, match=f"mine.py, line 3: {said}"):
        list(tq.trace(NEAR, algorithm=f"{file}:h"))


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


@pytest.fixture(autouse=True)
def _default_interrupts() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pressed(board: tq.Board) -> int:
    signal.raise_signal(signal.SIGINT)
    while True:
        pass


def test_one_ctrl_c_ends_an_endless_heuristic() -> None:
    search = tq.AStar(tq.FromFunction(pressed))
    result = tq.solve(NEAR, algorithm=search)
    assert (result.outcome, result.reason) == (tq.Outcome.STOPPED, "interrupted")
    *_, last = tq.trace(NEAR, algorithm=search)
    assert isinstance(last, Finished)
    assert last.result.outcome is tq.Outcome.STOPPED
    assert tq.audit(tq.FromFunction(pressed)).stopped == "interrupted"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_limit_takes_effect_when_a_function_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tq.Board] = []
    monkeypatch.setattr(control, "perf_counter", lambda: 0.3 * (len(calls) >= 20))

    def slow(board: tq.Board) -> int:
        calls.append(board)
        return 0

    search = tq.AStar(tq.FromFunction(slow))
    result = tq.solve(HARD, algorithm=search, limits=tq.Limits(seconds=0.2))
    assert result.limit is tq.Limit.SECONDS
    assert (result.stats.expanded or 0) > 0
    assert len(calls) < 30


HARD = "8 6 7 / 2 5 4 / 3 0 1"
"""Its shortest solutions have 31 moves, and its Manhattan distance is 21."""
GOAL: tuple[int, ...] = (1, 2, 3, 4, 5, 0)


def _boards() -> list[tuple[tq.Board, int]]:
    """Return a near, a middling and a far board with their distances."""
    some = {
        distance: cells
        for cells, distance in truth.distances([GOAL], 2, 3).items()
        if distance in (4, 11, 20)
    }
    grid = tq.Board("1 2 3 / 4 5 0").grid
    return [(tq.Board(grid, cells), distance) for distance, cells in some.items()]


def manhattan(board: tq.Board) -> int:
    """Return the Manhattan distance of a board with three columns; the goal is blank-last."""
    return sum(
        abs(cell // 3 - (tile - 1) // 3) + abs(cell % 3 - (tile - 1) % 3)
        for cell, tile in enumerate(board.cells)
        if isinstance(tile, int) and tile
    )


@dataclass(frozen=True)
class Scaled:
    """The Manhattan distance times a factor, plus a constant, as a class of the user's."""

    factor: int
    more: int = 0
    claims: bool = True
    name = "scaled"
    counts_tile_steps = True

    def bind(self, space: Any) -> Estimate:
        value = tq.Manhattan().bind(space).value
        return Estimate(
            lambda state: self.factor * value(state) + self.more,
            admissible=self.claims,
            consistent=self.claims,
        )


def _heuristics() -> Iterator[tuple[Any, bool]]:
    """Yield heuristics in user code, each with whether it is admissible."""
    for claims in (True, False):
        yield Scaled(3, claims=claims), False
        yield Scaled(1, 4, claims), False
        yield Scaled(1, claims=claims), True
    yield tq.Maximum(Scaled(3), tq.Manhattan()), False
    yield tq.Maximum(Scaled(1), tq.Misplaced()), True
    yield tq.heuristics.Sum(Scaled(1), tq.Manhattan()), False


def _searches(heuristic: Any) -> Iterator[Any]:
    """Yield every search that takes a heuristic, with the conventions that its proofs rest on."""
    for name, make in ALGORITHMS.items():
        search: Any = make()
        # MM and NBS reject a heuristic that is not 0 at the goal.
        is_rejected = getattr(search, "from_both_ends", False) and getattr(heuristic, "more", 0)
        if "heuristic" in options_of(name) and not is_rejected:
            yield replace(search, heuristic=heuristic)
    yield tq.AStar(heuristic, conventions=Conventions(duplicates=Duplicates.CLOSED))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("limits", "least"),
    [(tq.Limits(nodes=900), 50), (tq.Limits(nodes=40), 0), (tq.Limits(nodes=900, depth=9), 0)],
)
def test_no_search_calls_a_solution_optimal_because_user_code_says_so(
    limits: tq.Limits, least: int
) -> None:
    claims = 0
    for heuristic, is_admissible in _heuristics():
        for search in _searches(heuristic):
            for board, distance in _boards():
                result = tq.solve(board, algorithm=search, limits=limits)
                case = f"{search} on {board.text()}, {heuristic}"
                assert result.lower_bound <= distance, case
                assert result.optimal == (result.cost == result.lower_bound), case
                assert not result.optimal or result.cost == distance, case
                if result.assumes:
                    claims += 1
                    assert result.assumes.startswith("scaled is admissible"), case
                    assert result.cost == distance or not is_admissible, case
    assert claims >= least


def test_a_flag_is_reported_as_an_assumption_and_a_lie_as_one() -> None:
    lie = tq.FromFunction(lambda board: 3 * manhattan(board), "lie", admissible=True)
    result = tq.solve(HARD, algorithm=tq.AStar(lie))
    assert result.cost is not None
    assert result.cost > 31
    assert (result.optimal, result.lower_bound, result.estimate) == (False, 21, 63)
    assert result.assumes == "lie is admissible"
    said = f"Solved in {counted(result.cost, 'move')}; optimal if lie is admissible, which is false"
    assert str(result).startswith(f"{said} (63 > {result.cost} here).")
    fair = tq.FromFunction(manhattan, "fair", admissible=True)
    result = tq.solve("8 1 3 / 4 0 2 / 7 6 5", algorithm=tq.IDAStar(fair))
    assert (result.cost, result.optimal, result.lower_bound) == (14, False, 10)
    assert str(result).startswith("Solved in 14 moves; optimal if fair is admissible.\n")


@dataclass(frozen=True)
class Liar:
    """A loop of the user's that claims a bound, or that there is no solution."""

    bound: float | None
    name = "liar"
    heuristic = None
    conventions = tq.AStar().conventions
    optimal = True
    exhaustive = True
    cap = None

    def loop(self, run: SearchRun) -> Loop:
        yield None
        if self.bound is None:
            return Exhausted(complete=True)
        run.counters.bound = self.bound
        path = [tq.Board("1 2 3 / 4 0 5"), tq.Board("1 2 3 / 0 4 5"), tq.Board("1 2 3 / 4 0 5")]
        path.append(tq.Board("1 2 3 / 4 5 0"))
        return Found([run.space.encode(board) for board in path])


def test_a_loop_of_the_users_proves_neither_a_bound_nor_that_there_is_no_solution() -> None:
    result = tq.solve("1 2 3 / 4 0 5", algorithm=Liar(3))
    assert (result.cost, result.lower_bound, result.optimal) == (3, 1, False)
    assert result.assumes == "liar is correct"
    with pytest.raises(UserCodeError, match=r"liar says .* in vain, but 1 2 3 / 4 0 5 has a sol"):
        tq.solve("1 2 3 / 4 0 5", algorithm=Liar(None))


def test_the_part_that_is_user_code_is_named() -> None:
    fair, other = (tq.FromFunction(lambda board: 0, name) for name in ("fair", "other"))
    assert user_part(None) == user_part(tq.Maximum(tq.Manhattan(), tq.Misplaced())) == ""
    assert user_part(tq.Maximum(tq.Manhattan(), fair)) == "fair"
    assert user_part(tq.Maximum(tq.Maximum(other), fair)) == "max(max(other), fair)"


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_deepest_board_is_the_deepest_dequeued_or_the_goal(name: str) -> None:
    search: Any = ALGORITHMS[name]()
    searches = [search]
    if "goal_test" not in search.unsupported:
        on_generation = Conventions(goal_test=GoalTest.GENERATION).over(search.conventions)
        searches.append(replace(search, conventions=on_generation))
    for each, nodes in product(searches, (2000, 30)):
        *events, last = tq.trace("4 1 2 / 5 0 3", algorithm=each, limits=tq.Limits(nodes))
        # A board at the limit is visited, and not expanded.
        depths = [
            event.node.depth
            for event in events
            if isinstance(event, on.Expanded | on.Discarded | on.GoalFound)
            or (isinstance(event, on.Generated) and event.fate is on.Fate.LIMIT)
        ]
        assert isinstance(last, Finished)
        assert last.result.stats.max_depth == max(depths, default=0), (str(each), nodes)


def test_the_depth_of_a_function_includes_its_solution() -> None:
    for moves, depth in ((lambda board: "LL" if board.moves() else "", 2), (lambda _: "LL", None)):
        result = tq.solve("1 2 3 / 0 4 5", algorithm=moves)
        assert (result.cost, result.stats.max_depth) == (2, depth)

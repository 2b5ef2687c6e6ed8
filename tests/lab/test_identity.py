"""Studies made in Python: a record belongs to the code that ran, and to no other."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

import taquin as tq
from taquin.heuristics.base import Estimate
from taquin.lab.report.reporting import report_in
from taquin.lab.run.database import Store, store_path
from taquin.lab.study.definition import Study, jobs_of
from taquin.lab.study.identity import own_parts
from taquin.model.space import Space
from taquin.search.run import Loop, SearchRun

BOARD = "8 1 3 / 4 0 2 / 7 6 5"


def defined(source: str, name: str = "f") -> Any:
    """Return what `name` stands for after running `source`, as in a cell of a notebook."""
    module = ModuleType("notebook")
    exec(compile(dedent(source), "notebook.py", "exec"), module.__dict__)
    return module.__dict__[name]


def identity(value: object) -> tuple[str, ...]:
    """Return the fingerprints of user code in a value."""
    return tuple(part.fingerprint for part in own_parts(value))


def study(function: Callable[[tq.Board], int]) -> Study:
    """Return a study of one search with a function under a label that never changes."""
    return Study.of("mine", [BOARD], {"own": tq.AStar(tq.FromFunction(function, "h"))})


def expanded(made: Study, folder: Path) -> dict[str, int | None]:
    """Return the nodes expanded by each search, run in this very process."""
    return {each.search: each.stats.expanded for each in made.run(folder, processes=0)}


SAME = """
    def f(board):
        return sum(tile not in (0, place) for place, tile in enumerate(board.cells, 1))
"""
EDITS = {
    "a constant": "def f(board): return ONE",
    "a default": "def f(board, k=ONE): return k",
    "a keyword's default": "def f(board, *, k=ONE): return k",
    "a function within": "def f(board): return (lambda: ONE)()",
    "a closure": "def make(k): return lambda board: k\nf = make(ONE)",
    "a global": "K = ONE\ndef f(board): return K",
    "a helper": "def g(board): return ONE\ndef f(board): return g(board)",
    "a helper of a helper": """
        def h(): return ONE
        def g(): return [h() for _ in range(1)]
        def f(board): return g()
    """,
    "a method": """
        class C:
            def __call__(self, board): return ONE
        f = C()
    """,
    "the class above": """
        class B:
            def v(self): return ONE
        class C(B):
            def __call__(self, board): return self.v()
        f = C()
    """,
    "an attribute of the class": """
        class C:
            k = ONE
            def __call__(self, board): return self.k
        f = C()
    """,
    "an attribute": """
        class C:
            def __init__(self, k): self.k = k
            def __call__(self, board): return self.k
        f = C(ONE)
    """,
    "an array": """
        import numpy
        T = numpy.array([0, ONE])
        def f(board): return int(T[1])
    """,
    "an exception": """
        E = {1: ValueError, 2: KeyError}[ONE]
        def f(board):
            try: return board.no
            except E: return 0
    """,
}
"""Functions in which one number stands for what is edited."""


@pytest.mark.parametrize("edit", EDITS)
def test_whatever_changes_what_a_function_does_changes_its_identity(edit: str) -> None:
    one, again, two = (
        identity(tq.FromFunction(defined(EDITS[edit].replace("ONE", number)), "h"))
        for number in ("1", "1", "2")
    )
    assert one == again != two
    assert not one[0].startswith("unidentified")


def test_claims_are_part_of_the_identity_and_comments_and_places_are_not() -> None:
    function, moved = defined(SAME), defined(f"# A remark.\n\n\n{dedent(SAME)}")
    assert identity(tq.FromFunction(moved, "h")) == identity(tq.FromFunction(function, "h"))
    claims = [tq.FromFunction(function), tq.FromFunction(function, admissible=True)]
    assert len({identity(each) for each in claims}) == 2


def test_functions_that_call_themselves_and_each_other_have_an_identity() -> None:
    source = """
        def g(board, left): return f(board, left - 1) if left else {0}
        def f(board, left=3): return g(board, left)
    """
    one, two = (tq.FromFunction(defined(source.format(0))) for _ in range(2))
    other = tq.FromFunction(defined(source.replace("{0}", "1")))
    assert identity(one) == identity(two) != identity(other)
    assert "unidentified" not in str(own_parts(one))


def test_wrapped_functions_are_told_apart_by_what_they_wrap() -> None:
    plain, other = defined("def f(b, k): return k"), defined("def f(b, k): return k + 1")
    for wrap in (lru_cache, lambda f: partial(f, k=1), lambda f: lambda board: f(board, 1)):
        same = tq.FromFunction(wrap(plain), "h"), tq.FromFunction(wrap(plain), "h")
        assert identity(same[0]) == identity(same[1])
        assert identity(same[0]) != identity(tq.FromFunction(wrap(other), "h"))
    twice = tq.FromFunction(partial(plain, k=2), "h")
    assert identity(twice) != identity(tq.FromFunction(partial(plain, k=1), "h"))


def test_user_code_is_found_wherever_a_search_has_it() -> None:
    inner = tq.AStar(tq.Maximum(tq.FromFunction(defined(SAME), "h"), "manhattan"))
    (part,) = own_parts(inner)
    assert part.place == "notebook.py:f"
    assert not own_parts(tq.AStar(tq.Maximum("misplaced", "manhattan")))


@dataclass(frozen=True)
class Scaled:
    """A heuristic of one's own with a value that its name does not tell."""

    factor: int
    name = "scaled"
    counts_tile_steps = False

    def bind(self, space: Space) -> Estimate:
        return Estimate(lambda state: self.factor, admissible=False, consistent=False)


class Plain:
    """A search of one's own, by another one's loop."""

    def __init__(self, inner: tq.AStar) -> None:
        self.inner, self.conventions, self.heuristic = inner, inner.conventions, inner.heuristic

    name = "plain"
    optimal = exhaustive = True
    cap = None

    def loop(self, run: SearchRun) -> Loop:
        return self.inner.loop(run)


def test_values_of_own_classes_are_told_apart_by_what_they_hold() -> None:
    values: list[Any] = [
        tq.AStar(Scaled(1)),
        tq.AStar(Scaled(2)),
        Plain(tq.AStar()),
        Plain(tq.AStar(tq.Misplaced())),
    ]
    assert len({identity(value) for value in values}) == len(values)
    assert [own_parts(value)[0].place for value in values[1:3]] == [
        "test_identity.py:Scaled",
        "test_identity.py:Plain",
    ]
    keys = {job.key for value in values for job in jobs_of(Study.of("a", [BOARD], {"own": value}))}
    assert len(keys) == len(values)


# --- in studies ----------------------------------------------------------------------------------


def test_an_edited_function_runs_anew_and_the_report_shows_the_latest_code(tmp_path: Path) -> None:
    blind = expanded(study(defined("def f(board): return 0")), tmp_path)
    function = defined(SAME)
    assert expanded(study(function), tmp_path)["own"] < blind["own"]  # type: ignore[operator]
    (latest,) = study(defined(SAME)).run(tmp_path, processes=0)
    with Store.of_study("mine", tmp_path) as store:
        assert len(store) == 2, "one record of each version"
    # A record says which code ran.
    (part,) = own_parts(tq.FromFunction(function, "h"))
    assert latest.run.own_code == f"notebook.py:f {part.fingerprint}"
    (row,) = study(function).records(tmp_path).rows()
    assert row["own_code"] == latest.run.own_code
    # A report without its study says what it leaves out.
    made = report_in(store_path("mine", tmp_path), "mine", None, "")
    table = next(made.tables)
    assert table.entry("own", "nodes generated").value == latest.stats.generated
    assert made.notes == ("1 record of earlier code is excluded.",)


def test_two_lambdas_of_one_line_have_a_record_each(tmp_path: Path) -> None:
    blind, sighted = (lambda b: 0), (lambda b: sum(t != p for p, t in enumerate(b.cells, 1)))
    made = Study.of("two", [BOARD], {"blind": tq.AStar(blind), "sighted": tq.AStar(sighted)})  # type: ignore[arg-type]
    counts = expanded(made, tmp_path)
    assert counts["sighted"] < counts["blind"]  # type: ignore[operator]


def test_code_that_cannot_be_identified_is_run_each_time_and_never_read_back(
    tmp_path: Path,
) -> None:
    numbers = (number for number in range(10**9))

    def counting(board: tq.Board) -> int:
        return next(numbers) % 2

    made = Study.of("odd", [BOARD], {"a": tq.AStar(counting), "b": tq.AStar(counting)})  # type: ignore[arg-type]
    first, second = made.run(tmp_path, processes=0), made.run(tmp_path, processes=0)
    assert [len(first), len(second)] == [2, 2]
    assert len({each.key for each in [*first, *second]}) == 4
    assert all("unidentified" in each.run.own_code for each in first)
    assert made.records(tmp_path) == []


def test_a_function_edited_after_its_import_is_not_run_by_workers_under_its_old_name(
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.py").write_text("def f(board):\n    return 0\n")
    program = f"""
        import pathlib, sys
        sys.path.insert(0, {str(tmp_path)!r})
        import mine
        import taquin as tq
        import taquin.lab
        pathlib.Path(mine.__file__).write_text("def f(board):\\n    return 1 + 1\\n")
        study = tq.lab.Study.of("mine", [{BOARD!r}], [tq.AStar(tq.FromFunction(mine.f))])
        try:
            study.run({str(tmp_path)!r}, processes=1)
        except tq.TaquinError as error:
            print(error)
        print(len(study.records({str(tmp_path)!r})))
    """
    done = subprocess.run(
        [sys.executable, "-B", "-c", dedent(program)], capture_output=True, text=True, check=True
    )
    assert "mine.py:f is other code there, as its file was edited" in done.stdout
    assert done.stdout.endswith("\n0\n")

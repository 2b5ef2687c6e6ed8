"""A library of kernels is found by its sources, and trusted once it has proved itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import singledispatch
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

import pytest

from taquin.errors import MissingError
from taquin.system import kernels, library, native, platforms
from taquin.system.arguments import Arguments, Matrix, kinds_of
from taquin.system.arrays import Array, int32, int64, uint8, zeros
from taquin.system.kernels import kernel
from taquin.system.proof import BOARDS, LEVELS, count_levels


class Line(NamedTuple):
    cells: Array[int32]
    end: int


class Sheet(NamedTuple):
    rows: Matrix[uint8]


@singledispatch
def longest(record: Any) -> int:
    return 0


@longest.register
def _(record: Line) -> int:
    return record.end


@longest.register
def _(record: Sheet) -> int:
    return 1


def chosen(first: Line | None, second: Annotated[Any, longest], number: int) -> int:
    return number


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Look for libraries in an empty folder, as a new process does."""
    monkeypatch.setattr(platforms, "FOLDER", str(tmp_path))
    library.trusted_library.cache_clear()
    yield
    library.trusted_library.cache_clear()


def test_the_kinds_of_a_kernel_are_those_that_its_annotations_allow() -> None:
    line, sheet = Line(zeros(2, int32), 1), Sheet(zeros((2, 2), uint8))
    pairs = [(line, line), (line, sheet), (None, line), (None, sheet)]
    assert kinds_of(chosen) == [Arguments(*pair, 7).kinds for pair in pairs]


def added(cells: Array[int64]) -> None:
    native.atomic_add(cells, 0, 1)


def test_the_code_of_a_kernel_is_of_no_processor() -> None:
    # Numba reads these settings when it is imported; `tools/kernels.py` gives it the same.
    command = (
        "from tests.system.test_library import added\n"
        "from taquin.system.arguments import kinds_of\n"
        "from taquin.system.compiling import compiled_module\n"
        "from taquin.system.kernels import kernel\n"
        "kernel(added)\n"
        "print(compiled_module(added, kinds_of(added)[0], 0)[0])"
    )
    code = subprocess.run(
        [sys.executable, "-c", command],
        env=os.environ | {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "atomicrmw add" in code
    assert "@llvm.aarch64" not in code
    assert "@llvm.x86" not in code


def test_a_kernel_refuses_arguments_that_it_is_not_declared_for() -> None:
    with pytest.raises(TypeError, match=r"chosen is not declared for number, none, number"):
        kernel(chosen)(1, None, 1)  # type: ignore[arg-type]


def test_without_a_library_and_without_a_compiler_one_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kernels, "has_compiler", lambda: False)
    with pytest.raises(MissingError, match=r"no compiled code for this system.*taquin\[compile\]"):
        kernel(chosen)(None, Line(zeros(2, int32), 1), 1)


def test_a_library_that_cannot_be_loaded_is_not_used_and_said_so() -> None:
    Path(platforms.library_path()).write_bytes(b"nonsense")
    with pytest.warns(RuntimeWarning, match="cannot be loaded"):
        assert library.trusted_library() is None


@pytest.mark.parametrize(("is_newer", "code"), [(1, "fast"), (0, "plain")])
def test_a_newer_processor_runs_the_code_that_is_made_for_it(is_newer: int, code: str) -> None:
    ran: list[str] = []

    def noting(name: str) -> Any:
        def note(*_: int) -> int:
            ran.append(name)
            return 0

        return library._ENTRY(note)

    class Library:
        kernel_1, kernel_1_bmi2 = noting("plain"), noting("fast")

        def taquin_has_bmi2(self) -> int:
            return is_newer

    entry = library._entry(cast(Any, Library()), "kernel_1")
    assert entry is not None
    entry(0)
    assert ran == [code]


def test_the_proof_counts_the_boards_of_2x3_by_their_distance() -> None:
    boards, levels = zeros(BOARDS, int64), zeros(len(LEVELS), int64)
    count_levels(boards, levels)
    assert tuple(levels.tolist()) == LEVELS
    assert len(set(boards.tolist())) == sum(LEVELS) == 360


@pytest.mark.slow
def test_a_library_solves_as_the_compiler_does_and_a_wrong_one_is_not_trusted(
    tmp_path: Path,
) -> None:
    pytest.importorskip("ziglang", reason="it needs the extra build")
    build = [sys.executable, "-m", "tools.kernels", Path(platforms.library_path()).stem, "--into"]
    subprocess.run([*build, str(tmp_path)], check=True)
    board = "4 14 8 6 / 3 13 1 5 / 2 15 10 12 / 11 7 0 9"
    counts = [
        subprocess.run(
            [sys.executable, "-c", SOLVE, str(folder), board],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for folder in (tmp_path, tmp_path / "none")
    ]
    assert [count.split()[:2] for count in counts] == [counts[0].split()[:2]] * 2
    assert [count.split()[2] for count in counts] == ["False", "True"]


SOLVE = """
import sys
import taquin as tq
from taquin.system import platforms
platforms.FOLDER = sys.argv[1]
result = tq.solve(sys.argv[2], engine="cpu(threads=1)")
print(result.cost, result.stats.generated, "llvmlite" in sys.modules)
"""
"""Solve a board with the library in a folder, and say whether a compiler was loaded."""

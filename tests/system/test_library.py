"""A library of kernels is used if it has the present sources and has passed its self-test."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from taquin.errors import MissingError
from taquin.system import compiled
from taquin.system.arrays import int64, zeros
from taquin.system.compiled import BOARDS, LEVELS, Compiled, Levels

LIBRARIES = compiled.FOLDER


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Look for libraries in an empty folder, as a new process does."""
    monkeypatch.delenv(compiled.CHECKED, raising=False)
    monkeypatch.setattr(compiled, "FOLDER", str(tmp_path))
    compiled._library.cache_clear()
    yield
    compiled._library.cache_clear()


def counted() -> Levels:
    """Run the self-test as a kernel."""
    record = Levels(zeros(BOARDS, int64), zeros(len(LEVELS), int64))
    assert Compiled("count_levels", Levels)(record) == BOARDS
    return record


def test_without_a_library_one_sentence_says_what_still_runs() -> None:
    with pytest.raises(
        MissingError, match=r"no compiled code for \S+: only engines in pure Python"
    ):
        counted()


def test_a_library_of_other_sources_is_an_error_which_says_what_to_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiled, "FOLDER", LIBRARIES)
    monkeypatch.setattr(compiled, "sources_digest", lambda: 32 * "0")
    with pytest.raises(MissingError, match=r"outdated: .*run make kernels; otherwise reinstall"):
        counted()


def test_a_library_that_cannot_be_loaded_is_not_used_and_said_so() -> None:
    Path(compiled.library_path()).write_bytes(b"nonsense")
    with (
        pytest.warns(RuntimeWarning, match="cannot be loaded"),
        pytest.raises(MissingError, match="cannot be loaded"),
    ):
        counted()


def test_a_library_that_gives_wrong_answers_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "FOLDER", LIBRARIES)
    monkeypatch.setattr(compiled, "LEVELS", (1, *LEVELS[1:-1], 2))
    with (
        pytest.warns(RuntimeWarning, match="failed its self-test"),
        pytest.raises(MissingError, match="failed its self-test"),
    ):
        counted()


def test_the_self_test_counts_the_boards_of_2x3_by_their_distance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiled, "FOLDER", LIBRARIES)
    boards, levels = counted()
    assert tuple(levels.tolist()) == LEVELS
    assert len(set(boards.tolist())) == sum(LEVELS) == BOARDS == 360


@pytest.mark.parametrize(("is_newer", "code"), [(1, "fast"), (0, "plain")])
def test_a_newer_processor_runs_the_code_that_is_made_for_it(is_newer: int, code: str) -> None:
    ran: list[str] = []

    def noting(name: str) -> Any:
        def note(_: int) -> int:
            ran.append(name)
            return 0

        return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(note)

    class Library:
        search, search_bmi2 = noting("plain"), noting("fast")

        def taquin_has_bmi2(self) -> int:
            return is_newer

    compiled._function(cast(Any, Library()), "search")(0)
    assert ran == [code]

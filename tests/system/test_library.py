"""A library of kernels is found by its sources, and trusted once it has proved itself."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from pathlib import Path
from typing import Annotated, Any, NamedTuple, cast

import pytest

from taquin.errors import MissingError
from taquin.system import library, sources
from taquin.system.arrays import Arguments, Array, Matrix, int32, int64, kinds_of, uint8, zeros
from taquin.system.kernels import kernel
from taquin.system.library import BOARDS, LEVELS, count_levels

LIBRARIES = sources.FOLDER


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


def matched(first: Annotated[Any, longest], second: Annotated[Any, longest]) -> int:
    return 0


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Look for libraries in an empty folder, as a new process does."""
    monkeypatch.setattr(sources, "FOLDER", str(tmp_path))
    library.trusted_library.cache_clear()
    yield
    library.trusted_library.cache_clear()


def test_the_kinds_of_a_kernel_are_those_that_its_annotations_allow() -> None:
    line, sheet = Line(zeros(2, int32), 1), Sheet(zeros((2, 2), uint8))
    pairs = [(line, line), (line, sheet), (None, line), (None, sheet)]
    assert kinds_of(chosen) == [Arguments(*pair, 7).kinds for pair in pairs]
    # Arguments with the same annotation take the same record.
    alike = [(line, line), (sheet, sheet)]
    assert kinds_of(matched) == [Arguments(*pair).kinds for pair in alike]


def test_a_kernel_refuses_arguments_that_it_is_not_declared_for() -> None:
    with pytest.raises(TypeError, match=r"chosen is not declared for number, none, number"):
        kernel(chosen)(1, None, 1)  # type: ignore[arg-type]


def test_without_a_library_one_sentence_says_what_still_runs() -> None:
    with pytest.raises(
        MissingError, match=r"no compiled code for \S+: only engines in pure Python"
    ):
        kernel(chosen)(None, Line(zeros(2, int32), 1), 1)


def test_a_kernel_that_was_changed_is_an_error_which_says_what_to_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sources, "FOLDER", LIBRARIES)
    with pytest.raises(
        MissingError, match=r"outdated: it lacks the current tests\.\S+chosen.*make kernels"
    ):
        kernel(chosen)(None, Line(zeros(2, int32), 1), 1)


def test_a_library_that_cannot_be_loaded_is_not_used_and_said_so() -> None:
    Path(sources.library_path()).write_bytes(b"nonsense")
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


def test_a_library_that_gives_wrong_answers_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "FOLDER", LIBRARIES)
    monkeypatch.setattr(library, "LEVELS", (1, *LEVELS[1:-1], 2))
    with pytest.warns(RuntimeWarning, match="failed its self-test"):
        assert library.trusted_library() is None

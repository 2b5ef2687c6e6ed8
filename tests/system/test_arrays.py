"""Arrays have the memory that compiled code is given, all of it from the standard library."""

from __future__ import annotations

import mmap
import os
from array import array as packed
from typing import Any

import numpy as np
import pytest

from taquin.system import arrays
from taquin.system.arrays import Array, array, filled, matrix, over, zeros

NAMES = [f"{sign}int{bits}" for bits in (8, 16, 32, 64) for sign in ("", "u")]


def as_numpy(some: Array[Any]) -> Any:
    """Return the memory at the address of an array as NumPy sees it."""
    layout = {
        "data": (some.address, False),
        "shape": some.shape,
        "typestr": np.dtype(some.type.__name__).str,
        "version": 3,
    }
    return np.asarray(type("Memory", (), {"__array_interface__": layout})())


@pytest.mark.parametrize("name", NAMES)
def test_items_are_where_the_address_says_and_as_wide_as_their_type(name: str) -> None:
    kind = getattr(arrays, name)
    limits = np.iinfo(name)
    line = array([limits.min, 0, limits.max], kind)
    assert as_numpy(line).tolist() == line.tolist() == [limits.min, 0, limits.max]
    assert as_numpy(line[1:]).tolist() == [0, limits.max]
    with pytest.raises((OverflowError, ValueError)):
        line[0] = int(limits.max) + 1


def test_rows_and_slices_share_the_memory_of_their_array() -> None:
    grid = matrix([[1, 2, 3], [4, 5, 6], [7, 8, 9]], arrays.int32)
    row = grid[1]
    row[2] = 60
    grid[2][:2] = [70, 80]
    grid[0] = (10, 20, 30)
    assert grid.tolist() == as_numpy(grid).tolist() == [[10, 20, 30], [4, 5, 60], [70, 80, 9]]
    assert (len(grid), grid.size, grid.nbytes, grid[1, 2], row.address) == (
        *(3, 9, 36, 60, grid.address + 12),
    )
    assert grid[1:].tolist() == [[4, 5, 60], [70, 80, 9]]
    assert grid.in_line().in_rows(9).tolist() == [grid.items.tolist()]


def test_an_array_may_be_empty_or_over_memory_that_cannot_be_changed() -> None:
    assert (len(zeros(0, arrays.int64)), zeros((0, 0), arrays.uint8).tolist()) == (0, [])
    text = over(b"\1\2\3", arrays.uint8)
    assert as_numpy(text).tolist() == [1, 2, 3]
    with pytest.raises(TypeError):
        text[0] = 1


@pytest.mark.parametrize("size", [5, 100_000, 5_000_000])
def test_new_memory_is_zero_or_filled_and_large_memory_takes_none_before_it_is_used(
    size: int,
) -> None:
    assert not any(zeros(size, arrays.uint8).items)
    assert set(filled((1, size), -1, arrays.int32).items) == {-1}


def test_memory_that_the_system_refuses_is_a_memory_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(mmap, "mmap", refuse)
    with pytest.raises(MemoryError, match="80000000 bytes"):
        zeros(10_000_000, arrays.uint64)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_process_has_memory_of_its_own() -> None:
    line = zeros(100_000, arrays.uint8)
    child = os.fork()
    if child == 0:
        line[0] = 1
        os._exit(0)
    os.waitpid(child, 0)
    assert line[0] == 0


def test_types_of_items_are_integers_in_plain_python() -> None:
    kind: Any = arrays.uint64
    assert (kind(1) << 63 | kind(5)) == (1 << 63 | 5)
    assert packed(kind.code).itemsize == kind.nbytes == 8

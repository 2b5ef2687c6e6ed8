"""A kernel takes arrays, numbers, records and None, returns numbers, and runs without Numba."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import singledispatch
from typing import Any, NamedTuple

import pytest

from taquin.system.arrays import (
    Arguments,
    Array,
    Kind,
    Matrix,
    array,
    int32,
    int64,
    matrix,
    uint8,
    uint64,
    zeros,
)
from taquin.system.kernels import kernel
from taquin.system.library import Entry
from taquin.system.native import (
    atomic_add,
    atomic_load,
    atomic_store,
    atomic_swap,
    count_bits,
    load_byte,
    lowest_bit,
    part,
    stack_array,
    yield_thread,
)

pytestmark = pytest.mark.usefixtures("compiled_here")


@part
def _twice(number: Any) -> Any:
    return 2 * number


@kernel
def add_up(
    rows: Matrix[uint8] | Matrix[int64],
    chosen: Array[uint8],
    factor: int,
    more: Array[int32] | None,
) -> tuple[int, int]:
    """Return the sum of the chosen rows times a factor, and of what more there is."""
    total = 0
    for row in range(rows.shape[0]):
        if chosen[row]:
            for column in range(rows.shape[1]):
                total += rows[row, column]
    extra = 0
    if more is not None:
        for number in more:
            extra += _twice(number)
    return total * factor, extra


@kernel
def fill(numbers: Array[uint64], number: int) -> None:
    numbers[:] = number


@kernel
def quotient(number: int, by: int) -> int:
    return number // by


class Queue(NamedTuple):
    items: Array[int64]
    end: int


class Wave(NamedTuple):
    now: Queue
    later: Queue
    grid: Matrix[uint8]


@kernel
def take_turns(wave: Wave, turns: int) -> tuple[int, int]:
    """Count up the first items of two queues in turn; return both queues' ends as they lie."""
    now, later = wave.now, wave.later
    for _ in range(turns):
        now.items[0] += wave.grid[1, 2]
        now, later = later, now
    return now.end, later.end


class Square(NamedTuple):
    side: int


class Oblong(NamedTuple):
    sides: Array[int64]


@part
@singledispatch
def area(shape: Any) -> int:
    """Return the area of a shape, by its class."""
    raise TypeError(shape)


@area.register
def _(shape: Square) -> int:
    return shape.side * shape.side


@area.register
def _(shape: Oblong) -> int:
    return int(shape.sides[0] * shape.sides[1])


@kernel
def area_of(shape: Square | Oblong, times: int) -> int:
    return times * area(shape)


ROWS = matrix([[1, 2, 3], [4, 5, 250]], uint8)
CHOSEN = array([0, 1], uint8)


def test_arrays_of_any_type_numbers_and_none_are_taken_and_numbers_returned() -> None:
    assert add_up(ROWS, CHOSEN, -2, None) == (-2 * 259, 0)
    assert add_up(ROWS, CHOSEN, 3, array([7, 8], int32)) == (777, 30)
    assert add_up(matrix(ROWS.tolist(), int64), array([1, 0], uint8), 1, None) == (6, 0)


def test_records_arrive_field_by_field_and_can_be_swapped() -> None:
    wave = Wave(Queue(zeros(2, int64), 7), Queue(zeros(3, int64), 9), ROWS)
    assert take_turns(wave, 3) == (9, 7)
    assert [wave.now.items[0], wave.later.items[0]] == [500, 250]


def test_records_become_pointers_and_numbers_in_the_order_of_their_fields() -> None:
    queue = Queue(zeros(2, int64), 7)
    arguments = Arguments(4, Wave(queue, queue, ROWS), None)
    address = queue.items.address
    assert arguments.words == [4, address, 2, 7, address, 2, 7, ROWS.address, 2, 3]
    assert arguments.places == [0, 1, 10]
    number, wave, none = map(str, arguments.kinds)
    assert (number, none) == ("number", "none")
    assert "now: " in wave
    assert "Queue(items: int64 1, end: number)" in wave
    assert wave.endswith("grid: uint8 2)")


def test_a_part_is_chosen_by_the_class_of_the_record_it_is_given() -> None:
    assert area_of(Square(3), 2) == 18
    assert area_of(Oblong(array([2, 5], int64)), 1) == 10


def test_what_is_written_arrives() -> None:
    numbers = zeros(3, uint64)
    assert fill(numbers, 7) is None
    assert numbers.tolist() == [7, 7, 7]


def test_a_call_can_be_made_again_with_another_number() -> None:
    call = quotient.given(Arguments(100, 3))
    assert call() == 33
    call.put(1, -7)
    assert call() == -15, "rounded down, as in Python"
    call.put(0, 70)
    assert call() == -10


def test_compiled_code_that_fails_says_so() -> None:
    with pytest.raises(ArithmeticError, match="quotient"):
        quotient(1, 0)


def test_a_slice_whose_items_lie_apart_is_refused() -> None:
    with pytest.raises(AssertionError, match="adjacent"):
        fill(zeros(8, uint64)[::2], 1)


def test_threads_that_come_first_together_load_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[Any, ...]] = []

    @kernel
    def half(number: int) -> int:
        return number // 2

    load = half._load

    def noted(kinds: tuple[Kind, ...]) -> Entry:
        made.append(kinds)
        return load(kinds)

    monkeypatch.setattr(half, "_load", noted)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(half, range(20))) == [number // 2 for number in range(20)]
    assert len(made) == 1


_SOLVE = """
import sys

for name in sys.argv[1:]:
    sys.modules[name] = None  # whoever imports it fails

import taquin as tq
from taquin.analysis.explore import explore

hard = tq.solve("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", goal="blank-first", engine="cpu")
large = tq.solve(tq.random_board("6x6", 1), engine="anytime", seconds=0.3)
alike = tq.solve("3 2 1 4 / 2 1 0 5", goal="1 1 2 2 / 3 4 5 0", engine="general")
small = tq.solve("8 6 7 / 2 5 4 / 3 0 1", engine="table")
audit = tq.audit("manhattan", tq.Goal.blank_last(2, 3))
survey = explore(tq.Puzzle(tq.Goal.blank_last(2, 3)))
print(hard.cost, bool(large.moves), alike.cost, small.cost, len(survey.histogram))
"""


def run(program: str, *words: str, **environment: str) -> str:
    """Return what another process prints."""
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_puzzles_are_solved_without_numba_and_numpy() -> None:
    assert run(_SOLVE, "numpy", "numba", "llvmlite").split() == ["57", "True", "21", "31", "22"]


THREADS = 4
TIMES = 200_000


@kernel
def add_often(words: Array[int64]) -> None:
    for _ in range(TIMES):
        atomic_add(words, 0, 1)


@kernel
def lock_and_count(words: Array[int64]) -> None:
    """Count in a plain word, under a lock made of the instructions."""
    for _ in range(TIMES // 10):
        while not atomic_swap(words, 0, 0, 1):
            yield_thread()
        words[1] += 1
        atomic_store(words, 0, 0)


@kernel
def return_ball(words: Array[int64], mine: int) -> int:
    """Play with another thread; return the number of plain words that arrived wrong."""
    wrong = 0
    for _ in range(2000):
        while atomic_load(words, 0) % 2 != mine:
            yield_thread()
        now = atomic_load(words, 0)
        for i in range(1, 9):
            wrong += words[i] != now
            words[i] = now + 1
        atomic_store(words, 0, now + 1)
    return wrong


@kernel
def read_bytes(address: int, word: int) -> tuple[int, int, int]:
    bits = uint64(word)
    return int(load_byte(uint64(address + 2))), int(lowest_bit(bits)), int(count_bits(bits))


@kernel
def sum_of_squares(count: int) -> int:
    squares = stack_array(count, int64)
    for i in range(count):
        squares[i] = i * i
    total = 0
    for i in range(count):
        total += squares[i]
    return total


def together(function: Any, *arguments: tuple[Any, ...]) -> list[Any]:
    with ThreadPoolExecutor(len(arguments)) as pool:
        return [future.result() for future in [pool.submit(function, *a) for a in arguments]]


def test_no_addition_is_lost() -> None:
    words = zeros(1, int64)
    together(add_often, *[(words,)] * THREADS)
    assert words[0] == THREADS * TIMES


def test_a_swap_has_one_winner() -> None:
    words = zeros(2, int64)
    together(lock_and_count, *[(words,)] * THREADS)
    assert words.tolist() == [0, THREADS * (TIMES // 10)]


def test_what_is_published_brings_along_what_was_written_before() -> None:
    words = zeros(9, int64)
    assert together(return_ball, (words, 0), (words, 1)) == [0, 0]
    assert set(words.tolist()) == {4000}


def test_bytes_are_read_by_address_and_bits_found_and_counted() -> None:
    content = array([1, 2, 250], uint8)
    assert read_bytes(content.address, 0b101000) == (250, 3, 2)
    assert read_bytes(content.address, -1) == (250, 0, 64)


def test_a_kernel_has_room_of_its_own_in_every_thread() -> None:
    expected = sum(i * i for i in range(1000))
    assert together(sum_of_squares, *[(1000,)] * THREADS) == [expected] * THREADS


def test_an_instruction_means_nothing_outside_of_compiled_code() -> None:
    with pytest.raises(TypeError, match="compiled code only"):
        atomic_load(zeros(1, int64), 0)

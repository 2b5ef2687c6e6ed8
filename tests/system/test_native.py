"""Words that threads share are changed by one at a time, and tell what was written before."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from taquin.system.arrays import Array, array, int64, uint8, uint64, zeros
from taquin.system.kernels import kernel
from taquin.system.native import (
    atomic_add,
    atomic_load,
    atomic_store,
    atomic_swap,
    count_bits,
    load_byte,
    lowest_bit,
    stack_array,
    yield_thread,
)

pytestmark = pytest.mark.usefixtures("compiled_here")

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

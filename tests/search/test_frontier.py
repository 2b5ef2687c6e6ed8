"""The frontier's four ways to break ties, against naive twins."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin.search.best_first import frontier_for
from taquin.search.conventions import Ties
from taquin.search.events import Entry

Item = tuple[int, int, int]
"""Priority, estimate, serial number."""

operations = st.lists(
    st.one_of(st.none(), st.tuples(st.integers(0, 6), st.integers(0, 3))), max_size=120
)

KEYS: dict[Ties, Callable[[Item], tuple[int, ...]]] = {
    Ties.FIFO: lambda item: (item[0], item[2]),
    Ties.LIFO: lambda item: (item[0], -item[2]),
    Ties.LOW_H: lambda item: (item[0], item[1], item[2]),
}


@pytest.mark.parametrize("ties", KEYS)
@given(operations=operations)
def test_entries_come_out_in_the_order_of_a_sorted_list(
    ties: Ties, operations: list[tuple[int, int] | None]
) -> None:
    frontier = frontier_for(ties)
    naive: list[Item] = []
    for serial, operation in enumerate(operations):
        if operation is not None:
            priority, h = operation
            item = (priority, h, serial)
            naive.append(item)
            frontier.push(priority, h, cast(Entry, item))
        elif naive:
            expected = min(naive, key=KEYS[ties])
            naive.remove(expected)
            assert frontier.lowest() == expected[0]
            assert cast(Item, frontier.pop()) == expected


class LibstdcxxHeap:
    """std::push_heap and std::pop_heap with `greater`, transcribed step by step from their
    specification in libstdc++ (hole, adjust, push back up)."""

    def __init__(self) -> None:
        self.items: list[Item] = []

    def push(self, item: Item) -> None:
        self.items.append(item)
        self.push_heap(len(self.items) - 1, 0, item)

    def push_heap(self, hole: int, top: int, item: Item) -> None:
        parent = (hole - 1) // 2
        while hole > top and self.items[parent][0] > item[0]:
            self.items[hole] = self.items[parent]
            hole = parent
            parent = (hole - 1) // 2
        self.items[hole] = item

    def pop(self) -> Item:
        first, last = self.items[0], self.items.pop()
        length = len(self.items)
        if length:
            hole = second = 0
            while second < (length - 1) // 2:
                second = 2 * (second + 1)
                if self.items[second][0] > self.items[second - 1][0]:
                    second -= 1
                self.items[hole] = self.items[second]
                hole = second
            if length % 2 == 0 and second == (length - 2) // 2:
                second = 2 * (second + 1)
                self.items[hole] = self.items[second - 1]
                hole = second - 1
            self.push_heap(hole, 0, last)
        return first


@given(operations=operations)
def test_heap_ties_follow_the_binary_heap_of_libstdcxx(
    operations: list[tuple[int, int] | None],
) -> None:
    frontier = frontier_for(Ties.HEAP)
    naive = LibstdcxxHeap()
    for serial, operation in enumerate(operations):
        if operation is not None:
            item = (*operation, serial)
            naive.push(item)
            frontier.push(operation[0], operation[1], cast(Entry, item))
        elif naive.items:
            assert frontier.lowest() == naive.items[0][0]
            assert cast(Item, frontier.pop()) == naive.pop()

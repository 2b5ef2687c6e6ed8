from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from taquin.model.moves import ANY, Label
from taquin.model.solvability import exchanges, inversions, missing_labels, only_arrangement


def test_what_lacks_is_counted_with_repeats_and_any_lacks_nothing() -> None:
    assert missing_labels([1, 2, 3], [3, 2, 1]) == []
    assert missing_labels([1, 1, 2], [1, 2, 2]) == [2]
    assert missing_labels([1, 2], [3, 3]) == [3, 3]
    assert missing_labels([1, 2], [ANY, ANY]) == []


def test_two_equal_tiles_or_two_any_cells_leave_several_arrangements() -> None:
    assert only_arrangement([1, 2, 3], [3, 2, 1]) == (3, 2, 1)
    assert only_arrangement([1, 2, 3], [3, ANY, 1]) == (3, 2, 1)
    assert only_arrangement([1, 1, 3], [3, 1, 1]) is None
    assert only_arrangement([1, 2, 3], [3, ANY, ANY]) is None


@given(st.permutations(range(8)), st.permutations(range(8)))
def test_inversions_are_the_pairs_in_opposite_order(one: list[Label], other: list[Label]) -> None:
    opposite = sum(
        (one.index(a) < one.index(b)) != (other.index(a) < other.index(b))
        for a, b in combinations(range(8), 2)
    )
    assert inversions(one, other) == opposite
    assert inversions(one, one) == 0


@given(st.permutations(range(8)), st.permutations(range(8)))
def test_exchanges_sort_and_agree_with_inversions_in_parity(
    one: list[Label], other: list[Label]
) -> None:
    count, cells = 0, list(one)
    for place, label in enumerate(other):
        at = cells.index(label)
        if at != place:
            cells[place], cells[at] = cells[at], cells[place]
            count += 1
    assert exchanges(one, other) == count
    assert (exchanges(one, other) - inversions(one, other)) % 2 == 0

"""Where the nodes of a drawn tree stand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin.views.tree import COUSINS, SIBLINGS, TREES, tidy

Parents = list[int | None]


@st.composite
def forests(draw: st.DrawFn) -> Parents:
    size = draw(st.integers(1, 40))
    parents: Parents = [None]
    for node in range(1, size):
        parents.append(draw(st.none() | st.integers(0, node - 1) | st.integers(0, node - 1)))
    return parents


def levels_of(parents: Parents) -> list[list[int]]:
    """Return the nodes of each level in the order a drawing has them from left to right."""
    children: dict[int | None, list[int]] = {}
    for node, parent in enumerate(parents):
        children.setdefault(parent, []).append(node)
    levels = [children[None]]
    while levels[-1]:
        levels.append([kid for node in levels[-1] for kid in children.get(node, [])])
    return levels[:-1]


def root_of(parents: Parents, node: int) -> int:
    while (parent := parents[node]) is not None:
        node = parent
    return node


@given(forests())
def test_neighbours_on_a_level_keep_their_order_and_distance(parents: Parents) -> None:
    places = tidy(parents)
    for level in levels_of(parents):
        for one, other in pairwise(level):
            if root_of(parents, one) != root_of(parents, other):
                least = TREES
            else:
                least = SIBLINGS if parents[one] == parents[other] else COUSINS
            assert places[other] - places[one] >= least - 1e-9


@given(forests())
def test_a_parent_stands_over_the_middle_of_its_children(parents: Parents) -> None:
    places = tidy(parents)
    for node in range(len(parents)):
        children = [kid for kid, parent in enumerate(parents) if parent == node]
        if children:
            assert places[node] == pytest.approx((places[children[0]] + places[children[-1]]) / 2)


@given(forests())
def test_the_leftmost_node_stands_at_0(parents: Parents) -> None:
    assert min(tidy(parents)) == 0


def test_a_small_subtree_stands_midway_between_large_ones() -> None:
    #        0            1, 2 and 3 are its children; 1 and 3 have three children each
    places = tidy([None, 0, 0, 0, 1, 1, 1, 3, 3, 3])
    assert places[2] - places[1] == pytest.approx(places[3] - places[2])
    assert places[0] == pytest.approx(places[2])


def test_a_path_is_a_straight_line_however_deep() -> None:
    parents: Parents = [None, *range(5_000)]
    assert set(tidy(parents)) == {0.0}


def test_no_node_has_no_place() -> None:
    assert tidy([]) == []

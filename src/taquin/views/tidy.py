"""Lay out the nodes of a tree so that it is narrow and symmetric.

        o          a parent is centred above its children; subtrees are as close as their outlines
      ┌─┴─┐        allow; mirrored trees get mirrored drawings
      o   o
     ┌┴┐
     o o

After Reingold and Tilford, Tidier drawings of trees (1981). Packing subtrees from the left crowds
small ones to the left of large ones. So the tree is packed twice, from the left and from the right,
and each node gets the mean of its two places: minimum distances that hold in both packings hold in
the mean. The time is linear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SIBLINGS = 1.0
"""Distance between two children of one parent, and the unit of all distances."""
COUSINS = 1.2
"""Minimum distance between other neighbours on a level."""
TREES = 1.6
"""Minimum distance between nodes of two trees."""


def tidy(parents: Sequence[int | None]) -> list[float]:
    """Return the horizontal position of each node, from 0 on.

    `parents` has the index of each node's parent, None for a root; parents precede their children.

    >>> tidy([None, 0, 0, 1, 1])
    [1.0, 0.5, 1.5, 0.0, 1.0]
    """
    children: list[list[int]] = [[] for _ in parents]
    roots: list[int] = []
    for node, parent in enumerate(parents):
        (roots if parent is None else children[parent]).append(node)
    from_left = _pack(children, roots, forward=True)
    from_right = _pack(children, roots, forward=False)
    places: list[float] = []
    for node, parent in enumerate(parents):
        offset = (from_left[node] - from_right[node]) / 2
        places.append(offset if parent is None else places[parent] + offset)
    leftmost = min(places, default=0.0)
    return [place - leftmost for place in places]


@dataclass(slots=True)
class _Outline:
    """The leftmost and rightmost position on each level of a subtree, the deepest level first."""

    left: list[float]
    right: list[float]
    shift: float = 0.0
    """An offset to all of them."""


def _pack(children: list[list[int]], roots: list[int], *, forward: bool) -> list[float]:
    """Return each node's offset from its parent when subtrees are packed in one direction."""
    offsets = [0.0] * len(children)
    outlines: dict[int, _Outline] = {}

    def beside(nodes: list[int], first_gap: float, gap: float) -> _Outline:
        """Put the subtrees of `nodes` side by side, centred; return their common outline."""
        if not nodes:
            return _Outline([], [])
        ordered = nodes if forward else nodes[::-1]
        merged = outlines.pop(ordered[0])
        for node in ordered[1:]:
            added = outlines.pop(node)
            levels = range(1, min(len(merged.left), len(added.left)) + 1)
            place = max(
                merged.right[-level] - added.left[-level] + (first_gap if level == 1 else gap)
                for level in levels
            )
            place += merged.shift - added.shift
            added.shift += place
            offsets[node] = place
            between = added.shift - merged.shift
            # Keep the deeper outline and update only the common levels: linear time.
            if len(merged.left) >= len(added.left):
                for level in levels:
                    merged.right[-level] = added.right[-level] + between
            else:
                for level in levels:
                    added.left[-level] = merged.left[-level] - between
                merged = added
        centre = offsets[ordered[-1]] / 2
        for node in ordered:
            offsets[node] -= centre
        merged.shift -= centre
        return merged

    for node in reversed(range(len(children))):
        outline = beside(children[node], SIBLINGS, COUSINS)
        # The deepest level is first, so a parent is appended.
        outline.left.append(-outline.shift)
        outline.right.append(-outline.shift)
        outlines[node] = outline
    beside(roots, TREES, TREES)
    return offsets

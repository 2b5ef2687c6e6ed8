"""How two arrangements of the same tiles differ: what lacks, exchanges, inversions.

An arrangement is a sequence of labels; what is wanted may hold ANY.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Sequence

from taquin.model.moves import ANY, Label


def lacking(tiles: Sequence[Label], wanted: Sequence[Label]) -> list[Label]:
    """Return the labels in `wanted` for which there are not enough `tiles`.

    >>> lacking("ABB", "AA*")
    ['A']
    """
    rest = Counter(wanted)
    rest.subtract(tiles)
    del rest[ANY]
    return list(rest.elements())


def only_arrangement(tiles: Sequence[Label], wanted: Sequence[Label]) -> tuple[Label, ...] | None:
    """Return the one arrangement of `tiles` that meets `wanted`; None when two tiles can swap.

    Nothing of what is wanted may be lacking.

    >>> only_arrangement("ABC", "C*A")
    ('C', 'B', 'A')
    """
    free = wanted.count(ANY)
    if free > 1 or len(set(tiles)) < len(tiles):
        return None
    if not free:
        return tuple(wanted)
    (rest,) = set(tiles).difference(wanted)
    return tuple(rest if label == ANY else label for label in wanted)


def exchanges(one: Sequence[Label], other: Sequence[Label]) -> int:
    """Return the fewest exchanges of two labels that turn `one` into `other`, all labels distinct.

    >>> exchanges("ABCD", "BCAD")
    2
    """
    target = dict(zip(one, other, strict=True))
    count = len(one)
    while target:
        label, after = target.popitem()
        while after != label:
            after = target.pop(after)
        count -= 1
    return count


def inversions(one: Sequence[Label], other: Sequence[Label]) -> int:
    """Return how many pairs of labels stand in opposite orders, all labels distinct.

    >>> inversions("CBA", "ABC")
    3
    """
    rank = {label: number for number, label in enumerate(other)}
    count = 0
    before: list[int] = []
    for label in one:
        place = bisect(before, rank[label])
        count += len(before) - place
        before.insert(place, rank[label])
    return count

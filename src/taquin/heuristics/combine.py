"""Combinations of heuristics: the maximum of their estimates, or the sum."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Estimate, Heuristic, Named, Report, Zero, evaluator_for, prepare
from taquin.heuristics.estimate import HeuristicLike, as_heuristic
from taquin.model.space import Space


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Combination(Named):
    """A heuristic that combines others, in moves of the metric."""

    heuristics: tuple[Heuristic, ...]
    """The heuristics to combine, at least one."""
    keyword: ClassVar[str]
    """The name of the combination in the grammar."""
    counts_tile_steps = False

    def __init__(self, *heuristics: HeuristicLike) -> None:
        if not heuristics:
            raise UnsuitableError(f"{self.keyword}() needs at least one heuristic, found none")
        object.__setattr__(self, "heuristics", tuple(map(as_heuristic, heuristics)))

    @property
    def name(self) -> str:
        """The name used on the command line."""
        return f"{self.keyword}({', '.join(heuristic.name for heuristic in self.heuristics)})"

    def prepare(self, space: Space, report: Report) -> None:
        """Prepare all of them for `space`."""
        for heuristic in self.heuristics:
            prepare(heuristic, space, report)

    def _combined(
        self, combine: Callable[[Iterable[int]], int], space: Space, *, sound: bool
    ) -> Estimate:
        """Return the combined evaluator; with `sound`, it inherits the claims that all make."""
        parts = [evaluator_for(heuristic, space) for heuristic in self.heuristics]
        values = [part.value for part in parts]
        return Estimate(
            lambda state: combine([value(state) for value in values]),
            admissible=sound and all(part.admissible for part in parts),
            consistent=sound and all(part.consistent for part in parts),
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.heuristics))})"


class Maximum(Combination):
    """Take the maximum of the estimates: admissible and consistent if all of them are.

    >>> print(Maximum(Zero(), "h2"), repr(Maximum(Zero(), "h2")))
    max(zero, manhattan) Maximum(Zero(), Manhattan())
    """

    __slots__ = ()
    keyword = "max"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`; raise UnsuitableError if a part does not support it."""
        return self._combined(max, space, sound=True)


class Sum(Combination):
    """Add the estimates up.

    One move may lower several of them, so the sum claims to be admissible and consistent only if
    all but one are `Zero`.
    """

    __slots__ = ()
    keyword = "sum"

    def bind(self, space: Space) -> Estimate:
        """Return the evaluator for `space`; raise UnsuitableError if a part does not support it."""
        alone = sum(not isinstance(heuristic, Zero) for heuristic in self.heuristics) <= 1
        return self._combined(sum, space, sound=alone)

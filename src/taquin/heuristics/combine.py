"""Heuristics made of others: the largest of their estimates, or the sum."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Evaluator, FromScratch, Heuristic, Report, bound, prepare
from taquin.heuristics.zero import Zero
from taquin.model.space import Space, State


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Maximum:
    """Take the largest estimate: admissible and consistent where all of them are.

    >>> from taquin.heuristics.gaschnig import Gaschnig
    >>> Maximum(Zero(), Gaschnig())
    Maximum(Zero(), Gaschnig())
    >>> Maximum(Zero(), Gaschnig()).name
    'max(zero, gaschnig)'
    """

    heuristics: tuple[Heuristic, ...]
    """The estimates to choose from, at least one."""

    counts_tile_steps = False

    def __init__(self, *heuristics: Heuristic) -> None:
        object.__setattr__(self, "heuristics", _checked(heuristics, "max"))

    @property
    def name(self) -> str:
        """Return the name used on the command line."""
        return f"max({', '.join(heuristic.name for heuristic in self.heuristics)})"

    def prepare(self, space: Space, report: Report) -> None:
        """Have every part make ready what it needs for `space`."""
        for heuristic in self.heuristics:
            prepare(heuristic, space, report)

    def bind(self, space: Space) -> Combined:
        """Return the evaluator for `space`; raise UnsuitableError where a part cannot serve."""
        parts = [bound(heuristic, space) for heuristic in self.heuristics]
        return Combined(
            max,
            parts,
            admissible=all(part.admissible for part in parts),
            consistent=all(part.consistent for part in parts),
        )

    def __repr__(self) -> str:
        return f"Maximum({', '.join(map(repr, self.heuristics))})"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Sum:
    """Add the estimates up.

    One move may lower several of them, so the sum is not claimed to be admissible or consistent
    unless all but one are `Zero`.
    """

    heuristics: tuple[Heuristic, ...]
    """The estimates to add, at least one."""

    counts_tile_steps = False

    def __init__(self, *heuristics: Heuristic) -> None:
        object.__setattr__(self, "heuristics", _checked(heuristics, "sum"))

    @property
    def name(self) -> str:
        """Return the name used on the command line."""
        return f"sum({', '.join(heuristic.name for heuristic in self.heuristics)})"

    def prepare(self, space: Space, report: Report) -> None:
        """Have every part make ready what it needs for `space`."""
        for heuristic in self.heuristics:
            prepare(heuristic, space, report)

    def bind(self, space: Space) -> Combined:
        """Return the evaluator for `space`; raise UnsuitableError where a part cannot serve."""
        parts = [bound(heuristic, space) for heuristic in self.heuristics]
        alone = sum(not isinstance(heuristic, Zero) for heuristic in self.heuristics) <= 1
        return Combined(
            sum,
            parts,
            admissible=alone and all(part.admissible for part in parts),
            consistent=alone and all(part.consistent for part in parts),
        )

    def __repr__(self) -> str:
        return f"Sum({', '.join(map(repr, self.heuristics))})"


def _checked(heuristics: tuple[Heuristic, ...], name: str) -> tuple[Heuristic, ...]:
    if not heuristics:
        raise UnsuitableError(f"{name}() needs at least one heuristic, found none")
    return heuristics


class Combined(FromScratch):
    """Join the estimates of `parts`, each in moves of the metric, by `join`.

    A step starts from scratch: the joined value does not tell what each part was.
    """

    __slots__ = ("_join", "_parts", "admissible", "consistent")

    def __init__(
        self,
        join: Callable[[Iterable[int]], int],
        parts: Sequence[Evaluator],
        admissible: bool,
        consistent: bool,
    ) -> None:
        self._join = join
        self._parts = tuple(parts)
        self.admissible = admissible
        self.consistent = consistent

    def value(self, state: State) -> int:
        """Return the joined estimate for `state`."""
        return self._join([part.value(state) for part in self._parts])

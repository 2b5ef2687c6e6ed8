"""What an algorithm is: a frozen value that meets a puzzle only when it runs."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from taquin.heuristics.base import Heuristic
from taquin.search.conventions import Conventions
from taquin.search.run import Loop, Run


@runtime_checkable
class Algorithm(Protocol):
    """A way of searching; printable and comparable."""

    @property
    def name(self) -> str:
        """Return the name used on the command line."""
        ...

    @property
    def heuristic(self) -> Heuristic | None:
        """Return the heuristic; None for a search that uses none."""
        ...

    @property
    def conventions(self) -> Conventions:
        """Return how duplicates, ties and the goal test are treated."""
        ...

    @property
    def optimal(self) -> bool:
        """Tell whether solutions are shortest, given an admissible heuristic."""
        ...

    @property
    def exhaustive(self) -> bool:
        """Tell whether the search ends by itself on a puzzle that has no solution."""
        ...

    @property
    def cap(self) -> int | None:
        """Return the most nodes the search may ever keep; None for no cap of its own."""
        ...

    def loop(self, run: Run) -> Loop:
        """Return the search, about to begin."""
        ...

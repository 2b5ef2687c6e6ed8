"""The base of all algorithms: it completes conventions, checks options and prints itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from math import inf
from typing import Any, ClassVar

from taquin.errors import UnsuitableError
from taquin.heuristics.base import Heuristic
from taquin.heuristics.estimate import as_heuristic
from taquin.heuristics.manhattan import Manhattan
from taquin.search.conventions import SKIP_PARENT, STANDARD, Conventions, Duplicates, text_of

_NOT_GENERATED = frozenset(Duplicates) - {Duplicates.GENERATED}
"""The choices of searches that do not generate all successors of a board at once."""


class SearchValue:
    """An algorithm that completes its conventions, checks its options and prints itself."""

    __slots__ = ()
    name: str = ""
    cap: int | None = None
    conventions: Conventions
    defaults = STANDARD
    """The default conventions."""
    unsupported: tuple[str, ...] = ("limit_test",)
    """The conventions that do not affect the algorithm, which it therefore rejects."""
    supported: ClassVar[Mapping[str, frozenset[Any]]] = {"duplicates": _NOT_GENERATED}
    """The supported choices, for a convention of which it does not support all."""
    least: ClassVar[Mapping[str, int]] = {}
    """The least value of options that are numbers."""

    @property
    def exhaustive(self) -> bool:
        """Whether it terminates without a solution: if it discards duplicates."""
        return self.conventions.duplicates not in (Duplicates.PARENT, Duplicates.NONE)

    def __post_init__(self) -> None:
        # A heuristic may be a name or a function of a board.
        for option in fields(self):  # type: ignore[arg-type]
            value = getattr(self, option.name)
            if value is None:
                continue
            if str(option.type).startswith("Heuristic"):
                object.__setattr__(self, option.name, as_heuristic(value))
            elif option.name in self.least:
                least = self.least[option.name]
                if not least <= value < inf:
                    raise UnsuitableError(
                        f"{option.name.replace('_', '-')} must be "
                        f"{'finite' if value == inf else f'at least {least}'}, got {value}"
                    )
        for name, value in self.conventions.chosen().items():
            flag = name.replace("_", "-")
            if name in self.unsupported and value != getattr(self.defaults, name):
                raise UnsuitableError(f"{self.name} does not support {flag}")
            if name in self.supported and value not in self.supported[name]:
                known = ", ".join(sorted(map(text_of, self.supported[name])))
                raise UnsuitableError(
                    f"{self.name} does not support {flag} '{text_of(value)}'; it supports: {known}"
                )
        complete = self.conventions.over(self.defaults)
        if complete.bumps and complete.duplicates is not Duplicates.DEQUEUE:
            raise UnsuitableError(
                "bumps, the counting of steps into walls, needs duplicates=dequeue"
            )
        object.__setattr__(self, "conventions", complete)

    def __str__(self) -> str:
        shown: list[str] = []
        for option in fields(self):  # type: ignore[arg-type]
            value = getattr(self, option.name)
            if option.name == "heuristic":
                shown.insert(0, str(value.name))
            elif option.name == "conventions":
                shown += value.changed_from(self.defaults)
            elif value is not None and not (
                value == option.default
                and (isinstance(value, Enum) or (option.name == "weight" and value == 1))
            ):
                text = value.name if isinstance(value, Heuristic) else text_of(value)
                shown.append(f"{option.name}={text}")
        return f"{self.name}({', '.join(shown)})" if shown else self.name


@dataclass(frozen=True, slots=True)
class HeuristicSearch(SearchValue):
    """A search that needs a heuristic."""

    heuristic: Heuristic = field(default_factory=Manhattan)


class RememberingSearch(HeuristicSearch):
    """A search that remembers every board reached, and whose tie-breaking is fixed."""

    __slots__ = ()
    supported: ClassVar = {"duplicates": frozenset({Duplicates.REACHED})}
    unsupported: tuple[str, ...] = ("ties", "goal_test", "limit_test")


class WalkingSearch(RememberingSearch):
    """A search whose solution is the path it walked: of any length, and it may not terminate."""

    __slots__ = ()
    optimal = False
    exhaustive = False


class TreeSearch(HeuristicSearch):
    """A search that remembers only the boards on the current path."""

    __slots__ = ()
    supported: ClassVar = {"duplicates": frozenset({Duplicates.PARENT, Duplicates.NONE})}
    defaults = SKIP_PARENT
    unsupported: tuple[str, ...] = ("ties", "goal_test", "limit_test")
    exhaustive = False

"""A table of a TOML file, read key by key, with errors that say which key is at fault.

boards[2].scramble.moves: expected a whole number, found 'many'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from math import isfinite
from typing import Any, TypeVar

from taquin.errors import InputError, TaquinError
from taquin.system.words import amount, did_you_mean, printable

_LONGEST_PLACE = 100
"""Characters of the name of a key that a message quotes."""

Chosen = TypeVar("Chosen", bound=Enum)

LARGEST = 2**63 - 1
"""The largest number that records can hold."""
MANY = 1_000_000
"""The most of anything that a study is to have by a number alone."""
_DEEPEST = 20
"""How deep tables and lists may lie in each other."""
_FOUND_LETTERS = 60


class Table:
    """A table under way to be read. Call `finish` to refuse the keys nobody asked for."""

    def __init__(self, content: Any, path: str = "") -> None:
        self.path = path
        if not isinstance(content, Mapping):
            raise self.error("", f"expected a table, found {told(content)}")
        self._content = content
        self._known: set[str] = set()

    def __contains__(self, key: str) -> bool:
        self._known.add(key)
        return key in self._content

    def error(self, key: str, message: str) -> InputError:
        """Return the error that blames `key`, or the table itself where it is empty."""
        place = printable(".".join(part for part in (self.path, key) if part))
        if len(place) > _LONGEST_PLACE:
            place = f"{place[:_LONGEST_PLACE]}…"
        return InputError(f"{place}: {message}" if place else message)

    def missing(self, key: str, expected: str, names: Sequence[str]) -> InputError:
        """Return the error for a value that is not there, under any of the names it may have."""
        # It may be there under a name that is not quite its own.
        for other in self._content:
            if other not in self._known and (question := did_you_mean(other, names)):
                return self.error(other, f"there is no such key. {question.strip()}")
        return self.error(key, f"expected {expected}, found nothing")

    @contextmanager
    def blaming(self, key: str) -> Iterator[None]:
        """Turn whatever is refused within the block into the error that blames `key`."""
        try:
            yield
        except TaquinError as error:
            raise self.error(key, str(error)) from None

    def value(self, key: str, default: Any = None) -> Any:
        """Return whatever stands under `key`."""
        self._known.add(key)
        return self._content.get(key, default)

    def text(self, key: str, default: str | None = None) -> str:
        """Return the text under `key`; without a default it must be there."""
        found = self.value(key, default)
        if not isinstance(found, str):
            raise self._missing_or(key, "a text in quotes", found)
        return found

    def number(self, key: str, default: int | None = None, least: int | None = None) -> int:
        """Return the whole number under `key`; without a default it must be there.

        One that has a least is a number of things, of which there are to be at most MANY.
        """
        found = self.value(key, default)
        if not _is_whole(found):
            raise self._missing_or(key, "a whole number", found)
        if least is not None and not least <= found <= MANY:
            raise self.error(key, f"expected {least} to {MANY:,}, found {found:,}")
        return int(found)

    def flag(self, key: str, default: bool = False) -> bool:
        """Return whether `key` is true."""
        found = self.value(key, default)
        if not isinstance(found, bool):
            raise self.error(key, f"expected true or false, found {told(found)}")
        return found

    def member(self, key: str, kind: type[Chosen], default: Chosen) -> Chosen:
        """Return the member of an enumeration whose value stands under `key`."""
        found = self.value(key, default.value)
        for member in kind:
            if member.value == found:
                return member
        names = ", ".join(str(member.value) for member in kind)
        raise self.error(key, f"expected one of {names}, found {told(found)}")

    def texts(self, key: str) -> list[str]:
        """Return the list of texts under `key`; one text alone stands for a list of one."""
        return self._each(key, lambda found: isinstance(found, str), "a text in quotes")

    def numbers(self, key: str, least: int = 0, most: int = LARGEST) -> list[int]:
        """Return the list of whole numbers under `key`; one alone stands for a list of one."""
        until = "on" if most == LARGEST else f"to {most:,}"
        expected = f"whole numbers from {least} {until}"
        return self._each(key, lambda found: _is_whole(found) and least <= found <= most, expected)

    def seconds(self, key: str) -> list[float]:
        """Return the list of times under `key`; one alone stands for a list of one."""
        return self._each(key, lambda found: is_number(found) and found >= 0, "a number from 0 on")

    def _each(self, key: str, suits: Callable[[Any], bool], expected: str) -> list[Any]:
        found = self.several(key)
        for each in found:
            if not suits(each):
                raise self.error(key, f"expected {expected}, found {told(each)}")
        return found

    def several(self, key: str) -> list[Any]:
        """Return what stands under `key` as a list: nothing, one thing, or several."""
        found = self.value(key)
        if found is None:
            return []
        return list(found) if isinstance(found, list) else [found]

    def amounts(self, key: str, size: bool = False) -> list[int]:
        """Return whole numbers that may be written "2M"; with `size`, bytes."""
        amounts = []
        for found in self.several(key):
            number: Any = amount(found, size) if isinstance(found, str) else found
            if not _is_whole(number) or number < 0:
                raise self.error(key, f'expected a number from 0 on, or "2M", found {told(found)}')
            if number > LARGEST:
                raise self.error(key, f"expected 0 to {LARGEST:,}, found {told(found)}")
            amounts.append(int(number))
        return amounts

    def table(self, key: str) -> Table:
        """Return the table under `key`; an empty one where there is none."""
        return Table(self.value(key, {}), self._below(key))

    def tables(self, key: str) -> list[Table]:
        """Return the array of tables under `key`, which must not be empty."""
        found = self.value(key)
        if found is None or found == []:
            raise self._missing_or(key, f"one [[{key}]] or more", None)
        if not isinstance(found, list):
            raise self.error(key, f"expected one [[{key}]] or more, found {told(found)}")
        return [
            Table(each, f"{self._below(key)}[{number}]") for number, each in enumerate(found, 1)
        ]

    def free(
        self, suits: Callable[[Any], bool] = lambda found: True, expected: str = ""
    ) -> dict[str, Any]:
        """Return what stands under every key, for a table whose keys are free."""
        self._known |= set(self._content)
        for key, found in self._content.items():
            if not suits(found):
                raise self.error(key, f"expected {expected}, found {told(found)}")
        return dict(self._content)

    def finish(self) -> None:
        """Raise an error for a key that nobody has asked for: a slip of the pen, most likely."""
        for key in self._content:
            if key not in self._known:
                known = sorted(self._known)
                raise self.error(
                    key,
                    f"there is no such key. {did_you_mean(key, known)}The keys are "
                    f"{', '.join(known)}",
                )

    def check_numbers(self) -> None:
        """Raise an error for a number in it, or below it, that no record could hold.

        It is also raised for tables and lists that lie too deep in each other.
        """
        self._check(self._content, self.path, 0)

    def _check(self, found: Any, place: str, depth: int) -> None:
        if depth > _DEEPEST:
            raise InputError(
                f"{place[:_FOUND_LETTERS]}…: expected {_DEEPEST} lists and tables in "
                f"each other at most"
            )
        if isinstance(found, Mapping):
            for key, value in found.items():
                self._check(value, f"{place}.{key}" if place else key, depth + 1)
        elif isinstance(found, list):
            for number, value in enumerate(found, 1):
                self._check(value, f"{place}[{number}]", depth + 1)
        elif is_number(found) and not (isfinite(found) and abs(found) <= LARGEST):
            raise InputError(
                f"{printable(place)}: expected a number of at most {LARGEST:,}, found {told(found)}"
            )

    def _below(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def _missing_or(self, key: str, expected: str, found: Any) -> InputError:
        if found is None:
            return self.missing(key, expected, [key])
        return self.error(key, f"expected {expected}, found {told(found)}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def told(found: Any) -> str:
    """Return what was found as an error message shows it, cut where it is long."""
    text = repr(found)
    return text if len(text) <= _FOUND_LETTERS else f"{text[:_FOUND_LETTERS]}…"


def is_number(value: Any) -> bool:
    """Tell whether a value is a number, which true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)

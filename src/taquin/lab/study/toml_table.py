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
"""The most characters of a key that a message quotes."""

Chosen = TypeVar("Chosen", bound=Enum)

LARGEST = 2**63 - 1
"""The largest number that records can hold."""
MANY = 1_000_000
"""The most boards, seeds or repetitions that one number may ask for."""
_DEEPEST = 20
"""How deep tables and lists may be nested."""
_MOST_QUOTED = 60
"""The most characters of a value that a message quotes."""


class TomlTable:
    """A table whose keys are read one by one; `finish` refuses the keys that were not read."""

    def __init__(self, content: Any, path: str = "") -> None:
        self.path = path
        if not isinstance(content, Mapping):
            raise self.error("", f"expected a table, found {quoted(content)}")
        self._content = content
        self._known: set[str] = set()

    def __contains__(self, key: str) -> bool:
        self._known.add(key)
        return key in self._content

    def error(self, key: str, message: str) -> InputError:
        """Return the error that names `key`, or the table itself if `key` is empty."""
        place = printable(".".join(part for part in (self.path, key) if part))
        if len(place) > _LONGEST_PLACE:
            place = f"{place[:_LONGEST_PLACE]}…"
        return InputError(f"{place}: {message}" if place else message)

    def missing(self, key: str, expected: str, names: Sequence[str]) -> InputError:
        """Return the error for a missing value, which may have any of the `names`."""
        # A misspelt name is more helpful to report than a missing one.
        for spelt in self._content:
            if spelt not in self._known and (question := did_you_mean(spelt, names)):
                return self.error(spelt, f"there is no such key. {question.strip()}")
        return self.error(key, f"expected {expected}, found nothing")

    @contextmanager
    def blaming(self, key: str) -> Iterator[None]:
        """Turn a TaquinError of the block into the error that names `key`."""
        try:
            yield
        except TaquinError as error:
            raise self.error(key, str(error)) from None

    def value(self, key: str, default: Any = None) -> Any:
        """Return the value of `key`, of any type."""
        self._known.add(key)
        return self._content.get(key, default)

    def text(self, key: str, default: str | None = None) -> str:
        """Return the text of `key`, which is required unless it has a default."""
        value = self.value(key, default)
        if not isinstance(value, str):
            raise self._missing_or(key, "a text in quotes", value)
        return value

    def number(self, key: str, default: int | None = None, least: int | None = None) -> int:
        """Return the whole number of `key`, which is required unless it has a default.

        With `least`, it must lie between that and MANY.
        """
        value = self.value(key, default)
        if not _is_whole(value):
            raise self._missing_or(key, "a whole number", value)
        if least is not None and not least <= value <= MANY:
            raise self.error(key, f"expected {least} to {MANY:,}, found {value:,}")
        return int(value)

    def flag(self, key: str, default: bool = False) -> bool:
        """Return whether `key` is true."""
        value = self.value(key, default)
        if not isinstance(value, bool):
            raise self.error(key, f"expected true or false, found {quoted(value)}")
        return value

    def member(self, key: str, kind: type[Chosen], default: Chosen) -> Chosen:
        """Return the member of an enumeration that has the value of `key`."""
        value = self.value(key, default.value)
        for member in kind:
            if member.value == value:
                return member
        names = ", ".join(str(member.value) for member in kind)
        raise self.error(key, f"expected one of {names}, found {quoted(value)}")

    def texts(self, key: str) -> list[str]:
        """Return the texts of `key`: a list, or one text."""
        return self._checked(key, is_text, "a text in quotes")

    def numbers(self, key: str, least: int = 0, most: int = LARGEST) -> list[int]:
        """Return the whole numbers of `key`: a list, or one number."""
        until = "on" if most == LARGEST else f"to {most:,}"
        expected = f"whole numbers from {least} {until}"
        return self._checked(
            key, lambda value: _is_whole(value) and least <= value <= most, expected
        )

    def seconds(self, key: str) -> list[float]:
        """Return the times of `key`: a list, or one time."""
        return self._checked(
            key, lambda value: is_number(value) and value >= 0, "a number from 0 on"
        )

    def _checked(self, key: str, is_valid: Callable[[Any], bool], expected: str) -> list[Any]:
        values = self.several(key)
        for value in values:
            if not is_valid(value):
                raise self.error(key, f"expected {expected}, found {quoted(value)}")
        return values

    def several(self, key: str) -> list[Any]:
        """Return the values of `key`: a list, or one value; an empty list without the key."""
        value = self.value(key)
        if value is None:
            return []
        return list(value) if isinstance(value, list) else [value]

    def amounts(self, key: str, size: bool = False) -> list[int]:
        """Return whole numbers that may be written "2M"; with `size`, bytes."""
        amounts = []
        for value in self.several(key):
            number: Any = amount(value, size) if isinstance(value, str) else value
            if not _is_whole(number) or number < 0:
                raise self.error(
                    key, f'expected a number from 0 on, or "2M", found {quoted(value)}'
                )
            if number > LARGEST:
                raise self.error(key, f"expected 0 to {LARGEST:,}, found {quoted(value)}")
            amounts.append(int(number))
        return amounts

    def table(self, key: str) -> TomlTable:
        """Return the table of `key`, empty without the key."""
        return TomlTable(self.value(key, {}), self._below(key))

    def tables(self, key: str) -> list[TomlTable]:
        """Return the array of tables of `key`, which must not be empty."""
        content = self.value(key)
        if content is None or content == []:
            raise self._missing_or(key, f"one [[{key}]] or more", None)
        if not isinstance(content, list):
            raise self.error(key, f"expected one [[{key}]] or more, found {quoted(content)}")
        return [
            TomlTable(table, f"{self._below(key)}[{number}]")
            for number, table in enumerate(content, 1)
        ]

    def free(
        self, is_valid: Callable[[Any], bool] = lambda value: True, expected: str = ""
    ) -> dict[str, Any]:
        """Return all keys and values of a table whose keys the user chooses."""
        self._known |= set(self._content)
        for key, value in self._content.items():
            if not is_valid(value):
                raise self.error(key, f"expected {expected}, found {quoted(value)}")
        return dict(self._content)

    def finish(self) -> None:
        """Raise an error for a key that was not read: most likely a spelling mistake."""
        for key in self._content:
            if key not in self._known:
                known = sorted(self._known)
                raise self.error(
                    key,
                    f"there is no such key. {did_you_mean(key, known)}The keys are "
                    f"{', '.join(known)}",
                )

    def check_numbers(self) -> None:
        """Raise an error for a number that no record could hold, and for nesting too deep."""
        self._check(self._content, self.path, 0)

    def _check(self, content: Any, place: str, depth: int) -> None:
        if depth > _DEEPEST:
            raise InputError(
                f"{place[:_MOST_QUOTED]}…: expected {_DEEPEST} lists and tables in "
                f"each other at most"
            )
        if isinstance(content, Mapping):
            for key, value in content.items():
                self._check(value, f"{place}.{key}" if place else key, depth + 1)
        elif isinstance(content, list):
            for number, value in enumerate(content, 1):
                self._check(value, f"{place}[{number}]", depth + 1)
        elif is_number(content) and not (isfinite(content) and abs(content) <= LARGEST):
            raise InputError(
                f"{printable(place)}: expected a number of at most {LARGEST:,}, found "
                f"{quoted(content)}"
            )

    def _below(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def _missing_or(self, key: str, expected: str, value: Any) -> InputError:
        if value is None:
            return self.missing(key, expected, [key])
        return self.error(key, f"expected {expected}, found {quoted(value)}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def quoted(value: Any) -> str:
    """Return a value as an error message quotes it, cut if it is long."""
    text = repr(value)
    return text if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]}…"


def is_text(value: Any) -> bool:
    """Return whether a value is a text."""
    return isinstance(value, str)


def is_number(value: Any) -> bool:
    """Return whether a value is a number; true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)

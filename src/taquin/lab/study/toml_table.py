"""A table of a TOML file, read key by key, with errors that say which key is at fault.

boards[2].scramble.moves: expected a whole number, found 'many'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Any, TypeVar

from taquin.errors import InputError, TaquinError
from taquin.system.words import amount, did_you_mean, printable

Member = TypeVar("Member", bound=Enum)
Types = tuple[type, ...]
NUMBER = (int, float)
"""The types of numbers; `bool` is not one of them."""

LARGEST = 2**63 - 1
"""The largest number that records can hold."""
MANY = 1_000_000
"""The most boards, seeds or repetitions that one number may ask for."""
_DEEPEST = 20
"""How deep tables and lists may be nested."""
_LONGEST_PLACE, _MOST_QUOTED = 100, 60
"""The most characters of a key and of a value that a message quotes."""


class TomlTable:
    """A table whose keys are read one by one; `finish` refuses the keys that were not read."""

    def __init__(self, content: Any, path: str = "") -> None:
        self.path = path
        if not isinstance(content, Mapping):
            raise self.unexpected("", "a table", content)
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

    def unexpected(self, key: str, expected: str, value: Any) -> InputError:
        """Return the error for a value of `key` that is not what is expected."""
        return self.error(key, f"expected {expected}, found {_quoted(value)}")

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

    def _one(self, key: str, default: Any, kind: type, expected: str) -> Any:
        value = self.value(key, default)
        if value is None:
            raise self.missing(key, expected, [key])
        if type(value) is not kind:
            raise self.unexpected(key, expected, value)
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """Return the text of `key`, which is required unless it has a default."""
        return str(self._one(key, default, str, "a text in quotes"))

    def number(self, key: str, default: int | None = None, least: int | None = None) -> int:
        """Return the whole number of `key`; with `least`, it must lie between that and MANY."""
        number = int(self._one(key, default, int, "a whole number"))
        if least is not None and not least <= number <= MANY:
            raise self.error(key, f"expected {least} to {MANY:,}, found {number:,}")
        return number

    def flag(self, key: str, default: bool = False) -> bool:
        """Return whether `key` is true."""
        return bool(self._one(key, default, bool, "true or false"))

    def member(self, key: str, kind: type[Member], default: Member) -> Member:
        """Return the member of an enumeration that has the value of `key`."""
        value = self.value(key, default.value)
        for member in kind:
            if member.value == value:
                return member
        names = ", ".join(str(member.value) for member in kind)
        raise self.unexpected(key, f"one of {names}", value)

    def several(self, key: str, kinds: Types = (), expected: str = "") -> list[Any]:
        """Return the values of `key`, a list or one value, each of one of the `kinds` if any."""
        value = self.value(key, [])
        values = value if isinstance(value, list) else [value]
        for item in values:
            if kinds and type(item) not in kinds:
                raise self.unexpected(key, expected, item)
        return list(values)

    def texts(self, key: str) -> list[str]:
        """Return the texts of `key`: a list, or one text."""
        return self.several(key, (str,), "a text in quotes")

    def numbers(self, key: str, least: int = 0, most: int = LARGEST) -> list[int]:
        """Return the whole numbers of `key`: a list, or one number."""
        until = "on" if most == LARGEST else f"to {most:,}"
        return self._within(key, (int,), f"whole numbers from {least} {until}", least, most)

    def seconds(self, key: str) -> list[float]:
        """Return the times of `key`: a list, or one time."""
        return self._within(key, NUMBER, "a number from 0 on", 0, LARGEST)

    def _within(self, key: str, kinds: Types, expected: str, least: int, most: int) -> list[Any]:
        values = self.several(key, kinds, expected)
        for value in values:
            if not least <= value <= most:
                raise self.unexpected(key, expected, value)
        return values

    def amounts(self, key: str, size: bool = False) -> list[int]:
        """Return whole numbers that may be written "2M"; with `size`, bytes."""
        amounts = []
        for value in self.several(key):
            number: Any = amount(value, size) if isinstance(value, str) else value
            if type(number) is not int or number < 0:
                raise self.unexpected(key, 'a number from 0 on, or "2M"', value)
            if number > LARGEST:
                raise self.unexpected(key, f"0 to {LARGEST:,}", value)
            amounts.append(number)
        return amounts

    def table(self, key: str) -> TomlTable:
        """Return the table of `key`, empty without the key."""
        return TomlTable(self.value(key, {}), _below(self.path, key))

    def tables(self, key: str) -> list[TomlTable]:
        """Return the array of tables of `key`, which must not be empty."""
        content, expected = self.value(key, []), f"one [[{key}]] or more"
        if content == []:
            raise self.missing(key, expected, [key])
        if not isinstance(content, list):
            raise self.unexpected(key, expected, content)
        return [
            TomlTable(table, f"{_below(self.path, key)}[{number}]")
            for number, table in enumerate(content, 1)
        ]

    def free(self, kinds: Types = (), expected: str = "") -> dict[str, Any]:
        """Return all keys and values of a table whose keys the user chooses."""
        for key in self._content:
            if kinds and type(self.value(key)) not in kinds:
                raise self.unexpected(key, expected, self._content[key])
        self._known |= set(self._content)
        return dict(self._content)

    def finish(self) -> None:
        """Raise an error for a key that was not read: most likely a spelling mistake."""
        known = sorted(self._known)
        for key in self._content:
            if key not in self._known:
                keys = f"{did_you_mean(key, known)}The keys are {', '.join(known)}"
                raise self.error(key, f"there is no such key. {keys}")


def check_numbers(content: Any, place: str = "", depth: int = 0) -> None:
    """Raise InputError for a number that no record could hold, and for nesting too deep."""
    if depth > _DEEPEST:
        raise InputError(
            f"{place[:_MOST_QUOTED]}…: expected at most {_DEEPEST} lists and tables in each other"
        )
    if isinstance(content, Mapping):
        for key, value in content.items():
            check_numbers(value, _below(place, key), depth + 1)
    elif isinstance(content, list):
        for number, value in enumerate(content, 1):
            check_numbers(value, f"{place}[{number}]", depth + 1)
    elif type(content) in NUMBER and not abs(content) <= LARGEST:
        expected = f"expected a number of at most {LARGEST:,}, found {_quoted(content)}"
        raise InputError(f"{printable(place)}: {expected}")


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _quoted(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]}…"

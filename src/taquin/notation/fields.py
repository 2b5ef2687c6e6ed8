"""Validate external data key by key: a TOML table or a JSON object.

boards[2].scramble.moves: expected whole numbers from 0 to 1,000,000, found 'many'

Every error names the key at fault. Keys that were not read are rejected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Any, TypeVar

from taquin.errors import InputError, TaquinError
from taquin.notation.json_values import shown
from taquin.reasons import Reason, reason
from taquin.system.formatting import amount, closest, did_you_mean, printable, unknown

Default = TypeVar("Default")
Member = TypeVar("Member", bound=Enum)
Type = TypeVar("Type")
Types = tuple[type, ...]
NUMBER = (int, float)
"""The types of numbers; `bool` is not one of them."""

LARGEST = 2**63 - 1
"""The largest number that records can store."""
MANY = 1_000_000
"""The maximum number of boards, seeds or repetitions."""
_DEEPEST = 20
"""The maximum nesting depth of tables and lists."""
_LONGEST_PLACE = 100
"""The maximum length of a key in a message."""
_TEXT = reason("quoted")
_SCHEMA_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number"}
"""The types of values in JSON Schema."""


class Fields:
    """A mapping that is read key by key; `finish` rejects keys that were not read.

    A key with the value null is treated as missing.
    """

    def __init__(self, content: Any, path: str = "") -> None:
        self.path = path
        if not isinstance(content, Mapping):
            raise self.unexpected("", reason("keys"), content)
        self._content = content
        self._known: set[str] = set()

    def __contains__(self, key: str) -> bool:
        self._known.add(key)
        return key in self._content

    def error(self, key: str, message: str) -> InputError:
        """Return an error that names `key`, or the table itself if `key` is empty."""
        place = printable(".".join(part for part in (self.path, key) if part))
        if len(place) > _LONGEST_PLACE:
            place = f"{place[:_LONGEST_PLACE]}…"
        detail = Reason(message)
        return InputError(reason("field", place=place, detail=detail) if place else detail)

    def unexpected(self, key: str, expected: str, value: Any) -> InputError:
        """Return the error for an unexpected value of `key`."""
        fault = reason("unexpected", expected=Reason(expected), found=shown(value))
        return self.error(key, fault)

    def missing(self, key: str, expected: str, names: Sequence[str]) -> InputError:
        """Return the error for a missing value, which may have any of the `names`."""
        # A misspelt key is more helpful to report than a missing one.
        for found in self._content:
            if found not in self._known and (name := closest(found, names)):
                return self.error(found, reason("no-key-guess", name=name))
        nothing = reason("nothing")
        return self.error(key, reason("unexpected", expected=Reason(expected), found=nothing))

    @contextmanager
    def blaming(self, key: str) -> Iterator[None]:
        """Convert a TaquinError in the block to an error that names `key`."""
        try:
            yield
        except TaquinError as error:
            raise self.error(key, error.reason) from None

    def value(self, key: str, default: Any = None) -> Any:
        """Return the value of `key`, of any type."""
        self._known.add(key)
        value = self._content.get(key)
        return default if value is None else value

    def note(self, key: str, **schema: Any) -> None:
        """Do nothing; a subclass may collect the JSON Schema of each key."""

    def text(self, key: str, default: Default) -> str | Default:
        """Return the text of `key`."""
        return self._typed(key, str, _TEXT, default)

    def required_text(self, key: str) -> str:
        """Return the text of `key`; raise InputError without it."""
        text = self.text(key, None)
        if text is None:
            raise self.missing(key, _TEXT, [key])
        return text

    def flag(self, key: str, default: bool = False) -> bool:
        """Return whether `key` is true."""
        return self._typed(key, bool, reason("true-false"), default)

    def one_of(self, key: str, choices: Sequence[str], default: Default) -> str | Default:
        """Return the text of `key`, one of `choices`."""
        choice = self.text(key, None)
        self.note(key, enum=list(choices), default=default)
        if choice is not None and choice not in choices:
            raise self.error(key, unknown(reason("choice"), choice, choices))
        return default if choice is None else choice

    def member(self, key: str, kind: type[Member], default: Member) -> Member:
        """Return the enumeration member that `key` names."""
        return kind(self.one_of(key, [member.value for member in kind], default.value))

    def whole(self, key: str, least: int, most: int, default: Default) -> int | Default:
        """Return the integer of `key`, between `least` and `most`."""
        number = self._typed(key, int, reason("whole-number"), default)
        self.note(key, minimum=least, maximum=most)
        return self._within(key, number, least, most, reason("from-to", least=least, most=most))

    def number(self, key: str, least: float, most: float) -> float | None:
        """Return the number of `key`, between `least` and `most`."""
        number = self._typed(key, float, reason("a-number"), None)
        self.note(key, minimum=least, maximum=most)
        return self._within(key, number, least, most, reason("from-to", least=least, most=most))

    def several(self, key: str, kinds: Types = (), expected: str = "") -> list[Any]:
        """Return the values of `key`, a list or one value, each of one of the `kinds` if given."""
        value = self.value(key, [])
        values = value if isinstance(value, list) else [value]
        for item in values:
            if kinds and type(item) not in kinds:
                raise self.unexpected(key, expected, item)
        return list(values)

    def texts(self, key: str) -> list[str]:
        """Return the texts of `key`: a list, or one text."""
        self.note(key, type="array", items={"type": "string"})
        return self.several(key, (str,), _TEXT)

    def numbers(self, key: str, least: int = 0, most: int = LARGEST) -> list[int]:
        """Return the integers of `key`: a list, or one integer."""
        expected = f"whole numbers from {least} {'on' if most == LARGEST else f'to {most:,}'}"
        numbers = self.several(key, (int,), expected)
        return [self._within(key, number, least, most, expected) for number in numbers]

    def seconds(self, key: str) -> list[float]:
        """Return the times of `key`: a list, or one time."""
        expected = "a number of 0 or more"
        times = self.several(key, NUMBER, expected)
        return [self._within(key, time, 0, LARGEST, expected) for time in times]

    def amounts(self, key: str, size: bool = False) -> list[int]:
        """Return integers, which may be written as "2M"; with `size`, bytes."""
        amounts = []
        for value in self.several(key):
            number: Any = amount(value, size) if isinstance(value, str) else value
            if type(number) is not int or number < 0:
                raise self.unexpected(key, 'a number of 0 or more, or "2M"', value)
            if number > LARGEST:
                raise self.unexpected(key, f"0 to {LARGEST:,}", value)
            amounts.append(number)
        return amounts

    def table(self, key: str) -> Fields:
        """Return the table of `key`, empty if the key is missing."""
        return Fields(self.value(key, {}), _below(self.path, key))

    def tables(self, key: str) -> list[Fields]:
        """Return the array of tables of `key`, which must not be empty."""
        content, expected = self.value(key, []), f"one [[{key}]] or more"
        if content == []:
            raise self.missing(key, expected, [key])
        if not isinstance(content, list):
            raise self.unexpected(key, expected, content)
        return [
            Fields(table, f"{_below(self.path, key)}[{number}]")
            for number, table in enumerate(content, 1)
        ]

    def free(self, kinds: Types = (), expected: str = "") -> dict[str, Any]:
        """Return all keys and values of a table with arbitrary keys."""
        for key in self._content:
            if kinds and type(self.value(key)) not in kinds:
                raise self.unexpected(key, expected, self._content[key])
        self._known |= set(self._content)
        return dict(self._content)

    def finish(self) -> None:
        """Raise InputError for a key that was not read, most likely a spelling mistake."""
        known = sorted(self._known)
        for key in self._content:
            if key not in self._known:
                guess = did_you_mean(key, known)
                raise self.error(key, reason("no-key", guess=guess, names=", ".join(known)))

    def _typed(self, key: str, kind: type[Type], expected: str, default: Default) -> Type | Default:
        self.note(key, type=_SCHEMA_TYPES[kind], default=default)
        value: Type | None = self.value(key)
        if value is None:
            return default
        if type(value) not in (NUMBER if kind is float else (kind,)):
            raise self.unexpected(key, expected, value)
        return value

    def _within(self, key: str, number: Type, least: float, most: float, expected: str) -> Type:
        if isinstance(number, int | float) and not least <= number <= most:
            raise self.unexpected(key, expected, number)
        return number


def check_numbers(content: Any, place: str = "", depth: int = 0) -> None:
    """Raise InputError for a number that records cannot store, or for too deep nesting."""
    if depth > _DEEPEST:
        raise InputError(
            f"{place[:_LONGEST_PLACE]}…: expected at most {_DEEPEST} levels of lists and tables"
        )
    if isinstance(content, Mapping):
        for key, value in content.items():
            check_numbers(value, _below(place, key), depth + 1)
    elif isinstance(content, list):
        for number, value in enumerate(content, 1):
            check_numbers(value, f"{place}[{number}]", depth + 1)
    elif type(content) in NUMBER and not abs(content) <= LARGEST:
        expected = f"expected a number of at most {LARGEST:,}, found {shown(content)}"
        raise InputError(f"{printable(place)}: {expected}")


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key

"""The records that Python writes are the structs that the kernels read."""

import ctypes
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from taquin.system.arrays import Array, Matrix, uint8, zeros
from taquin.system.compiled import COMPILED, SOURCES, Call

Field = tuple[str, str, str]
"""Kind, type and name of a field of a struct, in C."""
_PACKAGE = Path(SOURCES).parent
_STRUCT = re.compile(r"^struct (\w+) \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(
    r"(NUMBER)\((\w+)\)|(ARRAY|MATRIX)\((\w+), (\w+)\)|struct (\w+) (\w+)", re.ASCII
)
_KERNEL = re.compile(r"^KERNEL\((\w+), (\w+)\)", re.MULTILINE)
_MACRO = re.compile(r"^#define (\w+)\(name, kind\) \\\n((?:.*\\\n)+.*\n)", re.MULTILINE)
"""A macro for the records and kernels of an estimate."""


def source_of(name: str) -> str:
    """Return a file in C with the headers of this folder that it includes, and expanded macros."""
    text = Path(SOURCES, name).read_text(encoding="utf-8")
    text = re.sub(r'#include "(\w+\.h)"', lambda match: source_of(match[1]), text)
    for macro, lines in _MACRO.findall(text):
        body = re.sub(r"^    | ?\\$", "", lines, flags=re.MULTILINE)
        for estimate in re.findall(rf"^{macro}\((\w+), \w+\)$", text, re.MULTILINE):
            text += re.sub(r"(##)?\bname\b", estimate, body)
    return text


def fields_in_c(struct: str, structs: dict[str, str]) -> Iterator[Field]:
    for line in structs[struct].splitlines():
        match = _FIELD.search(line)
        if match is None:
            assert re.fullmatch(r"\s*(/\*.*|.*\*/|[^;]*)", line), line
        elif match[1]:
            yield "NUMBER", "", match[2]
        elif match[3]:
            yield match[3], match[4].removesuffix("_t"), match[5]
        else:
            yield from fields_in_c(match[6], structs)


def fields_in_python(record: Any) -> Iterator[Field]:
    for name, hint in get_type_hints(record, include_extras=True).items():
        if get_origin(hint) in (Union, UnionType):
            # Plain Python takes lists instead of arrays.
            hint = get_args(hint)[-1]
        if hint in (int, bool):
            yield "NUMBER", "", name
        elif get_origin(hint) is Array:
            yield "ARRAY", get_args(hint)[0].__name__, name
        elif hasattr(hint, "__metadata__"):
            yield "MATRIX", get_args(get_args(hint)[0])[0].__name__, name
        else:
            yield from fields_in_python(hint)


def modules_with_kernels() -> list[str]:
    return [
        ".".join(["taquin", *path.relative_to(_PACKAGE).with_suffix("").parts])
        for path in sorted(_PACKAGE.rglob("*.py"))
        if " = Compiled(" in path.read_text(encoding="utf-8")
    ]


def test_each_record_has_the_fields_of_its_struct() -> None:
    for module in modules_with_kernels():
        import_module(module)
    seen = set()
    for path in sorted(Path(SOURCES).glob("*.c")):
        text = source_of(path.name)
        structs = dict(_STRUCT.findall(text))
        for kernel, struct in _KERNEL.findall(text):
            expected = list(fields_in_c(struct, structs))
            assert expected, kernel
            assert list(fields_in_python(COMPILED[kernel])) == expected, kernel
            seen.add(kernel)
    assert seen == {name for name in COMPILED if not name.startswith("test_")}


class Inner(NamedTuple):
    numbers: Array[uint8]
    last: int


class Outer(NamedTuple):
    first: int
    inner: Inner
    rows: Matrix[uint8]
    limit: int


def test_a_record_is_the_words_of_its_fields() -> None:
    read: list[list[int]] = []

    def kernel(address: int) -> int:
        read.append(list((ctypes.c_int64 * 8).from_address(address)))
        return 7

    numbers, rows = zeros(5, uint8), zeros((2, 3), uint8)
    call = Call(kernel, Outer(-1, Inner(numbers, 2), rows, (1 << 64) - 2))
    call.put("first", 9)
    assert call() == 7
    assert read == [[9, numbers.address, 5, 2, rows.address, 2, 3, -2]]
    assert call.get("first") == 9
    assert call.get("limit") == -2

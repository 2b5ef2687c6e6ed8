"""The rooms of the lab: what to run, running it, and what came out; each knows those before it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from taquin import lab

ROOMS = ["study", "run", "report"]
"""In the order in which they may know each other."""


def rooms_imported(file: Path) -> set[str]:
    """Return the rooms of the lab that a file imports from, at any depth of its code."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("taquin.lab."):
            found.add(str(node.module).split(".")[2])
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_knows_only_itself_and_those_before_it(room: str) -> None:
    files = list((Path(lab.__file__).parent / room).glob("*.py"))
    assert files
    for file in files:
        assert rooms_imported(file) <= set(ROOMS[: ROOMS.index(room) + 1]), file

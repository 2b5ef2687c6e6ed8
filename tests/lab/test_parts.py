"""The three parts of the lab: each imports only from itself and from those before it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from taquin import lab

PARTS = ["study", "run", "report"]
"""What to run, running it, and what came out: in the order in which they may import."""


def parts_imported(file: Path) -> set[str]:
    """Return the parts of the lab that a file imports from, at any depth of its code."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("taquin.lab."):
            found.add(str(node.module).split(".")[2])
    return found


@pytest.mark.parametrize("part", PARTS)
def test_a_part_imports_only_itself_and_those_before_it(part: str) -> None:
    files = list((Path(lab.__file__).parent / part).glob("*.py"))
    assert files
    for file in files:
        assert parts_imported(file) <= set(PARTS[: PARTS.index(part) + 1]), file

"""The catalogue of sentences: every code is used, with its parameters, and reasons are strings."""

from __future__ import annotations

import ast
import copy
import pickle
import re
from pathlib import Path

import pytest

import taquin
from taquin.errors import NotationError, TaquinError
from taquin.reasons import SENTENCES, Reason, reason

SOURCE = Path(taquin.__file__).parent
ENDINGS = {"s", "ies", "are"}


def parameters(sentence: str) -> set[str]:
    """Return the parameters of a sentence; a count decides its endings."""
    names = set(re.findall(r"\{(\w+)", sentence))
    return names - ENDINGS | ({"count"} if names & ENDINGS else set())


PARAMETERS = {code: parameters(sentence) for code, sentence in SENTENCES.items()}


def constants(tree: ast.AST) -> set[str]:
    """Return the texts in an expression or a file."""
    nodes = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {value for value in nodes if isinstance(value, str)}


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """Return the code of every file but the catalogue's."""
    texts = {file: file.read_text("utf-8") for file in SOURCE.rglob("*.py")}
    return {
        str(file): ast.parse(text)
        for file, text in texts.items()
        if "import reason" in text or "import Reason" in text
    }


def test_every_code_is_used_and_every_sentence_made_with_its_parameters(
    trees: dict[str, ast.Module],
) -> None:
    assert set(SENTENCES) - set().union(*map(constants, trees.values())) == set()
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "reason":
                given = {keyword.arg for keyword in node.keywords}
                # A code may be chosen by a condition or a table on the spot.
                # Only those of kinds of errors come from elsewhere.
                for code in constants(node.args[0]) or {"unreadable"}:
                    assert given == PARAMETERS.get(code), f"{name}, line {node.lineno}: {code}"


def test_a_reason_survives_a_copy_and_an_error_carries_it_with_its_place() -> None:
    told = reason("broken", reason=reason("crashed", name="SIGSEGV"))
    assert told == "the search was ended: its process crashed (SIGSEGV)"
    for again in (pickle.loads(pickle.dumps(told)), copy.deepcopy(told), Reason(told)):
        assert isinstance(again, Reason)
        assert (again, again.code, again.parameters) == (told, told.code, told.parameters)
        assert again.parameters["reason"].code == "crashed"  # type: ignore[attr-defined]
    assert (TaquinError("a fault").reason, TaquinError("a fault").reason.code) == ("a fault", "")
    assert TaquinError(reason("memory")).reason.code == "memory"
    error = pickle.loads(pickle.dumps(NotationError(reason("memory"), 1, 2)))
    assert str(error) == error.reason == "line 1, column 2: out of memory"
    assert error.reason.parameters == {"line": 1, "column": 2, "detail": "out of memory"}
    assert error.reason.parameters["detail"].code == "memory"


@pytest.mark.parametrize(
    ("count", "expected"), [(1, "gave up after 1 try"), (2000, "gave up after 2,000 tries")]
)
def test_a_count_chooses_the_plural(count: int, expected: str) -> None:
    assert reason("limit-tries", count=count) == expected

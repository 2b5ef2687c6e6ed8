"""The notebooks of docs/ have run, and show what they showed."""

from __future__ import annotations

import ast
import json
import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = {path.name: path for path in sorted(Path(__file__).parents[1].glob("docs/*.ipynb"))}


def cells_of(name: str, kind: str = "") -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(NOTEBOOKS[name].read_text("utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == (kind or cell["cell_type"])]


@pytest.mark.parametrize(
    ("name", "form"), [("lab.ipynb", "image/png"), ("student.ipynb", "image/svg+xml")]
)
def test_a_notebook_has_run_from_top_to_bottom_without_an_error(name: str, form: str) -> None:
    cells = cells_of(name, "code")
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    kinds = {output["output_type"] for output in outputs}
    assert kinds <= {"stream", "execute_result", "display_data"}
    assert sum(form in output.get("data", {}) for output in outputs) >= 2


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_tells_nothing_of_the_machine_it_ran_on(name: str) -> None:
    for cell in cells_of(name):
        shown = json.dumps([cell["source"], [_words(each) for each in cell.get("outputs", [])]])
        assert not re.search(r"/(tmp|home|root|usr|Users)/|\\\\Users", shown)


def _words(output: dict[str, Any]) -> list[Any]:
    data = output.get("data", {})
    return [output.get("text"), *(data[kind] for kind in data if kind.startswith("text/"))]


def test_the_students_notebook_shows_the_same_again() -> None:
    names: dict[str, Any] = {}
    for cell in cells_of("student.ipynb", "code"):
        printed, value = run_cell("".join(cell["source"]), names)
        for output in cell["outputs"]:
            if output["output_type"] == "stream":
                assert printed == "".join(output["text"])
            for kind, text in output.get("data", {}).items():
                method = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}.get(kind)
                assert (getattr(value, method)() if method else repr(value)) == "".join(text)


def run_cell(source: str, names: dict[str, Any]) -> tuple[str, object]:
    """Run a cell; return what it prints, and the value of its last line if that is one."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), names)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return printed.getvalue(), value

"""Every command and every piece of Python that the documents show is run, and prints what is shown.

`tests/documents.py` tells how a block is read, and how one is excluded.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from contextlib import ExitStack, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests import npm
from tests.documents import SERVER, Block, Reader, agree, blocks_of, python_of
from tests.web.site import serving

ROOT = Path(__file__).parents[1]
DOCUMENTS = {
    str(path.relative_to(ROOT)): path for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]
}
"""The documents by their names; CONTRIBUTING.md has a test of its own."""
SLOW = [
    name
    for name, path in sorted(DOCUMENTS.items())
    if any(block.is_slow for block in blocks_of(path))
]
"""Those with blocks that take long."""


def follow(document: Path, folder: Path, slow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do all that a document shows, its slow blocks included if so asked."""
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    blocks = blocks_of(document)
    with ExitStack() as stack:
        server = SERVER
        if any(block.needs_server for block in blocks):
            server = stack.enter_context(serving("--no-open", "--no-warm")).address
        reader = Reader(document, folder, server)
        for block in blocks:
            # What another test imported under the name of a file shown here is not that file.
            monkeypatch.delitem(sys.modules, Path(block.file or "").stem, raising=False)
            if block.is_run and (slow or not block.is_slow):
                reader.do(block)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_a_document_shows_what_the_program_does(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow(DOCUMENTS[name], tmp_path, False, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_a_document_shows_what_the_program_does_slowly(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow(DOCUMENTS[name], tmp_path, True, monkeypatch)


@pytest.mark.parametrize("name", [*sorted(DOCUMENTS), "CONTRIBUTING.md"])
def test_what_a_document_points_to_is_there(name: str) -> None:
    document = ROOT / name
    text = document.read_text(encoding="utf-8")
    links = re.findall(r'\]\(([^)#]*)(#[^)]+)?\)|<img src="([^"]+)"', text)
    for link, anchor, picture in links:
        if (link or picture).startswith("https://"):
            continue
        target = document.parent / (link or picture) if link or picture else document
        assert target.exists(), target
        assert not anchor or anchor[1:] in anchors_of(target), f"{link}{anchor}"


def anchors_of(document: Path) -> set[str]:
    """Return the anchors that the host of the repository gives to the headings of a document."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    words = (re.sub(r"\]\([^)]*\)", "", heading).lower() for heading in headings)
    return {re.sub(r"[^\w -]", "", heading).replace(" ", "-") for heading in words}


@pytest.mark.slow
def test_pyright_accepts_the_python_of_all_documents(tmp_path: Path) -> None:
    if why := npm.why_missing("pyright"):
        pytest.skip(why)
    settings = {
        "extraPaths": [str(ROOT / "src")],
        # Not all extras are installed everywhere.
        "reportMissingImports": False,
        # `mine.admissible = True` for a function is Python, but no type checker knows it.
        "reportFunctionMemberAccess": False,
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    lines = 0
    for name, document in DOCUMENTS.items():
        folder = tmp_path / name.replace("/", "-").removesuffix(".md")
        folder.mkdir()
        (folder / "shown.py").write_text(python := python_of(document), encoding="utf-8")
        lines += len(python.split())
        for block in blocks_of(document):
            if block.is_run and block.file.endswith(".py"):
                (folder / block.file).write_text(block.text, encoding="utf-8")
    assert lines > 500
    words = ("--pythonpath", sys.executable, "--project", str(tmp_path))
    assert npm.run("pyright", *words, folder=tmp_path) == ""


def made(tmp_path: Path, text: str) -> list[Block]:
    document = tmp_path / "document.md"
    document.write_text(text, encoding="utf-8")
    return blocks_of(document)


def test_marks_stand_right_above_their_block(tmp_path: Path) -> None:
    text = (
        "<!-- not run: because -->\n```\n$ false\n```\n\n"
        "<!-- slow -->\n<!-- status 3 -->\n```sh\ntaquin solve x  # why\nmore\n```\n"
        "```python\n# mine.py\nx = 1\n```\n"
    )
    one, two, three = made(tmp_path, text)
    assert (one.is_run, one.line) == (False, 3)
    assert (two.is_run, two.is_slow, two.status, two.language) == (True, True, 3, "sh")
    assert two.steps() == [("taquin solve x", None)]
    assert three.file == "mine.py"


def test_a_session_is_commands_with_what_they_print(tmp_path: Path) -> None:
    (block,) = made(tmp_path, "```\n$ cat <<E\n> a\n> E\na\n\n$ true\n$ echo b \\\n  c\nb c\n```\n")
    assert block.steps() == [("cat <<E\na\nE", "a"), ("true", None), ("echo b \\\n  c", "b c")]


@pytest.mark.parametrize(
    ("shown", "is_same"),
    [
        ("a\n3 moves in 5 ms", True),
        ("a\n3 moves in 17.2 s", True),
        ("a\n4 moves in 5 ms", False),
        ("…\n3 moves in 5 ms", True),
        ("a\n…", True),
        ("a", False),
        ("…", True),
    ],
)
def test_an_output_agrees_but_for_what_varies(shown: str, is_same: bool) -> None:
    assert agree("a\n3 moves in 5 ms\n", shown) is is_same


def test_a_column_of_times_may_be_wider() -> None:
    shown = "search  time  nodes\na       5 ms     12\n"
    assert agree("search    time  nodes\na       1.25 s     12\n", shown)
    assert not agree("search    time  nodes\na       1.25 s     13\n", shown)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```\n$ echo a\nb\n```\n", "prints"),
        ("```\n$ taquin check '2 1 / 3 0'\n```\n", "status 1"),
        ("```\ntaquin solve nonsense\n```\n", "status 2"),
        ("```\nmake test\n```\n", "only taquin is run here"),
        ("```python\nassert 1 == 2, 'no sum'\n```\n", "no sum"),
    ],
)
def test_a_document_that_shows_something_else_fails(tmp_path: Path, text: str, said: str) -> None:
    (block,) = made(tmp_path, text)
    with pytest.raises(AssertionError, match=said):
        Reader(tmp_path / "document.md", tmp_path).do(block)


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


FOLDER = Path(__file__).parents[1] / "examples"
SHOWN = {
    "student": (
        "shortest solution: 14 moves",
        "row_by_row: admissible on all 360 boards of 2×3",
        "A* with it: 14 moves",
    ),
    "teacher": (
        "ada            10      10        10   20/20",
        "ben: 2 of 10 boards solved",
        "board 1: solved with 2 moves more than needed; move 1 is the first that leads away",
        "greedy(manhattan)",
    ),
    "researcher": (
        "corners: admissible on all 181,440 boards of 3×3",
        "Korf (1985) counts nodes generated: 540,860",
    ),
    "enthusiast": (
        "31 single moves, 20 slides",
        "181,440 boards, the farthest 31 moves away",
        "8 6 7\n2 5 4\n3 _ 1",
    ),
}
"""Facts that each script must come upon."""
MADE = {
    "student": {"tree.svg"},
    "teacher": {"handout.pdf", "handout-answers.pdf", "grades.csv", "solution.gif", "astar.html"},
    "researcher": {"report.html", "three-heuristics.sqlite"},
    "enthusiast": {"fifteen.gif"},
}
"""Files that each script must leave, among others."""


def test_every_script_is_run_here() -> None:
    # The checker of certificates is run by tests/analysis/test_certificate.py.
    scripts = {path.stem for path in FOLDER.glob("*.py")} - {"check_certificate"}
    assert scripts == set(SHOWN) == set(MADE)


@pytest.mark.parametrize(
    "name",
    [
        "student",
        *(pytest.param(name, marks=pytest.mark.slow) for name in SHOWN if name != "student"),
    ],
)
def test_a_script_does_what_it_is_for(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, FOLDER / f"{name}.py", tmp_path],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    for fact in SHOWN[name]:
        assert fact in done.stdout
    made = {path.name for path in tmp_path.iterdir() if path.stat().st_size}
    assert made >= MADE[name]

"""What is published: the metadata, the page on the index, and the extras, also if missing."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

import taquin as tq
from taquin import __version__
from taquin.search.control import Control
from taquin.system.lazy import install_command
from taquin.views import search_tree, to_networkx
from tests.cli.runs import refusal

hatchling = pytest.importorskip("hatchling.metadata.core", reason="hatchling is not installed")
from hatchling.plugin.manager import PluginManager  # noqa: E402

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
METADATA = hatchling.ProjectMetadata(str(ROOT), PluginManager()).core
SOURCE = PROJECT["urls"]["Source"]
EXAMPLE = 'pip install "taquin[web]"'
"""The example of `install_command`, the only place that writes such a command."""


def test_every_link_of_the_page_on_the_index_leads_to_a_file_of_this_version() -> None:
    links = re.findall(r'\]\(([^)\s]+)|(?:src|href)="([^"]+)"', METADATA.readme)
    targets = [markdown or html for markdown, html in links]
    assert len(targets) >= 10
    raw = SOURCE.replace("//github.com/", "//raw.githubusercontent.com/")
    for target in targets:
        assert target.startswith("https://"), target
        if place := re.fullmatch(rf"(?:{SOURCE}/blob|{raw})/v{__version__}/([^#]*)(#.*)?", target):
            assert (ROOT / place[1]).exists(), target
    pictures = re.findall(r'!\[[^]]*\]\(([^)]+)|<img src="([^"]+)', METADATA.readme)
    assert all((markdown or html).startswith(raw) for markdown, html in pictures)


@pytest.mark.parametrize("module", ["code/codemirror.js", "gif/gifenc.js"])
def test_the_notice_has_the_licence_of_what_is_bundled(module: str) -> None:
    text = (ROOT / "src" / "taquin" / "web" / "static" / module).read_text("utf-8")
    licence = re.search(r"/\*!.*?\n\n(.*?)\n\*/", text, re.DOTALL)
    assert licence is not None
    assert licence[1] in (ROOT / "NOTICE").read_text("utf-8"), "copy the new licence into NOTICE"
    assert set(METADATA.license_files) == {"LICENSE", "NOTICE"}


def test_the_metadata_names_every_tested_python_and_system() -> None:
    classifiers = set(METADATA.classifiers)
    for version in ("3.11", "3.12", "3.13", "3.14"):
        assert f"Programming Language :: Python :: {version}" in classifiers
    systems = {word for word in classifiers if word.startswith("Operating System")}
    assert len(systems) == 3
    assert {"Documentation", "Source", "Issues", "Changelog"} <= set(METADATA.urls)


def imported_names(path: Path) -> set[str]:
    """Return the first names of what a file imports, by name in a text too."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import():
                names += [name.name for name in node.names]
            case ast.ImportFrom(module=str(module), level=0):
                names.append(module)
            case ast.Call(func=ast.Name("import_module"), args=[ast.Constant(str(module))]):
                names.append(module)
    return {name.partition(".")[0] for name in names}


def test_every_library_that_the_sources_import_is_declared() -> None:
    declared = [*PROJECT["dependencies"], *chain(*PROJECT["optional-dependencies"].values())]
    distributions = {re.split(r"[^\w-]", requirement)[0] for requirement in declared}
    # The starter files of students import each other.
    sources = [path for path in (ROOT / "src").rglob("*.py") if path.parent.name != "starters"]
    imported = set().union(*map(imported_names, sources))
    # The Python of a browser brings `pyodide` along.
    libraries = imported - sys.stdlib_module_names - {"taquin", "pyodide"}
    assert {"pandas", "cupy", "distributed"} <= libraries
    other_names = {"PIL": "pillow", "cupy": "cupy-cuda13x"}
    assert {other_names.get(library, library) for library in libraries} <= distributions


@pytest.mark.parametrize(
    ("file", "text", "command"),
    [
        ("pyvenv.cfg", "home = /usr/bin\nversion = 3.12.1\n", "pip install"),
        ("pyvenv.cfg", "home = /usr/bin\nuv = 0.9.5\n", "uv pip install"),
        ("uv-receipt.toml", "", "uv tool install"),
        ("pipx_metadata.json", "{}", "pipx install --force"),
    ],
)
def test_an_extra_is_installed_by_the_tool_that_installed_taquin(
    tmp_path: Path, file: str, text: str, command: str
) -> None:
    (tmp_path / file).write_text(text, encoding="utf-8")
    assert install_command("web", str(tmp_path)) == f'{command} "taquin[web]"'


def test_every_extra_that_a_message_names_exists_and_the_table_has_all_of_them() -> None:
    texts = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    extras = set(re.findall(r"""install_command\(["'](\w+)["']""", texts))
    extras |= set(re.findall(r"""not_installed\(.*, ["'](\w+)["']\)""", texts))
    assert {"cluster", "cuda13", "pandas", "pictures", "plots", "stats", "web"} <= extras
    assert extras <= set(PROJECT["optional-dependencies"])
    assert not re.findall(r"pip install ['\"]taquin\[", texts.replace(EXAMPLE, ""))
    _, _, section = (ROOT / "docs" / "reference.md").read_text("utf-8").partition("\n## Extras\n")
    rows = " ".join(re.findall(r"^\| (`.+?) \| ", section, re.MULTILINE))
    assert set(re.findall(r"`(\w+)`", rows)) == set(PROJECT["optional-dependencies"])


def test_a_module_and_a_graph_name_the_extra_that_they_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in sys.modules if name.startswith("taquin.gym")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(tq.errors.MissingError, match=r'is not installed: .*"taquin\[gym\]"'):
        __import__("taquin.gym")
    tree = search_tree(tq.trace(tq.Puzzle(tq.Goal("2x2")), tq.Board("1 2 / 0 3"), tq.AStar()))
    with pytest.raises(tq.errors.MissingError, match=r'is not installed: .*"taquin\[graphs\]"'):
        to_networkx(tree)


@pytest.mark.parametrize(
    ("line", "library"),
    [
        ("solve BOARD -o s.gif", "PIL"),
        ("solve BOARD --format png", "PIL"),
        ("solve BOARD -o s.pdf", "matplotlib"),
        ("trace BOARD -o s.gif", "PIL"),
        ("tree BOARD -o s.png", "PIL"),
        ("tree BOARD --exam both -o s.pdf", "matplotlib"),
        ("compare --many BOARD -o s.svg", "matplotlib"),
        ("scramble --sheet s.png", "PIL"),
        ("scramble --depth 9 --sheet s.pdf", "matplotlib"),
    ],
)
def test_a_command_names_a_missing_extra_before_it_searches(
    line: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    before = Control.created
    said = refusal(*("1 2 3 / 4 0 5 / 7 8 6" if word == "BOARD" else word for word in line.split()))
    assert 'which is not installed: pip install "taquin[p' in said
    assert Control.created == before


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "1203", "-o", "no/s.svg"],
        ["solve", "1203", "-o", "folder.svg"],
        ["solve", "1203", "--certificate", "no/proof.txt"],
        ["trace", "1203", "-o", "no/s.svg"],
        ["tree", "1203", "-o", "no/s.svg"],
        ["compare", "--many", "1203", "-o", "no/s.svg"],
        ["scramble", "2x2", "--sheet", "no/s.svg"],
    ],
)
def test_a_command_names_a_missing_folder_before_it_searches(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.svg").mkdir()
    before = Control.created
    assert re.search("Error: .*: (No such file or|Is a) directory", refusal(*words))
    assert Control.created == before

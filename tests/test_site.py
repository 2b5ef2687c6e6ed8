"""The site of `make docs` has every page in its menu, every public name and every command.

`make release-check` builds it and follows its links; that takes too long for here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import taquin
import taquin.classroom
import taquin.lab
import taquin.notation
import taquin.views
from taquin.cli.main import COMMANDS
from taquin.errors import UnfinishedError

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")

DOCS = Path(__file__).parents[1] / "docs"
SETTINGS = yaml.safe_load((DOCS.parent / "mkdocs.yml").read_text("utf-8"))
OPTIONAL = {"taquin.gym.SlideEnv", "taquin.gym.SlideVectorEnv"}
"""What needs an extra and is imported by its own name."""


def pages_in(menu: Any) -> Iterator[str]:
    if isinstance(menu, str):
        yield menu
    else:
        for part in menu.values() if isinstance(menu, dict) else menu:
            yield from pages_in(part)


def test_every_page_is_in_the_menu_once() -> None:
    written = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    notebooks = {f"notebooks/{path.stem}.md" for path in DOCS.glob("*.ipynb")}
    of_the_root = {"contributing.md", "changelog.md", "security.md", "conduct.md"}
    counts = Counter(pages_in(SETTINGS["nav"]))
    assert set(counts) == written | notebooks | of_the_root
    assert set(counts.values()) == {1}


def test_every_public_name_is_in_one_group() -> None:
    groups = [
        re.findall(r"^::: (\S+)", path.read_text("utf-8"), re.MULTILINE)
        for path in DOCS.rglob("python/*.md")
    ]
    counts = Counter(name for group in groups for name in group)
    assert set(counts.values()) == {1}
    assert max(map(len, groups)) <= 30
    packages = (
        *(taquin.analysis, taquin.engine, taquin.events, taquin.heuristics, taquin.lab),
        *(taquin.notation, taquin.search, taquin.views),
    )
    own = {f"taquin.{name}" for name in taquin.__all__} - {"taquin.__version__"}
    own -= {each.__name__ for each in (*packages, taquin.errors)}
    theirs = {f"{each.__name__}.{name}" for each in packages for name in each.__all__}
    theirs |= {
        f"taquin.errors.{name}"
        for name, value in vars(taquin.errors).items()
        if isinstance(value, type)
        and issubclass(value, taquin.TaquinError)
        and value not in (taquin.TaquinError, UnfinishedError)
    }
    again = {f"taquin.notation.{name}" for name in taquin.__all__}
    assert set(counts) == own | (theirs - again) | {"taquin.classroom", *OPTIONAL}


def test_every_command_has_its_page_with_all_its_options() -> None:
    pytest.importorskip("mkdocs", reason="the dependency group docs is not installed")
    from tools.site import generated_pages

    pages = generated_pages()
    for name, summary in COMMANDS.items():
        assert f"# taquin {name}\n" in pages[f"commands/{name}.md"]
        assert f"[`{name}`]({name}.md)" in pages["commands/index.md"]
        assert summary.rstrip(".") in pages[f"commands/{name}.md"].replace("\\", "")
    for option in ("-a, --algorithm SEARCH", "--max-seconds S", "-o, --output FILE"):
        assert f"| `{option}` |" in pages["commands/solve.md"]
    assert "## taquin study run\n" in pages["commands/study.md"]


def test_docstrings_are_shown_with_lists_and_code() -> None:
    pytest.importorskip("mkdocs", reason="the dependency group docs is not installed")
    from tools.site import as_markdown

    parameters = "x: a number\n    or two.\ny: more.\n"
    text = f"Return it.\n\n{parameters}\n>>> f(1)\n2\n>>> g(\n...     3)\n\nMore: no"
    shown = "- **`x`**: a number\n    or two.\n- **`y`**: more.\n"
    code = "```pycon\n>>> f(1)\n2\n>>> g(\n...     3)\n```\n"
    assert as_markdown(text) == f"Return it.\n\n{shown}\n{code}\nMore: no"

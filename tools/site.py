"""MkDocs hooks: pages generated from the code, and links that leave `docs/`. See mkdocs.yml.

MkDocs calls the functions named `on_…`; mkdocstrings uses `Docstrings`.

    commands/…        a page for each command, made from the command itself
    notebooks/…       a page for each notebook of docs/, with what it shows
    contributing.md   and others: files of the root
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import click
from griffe import Extension
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
URLS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
ROOT_PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
}
"""Files of the root with their pages."""
_LINK = re.compile(r'(\]\(|<img src=")(?!https?:|#)([^)"\s]+)')
_SPECIAL = re.compile(r"([\\`*_\[\]|])")
_DOCTEST = re.compile(r"(?:^>>> .*\n?(?:^(?!>>> ).+\n?)*)+", re.MULTILINE)
"""A doctest: its lines up to an empty one."""
_PARAMETERS = re.compile(r"(?:^[a-z_]+: .*\n?(?:^    .*\n?)*)+(?=\n|\Z)", re.MULTILINE)
"""A paragraph that describes parameters, each by its name and a colon."""
_PARAMETER = re.compile(r"^([a-z_]+): ", re.MULTILINE)


def on_config(config: MkDocsConfig) -> None:
    """Set the addresses of the project, and list the commands in the navigation."""
    config.site_url = URLS["Documentation"]
    # With `repo_url` every page would ask the repository's host for numbers.
    link = {"icon": "fontawesome/brands/git-alt", "link": URLS["Source"], "name": "Source"}
    config.extra["social"] = [link]
    pages = ["commands/index.md", *(f"commands/{name}.md" for name, _ in _commands())]
    for section in config.nav or ():
        if "Commands" in section:
            section["Commands"] = pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not files of docs/."""
    for uri, text in generated_pages().items():
        files.append(File.generated(config, uri, content=text))
    return files


def generated_pages() -> dict[str, str]:
    """Return the pages that are not files of docs/, by their paths on the site."""
    pages = {"commands/index.md": _command_index()}
    for name, command in _commands():
        pages[f"commands/{name}.md"] = "\n".join(_command_page(command, f"taquin {name}", 1))
    for path in sorted((ROOT / "docs").glob("*.ipynb")):
        pages[f"notebooks/{path.stem}.md"] = "\n\n".join(_notebook_page(path))
    for name, uri in ROOT_PAGES.items():
        pages[uri] = (ROOT / name).read_text(encoding="utf-8")
    return pages


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrite links to notebooks and out of docs/ to pages of the site, or to the repository."""
    uri = page.file.src_uri
    in_root = uri in ROOT_PAGES.values()
    folder = "" if in_root else posixpath.join("docs", posixpath.dirname(uri))
    if uri.startswith("notebooks/"):
        folder = "docs"

    def link(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, match[2]))
        if path.endswith(".ipynb") and not uri.startswith("notebooks/"):
            target = f"notebooks/{Path(path).stem}.md"
        elif path.startswith("docs/"):
            target = path.removeprefix("docs/")
        elif path in ROOT_PAGES:
            target = ROOT_PAGES[path]
        else:
            return f"{match[1]}{URLS['Source']}/blob/main/{path}"
        return match[1] + posixpath.relpath(target, posixpath.dirname(uri) or ".")

    return _LINK.sub(link, markdown)


class Docstrings(Extension):
    """Converts docstrings to Markdown."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Change the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)


def as_markdown(docstring: str) -> str:
    """Return a docstring with its parameters as a list and its doctests as code."""
    text = _PARAMETERS.sub(lambda match: _PARAMETER.sub(r"- **`\1`**: ", match[0]), docstring)
    return _DOCTEST.sub(lambda match: f"```pycon\n{match[0].rstrip()}\n```\n", text)


def _commands() -> Iterator[tuple[str, click.Command]]:
    """Yield the commands of taquin in the order of its help."""
    from taquin.cli.main import taquin

    context = click.Context(taquin, info_name="taquin")
    for name in taquin.list_commands(context):
        command = taquin.get_command(context, name)
        assert command is not None, "it is in the list"
        yield name, command


def _command_index() -> str:
    lines = [f"| [`{name}`]({name}.md) | {_plain(_summary(each))} |" for name, each in _commands()]
    head = "Every command explains itself: `taquin help solve` prints what its page says here."
    return "\n".join(["# Commands", "", head, "", "| command | |", "| --- | --- |", *lines])


def _command_page(command: click.Command, path: str, level: int) -> Iterator[str]:
    """Yield the lines of a command's page, or of its part of the page of its group."""
    context = click.Context(command, info_name=path)
    yield f"{'#' * level} {path}\n"
    usage = command.get_usage(context).removeprefix("Usage: ")
    yield f"```text\n{' '.join(usage.split())}\n```\n"
    for paragraph in (command.help or "").split("\n\n"):
        yield _plain(" ".join(paragraph.replace("\b", "").split())) + "\n"
    sections: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record is not None:
            sections.setdefault(getattr(parameter, "section", "Options"), []).append(record)
    for section, records in sections.items():
        lines = [f"| `{names}` | {_plain(meaning)} |" for names, meaning in records]
        yield f"| {section} | |\n| --- | --- |\n" + "\n".join(lines) + "\n"
    if examples := getattr(command, "examples", ()):
        yield "\n".join(["```sh", *examples, "```\n"])
    if command.epilog:
        yield _plain(command.epilog) + "\n"
    for name, child in getattr(command, "commands", {}).items():
        yield from _command_page(child, f"{path} {name}", level + 1)


def _summary(command: click.Command) -> str:
    return command.get_short_help_str(limit=10**6)


def _plain(text: str) -> str:
    """Return a text as Markdown that shows it verbatim, except code between backticks."""
    parts = text.split("`")
    parts[::2] = [_SPECIAL.sub(r"\\\1", escape(part, quote=False)) for part in parts[::2]]
    return "`".join(parts)


def _notebook_page(path: Path) -> Iterator[str]:
    """Yield the cells of a notebook as Markdown, with their outputs."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    first = "".join(cells[0]["source"])
    yield first
    yield f"[Download this notebook]({path.name})"
    for cell in cells[1:]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield source
            continue
        yield f"```python\n{source}\n```"
        for output in cell["outputs"]:
            yield _output(output)


def _output(output: dict[str, Any]) -> str:
    """Return the richest output of a cell."""
    data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
    for kind in ("text/html", "image/svg+xml"):
        if kind in data:
            # An empty line would end the block of HTML.
            shown = re.sub(r"\n\s*\n", "\n", data[kind])
            return f'<div class="output">\n{shown}\n</div>'
    if "image/png" in data:
        picture = f"data:image/png;base64,{data['image/png'].strip()}"
        return f'<div class="output"><img alt="what the cell shows" src="{picture}"></div>'
    return f"```text\n{data.get('text/plain') or ''.join(output.get('text', ())).rstrip()}\n```"


if __name__ == "__main__":
    sys.exit("MkDocs uses this file: make docs")

"""Check whether a release can be made: `python -m tools.release [TAG]`.

Every check returns a short finding, or raises `ValueError` with the fault. All of them run, and a
table shows the outcome. `docs/releasing.md` describes the other steps of a release.
"""

from __future__ import annotations

import re
import sys
import tarfile
import tomllib
from collections.abc import Callable, Iterator
from datetime import date
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import unquote, urlsplit

import yaml

from taquin import __version__
from tools import editor
from tools.running import ROOT, read, run

WORKFLOWS = tuple(sorted((ROOT / ".github" / "workflows").glob("*.yml")))
_PROJECT = tomllib.loads(read("pyproject.toml"))["project"]
_SOURCE, _SITE = _PROJECT["urls"]["Source"], _PROJECT["urls"]["Documentation"]
_INSTALL = 'pip install "taquin[web]"'
_PUBLISHED = {
    "README.md": (_INSTALL, _SITE),
    "docs/index.md": (_INSTALL,),
    "CITATION.cff": ("\nversion: ", "\ndate-released: ", f"\nurl: {_SITE}\n"),
}
"""What files show from the first release on; until then it is a comment in them."""
_HEADING = re.compile(r"^## (\S+) \((\S+)\)$", re.MULTILINE)


def check_version(tag: str = "") -> str:
    """Compare the version, its date and the project's address wherever they are written.

    Before the first release nothing may say that there is one; from then on, everything has to.
    """
    heading = _HEADING.search(read("CHANGELOG.md"))
    citation = yaml.safe_load(read("CITATION.cff"))
    next_release, is_dev, _ = __version__.partition(".dev")
    if heading is None and (tag or not is_dev):
        raise ValueError("CHANGELOG.md has no heading such as ## 1.2.3 (2027-01-31)")
    if citation["repository-code"] != _SOURCE:
        raise ValueError("pyproject.toml and CITATION.cff differ in the address Source")
    for name in ("SECURITY.md", "CODE_OF_CONDUCT.md"):
        if f"<{_SOURCE}/" not in read(name):
            raise ValueError(f"{name} does not have the address of pyproject.toml")
    for name, lines in _PUBLISHED.items():
        shown = re.sub(r"<!--.*?-->|^#[^\n]*", "", read(name), flags=re.DOTALL | re.MULTILINE)
        for line in lines:
            if line not in shown and heading is not None:
                raise ValueError(f"{name} does not show {line.strip()!r}: see docs/releasing.md")
            if line in shown and heading is None:
                raise ValueError(f"{name} shows {line.strip()!r}, but nothing is released")
    if heading is None:
        return f"{__version__}, before the first release"
    released = date.fromisoformat(heading[2])
    found = {"CHANGELOG.md": heading[1], "CITATION.cff": str(citation["version"])}
    if tag:
        found["the tag"] = tag.removeprefix("v")
    # Between releases, the files name the last one, which is older than the next.
    expected = heading[1] if is_dev and not tag else __version__
    for place, version in found.items():
        if version != expected:
            raise ValueError(f"_version.py has {__version__}, {place} has {version}")
    if is_dev and _numbers(next_release) <= _numbers(expected):
        raise ValueError(f"_version.py has {__version__}, which {expected} does not precede")
    if citation["date-released"] != released:
        raise ValueError(f"CHANGELOG.md has {released}, CITATION.cff {citation['date-released']}")
    return f"{__version__}, after {expected}" if is_dev else f"{__version__} of {released}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def check_citation() -> str:
    """Validate CITATION.cff by the schema of its format."""
    run(sys.executable, "-c", "from cffconvert.cli.cli import cli; cli()", "--validate")
    return "valid"


def check_workflows() -> str:
    """Check that the workflows parse and are safe, and that what they call exists."""
    steps = [step for path in WORKFLOWS for step in _steps(path)]
    for step in steps:
        # The name of a tag or a branch may be a command for the shell.
        if "${{" in step.get("run", ""):
            raise ValueError(f"a workflow has an expression in a command: {step['run']}")
        settings = step.get("with", {})
        if "checkout@" in step.get("uses", "") and settings.get("persist-credentials") is not False:
            raise ValueError("a workflow checks out without persist-credentials: false")
        # Windows and macOS need libraries that this system does not.
        if "--no-deps" in step.get("run", ""):
            raise ValueError("a workflow installs taquin without its dependencies")
    targets = set(re.findall(r"^([\w-]+):", read("Makefile"), re.MULTILINE))
    for script in (step["run"] for step in steps if "run" in step):
        for target in re.findall(r"\bmake ([\w-]+)", script):
            if target not in targets:
                raise ValueError(f"a workflow calls make {target}, which does not exist")
        for module in re.findall(r"\bpython -m (\w+)", script):
            # What a workflow installs for itself need not be here.
            if module not in ("pip", "pytest") and find_spec(module) is None:
                raise ValueError(f"a workflow calls python -m {module}, which does not exist")
    return f"{len(WORKFLOWS)} files, {len(steps)} steps"


def _steps(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the steps of a workflow, with each value of a job's matrix in turn."""
    for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values():
        matrix = job.get("strategy", {}).get("matrix", {})
        for step in job["steps"]:
            script = step.get("run", "")
            names = re.findall(r"\$\{\{ matrix\.(\w+) \}\}", script)
            values = matrix[names[0]] if names else [""]
            for value in values:
                filled = re.sub(r"\$\{\{ matrix\.\w+ \}\}", value, script)
                yield step | ({"run": filled} if script else {})


def check_package() -> str:
    """Build the source archive and the wheel for any system; check both, and the index page."""
    with TemporaryDirectory() as folder:
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ".")
        (archive,) = Path(folder).glob("*.tar.gz")
        (wheel,) = Path(folder).glob("*.whl")
        run(sys.executable, "-m", "twine", "check", "--strict", str(archive), str(wheel))
        with tarfile.open(archive) as sources:
            packed = {name.partition("/")[2] for name in sources.getnames()}
            description = sources.extractfile(f"taquin-{__version__}/PKG-INFO")
            assert description is not None, "every source archive has it"
            metadata = description.read().decode("utf-8")
        if not metadata.startswith("Metadata-Version: 2.4\n"):
            raise ValueError("the metadata is of another version than 2.4, which the index accepts")
        links = index_links(metadata)
        missing = {name for name in run("git", "ls-files").splitlines() if name not in packed}
        if missing := {name for name in missing if not name.startswith(".ci/")}:
            raise ValueError(f"the source archive lacks {', '.join(sorted(missing)[:5])}")
    relative = [link for link in links if not link.startswith("https://")]
    if relative:
        raise ValueError(f"the page on the index has relative links: {', '.join(relative)}")
    return f"{len(packed)} files, {len(links)} links"


def index_links(metadata: str) -> list[str]:
    """Return the links and pictures of the page that the index makes of a package's metadata."""
    from readme_renderer.markdown import render

    page = render(metadata.partition("\n\n")[2])
    if page is None:
        raise ValueError("the index cannot show README.md")
    # The index gives every heading a link to itself.
    return re.findall(r'(?:href|src)="(?!#user-content-)([^"]+)"', page)


def check_site() -> str:
    """Build the site, and follow every link within it."""
    with TemporaryDirectory() as folder:
        more = {"NO_MKDOCS_2_WARNING": "1"}
        run(sys.executable, "-m", "mkdocs", "build", "--strict", "-d", folder, more=more)
        pages, links, broken = followed_links(Path(folder))
    if broken:
        raise ValueError(f"{len(broken)} broken links, such as {broken[0]}")
    return f"{pages} pages, {links:,} links"


def followed_links(folder: Path) -> tuple[int, int, list[str]]:
    """Return the number of pages of a site and of links within it, and which are broken."""
    pages = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    anchors = {path: set(re.findall(r'\bid="?([^"\s>]+)', text)) for path, text in pages.items()}
    broken, count = [], 0
    for path, text in pages.items():
        for link in re.findall(r'\b(?:href|src)="([^"]*)"', text):
            address = urlsplit(unescape(link))
            if address.scheme or address.netloc or path.name == "404.html":
                continue
            count += 1
            target = (path.parent / unquote(address.path)).resolve() if address.path else path
            target = target / "index.html" if target.is_dir() else target
            anchor = unquote(address.fragment)
            if not target.exists() or (anchor and anchor not in anchors.get(target, {anchor})):
                broken.append(f"{link} on {path.relative_to(folder)}")
    return len(pages), count, broken


CHECKS: dict[str, Callable[[], str]] = {
    "version": check_version,
    "citation": check_citation,
    "workflows": check_workflows,
    "package": check_package,
    "editor": editor.check,
    "site": check_site,
}


def main() -> None:
    """Run every check, and print a table; exit with 1 if one fails."""
    tag = next(iter(sys.argv[1:]), "")
    checks = CHECKS | {"version": lambda: check_version(tag)}
    failures = 0
    for name, check in checks.items():
        try:
            outcome = check()
        except (ValueError, KeyError, SystemExit, yaml.YAMLError) as error:
            failures += 1
            outcome = f"FAILED: {error}"
        print(f"{name:12}{outcome}", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()

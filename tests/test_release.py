"""What `make release-check` asks of files alone; it builds packages and pages besides."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
from tools import release  # noqa: E402
from tools.changed import paths  # noqa: E402
from tools.running import read  # noqa: E402

from taquin import __version__  # noqa: E402

ROOT = Path(__file__).parents[1]


def test_nothing_says_that_there_is_a_release_before_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = {name: read(name) for name in ("README.md", "docs/index.md", "CITATION.cff")}
    monkeypatch.setattr(release, "read", lambda name: files.get(name) or read(name))
    assert release.check_version() == f"{__version__}, before the first release"
    with pytest.raises(ValueError, match="has no heading such as"):
        release.check_version("v0.1.0")
    for name in files:
        before, files[name] = files[name], released(files[name])
        with pytest.raises(ValueError, match=f"{name} shows .*, but nothing is released"):
            release.check_version()
        files[name] = before


def test_a_release_has_one_version_and_a_development_version_comes_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = {"CHANGELOG.md": "## 0.1.0 (2027-01-31)\n"}
    monkeypatch.setattr(release, "read", lambda name: files.get(name) or read(name))
    for name in ("README.md", "docs/index.md", "CITATION.cff"):
        with pytest.raises(ValueError, match=f"{name} does not show .*releasing"):
            release.check_version("v0.1.0")
        files[name] = released(read(name))
    monkeypatch.setattr(release, "__version__", "0.1.0")
    assert release.check_version("v0.1.0") == "0.1.0 of 2027-01-31"
    with pytest.raises(ValueError, match="the tag has 9"):
        release.check_version("v9.9.9")
    files["CHANGELOG.md"] = "## 0.1.0 (2027-02-01)\n"
    with pytest.raises(ValueError, match=r"2027-02-01, CITATION\.cff 2027-01-31"):
        release.check_version("v0.1.0")
    files["CHANGELOG.md"] = "## 0.1.0 (2027-01-31)\n"
    monkeypatch.setattr(release, "__version__", "0.2.0.dev0")
    assert release.check_version() == "0.2.0.dev0, after 0.1.0"
    monkeypatch.setattr(release, "__version__", "0.1.0.dev0")
    with pytest.raises(ValueError, match="does not precede"):
        release.check_version()


def released(text: str) -> str:
    """Return a file with what docs/releasing.md switches on."""
    text = re.sub(r"<!-- At the first release: (.*) -->", r"\1", text)
    before, _, lines = text.partition("# At the first release:\n")
    return before + re.sub(r"^# ", "", lines, flags=re.MULTILINE)


def test_the_workflows_call_what_exists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "steps" in release.check_workflows()
    wrong = tmp_path / "wrong.yml"
    monkeypatch.setattr(release, "WORKFLOWS", (wrong,))
    for script in ("make nonsense", "python -m nonsense", "make ${{ matrix.word }}"):
        job = {"steps": [{"run": script}], "strategy": {"matrix": {"word": ["test", "nonsense"]}}}
        wrong.write_text(yaml.safe_dump({"jobs": {"one": job}}), encoding="utf-8")
        with pytest.raises(ValueError, match="nonsense, which does not exist"):
            release.check_workflows()


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({"run": "make test TAG=${{ github.ref_name }}"}, "an expression in a command"),
        ({"uses": "actions/checkout@1234"}, "without persist-credentials"),
        ({"run": "python -m pip install --no-deps taquin"}, "without its dependencies"),
    ],
)
def test_an_unsafe_step_of_a_workflow_is_refused(
    step: dict[str, str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(yaml.safe_dump({"jobs": {"one": {"steps": [step]}}}), encoding="utf-8")
    monkeypatch.setattr(release, "WORKFLOWS", (wrong,))
    with pytest.raises(ValueError, match=said):
        release.check_workflows()


def test_text_files_have_the_same_line_endings_in_every_clone() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("Git's attributes need a checkout")
    words = ["git", "-C", str(ROOT), "ls-files", "--eol"]
    listed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    kinds = {(line.split()[0], "eol=lf" in line.split("\t")[0]) for line in listed.splitlines()}
    # Git marks what it takes for no text with -text; an empty file may be either.
    assert kinds - {("i/none", True)} == {("i/lf", True), ("i/-text", False)}


def test_a_broken_link_of_the_site_is_found(tmp_path: Path) -> None:
    pages = {
        "index.html": '<a href="one/#here">1</a> <a href="one/#gone">2</a> <img src="no.png">',
        "one/index.html": '<p id="here"><a href="..">3</a> <a href="https://x.org/y">4</a></p>',
    }
    for name, text in pages.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    broken = ["one/#gone on index.html", "no.png on index.html"]
    assert release.followed_links(tmp_path) == (2, 4, broken)


def test_a_check_runs_the_tests_that_import_what_changed_and_changed_documents() -> None:
    chosen = paths(["src/taquin/cli/screen.py", "docs/python/lab.md", "tests/test_sources.py"])
    documents = "tests/test_documents.py::"
    assert {each for each in chosen if not each.startswith(documents)} == {
        *("src/taquin/cli/screen.py", "tests/cli", "tests/system/test_windows.py"),
        *("tests/test_layers.py", "tests/test_sources.py"),
    }
    shown = "test_a_document_shows_what_the_program_does[docs/python/lab.md]"
    assert f"{documents}{shown}" in chosen
    # Through tests/glass.py.
    assert "tests/views/test_traces.py" in paths(["src/taquin/search/driver.py"])


def test_every_python_and_system_is_tested() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text("utf-8"))["jobs"]
    matrix = jobs["test"]["strategy"]["matrix"]
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    (installed,) = re.findall(r'"\.\[(.+)\]"', str(jobs["test"]["steps"]))
    (extras,) = re.findall(r"^EXTRAS := (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert installed == extras


@pytest.mark.parametrize("name", ["bug", "idea"])
def test_an_issue_form_asks_for_something(name: str) -> None:
    form = yaml.safe_load((ROOT / f".github/ISSUE_TEMPLATE/{name}.yml").read_text("utf-8"))
    assert {"name", "description", "body"} <= set(form)
    identities = [field["id"] for field in form["body"]]
    assert len(set(identities)) == len(identities)
    assert any(field.get("validations", {}).get("required") for field in form["body"])

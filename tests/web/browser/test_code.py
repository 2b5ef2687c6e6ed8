"""Code: the user's Python, tried in the browser while it is written, in one window."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests import npm
from tests.web.browser.conftest import guard
from tests.web.browser.table import PATIENCE, address, until
from tests.web.browser.test_access import faults_seen
from tests.web.browser.test_sandbox import ENDLESS, link_to, window
from tests.web.registry import Registry, packed_folder, registry_of
from tests.web.site import Site, serving

TWICE = """def mine(board):
    return 2 * sum(1 for cell, tile in enumerate(board.cells) if tile and tile != cell + 1)
"""
BOARD = "8 1 3 / 4 0 2 / 7 6 5"


@pytest.fixture(scope="module")
def page(browser: Browser, folder_site: Site) -> Iterator[Page]:
    """Return a window with the tab Code of a folder."""
    with window(browser, folder_site, "\0") as (_, page):
        page.goto(folder_site.address + address(BOARD, "code"))
        yield page


@pytest.fixture
def editing(browser: Browser, folder_site: Site) -> Iterator[Page]:
    """Return a window in which Python, which an editor does not need, never comes."""
    with window(browser, folder_site, "\0") as (context, page):
        context.route("**/pyodide.asm.wasm", lambda route: None)
        page.goto(folder_site.address + address(BOARD, "code"))
        yield page


def editor(page: Page) -> Locator:
    return page.get_by_label("Python code")


def await_code(page: Page, code: str) -> None:
    """Wait until the editor holds this code."""
    lines = page.locator(".cm-line")
    until(page, lambda: "\n".join(lines.all_text_contents()) == code)


@pytest.mark.slow
def test_a_heuristic_is_tried_while_it_is_written(page: Page) -> None:
    expect(page.get_by_label("The estimate")).to_contain_text(re.compile(r"estimate\s*5"))
    editor(page).fill(TWICE)
    expect(page.get_by_label("The estimate")).to_contain_text(re.compile(r"estimate\s*10"))
    boards = page.get_by_role("row").filter(has_text="A* (Misplaced)")
    expect(boards).to_contain_text("222")
    audit = page.get_by_label("Audit", exact=True)
    expect(audit).to_contain_text("Not admissible: estimate 2, distance 1")
    label = "The smallest counterexample: 1 2 3 / 4 5 blank / 7 8 6"
    expect(audit.get_by_label(label)).to_be_visible()
    assert faults_seen(page) == []
    page.emulate_media(color_scheme="dark")
    assert faults_seen(page, {"runOnly": ["color-contrast"]}) == []
    page.emulate_media(color_scheme="light")


@pytest.mark.slow
def test_an_error_marks_its_line(page: Page) -> None:
    editor(page).fill("def mine(board):\n    return board.sells\n")
    expect(page.locator("#code-fault")).to_contain_text("mine.py, line 2: AttributeError")
    expect(page.locator("#code-fault")).to_contain_text(f"for the board {BOARD}")
    expect(page.locator(".cm-gutterElement.bad")).to_have_text("2")
    expect(editor(page)).to_have_attribute("aria-invalid", "true")


def test_tab_indents_and_after_escape_leaves_the_editor(editing: Page) -> None:
    page = editing
    editor(page).fill("def mine(board):")
    editor(page).press("End")
    for key in ("Enter", "Tab", "Backspace"):
        page.keyboard.press(key)
    page.keyboard.type("return 3")
    await_code(page, "def mine(board):\n    return 3")
    page.keyboard.press("Shift+Tab")
    await_code(page, "def mine(board):\nreturn 3")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(editor(page)).not_to_be_focused()


@pytest.mark.slow
def test_an_endless_loop_is_stopped_and_the_next_code_runs(page: Page) -> None:
    editor(page).fill(ENDLESS)
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    # The code of the last test may still be tried; this one never ends.
    expect(page.locator(".code-status")).to_have_text("Trying it …")
    expect(page.locator(".code-status")).to_have_text(re.compile("endless loop. “Stop” ends it"))
    page.get_by_role("button", name="Stop").click()
    editor(page).fill(TWICE)
    expect(page.get_by_label("The estimate")).to_contain_text(re.compile(r"estimate\s*10"))


def test_an_edit_survives_another_tab_and_a_reload_and_is_offered_later(editing: Page) -> None:
    page = editing
    editor(page).fill("# one")
    page.get_by_role("tab", name="Play").click()
    page.get_by_role("tab", name="Code").click()
    await_code(page, "# one")
    editor(page).fill("# two")
    page.reload()
    await_code(page, "# two")
    expect(page.get_by_role("button", name="Run it")).to_be_hidden()
    plain = re.sub("&code=[^&]*", "", page.url)
    page.goto("about:blank")
    page.goto(plain)
    expect(page.locator(".cm-line").first).to_have_text("def mine(board):")
    page.get_by_role("button", name="Restore").click()
    await_code(page, "# two")
    expect(page.get_by_role("button", name="Restore")).to_be_hidden()
    expect(page).to_have_url(re.compile("code="))


@pytest.mark.slow
def test_a_file_is_opened_and_its_search_is_drawn_over_time(page: Page) -> None:
    code = b"import taquin as tq\r\nmine = tq.Manhattan()\r\n"
    page.locator("input[type=file]").set_input_files(
        {"name": "other.py", "mimeType": "text/x-python", "buffer": code}
    )
    await_code(page, "import taquin as tq\nmine = tq.Manhattan()\n")
    charts = page.get_by_label("Over time", exact=True)
    frontier = "Frontier: 0 at first, 25 at the end, at most 25"
    expect(charts.get_by_role("img", name=frontier)).to_be_visible()
    expect(charts.get_by_role("img", name="Bound: 10 at first, 14 at the end")).to_be_visible()
    charts.get_by_text("3 iterations").click()
    expect(charts.get_by_role("row")).to_have_count(4)
    assert faults_seen(page) == []


@pytest.mark.slow
def test_a_score_is_shared_as_a_claim_until_the_code_has_run(page: Page) -> None:
    card = page.get_by_label("Score", exact=True).and_(page.locator("section"))
    page.get_by_role("button", name="Score", exact=True).click()
    expect(card).to_contain_text("Score 100")
    expect(card).to_contain_text("5,592 boards with this heuristic")
    assert faults_seen(page) == []
    expect(page).to_have_url(re.compile("score=100"))
    link = page.url
    page.evaluate("sessionStorage.clear()")
    page.goto("about:blank")
    page.goto(link.replace("score=100", "score=900"))
    expect(card).to_contain_text("Score 900")
    expect(card).to_contain_text("The link claims this score")
    page.get_by_role("button", name="Run it").click()
    page.get_by_role("button", name="Score", exact=True).click()
    expect(card).to_contain_text("Score 100")
    # It belongs to this code.
    editor(page).fill(TWICE)
    expect(card).to_be_hidden()
    expect(page).not_to_have_url(re.compile("score="))


@pytest.mark.slow
def test_user_code_is_watched_and_its_link_asks_before_it_runs(page: Page) -> None:
    editor(page).fill(TWICE)
    page.get_by_role("button", name="Watch").click()
    expect(page.locator(".chosen").first).to_have_text("A* (mine.py:mine)")
    page.get_by_role("button", name="Last step").click()
    expect(page.locator(".narration .sentence.good")).to_contain_text("14 moves from the start")
    link = page.url
    page.evaluate("sessionStorage.clear()")
    page.goto("about:blank")
    page.goto(link)
    # The link to a film shows the code first.
    expect(page.get_by_role("tab", name="Code")).to_have_attribute("aria-selected", "true")
    await_code(page, TWICE)
    expect(page.get_by_role("button", name="Watch")).to_be_disabled()
    page.get_by_role("button", name="Run it").click()
    expect(page.get_by_label("The estimate")).to_contain_text(re.compile(r"estimate\s*10"))


@pytest.mark.slow
def test_code_that_does_not_answer_is_ended_after_a_while(page: Page) -> None:
    editor(page).fill(ENDLESS)
    expect(page.locator("#code-fault")).to_contain_text("is there an endless loop in it?")
    editor(page).fill(TWICE)
    expect(page.get_by_label("The estimate")).to_contain_text(re.compile(r"estimate\s*10"))


@pytest.fixture
def python_registry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser
) -> Iterator[Registry]:
    """Return a registry with Pyodide, for a server whose cache folder is empty."""
    if why := npm.why_missing("pyodide"):
        pytest.skip(why)
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path))
    with registry_of(packed_folder(npm.package("pyodide"))) as registry:
        monkeypatch.setenv("npm_config_registry", registry.address)
        yield registry


@pytest.mark.slow
def test_a_server_downloads_python_after_a_click_and_then_runs_code(
    browser: Browser, python_registry: Registry
) -> None:
    faults: list[str] = []
    with serving("--no-warm", "--no-open") as site, browser.new_context() as context:
        context.set_default_timeout(PATIENCE)
        guard(context, site.address, faults)
        page = context.new_page()
        page.goto(site.address + address(BOARD, "code"))
        download = page.get_by_role("button", name="Download Python (6.5 MB)")
        download.wait_for()
        assert faults_seen(page) == []
        content, python_registry.content = python_registry.content, b""
        download.click()
        expect(page.get_by_role("alert")).to_contain_text("could not be downloaded")
        python_registry.content = content
        python_registry.may_go_on.clear()
        download.click()
        bar = page.get_by_role("progressbar", name="Download of Python")
        expect(bar).to_have_attribute("value", re.compile(r"0\.[345]"))
        expect(page.get_by_role("alert")).to_be_hidden()
        # It goes on while another view is open.
        page.get_by_role("tab", name="Play").click()
        page.get_by_role("tab", name="Code").click()
        expect(page.locator(".download")).to_contain_text(re.compile(r"\b[345]\d %"))
        python_registry.may_go_on.set()
        expect(page.get_by_label("The estimate")).to_contain_text(re.compile(r"estimate\s*5"))
        expect(editor(page)).to_be_focused()
        # User code alone runs in the browser.
        assert len(page.frames) == 2
        assert [worker.url.partition(":")[0] for worker in page.workers] == ["blob"]
        # The next page offers no download, and asks the server for everything else.
        page.goto("about:blank")
        page.goto(site.address + address(BOARD, "solve"))
        with page.expect_request("**/api/solve"):
            page.get_by_role("button", name="Solve").click()
        expect(page.get_by_label("What was found")).to_contain_text("Solved in 14 moves")
        # Neither that nor code that was not allowed starts Python.
        page.goto(site.address + link_to("def mine(board):\n    return 0\n"))
        page.get_by_role("button", name="Run it").wait_for()
        assert len(page.frames) == 1
    assert [fault for fault in faults if "422" not in fault] == []
    assert len(python_registry.requests) == 2


@pytest.mark.slow
def test_a_public_server_without_python_hides_the_tab(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAQUIN_CACHE", str(tmp_path))
    with serving("--no-warm", "--no-open", "--public") as site, browser.new_context() as context:
        page = context.new_page()
        page.goto(site.address)
        expect(page.get_by_role("tab", name="Code")).to_be_hidden()
        # Neither do arrow keys find it.
        page.get_by_role("tab", name="Race").focus()
        page.get_by_role("tab", name="Race").press("Enter")
        page.get_by_role("tab", name="Race").press("ArrowRight")
        expect(page.get_by_role("tab", name="Studies")).to_be_focused()
        page.goto(site.address + "/#code")
        expect(page.locator("#panel .sentence")).to_contain_text("has no Python for the browser")

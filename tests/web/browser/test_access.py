"""The page for everybody: what axe-core finds in each view, keys alone, and its languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Opener
from tests.web.browser.table import (
    EVERY_VIEW,
    STUDIES,
    TOO_WIDE,
    VIEWS,
    address,
    lies,
    open_more,
    table,
)
from tests.web.site import Site


def played(page: Page) -> None:
    table(page).wait_for()
    page.keyboard.press("ArrowLeft")
    page.locator(".sentence.good").wait_for()


def challenged(page: Page) -> None:
    page.get_by_role("button", name="Beat A*").click()
    page.get_by_text("Nobody needs fewer").wait_for()
    open_more(page)


def pasted(page: Page) -> None:
    open_more(page)
    page.get_by_role("button", name="Text").click()
    page.get_by_role("button", name="Use this board").wait_for()


def edited(page: Page) -> None:
    page.get_by_text("be solved.").wait_for()


def solved(page: Page) -> None:
    page.get_by_role("button", name="Solve").click()
    page.get_by_label("What was found").wait_for()
    page.get_by_text("Limits and engine").click()


def watched(page: Page) -> None:
    page.locator(".narration .sentence").wait_for()
    page.get_by_role("button", name="One step on").click()
    page.locator("summary").first.click()


def raced(page: Page) -> None:
    page.get_by_role("button", name="Race", exact=True).click()
    page.locator(".sentence.good").wait_for()
    page.locator(".lane summary").first.click()


def studied(page: Page) -> None:
    page.locator(".studies li").first.wait_for()


_AT_REST = """async () => {
    // Two frames for transitions to begin; what still fades has too little contrast.
    for (let each = 0; each < 2; each += 1) await new Promise(requestAnimationFrame);
    await Promise.allSettled(document.getAnimations().map(each => each.finished));
}"""
BOARD = "4 1 3 / 0 2 6 / 7 5 8"
CONTRAST = {"runOnly": ["color-contrast"]}
SCENES: dict[str, tuple[str, Callable[[Page], object]]] = {
    "won": (address("1 2 3 / 4 5 6 / 7 0 8"), played),
    "compared": (
        address("1 2 3 / 4 5 6 / 7 8 0", moves="LRUL", versus="1"),
        lambda page: page.locator(".move-list .detour").first.wait_for(),
    ),
    "daily": ("/#play?daily=2026-11-18", challenged),
    "unsolvable": (
        address("1 2 3 / 4 5 6 / 8 7 0"),
        lambda page: page.get_by_text("cannot be solved").wait_for(),
    ),
    "text": ("/", pasted),
    "edit": (address("1 2 3 / # 0 4 / 5 6 7", edit="1"), edited),
    "solve": (address(BOARD, "solve"), solved),
    "watch": (address(BOARD, "watch"), watched),
    "compare": (
        address(BOARD, "compare", step="2"),
        lambda page: page.locator(".counters dd").first.wait_for(),
    ),
    "projector": (
        address(BOARD, "watch", step="2", projector="1"),
        lambda page: page.locator(".narration .sentence").wait_for(),
    ),
    "race": (address(BOARD, "race"), raced),
}
"""Each scene by its address and by what is waited for, or done, there."""


FAST = {"solve", "watch", "race"}
"""The scenes of which `make test` has the time; `make test-all` looks at all."""


SCENES_TO_CHECK = [
    *(scene if scene in FAST else pytest.param(scene, marks=pytest.mark.slow) for scene in SCENES),
    STUDIES,
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("scene", SCENES_TO_CHECK)
def test_axe_finds_nothing_in_light_dark_and_forced_colours(visit: Opener, scene: str) -> None:
    path, prepare = SCENES.get(scene, ("/#studies", studied))
    page = visit(path)
    prepare(page)
    assert faults_in_every_colour(page) == []


def faults_in_every_colour(page: Page) -> list[str]:
    """Return what axe finds in light, dark and forced colours; only the first run checks all."""
    faults = faults_seen(page)
    page.emulate_media(color_scheme="dark")
    faults += faults_seen(page, CONTRAST)
    page.emulate_media(forced_colors="active")
    return faults + faults_seen(page, CONTRAST)


def faults_seen(page: Page, options: dict[str, Any] | None = None) -> list[str]:
    page.evaluate(_AT_REST)
    found: dict[str, Any] = Axe().run(page, options=options).response
    return [told(fault) for fault in found["violations"]]


def told(fault: dict[str, Any]) -> str:
    places = "; ".join(f"{node['target']} {node['failureSummary']}" for node in fault["nodes"])
    return f"{fault['id']}: {fault['help']}: {places}"


_FOCUSED = """() => {
    const {activeElement: it} = document;
    if (it === document.body) return null;
    const style = getComputedStyle(it);
    const box = it.getBoundingClientRect();
    return {
        name: it.getAttribute("aria-label") || it.innerText || it.id,
        isSeen: style.outlineStyle !== "none" && box.width > 0 && box.height > 0,
    };
}"""
_FOCUSABLE = """() => [...document.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex]"
)].filter(it => it.tabIndex >= 0 && !it.disabled && it.checkVisibility()).length"""


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the control of this name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.evaluate(_FOCUSED)
        if focused and focused["name"].strip().startswith(name):
            return
    raise AssertionError(f"Tab never reaches {name}")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("view", EVERY_VIEW)
def test_tab_reaches_every_control_and_shows_where_it_is(visit: Opener, view: str) -> None:
    page = visit(address("4 1 3 / 0 2 6 / 7 5 8", view))
    page.locator(VIEWS[view]).first.wait_for()
    count = page.evaluate(_FOCUSABLE)
    assert count > 3
    for _ in range(count):
        page.keyboard.press("Tab")
        focused = page.evaluate(_FOCUSED)
        assert focused is not None
        assert focused["isSeen"], focused


def test_a_board_is_solved_and_its_solution_wound_by_keys_alone(visit: Opener) -> None:
    page = visit(address("4 1 3 / 0 2 6 / 7 5 8"))
    tab_to(page, "Play")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Learn")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="Solve")).to_be_visible()
    tab_to(page, "Solve")
    page.keyboard.press("Enter")
    expect(page.get_by_label("What was found")).to_contain_text("5 moves")
    page.keyboard.press("End")
    expect(page.locator("output")).to_have_text("Move 5 of 5")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("output")).to_have_text("Move 4 of 5")


def test_the_first_tab_skips_to_the_board_and_keeps_the_game(visit: Opener) -> None:
    page = visit(address("1 2 3 / 4 0 6 / 7 5 8", moves="D"))
    lies(page, "1 2 3 / 4 0 6 / 7 5 8")
    tab_to(page, "To the board")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    lies(page, "1 2 3 / 4 6 0 / 7 5 8")
    expect(page.locator("dl.figures dd").first).to_have_text("2")


def test_a_dialog_opens_closes_and_gives_the_focus_back(visit: Opener) -> None:
    page = visit(address("4 1 3 / 0 2 6 / 7 5 8"))
    tab_to(page, "More")
    page.keyboard.press("Enter")
    tab_to(page, "Text")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name="Text")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    lies(page, "4 1 3 / 2 0 6 / 7 5 8")


STUDIES = pytest.param("studies", marks=pytest.mark.server("studies are on a server"))

# With the language “pseudo”, every letter of these in a text of the tables has an accent.
_PLAIN = """() => {
    const plain = /[aeiouncAEIOUNC]/;
    const exempt = "[lang=en], [translate=no], code, pre, textarea, canvas, .brand, #language";
    const found = [];
    const note = (node, text) => {
        if (!plain.test(text ?? "") || node.closest(exempt) || !node.checkVisibility()) return;
        found.push(text);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const {parentElement, data} = walker.currentNode;
        if (!parentElement.closest("svg.board, script, noscript")) note(parentElement, data);
    }
    for (const name of ["aria-label", "title", "placeholder"])
        for (const node of document.querySelectorAll(`[${name}]`))
            note(node, node.getAttribute(name));
    return found;
}"""


@pytest.mark.parametrize("view", [*(view for view in VIEWS if view != "studies"), STUDIES])
def test_every_text_of_the_page_is_in_the_tables(visit: Opener, site: Site, view: str) -> None:
    page = visit("about:blank")
    page.add_init_script("localStorage['taquin-language'] = 'pseudo'")
    page.goto(f"{site.address}/#{view}")
    page.locator(VIEWS[view]).first.wait_for()
    assert page.title().startswith("[")
    assert page.evaluate(_PLAIN) == []


@pytest.mark.parametrize(
    ("locale", "language", "tab"),
    [("de-AT", "de", "Spielen"), ("fr", "fr", "Jouer"), ("ja", "en", "Play")],
)
def test_the_page_speaks_the_language_of_the_browser(
    visit: Opener, locale: str, language: str, tab: str
) -> None:
    page = visit("/", locale=locale)
    expect(page.get_by_role("tab", name=tab)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", language)


def test_another_language_is_chosen_and_stays_with_the_game(visit: Opener) -> None:
    page = visit(address("1 2 3 / 4 0 6 / 7 5 8"))
    page.get_by_label("Language").select_option(label="Deutsch")
    expect(page.get_by_role("tab", name="Spielen")).to_be_visible()
    assert "1,2,3/4,0,6/7,5,8" in page.url
    assert page.title() == "Spielen · taquin"
    page.reload()
    expect(page.get_by_label("Sprache")).to_have_value("de")


@pytest.mark.parametrize("locale", ["en", "de", "fr"])
def test_every_tab_is_in_view_on_a_phone(visit: Opener, locale: str) -> None:
    page = visit("/#studies", locale=locale, viewport={"width": 390, "height": 844})
    assert page.evaluate(TOO_WIDE, "html, .bar, .tabs, .tabs button, .page-foot a") == []

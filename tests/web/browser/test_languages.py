"""The languages of the page: how one is chosen, and that no text is outside of the tables."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Opener
from tests.web.browser.table import TOO_WIDE, VIEWS, address
from tests.web.site import Site

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

"""The languages of the page: how one is chosen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Opener
from tests.web.browser.table import TOO_WIDE, address


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

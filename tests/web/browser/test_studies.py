"""Studies: the list of them, what each search did, and the report in its frame."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Opener

pytestmark = pytest.mark.server("studies are on a server")


def test_a_recorded_study_is_listed_and_its_report_is_shown(visit: Opener) -> None:
    page = visit("/#studies")
    card = page.locator(".studies .card", has=page.get_by_role("heading", name="small"))
    expect(card).to_contain_text("5 runs")
    card.get_by_text("Totals of each search").click()
    expect(card.get_by_role("row")).to_have_count(4)
    page.set_viewport_size({"width": 375, "height": 700})
    card.get_by_role("button", name="Show the report").click()
    heading = page.get_by_role("heading", name="Report of small")
    expect(heading).to_be_in_viewport()
    report = page.frame_locator("iframe[title='Report of small']")
    expect(report.locator("h1")).to_contain_text("small")
    expect(heading).to_be_in_viewport()
    page.get_by_role("button", name="Close the report").click()
    expect(page.locator("iframe")).to_have_count(0)


def test_studies_that_come_with_taquin_say_how_to_begin_them(visit: Opener) -> None:
    page = visit("/#studies")
    expect(page.get_by_text("taquin study run s3-width")).to_be_visible()

"""What holds for the page as a whole, its weight and headers, and what only a server shows."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import Request, Response, expect

from tests.web.browser.conftest import Opener
from tests.web.browser.table import VIEWS, address
from tests.web.site import weight

pytestmark = pytest.mark.server("this is about what a server sends")

HEAVIEST = 290_000
"""Bytes that the whole page may weigh, packed as it is sent."""
UNPACKED = 430_000
"""Bytes of one view as it opens, the table of messages (100 KB) included."""


def test_all_views_together_transfer_less_than_290_kb(visit: Opener) -> None:
    page = visit("about:blank")
    arrived: list[Request] = []
    page.on("requestfinished", lambda request: arrived.append(request))
    page.goto("/")
    for view, part in VIEWS.items():
        page.locator(f"#tab-{view}").click()
        page.locator(part).first.wait_for()
    page.goto(address("1 2 3 / 4 0 5", edit="1"))
    page.get_by_role("grid").first.wait_for()
    files = [request for request in arrived if "/api/" not in request.url]
    sizes = [request.sizes() for request in files]
    total = sum(size["responseBodySize"] + size["responseHeadersSize"] for size in sizes)
    assert weight() / 10 < total < HEAVIEST


@pytest.mark.sampled(3)
@pytest.mark.parametrize("view", VIEWS)
def test_a_view_by_itself_is_less_than_430_kb_unpacked_and_fetches_no_file_twice(
    visit: Opener, view: str
) -> None:
    page = visit("about:blank")
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(f"/#{view}")
    page.locator(VIEWS[view]).first.wait_for()
    files = [answer for answer in answers if "/api/" not in answer.url]
    assert sum(len(answer.body()) for answer in files) < UNPACKED
    times = Counter(answer.url for answer in files)
    assert [url for url, count in times.items() if count > 1] == []


def test_the_policy_of_the_page_allows_nothing_but_its_own_files(visit: Opener) -> None:
    page = visit("about:blank")
    answer = page.goto("/")
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    # WebAssembly, a frame's script and the blobs of its worker are for user code.
    assert "script-src 'self' blob: 'wasm-unsafe-eval' 'sha256-" in policy
    assert "style-src 'self';" in policy
    assert "'unsafe" not in policy
    assert "http" not in policy


def test_a_recorded_study_is_listed_with_its_report_and_others_say_how_to_begin(
    visit: Opener,
) -> None:
    page = visit("/#studies")
    expect(page.get_by_text("taquin study run s3-width")).to_be_visible()
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

"""What holds for the page as a whole: its weight, its headers, what it asks for."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import Response

from tests.web.browser.conftest import Opener
from tests.web.browser.site import weight

HEAVIEST = 200_000
"""Bytes that the whole page may weigh."""


def test_all_files_together_weigh_less_than_200_kb() -> None:
    assert 0 < weight() < HEAVIEST


def test_the_first_load_transfers_less_than_200_kb_and_nothing_twice(visit: Opener) -> None:
    page = visit("about:blank")
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto("/", wait_until="networkidle")
    assert sum(len(answer.body()) for answer in answers) < HEAVIEST
    times = Counter(answer.url for answer in answers)
    assert [url for url, count in times.items() if count > 1] == []
    assert all(answer.ok for answer in answers)


def test_the_policy_of_the_page_allows_nothing_but_its_own_files(visit: Opener) -> None:
    page = visit("about:blank")
    answer = page.goto("/")
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "style-src 'self';" in policy
    assert "unsafe" not in policy

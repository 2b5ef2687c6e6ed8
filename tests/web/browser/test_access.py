"""What axe-core finds in each view: labels, roles, names; contrast in light, dark, few colours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.web.browser.conftest import Opener
from tests.web.browser.table import STUDIES, address, open_more, table


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

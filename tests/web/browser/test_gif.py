"""Films as GIFs, made in the browser: their frames and sizes, long ones, and cancelling."""

from __future__ import annotations

from pathlib import Path

from PIL import Image
from playwright.sync_api import expect

from tests.web.browser.conftest import Opener
from tests.web.browser.table import address


def test_a_long_gif_has_evenly_picked_frames_and_can_be_cancelled(
    visit: Opener, tmp_path: Path
) -> None:
    page = visit(address("1 2 3 / 4 0 6 / 7 5 8", "solve", go="1"))
    expect(page.get_by_label("What was found")).to_be_visible()
    page.evaluate(
        """async () => {
            const {gifControl} = await import(new URL("gif/control.js", document.baseURI));
            const reel = {
                name: "long", size: [40, 20], total: 1201, ms: () => 20,
                paint(context, index) {
                    context.fillStyle = `rgb(${index % 256} 0 0)`;
                    context.fillRect(0, 0, 40, 20);
                    if (window.held) return new Promise((done) => requestAnimationFrame(done));
                },
            };
            const app = {notify: (text) => { document.title = text; }};
            document.querySelector(".solve-side").replaceChildren(gifControl(app, () => reel));
        }"""
    )
    button = page.get_by_role("button", name="Save as GIF")
    with page.expect_download() as download:
        button.click()
    download.value.save_as(tmp_path / "long.gif")
    with Image.open(tmp_path / "long.gif") as film:
        assert (film.size, getattr(film, "n_frames", 1)) == ((40, 20), 500)
    expect(page).to_have_title("The GIF shows 500 frames of 1,201, evenly picked.")
    page.evaluate("window.held = true")
    button.click()
    page.get_by_role("button", name="Cancel").click()
    expect(page).to_have_title("No GIF was saved.")
    expect(button).to_be_focused()


def test_a_race_is_saved_as_a_gif(visit: Opener, tmp_path: Path) -> None:
    page = visit(address("4 1 3 / 0 2 6 / 7 5 8", "race", pace="50"))
    page.get_by_role("button", name="Race", exact=True).click()
    expect(page.locator(".race-message .sentence.good")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as GIF").click()
    download.value.save_as(tmp_path / "race.gif")
    with Image.open(tmp_path / "race.gif") as film:
        assert film.size == (3 * 232 + 14, 3 * 63 + 7 * 22 + 28)
        assert getattr(film, "n_frames", 1) > 3


def test_a_tree_is_saved_up_to_the_step_that_is_shown(visit: Opener, tmp_path: Path) -> None:
    page = visit(address("8 1 3 / 4 0 2 / 7 6 5", "watch", search="astar(manhattan)", step="12"))
    expect(page.locator("output")).to_contain_text("Step 12")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as GIF").click()
    download.value.save_as(tmp_path / "tree.gif")
    with Image.open(tmp_path / "tree.gif") as film:
        assert (film.size, getattr(film, "n_frames", 1)) == ((960, 634), 13)
    expect(page.locator("output")).to_contain_text("Step 12")

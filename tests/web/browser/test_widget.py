"""The widget of notebooks: the page's board, synchronised with Python."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser

import taquin as tq

pytest.importorskip("anywidget", reason="the extra widget is not installed")

from taquin.widget import BoardWidget

MODEL = """
    const values = VALUES;
    const listeners = {};
    globalThis.model = {
      get: (name) => values[name],
      set: (name, value) => { values[name] = value; listeners[`change:${name}`]?.(); },
      on: (name, listener) => { listeners[name] = listener; },
      off: () => {},
      save_changes: () => {},
    };
"""
"""A model as notebooks have it; they also send what is saved to Python."""


def test_a_board_is_taken_in_any_form_and_played_from_python() -> None:
    seen = []
    widget = BoardWidget("1 2 3 / 4 0 5 / 7 8 6")
    widget.observe(lambda change: seen.append(change["new"]), "board")
    assert not widget.solved
    widget.play("LU")
    assert widget.solved
    widget.board = [[1, 2], [3, 0]]
    assert seen == [tq.Board("1 2 3 / 4 5 6 / 7 8 0"), tq.Board("1 2 / 3 0")]
    with pytest.raises(tq.InputError):
        widget.board = "1 2 3"
    with pytest.raises(tq.IllegalMoveError):
        widget.play("D2")


def test_what_the_notebook_sends_is_the_board() -> None:
    widget = BoardWidget("1 2 / 0 3", goal="1 2 / 3 0")
    assert widget.get_state(["board"])["board"] == [[1, 2], [0, 3]]
    widget.set_state({"board": [[1, 2], [3, 0]]})
    assert widget.board == tq.Board("1 2 / 3 0")
    assert widget.solved


def test_a_click_and_an_arrow_key_move_tiles(browser: Browser) -> None:
    widget = BoardWidget("1 2 3 / 4 0 5 / 7 8 6")
    page = browser.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.set_content(f"<style>{widget._css}</style><div id=place></div>")
    state = widget.get_state(["board", "goal"])
    script = str(widget._esm).replace("export default", "globalThis.widget =")
    content = f"{{{MODEL.replace('VALUES', json.dumps(state))}\n{script}}}"
    page.add_script_tag(content=content, type="module")
    page.evaluate("widget.render({model, el: document.getElementById('place')})")
    assert page.locator(".tile").count() == 8
    page.locator(".tile", has_text="5").click()
    assert page.evaluate("model.get('board')") == [[1, 2, 3], [4, 5, 0], [7, 8, 6]]
    page.locator("#place").press("ArrowUp")
    assert page.evaluate("model.get('board')") == [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
    page.evaluate("model.set('board', [[1, 2], [0, 3]])")
    assert page.locator(".tile").count() == 3
    assert page.locator("svg.board").bounding_box()["width"] <= 400  # type: ignore[index]
    assert faults == []
    page.close()

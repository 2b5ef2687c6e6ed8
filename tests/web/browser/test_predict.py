"""Predicting the next step of a watched search, and quizzes in a link."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.web.browser.conftest import Opener
from tests.web.browser.table import address, until
from tests.web.browser.test_access import faults_in_every_colour
from tests.web.browser.test_watch import at

BOARD = "8 1 3 / 4 0 2 / 7 6 5"
"""A* with Manhattan generates four boards first; two of them have the least f, 10."""
QUIZ = (
    "8,1,3/4,0,2/7,6,5|blank-last|single|idastar(manhattan)|1.2;"
    "4,1,3/0,2,6/7,5,8|blank-last|single|astar(manhattan)|2"
)


def panel(page: Page) -> Locator:
    return page.get_by_role("region", name="Predict")


_SEARCH_TREE = """said => {
    const canvas = document.querySelector("canvas.tree");
    const box = canvas.getBoundingClientRect();
    for (let x = box.left; x < box.right; x += 15) for (let y = box.top; y < box.bottom; y += 15) {
        canvas.dispatchEvent(new PointerEvent("pointermove", {clientX: x, clientY: y}));
        const tip = document.querySelector(".tip");
        if (!tip.hidden && tip.innerText.includes(said)) return [x, y];
    }
}"""


def find_in_tree(page: Page, said: str) -> tuple[float, float]:
    """Return a point of the tree whose tooltip says this."""
    point = page.evaluate(_SEARCH_TREE, said)
    assert point is not None, f"no board of the tree says {said}"
    return point[0], point[1]


def test_predictions_are_explained_handed_in_and_made_a_quiz(visit: Opener) -> None:
    page = visit(address(BOARD, "watch"))
    at(page, 0)
    page.get_by_role("button", name="Predict").click()
    # The start is the only board to dequeue, and has no duplicates: nothing to predict.
    at(page, 1)
    expect(panel(page)).to_contain_text("Which board is dequeued next?")
    # What waits next would tell the answer.
    expect(page.get_by_role("heading", name="The frontier, the next first")).to_be_hidden()
    panel(page).get_by_role("button", name="12 = 1 + 11").first.focus()
    page.keyboard.press("Enter")
    at(page, 2)
    expect(page.locator(".narration .sentence.bad")).to_contain_text(
        "No: it has f = g + h = 1 + 11 = 12, and the frontier has a board with f = 10. "
        "2 boards tie at f = 10"
    )
    expect(panel(page)).to_contain_text("0 of 1 right, streak 0")
    expect(panel(page).locator(".prompt")).to_be_focused()
    page.mouse.click(*find_in_tree(page, "move 2: 5 up"))
    at(page, 3)
    expect(page.locator(".narration .sentence.good")).to_contain_text("Right. 2 boards tie")
    expect(panel(page)).to_contain_text("1 of 2 right, streak 1")
    expect(panel(page)).to_contain_text("Which of its children are discarded?")
    page.get_by_role("button", name="Check").focus()
    page.keyboard.press("Enter")
    at(page, 4)
    expect(panel(page)).to_contain_text("1 of 3 right, streak 0")
    panel(page).get_by_text("Summary and quiz").click()
    page.get_by_label("Your name").fill("Ada")
    summary = page.get_by_label("Summary", exact=True).input_value()
    assert "Name: Ada\n" in summary
    assert "Score: 1 of 3 right (33 %), longest streak 1." in summary
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the summary").click()
    assert saved.value.path().read_text(encoding="utf-8") == summary
    page.get_by_role("button", name="Add this question").click()
    link = page.get_by_label("Link to the quiz").input_value()
    page.get_by_role("button", name="Explain").click()
    assert faults_in_every_colour(page) == []
    # Going back asks nothing twice, nor does a reload.
    page.get_by_role("button", name="One step back").click()
    at(page, 3)
    expect(panel(page)).to_contain_text("You have predicted this step.")
    page.reload()
    expect(panel(page)).to_contain_text("You have predicted this step.")
    expect(panel(page)).to_contain_text("1 of 3 right, streak 0")
    panel(page).get_by_text("Summary and quiz").click()
    summed = page.get_by_label("Summary", exact=True)
    expect(summed).to_have_value(re.compile("Score: 1 of 3 right"))
    expect(page.get_by_label("Link to the quiz")).to_have_value(link)
    page.get_by_role("button", name="Start again").click()
    expect(panel(page)).to_contain_text("No answers yet")
    at(page, 1)
    page.goto("about:blank")
    page.goto(link)
    expect(panel(page)).to_contain_text("Question 1 of 1")
    expect(panel(page)).to_contain_text("Which board is dequeued next?")


def test_the_answer_is_in_sight_in_a_low_window(visit: Opener) -> None:
    """The choices may scroll; the button that checks them does not."""
    for values in ({"step": "3"}, {"step": "5", "search": "beam(manhattan,width=3)"}):
        page = visit(
            address(BOARD, "watch", predict="1", explain="1", **values),
            viewport={"width": 1280, "height": 720},
        )
        check = page.get_by_role("button", name="Check")
        expect(check).to_be_visible()
        assert check.evaluate(
            """button => {
                const {left, right, top, bottom} = button.getBoundingClientRect();
                const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
                return button.contains(seen);
            }"""
        ), values


def test_a_search_that_plays_asks_when_it_is_paused(visit: Opener) -> None:
    page = visit(address("8 6 7 / 2 5 4 / 3 0 1", "watch", search="bfs", predict="1"))
    expect(panel(page)).to_contain_text("Which of its children are discarded?")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(panel(page)).to_contain_text("Pause to predict the next step.")
    page.get_by_role("button", name="Pause").click()
    expect(panel(page)).to_contain_text("Which")


def test_a_click_on_the_tree_goes_to_its_step_and_a_broken_quiz_is_refused(visit: Opener) -> None:
    page = visit(address(BOARD, "watch", step="6"))
    at(page, 6)
    page.get_by_role("button", name="Whole tree").click()
    page.mouse.click(*find_in_tree(page, "expanded as number 2"))
    at(page, 2)
    page = visit("/#watch?quiz=what")
    expect(page.locator("#toast")).to_contain_text("The quiz in this link cannot be read")
    at(page, 0)


def test_a_quiz_goes_through_its_searches_and_sums_up(visit: Opener) -> None:
    page = visit(f"/#watch?quiz={QUIZ.replace('|', '%7C')}")
    expect(panel(page)).to_contain_text("Question 1 of 3")
    expect(page.get_by_role("group", name="Play the search")).to_be_hidden()
    panel(page).get_by_role("button", name="10", exact=True).click()
    expect(page.locator(".narration .sentence.good")).to_contain_text("Right. Round 1")
    panel(page).get_by_role("button", name="Next question").click()
    expect(panel(page)).to_contain_text("cut off or discarded")
    panel(page).get_by_role("button", name="Show me").click()
    expect(panel(page)).to_contain_text("Question 2 of 3: 1 of 2 right")
    page.reload()
    expect(panel(page)).to_contain_text("Question 2 of 3: 1 of 2 right")
    expect(panel(page)).to_contain_text("Read why, then go on.")
    panel(page).get_by_role("button", name="Next question").click()
    expect(panel(page)).to_contain_text("Question 3 of 3")
    expect(page.get_by_text("A* (Manhattan)")).to_be_visible()
    until(page, lambda: "4,1,3/0,2,6/7,5,8&" in page.url)
    panel(page).get_by_role("button", name=re.compile("6 = 1 . 4|5 = 1 . 4")).first.click()
    expect(panel(page)).to_contain_text("The quiz is over: 2 of 3 right.")
    assert "Score: 2 of 3 right" in page.get_by_label("Summary", exact=True).input_value()
    page.get_by_role("button", name="Leave the quiz").click()
    expect(page.get_by_role("group", name="Play the search")).to_be_visible()


_MOUNT_QUIZ = """async ([board, search, steps]) => {
    const load = name => import(new URL(name, document.baseURI));
    const [{StepQuiz}, {Film, searchSource}, {traced}] = await Promise.all(
        ["watch/step-quiz.js", "trace/film.js", "code/user-code.js"].map(load));
    const body = {board, goal: "blank-last", metric: "single", search};
    const source = () => searchSource(signal => traced(body, {}, signal), () => {});
    const quiz = new StepQuiz({film: new Film(source), goal: null, steps});
    document.querySelector("#panel").replaceChildren(quiz.root);
    await quiz.begin();
}"""


def test_three_questions_about_a_search_can_end_a_page_of_text(visit: Opener) -> None:
    page = visit()
    page.evaluate(_MOUNT_QUIZ, [BOARD, "astar(manhattan)", [1, 3, 5]])
    quiz = page.get_by_role("region", name="Quiz")
    # The start is the only board to expand, and has only new children.
    expect(quiz).to_contain_text("Question 1 of 3")
    expect(quiz.get_by_role("heading")).to_have_text("Which board is dequeued next?")
    quiz.get_by_role("button", name="10 = 1 + 9").first.click()
    expect(quiz.locator(".sentence.good")).to_contain_text("Right.")
    expect(quiz.locator(".sentence.good")).to_contain_text("generated")
    quiz.get_by_role("button", name="Next question").click()
    expect(quiz).to_contain_text("Question 2 of 3")
    quiz.get_by_role("button", name="Show me").click()
    quiz.get_by_role("button", name="Next question").click()
    assert faults_in_every_colour(page) == []
    quiz.get_by_role("button", name="Show me").click()
    expect(quiz.get_by_role("heading")).to_have_text("The quiz is over: 1 of 3 right.")
    quiz.get_by_role("button", name="Start again").click()
    expect(quiz).to_contain_text("Question 1 of 3")

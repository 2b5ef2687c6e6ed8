"""Handouts: pages of boards, and the answers apart."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from taquin.model.board import Board
from taquin.model.moves import Metric
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_walk
from taquin.views.pictures.boards import (
    Handout,
    PageLayout,
    answer_pages,
    board_pages,
    handout_files,
)
from taquin.views.pictures.painters import to_svg, to_tikz
from taquin.views.pictures.scene import WIDE, WIDE_BOLD, Box, Group, Scene, TextLine
from tests.views.worlds import SVG, svg_texts


def handout(count: int, size: int = 3, metric: Metric = Metric.SINGLE) -> Handout:
    """Return a handout of boards a move from the goal; their answers are the moves back."""
    puzzle = Puzzle(Goal.blank_last(size, size), metric)
    boards = [random_walk(puzzle, 1, seed) for seed in range(count)]
    answers = [
        next((move,) for move in board.moves(metric) if puzzle.is_goal(board.apply(move)))
        for board in boards
    ]
    return Handout(puzzle, boards, answers, 'Puzzles <1> & "2"', "seed 1")


def texts(page: Scene) -> list[str]:
    """Return all words of a page."""
    return svg_texts(to_svg(page))


def rightmost(page: Scene) -> float:
    """Return about where the longest line of words that begins at the left ends."""
    words = [part for part in page.parts if isinstance(part, TextLine)]
    begun = [each for each in words if each.anchor == "start"]
    return max(each.x + len(each.text) * each.size * 0.55 for each in begun)


@pytest.mark.parametrize(("size", "count"), [(3, 9), (3, 10), (4, 30), (7, 5), (12, 3)])
def test_every_board_has_its_number_once_and_lies_on_a4(size: int, count: int) -> None:
    pages = [to_svg(page) for page in board_pages(handout(count, size))]
    found = [word for page in pages for word in svg_texts(page)]
    labels = count * (size * size - 1) + len(pages) * (size * size - 1)
    numbers = [word for word in found if word.isdecimal()]
    assert len(numbers) == labels + count
    for page in pages:
        root = ElementTree.fromstring(page)
        assert (root.attrib["width"], root.attrib["height"]) == ("595", "842")
        assert "Name" in svg_texts(page)
        assert "seed 1" not in " ".join(svg_texts(page))
        for group in root.iter(f"{SVG}g"):
            move = re.findall(r"[-\d.]+", group.attrib.get("transform", ""))
            assert not move or (float(move[0]) < 560 and float(move[1]) < 800)


def test_answers_are_on_pages_of_their_own() -> None:
    made = handout(9)
    boards = " ".join(svg_texts(to_svg(board_pages(made)[0])))
    assert "Answers" not in boards
    answers = svg_texts(to_svg(answer_pages(made)[0]))
    assert answers[0] == 'Answers: Puzzles <1> & "2"'
    assert sum(word.startswith("1 move: ") for word in answers) == 9
    assert made.boards[3].text() in answers
    pages = answer_pages(handout(60))
    many = [part for page in pages for part in page.parts if isinstance(part, TextLine)]
    assert sum(part.text.startswith("1 move: ") for part in many) == 60
    assert max(part.y for part in many) <= 842 - 44
    assert "seed 1" in answers


@pytest.mark.parametrize(
    "title", ["A" * 46, "Sliding puzzles for the second week of algorithms", "W"]
)
def test_a_long_title_is_wrapped_beside_the_goal(title: str) -> None:
    made = replace(handout(9), title=title)
    [page] = board_pages(made)
    words = [part for part in page.parts if isinstance(part, TextLine)]
    [goal_caption] = [each for each in words if each.text == "goal"]
    heading = [each for each in words if each.bold]
    assert "".join(each.text for each in heading).replace(" ", "") == title.replace(" ", "")
    for each in heading:
        end = each.x + len(each.text) * each.size * WIDE_BOLD
        assert end < goal_caption.x - len("goal") * goal_caption.size * WIDE
    name = next(each for each in words if each.text == "Name")
    assert name.y - heading[-1].y >= 20
    for page in answer_pages(made):
        assert rightmost(page) < 560


@pytest.mark.parametrize("count", [9, 10, 100])
def test_numbers_stand_apart_from_their_boards(count: int) -> None:
    blocks = [
        part
        for page in board_pages(handout(count))
        for part in page.parts
        if isinstance(part, Group) and isinstance(part.parts[0], TextLine)
    ]
    assert len(blocks) == count
    for block in blocks:
        number, board = block.parts[:2]
        assert isinstance(number, TextLine)
        assert isinstance(board, Group)
        tray = board.parts[0]
        assert isinstance(tray, Box)
        assert number.anchor == "end"
        assert number.x - len(number.text) * number.size * WIDE_BOLD >= 0
        assert board.x + tray.x - number.x >= 4


def test_both_sheets_say_whose_direction_a_letter_is_and_hold_the_longest_board() -> None:
    for metric, more in ((Metric.SINGLE, ""), (Metric.MULTI, "L2 = two tiles move left at once")):
        made = handout(1, metric=metric)
        for pages in (board_pages(made), answer_pages(made)):
            text = " ".join(svg_texts(to_svg(pages[0])))
            assert "L = the tile moves left" in text
            assert more in text
    [page] = answer_pages(handout(1, 12))
    assert rightmost(page) < 560


def test_a_slide_is_one_move_and_a_missing_answer_or_solution_is_said() -> None:
    made = handout(6, metric=Metric.MULTI)
    words = svg_texts(to_svg(answer_pages(made)[0]))
    told = [word.removeprefix("1 move: ") for word in words if word.startswith("1 move: ")]
    assert {each for each in told if len(each) == 2} <= {"U2", "D2", "L2", "R2"}
    none = Handout(made.puzzle, made.boards, [None] * 6, "open")
    assert svg_texts(to_svg(answer_pages(none)[0])).count("no answer was found in time") == 6
    made = handout(1)
    twin = Board.parse("2 1 3 / 4 5 6 / 7 8 0")
    (page,) = answer_pages(replace(made, boards=[twin], answers=[None]))
    assert "it cannot be solved" in texts(page)


@pytest.mark.parametrize("form", ["pdf", "html", "svg", "png", "tex"])
def test_the_files_of_a_handout(form: str) -> None:
    files = dict(handout_files(handout(20), form))
    if form in ("svg", "png", "tex"):
        assert list(files) == ["", "-2", "-3", "-answers"]
    else:
        assert list(files) == ["", "-answers"]
    begins = {"pdf": b"%PDF", "html": b"<!doctype html>", "svg": b"<svg", "png": b"\x89PNG"}
    for content in files.values():
        assert content.lower().lstrip().startswith(begins.get(form, b"% ").lower())
    if form == "pdf":
        assert len(re.findall(rb"/Type /Page\b", files[""])) == 3
    if form == "html":
        assert files[""].count(b"<svg") == 3
        assert b"http" not in files[""].replace(b'xmlns="http://www.w3.org/2000/svg"', b"")


def test_each_variant_has_boards_of_its_own_and_one_key_holds_them_all() -> None:
    made = handout(6)
    sheets = replace(made, variants=3, layout=PageLayout(columns=1, cell=20, lines=5, task="Why?"))
    pages = board_pages(sheets)
    heads = [[text for text in texts(page) if text.startswith("Variant")] for page in pages]
    assert heads == [["Variant 1"], ["Variant 2"], ["Variant 3"]]
    for page in pages:
        assert {"1", "2", "Why?"} <= set(texts(page))
        assert "moves" not in texts(page)
    key = [text for page in answer_pages(sheets) for text in texts(page)]
    assert [text for text in key if text.startswith("Variant")] == [head for (head,) in heads]
    assert all(board.text() in key for board in made.boards)


def test_tikz_shows_what_svg_shows() -> None:
    (page,) = board_pages(handout(4))
    tikz, svg = to_tikz(page), to_svg(page)
    assert tikz.count(r"\node") == svg.count("<text")
    assert tikz.count(" rectangle ") == svg.count("<rect")
    assert r"{Puzzles <1> \& " in tikz
    assert tikz.count("{") == tikz.count("}")

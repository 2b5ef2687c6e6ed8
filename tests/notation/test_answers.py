"""Answers as people write them, and files of them."""

from __future__ import annotations

from random import Random

import pytest

from taquin.analysis.grading import grade
from taquin.errors import NotationError
from taquin.model.board import Board
from taquin.model.moves import Direction, Label
from taquin.notation import Answers, read_answers, read_boards
from taquin.notation.answers import read_pushes, says_unsolvable
from tests.truth import eight_puzzle

BOARD = Board.parse("1 2 3 / 4 0 5 / 7 8 6")
TWO_DIRECTIONS = (
    *("LU", "l u", "left up", "Left, UP", "←↑", "← ↑", "L;U", "1. left 2. up", "L->U", "['L','U']"),
    *("“L–U”", "[‘L’, ‘U’]", "L—U.", "LU (2 moves)", "2 moves: L U", "L×1 U", "left-->up", "L→U"),
    "Moves: left, up = 2 moves",
)
TWO_STEPS = ("5 left 6 up", "5L 6U", "5 L, 6 U", "1. 5 left   2. 6 up")
LEFT, UP, DOWN = Direction.LEFT, Direction.UP, Direction.DOWN


def named(text: str, board: Board = BOARD, blank: bool = False) -> list[object]:
    """Return the direction, the tile, or both that each push of a text names."""
    found: list[object] = []
    for push in read_pushes(text, board, blank):
        said = tuple(each for each in (push.direction, push.tile) if each is not None)
        found.extend([said[0] if len(said) == 1 else said] * (push.count or 1))
    return found


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        *((text, [LEFT, UP]) for text in TWO_DIRECTIONS),
        *((text, [5, 6]) for text in ("5 6", "5,6", "5-6", "5 -> 6", "1) 5 2) 6")),
        *((text, [(LEFT, 5), (UP, 6)]) for text in TWO_STEPS),
        ("U2LDLU", [UP, UP, LEFT, DOWN, LEFT, UP]),
        ("U×2 2xL down*2", [UP, UP, LEFT, LEFT, DOWN, DOWN]),
        ("5 → 6 → 3", [5, 6, 3]),
    ],
)
def test_moves_are_directions_tiles_or_both(text: str, moves: list[object]) -> None:
    assert named(text) == moves


def test_where_the_blank_goes_is_the_other_way_round_and_names_come_first() -> None:
    assert named("right D", blank=True) == [LEFT, UP]
    board = Board.parse("L A / @ B")
    names: list[Label] = ["L", "A"]
    assert named("L A", board) == names


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("L nord", "'nord' is not a move: expected letters"),
        ("5 12", "there is no tile '12' on this board"),
        ("L0", "expected a number from 1 to"),
        ("0", "there is no tile '0' on this board"),
        ("#", "'#' is not a move"),
    ],
)
def test_what_names_no_move_is_refused_after_what_does(text: str, said: str) -> None:
    with pytest.raises(NotationError, match=said):
        named(text)


def test_answers_come_in_the_order_of_their_boards_or_numbered() -> None:
    read = read_answers(["LU", "", "# a comment", " 5 6 ", "", ""], [BOARD] * 4)
    assert read == Answers(("LU", "", "5 6", ""))
    assert read_answers([], [BOARD] * 2).texts == ("", "")
    assert read_answers(["3: LU", "", "1:5 6", "2 :"], [BOARD] * 3).texts == ("5 6", "", "LU")


@pytest.mark.parametrize(
    "text",
    [
        *("Board 1: LU\nBoard 2: 5 6", "Board 1\nLU\n\nBoard 2\n5 6", "1. LU\n2. 5 6"),
        *("2) 5 6\n1) LU", "#2: 5 6\n#1: LU", "LU\n\n5 6\n", "LU\n2: 5 6"),
        "Puzzle 2 – 5 6\nPuzzle 1 – LU",
    ],
)
def test_a_board_is_named_in_many_ways(text: str) -> None:
    assert read_answers(text.split("\n"), [BOARD] * 2) == Answers(("LU", "5 6"))


@pytest.mark.parametrize("first", ["Name: Ada Lovelace", "\ufeffAda Lovelace\n"])
def test_a_name_line_is_no_answer(first: str) -> None:
    read = read_answers(f"{first}\nLU\n5 6".split("\n"), [BOARD] * 2)
    assert read == Answers(("LU", "5 6"), "Ada Lovelace")


@pytest.mark.parametrize(
    ("lines", "texts", "skipped"),
    [
        (["L", "U", "D"], ("L", "U"), "line 3 is ignored: all 2 boards have their lines"),
        (["2: L", "3: L"], ("", "L"), "line 2 is ignored: there is no board 3: they are 1 to 2"),
        (["1: L", "0: L"], ("L", ""), "line 2 is ignored: there is no board 0"),
        (["1: L", "1: U"], ("L", ""), "line 2 is ignored: board 1 was answered in line 1"),
        (["1: L", "2: U", "R"], ("L", "U"), "line 3 is ignored: expected the number of a board"),
        (["L", "1: U", "R"], ("L", ""), "line 2 is ignored: board 2 is next"),
        (["7th of May", "L", "U"], ("L", "U"), "line 1 is ignored: '7th of May' is not an answer"),
    ],
)
def test_a_bad_line_costs_that_line(lines: list[str], texts: tuple[str], skipped: str) -> None:
    read = read_answers(lines, [BOARD] * 2)
    assert read.texts == texts
    assert read.skipped[0].startswith(skipped)


def test_boards_are_read_by_line_or_with_empty_lines_between() -> None:
    one, other = Board.parse("1 2 / 3 0"), Board.parse("1 2 / 0 3")
    assert read_boards("# two\n1 2 / 3 0\n\n1 2 / 0 3\n") == (one, other)
    assert read_boards("1 2\n3 0\n\n\n1 2\n0 3") == (one, other)
    assert read_boards("2\n1 2\n3 0\n\n2\n1 2\n0 3\n") == (one, other)
    assert read_boards("1 2\n3 0") == (one,)


@pytest.mark.parametrize(
    ("text", "line"), [("1230\n12", 2), ("1 2\n3 0\n\n1 2\n3 3", 5), ("\n1 2 3\n\n", 2)]
)
def test_a_fault_in_boards_is_told_by_its_line(text: str, line: int) -> None:
    with pytest.raises(NotationError) as caught:
        read_boards(text, classic=True)
    assert caught.value.line == line
    for nothing in ("", "\n\n", "# nothing here"):
        with pytest.raises(NotationError, match=r"found none|empty"):
            read_boards(nothing)


_WORDS = {"L": "left", "R": "right", "U": "up", "D": "down"}
_ARROWS = dict(zip("LRUD", "←→↑↓", strict=True))


_FORMS = (
    *("{a}", "{n}: {a}", "Board {n}: {a}", "Board {n}\n{a}", "Board {n} → {a}", "{n}) : {a}"),
    *("#{n}: {a}", "Board {n} - {a}"),
)


def _as_written(steps: list[tuple[str, int]], chance: Random) -> str:
    """Return directions and their tiles in one of the ways in which people write them."""
    letters, tiles = [step for step, _ in steps], [str(tile) for _, tile in steps]
    both = [f"{tile} {_WORDS[letter]}" for letter, tile in zip(letters, tiles, strict=True)]
    joint = chance.choice([" ", ", ", "-", " – ", ",", "; ", " > ", "/"])
    text = chance.choice(
        [
            "".join(letters),
            joint.join(letters),
            joint.join(letters).lower(),
            joint.join(_WORDS[letter] for letter in letters),
            "".join(_ARROWS[letter] for letter in letters),
            " ".join(_ARROWS[letter] for letter in letters),
            joint.join(tiles),
            " → ".join(tiles),
            ". ".join(tiles) + ".",
            joint.join(both),
            "  ".join(f"{number}. {step}" for number, step in enumerate(both, 1)),
            " ".join(f"{number}) {step}" for number, step in enumerate(tiles, 1)),
            str(letters),
        ]
    )
    count = len(letters)
    return text + chance.choice(
        ["", "", f" ({count} moves)", f" ({count})", f" = {count} moves", " "]
    )


def test_a_right_answer_never_gets_nothing_however_it_is_written() -> None:
    chance = Random(40)
    true = eight_puzzle()

    def distance(board: Board) -> int:
        return true[tuple(map(int, board.cells))]

    far = [cells for cells, moves in true.items() if 2 <= moves <= 12]
    unread = 0
    for _ in range(150):
        boards, answers = [], []
        for _ in range(chance.randint(1, 3)):
            cells = start = chance.choice(far)
            steps: list[tuple[str, int]] = []
            while true[cells]:
                blank = cells.index(0)
                for letter, tile in zip(
                    "UDLR", (blank + 3, blank - 3, blank + 1, blank - 1), strict=True
                ):
                    is_beside = tile // 3 == blank // 3 or letter in "UD"
                    if 0 <= tile < 9 and is_beside:
                        after = list(cells)
                        after[blank], after[tile] = after[tile], 0
                        if true[tuple(after)] < true[cells]:
                            steps.append((letter, int(cells[tile])))
                            cells = tuple(after)
                            break
            boards.append(Board.of([list(start[row : row + 3]) for row in (0, 3, 6)]))
            answers.append(_as_written(steps, chance))
        form = chance.choice(_FORMS)
        if any(arrow in "".join(answers) for arrow in "←↑↓"):
            # Nobody can tell whether the first arrow of "Board 1 → →↓" is a move.
            form = form.replace("→", "=")
        heading = chance.choice(["", "", "Name: Ada Lovelace\n", "Ada Lovelace\n\n"])
        text = heading + "\n".join(form.format(n=n, a=a) for n, a in enumerate(answers, 1))
        read = read_answers(text.splitlines(), boards)
        for board, answer in zip(boards, read.texts, strict=True):
            grade_of = grade(board, answer, distance=distance)
            has_other = read.may_be_shifted or (not answer and read.has_strays)
            is_doubtful = has_other or not grade_of.readable
            assert grade_of.is_shortest or is_doubtful, (text, grade_of)
            unread += is_doubtful
    # Most of them are read: a review is the exception.
    assert unread < 15


@pytest.mark.parametrize(
    ("text", "is_verdict"),
    [
        ("no solution", True),
        ("No solution: 1 inversion.", True),
        ("not solvable by LU alone, but LUUR", False),
        ("no solution is shorter than RULD", False),
        ("it cannot be solved? LURD", False),
        ("LURD", False),
    ],
)
def test_a_verdict_is_one_only_without_moves(text: str, is_verdict: bool) -> None:
    assert says_unsolvable(text) is is_verdict

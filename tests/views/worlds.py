"""The puzzles and searches that the tests of the views look at."""

from __future__ import annotations

from taquin.model.board import Board
from taquin.model.goal import Goal
from taquin.model.moves import Direction, Metric
from taquin.model.puzzle import Puzzle
from taquin.search.conventions import Conventions, Duplicates, Ties

EIGHT = Puzzle(Goal.blank_last(3, 3))
FOUR_MOVES = Board.parse("0 1 3 / 4 2 5 / 7 8 6")
UNSOLVABLE = Board.parse("2 1 3 / 4 5 6 / 7 8 0")

SLIDES = Puzzle(Goal.blank_last(3, 3), Metric.MULTI)

NAMED = Puzzle(Goal.parse("* A * * / * B * * / * C * * / * @ * *"))
NAMED_START = Board.parse(". . . . / . . . . / . . . . / A B C @")

WALLED = Puzzle(Goal.parse("A * * / * # * / * * *"))
WALLED_START = Board.parse(". . . / . # . / A @ .")

BLANK_LEFT_RIGHT_UP_DOWN = (Direction.RIGHT, Direction.LEFT, Direction.DOWN, Direction.UP)
S3_QUEUE = Conventions(duplicates=Duplicates.DEQUEUE, directions=BLANK_LEFT_RIGHT_UP_DOWN)
S3_HEAP = Conventions(
    duplicates=Duplicates.DEQUEUE, ties=Ties.HEAP, directions=BLANK_LEFT_RIGHT_UP_DOWN
)
S3_STACK = Conventions(directions=BLANK_LEFT_RIGHT_UP_DOWN)
BUMPING = Conventions(duplicates=Duplicates.DEQUEUE, bumps=True)

"""Homework 1: a heuristic for the sliding puzzle.

Return an estimate of the moves that a board needs: a whole number, 0 or more, 0 at the goal. It
should never be too high, and as high as possible otherwise.

    taquin estimate "8 1 3 / 4 0 2 / 7 6 5" -H heuristic.py:estimate
    taquin audit -H heuristic.py:estimate          looks for boards where it is too high
    python -m unittest test_homework               the tests that your teacher runs
"""


def estimate(board):
    """Return the estimate for a board.

    board.cells is a tuple of the tiles, row by row, with 0 for the blank: cell i is in row
    i // 3 and column i % 3. In the goal, tile t is in cell t - 1.
    """
    # This counts the misplaced tiles. Replace it by something better.
    misplaced = 0
    for cell, tile in enumerate(board.cells):
        if tile != 0 and tile != cell + 1:
            misplaced += 1
    return misplaced


estimate.admissible = True  # You claim that it is never too high.

"""Sliding-tile puzzles: grids, boards, goals, moves. Pure Python, independent of any search."""

"""What a sliding puzzle is: grids, boards, goals, moves. Pure Python; knows no search."""

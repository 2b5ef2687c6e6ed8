"""Manhattan distance: the steps each tile would need if it were alone.

    8 1 3        tile  1 2 3 4 5 6 7 8      the blank is never counted: sliding it home is what
    4 _ 2              1 2 0 0 2 2 0 3      the other tiles' steps do, and counting it would
    7 6 5        sum = 10                   make the estimate inadmissible

With repeated labels or ANY cells a tile has no one home; the cheapest assignment of tiles to the
goal cells of their label is taken (see `taquin.heuristics.assignment`).
"""

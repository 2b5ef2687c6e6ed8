"""A good solution of any board at once, better ones with time, and a proven gap.

    by_hand.py        line by line in plain Python: the first answer, without a compiler
    constructive.py   the same construction, compiled
    beam.py           a wide beam over all tiles, with a quota for every place of the blank
    value.py          which boards are promising: few far tiles, conflicts and rings
    turns.py          turns of four cells, inserted into a path, that undo rings on large boards
    rings.py          what undoes the rings that are left at the end
    hunt.py           what each thread does with its time

On boards of up to 25 cells with tables at hand the optimal search has the rest of the time: it
raises the bound and may close the gap. In the multi-tile metric the moves found tile by tile are
counted as slides.
"""

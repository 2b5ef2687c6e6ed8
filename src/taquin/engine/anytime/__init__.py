"""A good solution of any board at once, better ones with time, and a proven gap.

    engine.py         the engine `anytime`, and how it divides its time
    improver.py       what each thread does with its time
    construction.py   a first solution, line by line: in plain Python or compiled
    beam.py           a wide beam over all tiles, with a quota for every place of the blank
    windows.py        narrow beams in windows of a large board, which follow the blank
    value.py          which boards are promising, by a value fitted to the lengths of solutions
    shortening.py     a solution made shorter by detours that together change only its moves
    cycles.py         how the cycles that are left at the end of a beam are undone
    proof.py          a better lower bound: IDA* that is not expected to find a solution
    gpu_beams.py      what a CUDA GPU does with its time, where there is one (`gpu/beam.py`)
    puzzle_arrays.py  a puzzle as the arrays that the kernels of this package use

On boards of up to 25 cells with tables at hand the optimal search has the rest of the time: it
raises the bound and may close the gap. On others of up to 64 cells `proof.py` raises the bound. In
the multi-tile metric a move of a beam is a slide of any number of tiles, and the engine `general`
raises the bound.
"""

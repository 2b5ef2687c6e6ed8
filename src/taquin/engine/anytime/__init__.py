"""A good solution of any board at once, better ones with time, and a proven gap.

    construction.py   line by line, in plain Python for the first answer, else compiled
    beam.py           a wide beam over all tiles, with a quota for every place of the blank
    beam.py         what it has in common with the beam of a GPU
    beam.py           how wide a beam may be, level by level, to end in time
    value.py          which boards are promising, by a value fitted to the lengths of solutions
    value.py        what tiles and pairs of tiles add to it
    shortening.py     a solution made shorter by detours that together change only its moves
    cycles.py         what undoes the cycles that are left at the end
    proof.py          a better lower bound: IDA* that is not expected to find a solution
    improver.py       what each thread does with its time
    construction.py      walks of the blank as solutions: the best one, and one without a search
    gpu_beams.py           what a CUDA GPU does with its time, where there is one (`gpu/beam.py`)

On boards of up to 25 cells with tables at hand the optimal search has the rest of the time: it
raises the bound and may close the gap. On others of up to 64 cells `proof.py` raises the bound. In
the multi-tile metric the moves found tile by tile are counted as slides.
"""

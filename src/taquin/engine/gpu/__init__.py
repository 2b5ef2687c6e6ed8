"""Optimal solutions of classic puzzles by one CUDA GPU, through CuPy.

A warp expands the top of a stack of whole nodes; a lane generates one child and reads the views
with the least slack first. Launches are short: a bound is searched in rounds, and nodes are
redistributed when some warps run out of work, so all warps stay busy and Ctrl-C takes effect within
a tenth of a second. Tables are built on the GPU (`plan.py`): one of six tiles in 0.03
s, one of eight in 1.8 s. `resident.py` tries four sets of tables on one bound of each board.
Patterns of eight tiles exist for goals with the blank in a corner. Without a GPU the tests
compile the same kernels as C++ and compare every count with the CPU.
"""

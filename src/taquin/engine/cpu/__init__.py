"""IDA* on the CPU: compiled loops that search one bound, and the threads that share its tree.

    engine.py     the engine `cpu`, and the plans that it keeps
    loop.py       the search loop, for any layout of nodes
    layout.py     bit fields, records and arrays of moves that both layouts share
    packed.py     nodes up to 16 cells, the loop for them, and the tables and moves of one goal
    wide.py       the same for nodes up to 25 cells
    team.py       work stealing, and the threads that do it
    batch.py      many boards of one goal, one after the other, on one thread
    automaton.py  duplicate-operator pruning, and why a shortest solution survives it

A board becomes a `Start`, the root of every bound's tree; a `CpuPlan` has the tree's record.
"""

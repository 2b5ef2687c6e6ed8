"""IDA* on the CPU: compiled loops that search one bound, and the threads that share its tree.

loop.py       the search loop, for any layout of nodes
packed.py     nodes up to 16 cells        packed.py   the tables and moves of one goal
wide.py       nodes up to 25 cells        wide.py     the same for wide nodes
layout.py     bit fields and records that both layouts share
team.py    work stealing               team.py          starting and stopping the threads
automaton.py  duplicate-operator pruning, and why a shortest solution survives it

A board of a goal becomes a `Start`, the root of every bound's tree; a `Plan` has the tree's record.
"""

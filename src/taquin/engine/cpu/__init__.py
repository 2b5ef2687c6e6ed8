"""Compiled searches of one bound, and the team of threads that shares its tree.

    layout.py     fields of nodes, moves and look-ups that all loops share
    packed.py     the loop up to 16 cells     packed_plan.py   the records it reads
    wide.py       the loop up to 25 cells     wide_plan.py     the records it reads
    log.py        the way back from a goal
    sharing.py    how threads share a tree    team.py          the threads
    automaton.py  move words that another word replaces, and why a shortest solution survives

The loops dequeue eight nodes at a time and ask the memory for the values of all their children
before they read the first.
"""

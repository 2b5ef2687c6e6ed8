"""The compiled search for every puzzle that the model knows.

    form.py        a puzzle as the cells the blank can reach and the tiles the goal names
    form.py       the moves of the blank, as lists of packed numbers
    engine.py      which search to run: an exact table, bidirectional breadth-first, or IDA*
    estimates.py   which tables IDA* reads; estimates.py fills them
    walks.py       the IDA* loop: depth first on one board in place, for each kind of heuristic
    team.py        the tree of a bound split into subtrees, which threads search in order
    team.py     IDA* as the user names it, with the same counts as the glass box

Tables that count only the moves of their own tiles are added. Where many tiles are free, or a move
slides several tiles, the maximum of tables that count all moves is the better heuristic.
"""

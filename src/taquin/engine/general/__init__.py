"""The compiled search for every puzzle that the model knows.

    engine.py      the engine `general`, and which search to run: an exact table, bidirectional
                   breadth-first, or IDA*
    form.py        a puzzle as the cells the blank can reach and the tiles the goal names, and the
                   moves of the blank as lists of packed numbers
    estimates.py   the tables that IDA* reads: which, how they are filled, and how they are read
    walks.py       the IDA* loop: depth first on one board in place, for each kind of heuristic
    slides.py      the IDA* loop for slides on small classic boards, with tables that are on disk
    team.py        the tree of a bound split into subtrees, which threads search in order; and IDA*
                   as the user names it, with the same counts as the glass box
    breadth.py     breadth-first search over packed boards

Tables that count only the moves of their own tiles are added. Where many tiles are free, or a move
slides several tiles, the maximum of tables that count all moves is the better heuristic.
"""

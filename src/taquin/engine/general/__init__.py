"""The compiled search for every puzzle that the model knows.

    form.py        a puzzle as cells the blank can reach, and tiles the goal asks for
    steps.py       the blank's steps, packed for kernels
    stages.py      which search serves: an exact table, breadth first from both ends, deepening
    estimates.py   which tables a deepening search reads; filling.py fills them
    walks.py       the one walk, on one board in place, compiled for each kind of estimate
    team.py        a bound cut into roots that threads take in order: counts of one thread
    counted.py     IDA* as it is named, with the counts of the glass box, node for node

Where tables count only their own tiles' moves, their values are added; where many tiles are free,
or a move slides several, the greatest of tables that count all moves is the better estimate.
"""

"""Searches by name in compiled code, with the counts of the glass box.

    engine.py      the engine `textbook`: which searches it runs, and their results
    estimates.py   the heuristics as compiled code reads them
    deepening.py   IDA*, by the walks and the threads of the engine `general`
    driver.py      best-first and bidirectional searches: memory, buckets, limits, solutions
    searches.py    their loops

The tests compare every counter with the glass box.
"""

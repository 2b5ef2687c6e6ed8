"""Searches by name in compiled code, with the counts of the glass box.

    engine.py      the engine `textbook`: which searches it runs, and their results
    estimates.py   the heuristics as compiled code reads them
    driver.py      their memory, buckets, limits and solutions; IDA*, by the engine `general`
    searches.py    the loops of best-first and bidirectional searches

The tests compare every counter with the glass box.
"""

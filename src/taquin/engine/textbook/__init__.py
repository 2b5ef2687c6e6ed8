"""Searches by name in compiled code, with the counts of the glass box.

engine.py      the engine `textbook`: which searches it runs, and their results
estimates.py   the heuristics as compiled code reads them
deepening.py   IDA*, by the walks and the threads of the engine `general`
"""

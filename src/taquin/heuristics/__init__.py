"""Heuristics: estimates of the number of moves to the goal."""

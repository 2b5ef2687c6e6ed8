"""Estimates of the moves still needed."""

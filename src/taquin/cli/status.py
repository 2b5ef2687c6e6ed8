"""The exit statuses of every command."""

from __future__ import annotations

OK = 0
"""Solved, or done."""
REFUTED = 1
"""Proven unsolvable; a claim refuted."""
BAD_INPUT = 2
"""Bad input or usage."""
STOPPED = 3
"""A limit was reached, or the user stopped it: the question is open."""

"""Commands that measure searches, heuristics and spaces."""

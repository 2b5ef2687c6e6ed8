"""The glass-box searches: any puzzle, any heuristic, every step visible."""

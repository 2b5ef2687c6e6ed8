"""What is computed about boards, searches and heuristics."""

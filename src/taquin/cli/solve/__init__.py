"""Commands that solve, check, draw and make boards."""

"""Everything below the puzzle: memory, cores, compiled code, files, lazy imports, formatting."""

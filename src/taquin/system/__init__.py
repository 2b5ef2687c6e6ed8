"""What stands below the puzzle: memory, cores, compiled code, files, lazy names, words."""

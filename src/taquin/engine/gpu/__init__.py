"""The GPU engine: optimal solutions of classic puzzles by one CUDA card, through CuPy."""

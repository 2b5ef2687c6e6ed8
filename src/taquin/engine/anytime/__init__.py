"""Good solutions of boards that nobody can solve optimally here, and how good they are."""

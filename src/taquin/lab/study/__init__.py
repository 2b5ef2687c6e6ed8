"""What to run: boards, searches and limits as values, read from TOML, and the jobs they make."""

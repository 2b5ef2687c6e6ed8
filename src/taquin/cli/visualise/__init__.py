"""Commands that show how a search works."""

"""Commands for courses."""

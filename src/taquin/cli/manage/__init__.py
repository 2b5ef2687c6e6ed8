"""Commands that manage tables and engines."""

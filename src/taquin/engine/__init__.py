"""Which search serves a puzzle best on this machine."""

"""Tools of the developers; they are not installed."""

"""The version: of the last release, or of the next one with `.dev0` between releases."""

__version__ = "0.1.0.dev0"

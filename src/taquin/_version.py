"""The version: of the last release, or of the next one with `.dev0` between releases."""

__version__ = "0.2.0.dev0"

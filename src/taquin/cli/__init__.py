"""The command line: arguments to library calls to exit codes."""

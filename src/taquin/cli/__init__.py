"""The command line: parse arguments, call the library, return exit statuses."""

"""The page and its HTTP interface: a thin server, and worker processes that do the searching."""

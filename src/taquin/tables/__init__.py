"""Pattern databases and complete distance tables: index, build, store."""

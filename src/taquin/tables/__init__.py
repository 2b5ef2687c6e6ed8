"""Pattern databases and complete distance tables: indexing, building, storing."""

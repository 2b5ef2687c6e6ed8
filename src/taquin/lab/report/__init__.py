"""What came out: numbers, tables and figures from records, as text, page and pictures."""

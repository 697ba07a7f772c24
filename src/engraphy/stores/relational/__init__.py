"""What every store over SQL shares: rows, changes, the journal, search; no database library."""

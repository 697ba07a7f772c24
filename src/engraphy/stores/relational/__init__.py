"""What every store over SQL shares: rows, changes, the journal, search. No database library here."""

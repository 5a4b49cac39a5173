"""Pages for players: first page, set-up of a table, the table."""

"""Reports of single commands, as terminal output and page: audit, compare, tournament, tune and so on."""

"""`check_game`: checks that a game keeps the promises of the contract."""

"""The loops that play, step and roll out games, on CPU and GPU; written against placeholders for a game's rules."""

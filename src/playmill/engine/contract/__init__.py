"""What a game is: its modules and hooks, loading and validation, agents, rulebook, score range, map editor."""

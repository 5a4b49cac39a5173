"""Commands that look at the games and their agents, rules and settings."""

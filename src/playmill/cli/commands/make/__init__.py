"""Commands that make games, bots, content and maps."""

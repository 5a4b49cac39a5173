"""Commands that play a game and watch it."""

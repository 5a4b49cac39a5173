"""Kuhn poker, the smallest game of bluffing: three cards, one bet, and a value that is known exactly."""

"""Whispers, a small game of private knowledge: look at a hand, remember it, and use it before the others do."""

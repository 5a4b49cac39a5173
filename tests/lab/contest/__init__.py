"""Contest, a game whose luck and skill are numbers: both name numbers by turns, and luck adds to the sums."""

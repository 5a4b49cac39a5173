"""What the tests of all games share: positions, played games, pictures, pages, reports, and what a game lends to them.

A game is found by its folder. The tests in `tests/games/test_every_*.py` are run for each one, with what it ships; a
game that has more to show lends it by a file `tests/games/NAME/NAME_stock.py` (see `common.stock`).
"""

"""Agents that are not compiled rules of a game: `search`, networks, Python, programs; and matches with any of them."""

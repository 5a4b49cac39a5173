"""Coin, a game to catch a player who sees too much: name the hidden side, play safe, or pay to look first."""

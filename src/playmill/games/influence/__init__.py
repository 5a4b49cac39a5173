"""Influence: hexagons, attack and defence; a contest of bots."""

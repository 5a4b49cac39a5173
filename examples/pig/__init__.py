"""Pig, the smallest game that has everything: two players, one die, roll again or hold."""

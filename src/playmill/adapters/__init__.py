"""Adapters: every game as an environment of Gymnasium, PettingZoo and OpenSpiel; each needs its own library only."""

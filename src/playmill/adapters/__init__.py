"""Adapters: every game as an environment of Gymnasium, PettingZoo, Stable-Baselines3 and OpenSpiel."""

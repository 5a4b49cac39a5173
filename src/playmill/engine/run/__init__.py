"""Runs games: matches, backends, states, batches, rollouts."""

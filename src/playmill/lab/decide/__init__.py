"""Decisions about rules: comparing settings, sequential tests, sweeps, tuning, and the worth of content."""

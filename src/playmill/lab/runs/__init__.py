"""Runs: plans, executors that play them, the store of kept runs, per-game tables and export."""

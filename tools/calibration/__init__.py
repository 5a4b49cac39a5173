"""Repeated runs with a known truth: see `tools/coverage.py`."""

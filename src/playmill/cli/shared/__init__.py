"""Plumbing that several commands share: kept runs, `--among`, and running until sure."""

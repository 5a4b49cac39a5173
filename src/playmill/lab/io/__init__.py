"""Shared input and output of the laboratory: progress bars, and reading files that may come from anybody."""

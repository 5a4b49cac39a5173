"""Patterns of Grid: which of them cards make, or may still make."""

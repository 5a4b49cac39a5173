"""Lints rules before they run, and stops those that never end."""

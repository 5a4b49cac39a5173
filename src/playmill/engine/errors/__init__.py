"""Errors in an author's game, located in their files."""

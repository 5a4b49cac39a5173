"""Commands that work with kept runs."""

"""Report files: atomic writing, checks before long runs, and the JSON form of results."""

"""Stand-ins, in Python's standard library alone, for what the rules and words of a game import: see `bundle.py`."""

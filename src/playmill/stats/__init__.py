"""Statistics: estimates with intervals, differences, sequences, ratings and variance; no I/O, no games."""

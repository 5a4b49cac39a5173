"""Compiles the loops for a game: specialisation, entry points, disk cache, fingerprints."""

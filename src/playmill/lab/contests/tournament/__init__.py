"""`tournament`: agents against each other, and the ladder that comes of it."""

from playmill.lab.contests.tournament.run import Tournament, tournament

__all__ = ["Tournament", "tournament"]

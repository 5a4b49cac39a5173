"""`tournament`: agents play each other, and are rated on a ladder with intervals."""

from playmill.lab.contests.tournament.run import Tournament, tournament

__all__ = ["Tournament", "tournament"]

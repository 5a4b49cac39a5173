"""`contest`: a folder of rules and entrants, and the ladder that grows as they arrive."""

from playmill.lab.contests.contest.run import Contest, Standing

__all__ = ["Contest", "Standing"]

"""`contest`: a folder with rules and entrants, whose ladder grows as submissions arrive."""

from playmill.lab.contests.contest.run import Contest, ContestStanding

__all__ = ["Contest", "ContestStanding"]

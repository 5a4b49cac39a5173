"""`contest`: a folder with rules and entrants, whose ladder grows as submissions arrive."""

from playmill.lab.contests.contest.run import Contest
from playmill.lab.contests.contest.standing import ContestStanding

__all__ = ["Contest", "ContestStanding"]

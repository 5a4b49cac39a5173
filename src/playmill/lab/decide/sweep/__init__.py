"""`sweep`: figures of a report along one number of the rules, or several, on the same deals."""

from playmill.lab.decide.sweep.report import Sweep
from playmill.lab.decide.sweep.run import sweep

__all__ = ["Sweep", "sweep"]

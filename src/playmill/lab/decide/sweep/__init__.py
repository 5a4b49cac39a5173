"""`sweep`: any figures of a report along one number of the rules, or two, on common luck."""

from playmill.lab.decide.sweep.run import sweep
from playmill.lab.decide.sweep.told import Sweep

__all__ = ["Sweep", "sweep"]

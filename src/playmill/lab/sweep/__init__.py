"""`sweep`: any figures of a report along one number of the rules, or two, on common luck."""

from playmill.lab.sweep.run import sweep
from playmill.lab.sweep.told import Sweep

__all__ = ["Sweep", "sweep"]

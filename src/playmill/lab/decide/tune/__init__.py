"""`tune`: searches for numbers of the rules that meet goals, validated on games they were not chosen on."""

from playmill.lab.decide.tune.result import Tuning
from playmill.lab.decide.tune.run import tune

__all__ = ["Tuning", "tune"]

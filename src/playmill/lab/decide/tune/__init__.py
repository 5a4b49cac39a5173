"""Tuning: numbers of the rules with which a game does what is wanted of it, judged by games they were not chosen on."""

from playmill.lab.decide.tune.run import tune
from playmill.lab.decide.tune.tuning import Tuning

__all__ = ["Tuning", "tune"]

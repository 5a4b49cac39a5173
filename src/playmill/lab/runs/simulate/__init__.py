"""`simulate`: play a game many times and count what happens."""

from playmill.lab.runs.simulate.kept import report_of, resume
from playmill.lab.runs.simulate.run import (
    How,
    Options,
    PartSink,
    Progress,
    play_cast,
    simulate,
    taken_apart,
    wanted_games,
)
from playmill.lab.runs.simulate.simulation import Simulation
from playmill.lab.runs.simulate.tables import report_tables

__all__ = [
    "How",
    "Options",
    "PartSink",
    "Progress",
    "Simulation",
    "play_cast",
    "report_of",
    "report_tables",
    "resume",
    "simulate",
    "taken_apart",
    "wanted_games",
]
